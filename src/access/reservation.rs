//! A reserved request of a monthly quota.

use std::sync::Arc;

use super::charge_queue::ChargeQueue;
use super::error::StoreError;
use super::idempotency::Done;
use super::store::{Attempt, HeldSlot};

/// A request reserved in a month's quota while it is processed. Dropping it releases the request.
#[derive(Debug)]
#[must_use = "dropping a reservation releases it"]
pub struct Reservation {
    pub(super) held: HeldSlot,
    pub(super) charges: Arc<ChargeQueue>,
}

impl Reservation {
    /// Charges the request. Once this returns `Ok`, the charge survives the end of the process and a power failure.
    /// Exception: while a single server's store accepts no writes, charges of clients without a quota stay in memory
    /// until it does.
    ///
    /// If the future is dropped after its first poll, the request is charged; before it, the request is released. Needs
    /// no particular executor.
    ///
    /// # Errors
    /// The charge could not be stored, or access was shut down. Nothing is charged then, and the request is released.
    pub async fn charge(self) -> Result<(), StoreError> {
        self.charges.send(self.held).await.unwrap_or(Err(StoreError::Closed))
    }

    /// The reservation of a request with an idempotency key: its charge keeps `answer`, a word without spaces, in the
    /// same commit. Exception: a charge that stays in memory, as [`charge`](Self::charge) says, keeps no answer.
    pub fn answering(mut self, attempt: Attempt, answer: &str) -> Self {
        self.held.slot.done = Some(Done { attempted: attempt.attempted.clone(), answer: answer.to_owned() });
        self.held.attempt = Some(attempt);
        self
    }
}
