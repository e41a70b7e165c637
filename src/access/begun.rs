//! What becomes of a request with an idempotency key.

use super::store::Attempt;

/// Whether the request is carried out.
#[derive(Debug)]
pub enum Begun {
    /// It is the first, or all before it failed.
    First(Attempt),
    /// The same request was done; this was kept of its answer.
    Done(String),
    /// A request with this key is in progress.
    InProgress,
    /// The key belongs to another request.
    OtherRequest,
}
