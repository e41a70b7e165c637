//! Detects a client that hangs up while a request is processed.
//!
//! To a reader, a client that hung up looks like one that only closed its sending side: the stream ends. They differ
//! when something is sent: the system of a client that hung up answers with a reset. So the first byte of the response
//! is sent early. All responses begin with the same byte.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::ReadBuf;
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// The first byte of `HTTP/1.1`.
pub(super) const FIRST_BYTE: &[u8] = b"H";
/// Interval of checks whether a client that closed its sending side has hung up.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The state of the checks of one connection.
pub(super) struct HangUpCheck {
    /// Whether the first byte of the next response was sent early. The next write then skips that byte.
    pub(super) is_ahead: bool,
    /// Wakes the task for the next check.
    next_look: Pin<Box<Sleep>>,
}

impl HangUpCheck {
    /// No check yet. Needs a runtime with a timer.
    pub(super) fn new() -> Self {
        Self { is_ahead: false, next_look: Box::pin(sleep(LOOK_EVERY)) }
    }
}

/// A connection that can tell whether its client has hung up.
pub(super) trait Connection {
    /// Fails if the client has hung up. Otherwise wakes the task when it may have. The next byte must begin a response.
    fn look(&self, check: &mut HangUpCheck, context: &mut Context<'_>) -> io::Result<()>;
}

impl Connection for TcpStream {
    fn look(&self, check: &mut HangUpCheck, context: &mut Context<'_>) -> io::Result<()> {
        match self.poll_peek(context, &mut ReadBuf::new(&mut [0]))? {
            Poll::Pending => return Ok(()),
            Poll::Ready(0) if !check.is_ahead => match self.try_write(FIRST_BYTE) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                sent => check.is_ahead = sent.is_ok(),
            },
            // Unread bytes hide the end of the stream.
            Poll::Ready(_) => {}
        }
        if let Some(error) = self.take_error()? {
            return Err(error);
        }
        check.next_look.set(sleep(LOOK_EVERY));
        let _ = check.next_look.as_mut().poll(context);
        Ok(())
    }
}
