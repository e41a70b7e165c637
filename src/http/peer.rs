//! A stream that distinguishes a client that hung up from one that only closed its sending side.
//!
//! To a reader both look the same: the stream ends. They differ when something is sent: the system of a client that
//! hung up answers with a reset. So this stream sends the first byte of the response early. All responses begin with
//! the same byte.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

/// The first byte of `HTTP/1.1`.
const FIRST_BYTE: &[u8] = b"H";
/// Interval of checks whether a client that closed its sending side has hung up.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The other end of a connection.
#[derive(Debug)]
pub(super) struct Peer {
    reader: OwnedReadHalf,
    /// Whether all earlier responses were given to the system, so that the next byte begins a response.
    is_flushed: AtomicBool,
    /// Whether the first byte of the next response was sent early.
    is_ahead: AtomicBool,
}

/// The stream that hyper reads and writes.
#[derive(Debug)]
pub(super) struct PeerIo {
    peer: Arc<Peer>,
    writer: OwnedWriteHalf,
}

impl Peer {
    /// The other end of this connection, and the stream that hyper reads and writes.
    pub(super) fn of(stream: TcpStream) -> (Arc<Self>, PeerIo) {
        let (reader, writer) = stream.into_split();
        let peer = Arc::new(Self { reader, is_flushed: AtomicBool::new(true), is_ahead: AtomicBool::new(false) });
        (Arc::clone(&peer), PeerIo { peer, writer })
    }

    fn stream(&self) -> &TcpStream {
        self.reader.as_ref()
    }

    /// Resolves once the client has hung up. Must be awaited only before a response begins.
    pub(super) async fn hung_up(&self) {
        // Unread bytes hide the end of the stream.
        while !matches!(self.stream().peek(&mut [0]).await, Ok(0) | Err(_)) {
            tokio::time::sleep(LOOK_EVERY).await;
        }
        while matches!(self.stream().take_error(), Ok(None)) && !self.refuses_first_byte() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    fn refuses_first_byte(&self) -> bool {
        if self.is_ahead.load(Ordering::Relaxed) || !self.is_flushed.load(Ordering::Relaxed) {
            return false;
        }
        match self.stream().try_write(FIRST_BYTE) {
            Ok(written) => {
                self.is_ahead.store(written > 0, Ordering::Relaxed);
                false
            }
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }

    /// Writes `slices` without the byte that was sent early.
    fn poll_send(&self, context: &mut Context<'_>, slices: &[IoSlice<'_>]) -> Poll<io::Result<usize>> {
        self.is_flushed.store(false, Ordering::Relaxed);
        let ahead = usize::from(self.is_ahead.load(Ordering::Relaxed));
        let first = slices.iter().find(|slice| !slice.is_empty()).filter(|_| ahead > 0);
        let rest = first.and_then(|first| first.get(ahead..));
        let written = loop {
            let outcome = match rest {
                Some([]) => Ok(0),
                Some(rest) => self.stream().try_write(rest),
                None => self.stream().try_write_vectored(slices),
            };
            match outcome {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    ready!(self.stream().poll_write_ready(context))?;
                }
                outcome => break outcome?,
            }
        };
        let sent_before = if rest.is_some() { ahead } else { 0 };
        self.is_ahead.fetch_and(rest.is_none(), Ordering::Relaxed);
        Poll::Ready(Ok(written + sent_before))
    }
}

impl AsyncRead for PeerIo {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.peer.stream().poll_read_ready(context))?;
            match self.peer.stream().try_read_buf(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                outcome => return Poll::Ready(outcome.map(drop)),
            }
        }
    }
}

impl AsyncWrite for PeerIo {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.peer.poll_send(context, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.peer.poll_send(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.peer.is_flushed.store(true, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.writer).poll_shutdown(context)
    }
}
