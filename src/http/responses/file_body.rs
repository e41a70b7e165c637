//! The body of a file in parts: a PDF of several pages, or a long SVG. It is sent while it is made. Charges follow what
//! the client got: see [`FileBody`].

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Bytes, HttpBody};
use hyper::body::Frame;
use tokio::runtime::Handle;
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::response_budget::{NoRoom, ResponseBudget};
use crate::access::{KeyId, StoreError};
use crate::pipeline::{FilePart, PartSink};

/// A part of the file.
pub(in crate::http) enum Part {
    Next(Bytes),
    Last(Bytes),
    /// No further part is made, because the client leaves too many bytes unread.
    Unread,
}

/// The parts after the first.
type FileParts = UnboundedReceiver<Part>;

/// Receives the parts from the render pool.
struct FileSink {
    /// Unbounded, as `budget` bounds the bytes of the waiting parts.
    parts: UnboundedSender<Part>,
    budget: ResponseBudget,
    key: KeyId,
    runtime: Handle,
    is_full: AtomicBool,
}

/// A channel for the parts of a file, from a render thread to the body of a response to the client with `key`. Must be
/// called in a tokio runtime.
#[expect(clippy::disallowed_methods, reason = "the bytes of the waiting parts are bounded")]
pub(in crate::http) fn file_parts(budget: &ResponseBudget, key: KeyId) -> (Box<dyn PartSink>, FileParts) {
    let (parts, receiver) = unbounded_channel();
    let (budget, runtime) = (budget.clone(), Handle::current());
    (Box::new(FileSink { parts, budget, key, runtime, is_full: AtomicBool::new(false) }), receiver)
}

impl PartSink for FileSink {
    fn put(&self, part: FilePart) {
        let (bytes, part_of): (_, fn(Bytes) -> Part) = match part {
            FilePart::Next(bytes) => (bytes, Part::Next),
            FilePart::End(bytes) => (bytes, Part::Last),
            FilePart::Start(..) => return,
        };
        let held = self.runtime.block_on(self.budget.hold_soon(Some(&self.key), bytes));
        let part = held.map(part_of).or_else(|reason| {
            tracing::warn!("a file is not finished: {reason}");
            self.is_full.store(true, Ordering::Relaxed);
            if reason == NoRoom::OfKey { Ok(Part::Unread) } else { Err(reason) }
        });
        if let Ok(part) = part {
            // The client may have hung up.
            let _ = self.parts.send(part);
        }
    }

    fn is_wanted(&self) -> bool {
        !self.parts.is_closed() && !self.is_full.load(Ordering::Relaxed)
    }
}

/// Makes the charge durable.
type Charging = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// The body. If a part or the charge fails, it ends with an error, which closes the connection.
///
/// A file is charged before its last part is sent. A client that hangs up before, with any part in its hands, or leaves
/// too many bytes unread, is charged when the body is dropped. A file that the service does not finish is not charged.
pub(in crate::http) struct FileBody {
    first: Option<Bytes>,
    parts: FileParts,
    /// The last part, which waits for the charge.
    last: Option<Bytes>,
    /// Whether the client left too many bytes unread.
    is_unread: bool,
    /// `None` once it was begun, or if the service failed.
    charge: Option<Charging>,
    runtime: Handle,
}

impl FileBody {
    /// A body of `first` and `parts`. The last part is sent once `charge` is done. Must be called in a tokio runtime.
    pub(in crate::http) fn new(
        first: Bytes,
        parts: FileParts,
        charge: impl Future<Output = Result<(), StoreError>> + Send + 'static,
    ) -> Self {
        let (charge, runtime): (Charging, _) = (Box::pin(charge), Handle::current());
        Self { first: Some(first), parts, last: None, is_unread: false, charge: Some(charge), runtime }
    }

    /// Whether the service has given the file up, and the body was not asked for it since.
    fn broke_off(&mut self) -> bool {
        loop {
            match self.parts.try_recv() {
                Ok(Part::Next(_)) => {}
                Ok(Part::Last(_) | Part::Unread) | Err(TryRecvError::Empty) => return false,
                Err(TryRecvError::Disconnected) => return self.last.is_none() && !self.is_unread,
            }
        }
    }
}

impl Drop for FileBody {
    fn drop(&mut self) {
        let is_due = self.first.is_none() && !self.broke_off();
        if let Some(charge) = self.charge.take().filter(|_| is_due) {
            self.runtime.spawn(async move {
                if let Err(error) = charge.await {
                    tracing::warn!(%error, "a file whose client hung up was not charged");
                }
            });
        }
    }
}

impl HttpBody for FileBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        if self.last.is_none() && self.charge.is_some() {
            match ready!(self.parts.poll_recv(context)) {
                Some(Part::Next(bytes)) => return Poll::Ready(Some(Ok(Frame::data(bytes)))),
                Some(Part::Last(bytes)) => self.last = Some(bytes),
                Some(Part::Unread) => {
                    self.is_unread = true;
                    return Poll::Ready(Some(Err(io::Error::other("the client leaves too many bytes unread"))));
                }
                None => {
                    self.charge = None;
                    return Poll::Ready(Some(Err(io::Error::other("the file broke off"))));
                }
            }
        }
        let Some(charge) = &mut self.charge else { return Poll::Ready(None) };
        let charged = ready!(charge.as_mut().poll(context));
        self.charge = None;
        match (charged, self.last.take()) {
            (Ok(()), Some(last)) => Poll::Ready(Some(Ok(Frame::data(last)))),
            (Ok(()), None) => Poll::Ready(None),
            (Err(error), _) => Poll::Ready(Some(Err(io::Error::other(error.to_string())))),
        }
    }
}
