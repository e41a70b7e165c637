//! The interface of a store of keys, usage and rate windows.
//!
//! [`Store`] has two implementations: `SqliteStore` for a single server, `RedisStore` for a fleet. A [`Slot`] is one
//! request of a monthly quota. It travels from [`Store::reserve`] through a [`HeldSlot`], which settles it when it is
//! dropped, to [`Store::charge`], which makes it durable.

use std::fmt;
use std::ops::RangeInclusive;
use std::pin::Pin;
use std::sync::Arc;

use tokio::runtime::Handle;

use super::api_key::KeyHash;
use super::calendar::Month;
use super::client::{Client, KeyId};
use super::error::{QuotaError, StoreError};
use super::idempotency::{Attempted, Done, Known};
use super::key_info::{CreatedKey, KeySettings, KeySummary};
use super::rate_limiter::RateDecision;
use super::rate_limits::LimitedEndpoint;

/// The asynchronous result of a store's operation.
pub(super) type Answer<'a, T, E = StoreError> = Pin<Box<dyn Future<Output = Result<T, E>> + Send + 'a>>;

/// Holds keys, usage and rate windows. Methods that return an [`Answer`] do not block for long; the others may, as each
/// says.
pub(super) trait Store: fmt::Debug + Send + Sync {
    /// Reads the active keys if they changed since generation `known`.
    fn keys(&self, known: i64) -> Answer<'_, KeysRead>;

    /// Stores a new key. Blocks.
    fn create(&self, key: &CreatedKey) -> Result<(), StoreError>;

    /// The months whose use it knows, up to the present one by its clock. Blocks.
    fn months(&self) -> Result<RangeInclusive<Month>, StoreError>;

    /// All keys, revoked ones included, oldest first, with what they used in `month`. Blocks.
    fn list(&self, month: Month) -> Result<Vec<KeySummary>, StoreError>;

    /// Changes a key. False if no key has this identifier, or none that may be changed so. Blocks.
    fn change(&self, id: &str, change: KeyChange) -> Result<bool, StoreError>;

    /// Usage of a key in the present month.
    fn usage<'a>(&'a self, client: &'a Client) -> Answer<'a, Usage>;

    /// Reserves one request of the present month, of which `limit` are allowed.
    fn reserve<'a>(&'a self, key_id: &'a KeyId, limit: u64) -> Answer<'a, Slot, QuotaError>;

    /// Ends a reservation: the request was charged, or the slot is free again. Does not block.
    fn settle(&self, slot: &Slot, is_charged: bool);

    /// Makes charges durable, in one commit where possible. Without slots it tests whether the store accepts charges.
    /// Blocks.
    fn charge(&self, slots: &[&Slot]) -> Result<(), ChargeError>;

    /// Counts a request in its rate window if `limit` allows it.
    fn check_rate<'a>(&'a self, key_id: &'a KeyId, endpoint: LimitedEndpoint, limit: u32) -> Answer<'a, RateDecision>;

    /// Whether a request with this idempotency key is in progress or done.
    fn knows_attempt<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, bool>;

    /// Begins a request with an idempotency key, or says what is known of it.
    fn begin<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, Known>;

    /// Ends an attempt. One that is not done may be made again. Does not block.
    fn end_attempt(&self, attempted: &Attempted, is_done: bool);

    /// Keeps the answer of a request that is not charged. Blocks.
    fn keep_answer(&self, done: &Done) -> Result<(), StoreError>;

    /// Forgets the answers of the rows of a job. Blocks.
    fn forget_rows(&self, key_id: &KeyId, job: &str) -> Result<(), StoreError>;

    /// Tests whether the store can be read and written. Blocks for up to five seconds.
    fn check(&self) -> Result<(), StoreError>;

    /// The state of the store, as far as it is known without a request to it.
    fn status(&self) -> StoreStatus;

    /// The runtime on which [`Answer`]s must be awaited; `None` if any executor will do.
    fn runtime(&self) -> Option<&Handle> {
        None
    }

