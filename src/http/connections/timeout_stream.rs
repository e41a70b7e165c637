//! The connection of a client, with time limits, which fails when the client hangs up while a request is processed.
//!
//! Three waits are limited: for the rest of a request's head after its first byte, for the next request on an idle
//! connection, and for a client that does not read its answer. While a request is processed, only its body is awaited;
//! the handler limits that wait.

use std::io::{self, IoSlice};
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

use super::hang_up::{Connection, FIRST_BYTE, HangUpCheck};

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
    state: Arc<ConnectionState>,
    /// Wakes the task at the end of the wait for a request.
    read_by: Pin<Box<Sleep>>,
    /// The end of the wait of the current write, once it waits.
    write_by: Option<Pin<Box<Sleep>>>,
    /// Time that writes have waited since the last request began.
    waited: Duration,
    /// Bytes written since the last request began.
    written: u64,
    hang_up: HangUpCheck,
}

/// The event that a connection waits for. The stream and the service share it.
#[derive(Debug)]
pub(super) struct ConnectionState {
    timeouts: Timeouts,
    wait: Mutex<Wait>,
}

#[derive(Clone, Copy, Debug)]
enum Wait {
    /// Until then for the rest of a head; on a new connection, for all of it.
    Head(Instant),
    /// A request is being processed.
    Response,
    /// Until then for the next request.
    Request(Instant),
}

impl ConnectionState {
    /// Of a new connection.
    pub(in crate::http) fn new(timeouts: Timeouts) -> Arc<Self> {
        let wait = Mutex::new(Wait::Head(Instant::now() + timeouts.head));
        Arc::new(Self { timeouts, wait })
    }

    /// Marks the beginning of a request.
    pub(super) fn wait_for_response(&self) {
        *self.wait.lock() = Wait::Response;
    }

    /// Marks the end of a request.
    pub(super) fn wait_for_request(&self) {
        *self.wait.lock() = Wait::Request(Instant::now() + self.timeouts.idle);
    }
}

impl<S> TimeoutStream<S> {
    /// Limits the waits of `stream`. Needs a runtime with a timer.
    pub(in crate::http) fn new(stream: S, state: Arc<ConnectionState>) -> Self {
        let read_by = Box::pin(sleep(state.timeouts.head));
        Self { stream, state, read_by, write_by: None, waited: Duration::ZERO, written: 0, hang_up: HangUpCheck::new() }
    }

    /// Ready once the wait for a request is over. Wakes the task then.
    fn poll_silence(&mut self, context: &mut Context<'_>) -> Poll<()> {
        let wait = *self.state.wait.lock();
        let (Wait::Head(end) | Wait::Request(end)) = wait else { return Poll::Pending };
        if self.read_by.deadline() != end {
            self.read_by.as_mut().reset(end);
        }
        self.read_by.as_mut().poll(context)
    }

    /// Notes that bytes of a head came.
    fn note_read(&mut self) {
        let mut wait = self.state.wait.lock();
        if matches!(*wait, Wait::Request(_)) {
            *wait = Wait::Head(Instant::now() + self.state.timeouts.head);
            (self.waited, self.written) = (Duration::ZERO, 0);
        }
    }

    fn note_write(&mut self, outcome: Poll<io::Result<usize>>, context: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let most = self.state.timeouts.write;
        let Poll::Ready(written) = &outcome else {
            let write_by = self.write_by.get_or_insert_with(|| Box::pin(sleep(most)));
            ready!(write_by.as_mut().poll(context));
            return Poll::Ready(Err(timed_out("the client does not read its response")));
        };
        if let Some(write_by) = self.write_by.take() {
            self.waited += most.saturating_sub(write_by.deadline() - Instant::now());
        }
        self.written += written.as_ref().map_or(0, |bytes| *bytes as u64);
        // A client that reads a response is not idle.
        if matches!(*self.state.wait.lock(), Wait::Request(_)) {
            self.state.wait_for_request();
        }
        if self.waited > most + Duration::from_secs(self.written / SLOWEST_RATE) {
            return Poll::Ready(Err(timed_out("the client reads its response too slowly")));
        }
        outcome
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let filled = buffer.filled().len();
        let outcome = Pin::new(&mut self.stream).poll_read(context, buffer);
        if outcome.is_pending() {
            ready!(self.poll_silence(context));
            return Poll::Ready(Err(timed_out("the client sends no request")));
        }
        if buffer.filled().len() > filled {
            self.note_read();
        }
        outcome
    }
}

impl<S: AsyncWrite + Connection + Unpin> AsyncWrite for TimeoutStream<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let outcome = if take(&mut self.hang_up.is_ahead) {
            Poll::Ready(Ok(FIRST_BYTE.len()))
        } else {
            Pin::new(&mut self.stream).poll_write_vectored(context, slices)
        };
        self.note_write(outcome, context)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// hyper calls it whenever it is woken and has written all that it has. So the next byte begins a response.
    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        // hyper does not poll the reader again after a response. Once it is woken, its next read returns the error.
        let _ = this.poll_silence(context);
        let is_under_way = matches!(*this.state.wait.lock(), Wait::Response);
        Poll::Ready(if is_under_way { this.stream.look(&mut this.hang_up, context) } else { Ok(()) })
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
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    impl Connection for DuplexStream {
        fn look(&self, _: &mut HangUpCheck, _: &mut Context<'_>) -> io::Result<()> {
            Ok(())
        }
    }

    /// Writes a response to a client that reads `bytes` of it every ten milliseconds, for half a second at most.
    async fn write_to_a_client_that_reads(bytes: usize) -> io::Result<()> {
        let (ours, mut theirs) = duplex(bytes);
        let second = Duration::from_secs(1);
        let timeouts = Timeouts { head: second, idle: second, write: Duration::from_millis(100) };
        let mut stream = TimeoutStream::new(ours, ConnectionState::new(timeouts));
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
