//! Keys, limits and quotas of a single server: a `SQLite` file, and counters in memory.

use std::path::Path;
use std::sync::Arc;

use super::error::StoreError;
use super::key_registry::KeyRegistry;
use super::key_store::KeyStore;
use super::quota_ledger::QuotaLedger;
use super::rate_limiter::RateLimiter;
use crate::clock::Clock;

/// All that decides who may call, opened over one data directory.
///
/// One per data directory and machine: a second one is refused with [`StoreError::InUse`], because two quota ledgers
/// over one store could not both be exact.
#[derive(Debug)]
pub struct LocalAccess {
    keys: Arc<KeyStore>,
    registry: KeyRegistry,
    rate_limiter: RateLimiter,
    quota_ledger: QuotaLedger,
}

impl LocalAccess {
    /// Opens the store in `data_dir`, creating the directory and the store where they are missing, and starts the
    /// thread that writes charges.
    ///
    /// # Errors
    /// [`StoreError::InUse`] if another server has this directory; otherwise what kept the store from being opened.
    pub fn open(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        let keys = Arc::new(KeyStore::open_in(data_dir, clock.clone())?);
        let registry = KeyRegistry::open(keys.path(), clock.clone())?;
        let quota_ledger = QuotaLedger::open(keys.path(), clock.clone())?;
        Ok(Self { keys, registry, rate_limiter: RateLimiter::new(clock), quota_ledger })
    }

    /// Creates, lists and revokes keys.
    #[must_use]
    pub const fn keys(&self) -> &Arc<KeyStore> {
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

    /// Writes the charges that wait and stops the writer; a later [`Reservation::charge`](super::Reservation::charge) fails with
    /// [`StoreError::Closed`].
    ///
    /// Blocks for at most the commits in progress (milliseconds, or up to five seconds each while another process holds
    /// the store). Dropping it does the same.
    pub fn shutdown(&self) {
        self.quota_ledger.shutdown();
    }
}
