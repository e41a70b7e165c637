//! Who may call, how often, and how much: API keys, rate limits and monthly quotas.
//!
//! In: the key a caller presents and the endpoint it wants. Out: a [`Caller`], a [`Reservation`], a [`RateDecision`].
//! For `/generate` the questions come in this order:
//! 1. [`ApiKey::parse`]: is this a key at all? Needs no store.
//! 2. [`KeyRegistry::authenticate`]: whose key is it, and is it active?
//! 3. [`QuotaLedger::reserve`]: is there a request left this month? The place is held while the work is done, charged
//!    durably when the response is ready, and given back when there is none.
//! 4. [`RateLimiter::check`]: at most so many requests in any 60 seconds.
//!
//! [`KeyStore`] is the other side: it creates, lists and revokes keys, from any process, while a server runs. Keys and
//! charged usage live in one `SQLite` file of the data directory; reservations and rate windows live in memory.
//!
//! Knows nothing of HTTP or of rendering, and does not log: every failure goes back to the caller.

mod api_key;
mod calendar;
mod caller;
mod charge_writer;
mod database;
mod error;
mod key_registry;
mod key_store;
mod quota_ledger;
mod rate_limiter;
mod reservation;

use std::path::Path;

pub use api_key::{ApiKey, InvalidKeyFormat};
pub use caller::{Caller, KeyId};
pub use error::{AuthError, QuotaError, StoreError};
pub use key_registry::KeyRegistry;
pub use key_store::{CreatedKey, KeyStore, KeySummary};
pub use quota_ledger::QuotaLedger;
pub use rate_limiter::{LimitedEndpoint, RateDecision, RateLimiter, RateOutcome};
pub use reservation::Reservation;

use crate::clock::Clock;

/// All that decides who may call, opened over one data directory.
///
/// One per data directory and machine: a second one is refused with [`StoreError::InUse`], because two quota ledgers
/// over one store could not both be exact.
#[derive(Debug)]
pub struct Access {
    keys: KeyStore,
    registry: KeyRegistry,
    rate_limiter: RateLimiter,
    quota_ledger: QuotaLedger,
}

impl Access {
    /// Opens the store in `data_dir`, creating the directory and the store where they are missing, and starts the
    /// thread that writes charges.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another server has this directory; otherwise what kept the store from being opened.
    pub fn open(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        let keys = KeyStore::open_in(data_dir, clock.clone())?;
        let registry = KeyRegistry::open(keys.path(), clock.clone())?;
        let quota_ledger = QuotaLedger::open(keys.path(), clock.clone())?;
        Ok(Self { keys, registry, rate_limiter: RateLimiter::new(clock), quota_ledger })
    }

    /// Creates, lists and revokes keys.
    #[must_use]
    pub const fn keys(&self) -> &KeyStore {
        &self.keys
    }

    /// Says whose key it is.
    #[must_use]
    pub const fn registry(&self) -> &KeyRegistry {
        &self.registry
    }

    /// Counts requests per key and endpoint.
    #[must_use]
    pub const fn rate_limiter(&self) -> &RateLimiter {
        &self.rate_limiter
    }

    /// Counts billable requests per key and month.
    #[must_use]
    pub const fn quota_ledger(&self) -> &QuotaLedger {
        &self.quota_ledger
    }

    /// Whether keys can be read and charges be written: writes to the store, without a change of what it says.
    ///
    /// Blocks for milliseconds, or up to five seconds while another process holds the store: not for a tokio worker.
    ///
    /// # Errors
    /// What keeps the store from being written, such as a full disk; [`StoreError::Closed`] after
    /// [`shutdown`](Self::shutdown).
    pub fn check_store(&self) -> Result<(), StoreError> {
        if self.quota_ledger.is_closed() {
            return Err(StoreError::Closed);
        }
        self.keys.check_writable()
    }

    /// Writes the charges that wait and stops the writer; a later [`Reservation::charge`] fails with
    /// [`StoreError::Closed`].
    ///
    /// Blocks for at most the commits in progress (milliseconds, or up to five seconds each while another process holds
    /// the store). Dropping `Access` does the same.
    pub fn shutdown(&self) {
        self.quota_ledger.shutdown();
    }
}