    /// Last work before the process ends. Blocks for some seconds at most.
    fn shutdown(&self) {}
}

/// A change of a key.
#[derive(Clone, Copy, Debug)]
pub(super) enum KeyChange {
    /// Revokes it for good.
    Revoked,
    /// Changes settings of an active key.
    Settings(KeySettings),
    /// Replaces the secret of an active key, whose usage stays.
    Secret(KeyHash),
}

/// The state of the store, for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreStatus {
    /// Whether the last request to it succeeded.
    pub is_up: bool,
    /// Charges that are durable on this instance and have not yet reached the shared store.
    pub waiting_charges: u64,
}

/// Active keys, as [`Store::keys`] read them.
#[derive(Debug)]
pub(super) struct KeysRead {
    /// Changes with every change of a key. Never negative.
    pub(super) generation: i64,
    /// All active keys; `None` if they are those of the known generation.
    pub(super) keys: Option<Vec<(KeyHash, Client)>>,
}

/// Usage of a key in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Requests charged, and those of a key with a quota that are in progress.
    pub used: u64,
    /// The first instant of the next UTC month, as `2026-12-01T00:00:00Z`.
    pub reset_at: String,
}

/// Why not all slots of a batch were charged.
#[derive(Debug)]
pub(super) struct ChargeError {
    /// The reason why the store accepts no charges.
    pub(super) cause: StoreError,
    /// For each slot of the batch, whether it counts as charged nevertheless.
    pub(super) charged: Vec<bool>,
}

/// One request of a key's monthly quota, from its reservation until it is charged or released.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// A UUID; a charge with an identifier counts once, however often it is sent.
    pub(super) id: String,
    /// The key to charge.
    pub(super) key_id: KeyId,
    /// The month to charge: that of the reservation.
    pub(super) month: Month,
    /// The counter that includes the slot until it is charged.
    pub(super) counted_in: CountedIn,
    /// The answer that becomes durable with the charge.
    pub(super) done: Option<Done>,
}

/// The counter of a reserved slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountedIn {
    /// The memory of this process.
    Memory,
    /// The shared store.
    SharedStore,
    /// None: the key has no quota.
    Nothing,
}

impl Slot {
    /// A slot with a new identifier.
    pub(super) fn new(key_id: &KeyId, month: Month, counted_in: CountedIn) -> Self {
        Self { id: uuid::Uuid::new_v4().to_string(), key_id: key_id.clone(), month, counted_in, done: None }
    }
}

/// A slot that is settled when this is dropped.
#[derive(Debug)]
pub(super) struct HeldSlot {
    pub(super) slot: Slot,
    /// The name of its key.
    pub(super) key_name: Arc<str>,
    pub(super) store: Arc<dyn Store>,
    /// Whether the reservation ends as charged.
    pub(super) is_charged: bool,
    /// The attempt that the charge ends.
    pub(super) attempt: Option<Attempt>,
}

impl Drop for HeldSlot {
    fn drop(&mut self) {
        self.store.settle(&self.slot, self.is_charged);
        if let Some(attempt) = &mut self.attempt {
            attempt.is_done = self.is_charged;
        }
    }
}

/// A request with an idempotency key in progress. Dropped before it is done, it may be made again.
#[derive(Debug)]
#[must_use = "dropping an attempt ends it"]
pub struct Attempt {
    pub(super) attempted: Attempted,
    pub(super) store: Arc<dyn Store>,
    pub(super) is_done: bool,
}

impl Attempt {
    /// Ends the attempt as done, for requests that are not charged. `answer` is durable once this returns. Blocks for a
    /// commit or a round trip.
    ///
    /// # Errors
    /// The store cannot be written. The attempt has ended without an answer.
    pub fn finish(mut self, answer: &str) -> Result<(), StoreError> {
        self.store.keep_answer(&Done { attempted: self.attempted.clone(), answer: answer.to_owned() })?;
        self.is_done = true;
        Ok(())
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        self.store.end_attempt(&self.attempted, self.is_done);
    }
}
