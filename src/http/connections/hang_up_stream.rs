//! A stream that fails when its client hangs up while a request is processed.
//!
//! To a reader, a client that hung up looks like one that only closed its sending side: the stream ends. They differ
//! when something is sent: the system of a client that hung up answers with a reset. So this stream sends the first byte
//! of the response early. All responses begin with the same byte.

use std::io::{self, IoSlice};
use std::mem::take;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::timeout_stream::ConnectionState;

/// The first byte of `HTTP/1.1`.
const FIRST_BYTE: &[u8] = b"H";
/// Interval of checks whether a client that closed its sending side has hung up.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The connection of a client.
pub(super) struct HangUpStream {
    stream: TcpStream,
    state: Arc<ConnectionState>,
    /// Whether the first byte of the next response was sent early.
    is_ahead: bool,
    /// Wakes the task for the next check.
    next_look: Pin<Box<Sleep>>,
}

impl HangUpStream {
    /// Watches `stream` while `state` has a request. Needs a runtime with a timer.
    pub(in crate::http) fn new(stream: TcpStream, state: Arc<ConnectionState>) -> Self {
        Self { stream, state, is_ahead: false, next_look: Box::pin(sleep(LOOK_EVERY)) }
    }

    /// Fails if the client has hung up. Otherwise wakes the task when it may have.
    fn look(&mut self, context: &mut Context<'_>) -> io::Result<()> {
        match self.stream.poll_peek(context, &mut ReadBuf::new(&mut [0]))? {
            Poll::Pending => return Ok(()),
            Poll::Ready(0) if !self.is_ahead => match self.stream.try_write(FIRST_BYTE) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                sent => self.is_ahead = sent.is_ok(),
            },
            // Unread bytes hide the end of the stream.
            Poll::Ready(_) => {}
        }
        if let Some(error) = self.stream.take_error()? {
            return Err(error);
        }
        self.next_look.set(sleep(LOOK_EVERY));
        let _ = self.next_look.as_mut().poll(context);
        Ok(())
    }
}

impl AsyncRead for HangUpStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for HangUpStream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if take(&mut self.is_ahead) {
            return Poll::Ready(Ok(FIRST_BYTE.len()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// hyper calls it whenever it is woken and has written all that it has. So the next byte begins a response.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(if self.state.is_under_way() { self.look(context) } else { Ok(()) })
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
