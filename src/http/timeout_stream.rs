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

/// How long a connection waits for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For the head of a request, from its first byte; on a new connection, from its start.
    pub head: Duration,
    /// For the next request on a connection that has had one.
    pub idle: Duration,
    /// For the peer to take some of what is written. For all of an answer, the peer has this long and one second for each
    /// 16 KiB: a peer that reads more slowly on average is disconnected.
    pub write: Duration,
}

/// Bytes a second that a peer must take on average: a slow mobile connection does.
pub(super) const SLOWEST_RATE: u64 = 16 << 10;

/// The stream and its clocks.
pub(super) struct PatientIo<S> {
    stream: S,
    patience: Patience,
    service: Arc<InService>,
    /// Exchanges that had ended when the present wait for a request began.
    waits_after: u64,
    head_began: bool,
    read_by: Deadline,
    write_by: Deadline,
    /// How long writes have waited for the peer since the last exchange began, and since when the present one waits.
    waited: Duration,
    waits_since: Option<Instant>,
    /// Bytes that the peer has taken since then.
    taken: u64,
}

/// Whether an exchange is under way on a connection, shared with whoever serves it.
#[derive(Debug, Default)]
pub(super) struct InService {
    is_under_way: AtomicBool,
    ended: AtomicU64,
}

/// An exchange under way. Dropped, it has ended.
pub(super) struct UnderWay(Arc<InService>);

impl InService {
    /// An exchange begins.
    pub(super) fn begin(self: &Arc<Self>) -> UnderWay {
        self.is_under_way.store(true, Ordering::Release);
        UnderWay(Arc::clone(self))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::Release);
        self.0.is_under_way.store(false, Ordering::Release);
    }
}

/// A moment after which waiting is over; none while nothing is waited for.
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

    /// Ready when it has passed; otherwise the task is woken when it passes.
    fn poll_passed(&mut self, context: &mut Context<'_>) -> Poll<()> {
        self.0.as_mut().map_or(Poll::Pending, |sleep| sleep.as_mut().poll(context))
    }
}

impl<S> PatientIo<S> {
    /// A stream on which `service` tells what is under way. Needs a runtime with a timer.
    pub(super) fn new(stream: S, patience: Patience, service: Arc<InService>) -> Self {
        let mut read_by = Deadline::default();
        read_by.set(patience.head);
        Self {
            stream,
            patience,
            service,
            waits_after: 0,
            head_began: false,
            read_by,
            write_by: Deadline::default(),
            waited: Duration::ZERO,
            waits_since: None,
            taken: 0,
        }
    }

    /// Notices that an exchange ended: the wait for the next begins.
    fn begin_wait(&mut self) {
        let ended = self.service.ended.load(Ordering::Acquire);
        if ended != self.waits_after {
            self.waits_after = ended;
            self.head_began = false;
            self.read_by.set(self.patience.idle);
        }
    }

    /// Sees to it that the task is woken when the wait for a request is over: a reader that was told once that there is
    /// nothing to read does not ask again after the answer.
    fn watch_for_silence(&mut self, context: &mut Context<'_>) {
        if !self.service.is_under_way.load(Ordering::Acquire) {
            self.begin_wait();
            // Once it has passed, the next read says so.
            let _ = self.read_by.poll_passed(context);
        }
    }

    fn note_write(&mut self, outcome: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = &outcome {
            self.write_by.lift();
            if let Some(since) = self.waits_since.take() {
                self.waited += since.elapsed();
            }
            self.taken += written.as_ref().map_or(0, |bytes| *bytes as u64);
            // A peer that takes an answer is not idle.
            if !self.head_began && self.waits_after > 0 {
                self.read_by.set(self.patience.idle);
            }
            return if self.is_too_slow() {
                Poll::Ready(Err(timed_out("the peer takes its answer too slowly")))
            } else {
                outcome
            };
        }
        self.waits_since.get_or_insert_with(Instant::now);
        self.write_by.set_if_none(self.patience.write);
        ready!(self.write_by.poll_passed(context));
        Poll::Ready(Err(timed_out("the peer does not take its answer")))
    }

    /// Whether writes have waited for longer than a peer at the slowest rate makes them wait.
    fn is_too_slow(&self) -> bool {
        self.waited > self.patience.write + Duration::from_secs(self.taken / SLOWEST_RATE)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for PatientIo<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let waits = !self.service.is_under_way.load(Ordering::Acquire);
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
                (self.waited, self.taken) = (Duration::ZERO, 0);
                let head = self.patience.head;
                self.read_by.set(head);
            }
            return outcome;
        }
        ready!(self.read_by.poll_passed(context));
        Poll::Ready(Err(timed_out("the peer sends no request")))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for PatientIo<S> {
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

    /// Writes an answer to a peer that takes `bytes` of it every ten milliseconds, for half a second at most.
    async fn write_to_a_peer_that_takes(bytes: usize) -> io::Result<()> {
        let (ours, mut theirs) = duplex(bytes);
        let second = Duration::from_secs(1);
        let patience = Patience { head: second, idle: second, write: Duration::from_millis(100) };
        let mut stream = PatientIo::new(ours, patience, Arc::default());
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
    async fn a_peer_that_takes_a_little_now_and_then_is_cut_off_and_one_at_a_fair_rate_is_not() {
        let slow = write_to_a_peer_that_takes(32).await.unwrap_err();
        assert_eq!(
            (slow.kind(), slow.to_string().as_str()),
            (io::ErrorKind::TimedOut, "the peer takes its answer too slowly")
        );
        write_to_a_peer_that_takes(16 << 10).await.unwrap();
    }
}
