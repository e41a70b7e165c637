//! A stream with time limits for its client.
//!
//! Three waits are limited: for the rest of a request's head after its first byte, for the next request on an idle
//! connection, and for a client that does not read its answer. While a request is processed, only its body is awaited;
//! the handler limits that wait.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// Time limits of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// For the head of a request, from its first byte; on a new connection, from its start.
    pub head: Duration,
    /// For the next request on a connection that already had one.
    pub idle: Duration,
    /// For one write. All writes of a response may wait this long, plus one second per 16 KiB. A client that reads more
    /// slowly on average is disconnected.
    pub write: Duration,
}

/// Bytes per second that a client must read on average. A slow mobile connection does.
pub(super) const SLOWEST_RATE: u64 = 16 << 10;

/// The stream and its deadlines.
pub(super) struct TimeoutStream<S> {
    stream: S,
    timeouts: Timeouts,
    state: Arc<ConnectionState>,
    /// Requests that had ended when the current wait for a request began.
    waits_after: u64,
    head_began: bool,
    read_by: Deadline,
    write_by: Deadline,
    /// Time that writes have waited since the last request began.
    waited: Duration,
    /// When the current write began to wait.
    waits_since: Option<Instant>,
    /// Bytes written since the last request began.
    written: u64,
}

/// Whether a request is being processed on a connection. The stream and the service share it.
#[derive(Debug, Default)]
pub(super) struct ConnectionState {
    is_under_way: AtomicBool,
    ended: AtomicU64,
}

/// Marks a request as being processed until it is dropped.
pub(super) struct RequestGuard(Arc<ConnectionState>);

impl ConnectionState {
    /// Marks the beginning of a request.
    pub(super) fn begin(self: &Arc<Self>) -> RequestGuard {
        self.is_under_way.store(true, Ordering::Release);
        RequestGuard(Arc::clone(self))
    }

    /// Whether a request is being processed.
    pub(super) fn is_under_way(&self) -> bool {
        self.is_under_way.load(Ordering::Acquire)
    }
}

impl Drop for RequestGuard {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Release);
        self.0.is_under_way.store(false, Ordering::Release);
    }
}

/// The end of a wait, if there is one.
#[derive(Default)]
struct Deadline(Option<Pin<Box<Sleep>>>);

impl Deadline {
    fn set(&mut self, wait: Duration) {
        let end = Instant::now() + wait;
        match &mut self.0 {
            Some(sleep) => sleep.as_mut().reset(end),
            None => self.0 = Some(Box::pin(sleep_until(end))),
        }
    }

    fn set_if_none(&mut self, wait: Duration) {
        if self.0.is_none() {
            self.set(wait);
        }
    }

    fn lift(&mut self) {
        self.0 = None;
    }

    /// Ready once the deadline has passed. Wakes the task then.
    fn poll_passed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().map_or(Poll::Pending, |sleep| sleep.as_mut().poll(context))
    }
}

impl<S> TimeoutStream<S> {
    /// Limits the waits of `stream`. Needs a runtime with a timer.
    pub(super) fn new(stream: S, timeouts: Timeouts, state: Arc<ConnectionState>) -> Self {
        let mut read_by = Deadline::default();
        read_by.set(timeouts.head);
        Self {
            stream,
            timeouts,
            state,
            waits_after: 0,
            head_began: false,
            read_by,
            write_by: Deadline::default(),
            waited: Duration::ZERO,
            waits_since: None,
            written: 0,
        }
    }

    /// Begins the wait for the next request if a request has ended.
    fn begin_wait(&mut self) {
        let ended = self.state.ended.load(Ordering::Acquire);
        if ended != self.waits_after {
            self.waits_after = ended;
            self.head_began = false;
            self.read_by.set(self.timeouts.idle);
        }
    }

    /// Wakes the task when the wait for a request is over. hyper does not poll the reader again after a response.
    fn watch_for_silence(&mut self, context: &mut Context<'_>) {
        if !self.state.is_under_way() {
            self.begin_wait();
            // The next read returns the error.
            let _ = self.read_by.poll_passed(context);
        }
    }

    fn note_write(&mut self, outcome: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = &outcome {
            self.write_by.lift();
            if let Some(since) = self.waits_since.take() {
                self.waited += since.elapsed();
            }
            self.written += written.as_ref().map_or(0, |bytes| *bytes as u64);
            // A client that reads a response is not idle.
            if !self.head_began && self.waits_after > 0 {
                self.read_by.set(self.timeouts.idle);
            }
            return if self.is_too_slow() {
                Poll::Ready(Err(timed_out("the client reads its response too slowly")))
            } else {
                outcome
            };
        }
        self.waits_since.get_or_insert_with(Instant::now);
        self.write_by.set_if_none(self.timeouts.write);
        ready!(self.write_by.poll_passed(context));
        Poll::Ready(Err(timed_out("the client does not read its response")))
    }

    /// Whether writes have waited for longer than a client at the slowest rate makes them wait.
    fn is_too_slow(&self) -> bool {
        self.waited > self.timeouts.write + Duration::from_secs(self.written / SLOWEST_RATE)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let waits = !self.state.is_under_way();
        if waits {
            self.begin_wait();
        }
        let filled = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        if !waits {
            return outcome;
        }
        if outcome.is_ready() {
            if buffer.filled().len() > filled && !self.head_began {
                self.head_began = true;
                (self.waited, self.written) = (Duration::ZERO, 0);
                let head = self.timeouts.head;
                self.read_by.set(head);
            }
            return outcome;
        }
        ready!(self.read_by.poll_passed(context));
        Poll::Ready(Err(timed_out("the client sends no request")))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.note_write(outcome, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.note_write(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.watch_for_silence(context);
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

fn timed_out(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::TimedOut, what)
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    /// Writes a response to a client that reads `bytes` of it every ten milliseconds, for half a second at most.
    async fn write_to_a_client_that_reads(bytes: usize) -> io::Result<()> {
        let (ours, mut theirs) = duplex(bytes);
        let second = Duration::from_secs(1);
        let timeouts = Timeouts { head: second, idle: second, write: Duration::from_millis(100) };
        let mut stream = TimeoutStream::new(ours, timeouts, Arc::default());
        let reading = tokio::spawn(async move {
            let mut taken = vec![0; bytes];
            while theirs.read_exact(&mut taken).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        });
        let outcome = stream.write_all(&vec![7; 50 * bytes]).await;
        drop(stream);
        reading.await.unwrap();
        outcome
    }

    #[tokio::test]
    async fn a_client_that_reads_a_little_now_and_then_is_cut_off_and_one_at_a_fair_rate_is_not() {
        let slow = write_to_a_client_that_reads(32).await.unwrap_err();
        assert_eq!(
            (slow.kind(), slow.to_string().as_str()),
            (io::ErrorKind::TimedOut, "the client reads its response too slowly")
        );
        write_to_a_client_that_reads(16 << 10).await.unwrap();
    }
}
