//! Who may call, how often, and how much: API keys, rate limits and monthly quotas.
//!
//! Input: a client's key and the endpoint. Output: a [`Caller`], a [`Reservation`], a [`RateDecision`]. For `/generate`
//! the checks run in this order:
//! 1. [`ApiKey::parse`]: is the key well-formed? Needs no store.
//! 2. [`KeyRegistry::authenticate`]: whose key is it, and is it active?
//! 3. [`QuotaLedger::reserve`]: is there a request left this month? The place is reserved while the work is done,
//!    charged durably when the answer is ready, and released if there is none.
//! 4. [`RateLimiter::check`]: is the client below its limit in the last 60 seconds?
//!
//! [`Access`] runs these checks against one of two stores. [`LocalAccess`]: keys and charges are in one `SQLite` file
//! of the data directory; reservations and rate windows are in memory. [`KeyStore`] creates, lists and revokes its
//! keys, from any process, while a server runs. [`FleetAccess`] (`fleet`) keeps everything in Redis or Valkey for
//! several servers; [`FleetKeys`] administers its keys. [`Keys`] is either of the two.
//!
//! The module knows nothing of HTTP or rendering. It does not log: it returns every failure.

mod api_key;
mod calendar;
mod caller;
mod charge_writer;
mod database;
mod error;
mod fleet;
mod key_registry;
mod key_store;
mod keys;
mod local;
mod quota_ledger;
mod rate_limiter;
mod reservation;

use std::sync::Arc;

pub use api_key::{ApiKey, InvalidKeyFormat};
pub use caller::{Caller, KeyId};
pub use error::{AuthError, QuotaError, StoreError};
pub use fleet::{FleetAccess, FleetAddress, FleetKeys, FleetOptions, WhenAway};
pub use key_registry::KeyRegistry;
pub use key_store::{CreatedKey, KeyStore, KeySummary};
pub use keys::Keys;
pub use local::LocalAccess;
pub use quota_ledger::QuotaLedger;
pub use rate_limiter::{LimitedEndpoint, RateDecision, RateLimiter, RateOutcome};
use reservation::Holder;
pub use reservation::Reservation;

/// How the store is, for operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreStanding {
    /// Whether it answered and took charges when it was last asked.
    pub is_up: bool,
    /// Charges that are durable here and have not yet reached the store that a fleet shares.
    pub waiting_charges: u64,
}

/// Decides who may call, whatever holds the keys and counts.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one a process")]
pub enum Access {
    /// One server alone.
    Local(LocalAccess),
    /// One instance of a fleet that shares all of it.
    Fleet(FleetAccess),
}

impl From<LocalAccess> for Access {
    fn from(local: LocalAccess) -> Self {
        Self::Local(local)
    }
}

impl From<FleetAccess> for Access {
    fn from(fleet: FleetAccess) -> Self {
        Self::Fleet(fleet)
    }
}

impl Access {
    /// The owner of `key`.
    ///
    /// # Errors
    /// [`AuthError::Unknown`] for a key never created or since revoked; [`AuthError::Store`] if the store cannot say.
    pub async fn authenticate(&self, key: &ApiKey) -> Result<Caller, AuthError> {
        match self {
            Self::Local(local) => local.registry().authenticate(key),
            Self::Fleet(fleet) => fleet.authenticate(key).await,
        }
    }

    /// Holds a place for one request in this month's quota.
    ///
    /// # Errors
    /// For callers with a quota: [`QuotaError::Exhausted`] if none is left; [`QuotaError::Store`] if the store cannot say
    /// what was used, or takes no charges at present.
    pub async fn reserve(&self, caller: &Caller) -> Result<Reservation, QuotaError> {
        match self {
            Self::Local(local) => local.quota_ledger().reserve(caller),
            Self::Fleet(fleet) => Ok(Reservation(Holder::Fleet(fleet.reserve(caller).await?))),
        }
    }

    /// Counts a request of `key_id` to `endpoint` if the limit allows it.
    ///
    /// # Errors
    /// If the store cannot say.
    pub async fn check_rate(&self, key_id: &KeyId, endpoint: LimitedEndpoint) -> Result<RateDecision, StoreError> {
        match self {
            Self::Local(local) => Ok(local.rate_limiter().check(key_id, endpoint)),
            Self::Fleet(fleet) => fleet.check_rate(key_id, endpoint).await,
        }
    }

    /// Creates, lists and revokes keys.
    ///
    /// # Errors
    /// If what holds them cannot be opened a second time.
    pub fn keys(&self) -> Result<Keys, StoreError> {
        match self {
            Self::Local(local) => Ok(Keys::Local(Arc::clone(local.keys()))),
            Self::Fleet(fleet) => Ok(Keys::Fleet(fleet.keys()?)),
        }
    }

    /// How the store is, as far as is known without asking it.
    #[must_use]
    pub fn standing(&self) -> StoreStanding {
        match self {
            Self::Local(local) => StoreStanding { is_up: local.quota_ledger().takes_charges(), waiting_charges: 0 },
            Self::Fleet(fleet) => fleet.standing(),
        }
    }

    /// Whether keys can be read and charges be written. Blocks, for up to five seconds: not for a tokio worker.
    ///
    /// # Errors
    /// What keeps the store from answering or from being written, such as a full disk; [`StoreError::Closed`] after
    /// [`shutdown`](Self::shutdown).
    pub fn check_store(&self) -> Result<(), StoreError> {
        match self {
            Self::Local(local) => local.check_store(),
            Self::Fleet(fleet) => fleet.check_store(),
        }
    }

    /// Makes the charges that wait durable and ends; a later [`Reservation::charge`] fails with [`StoreError::Closed`].
    /// Blocks for some seconds at most.
    pub fn shutdown(&self) {
        match self {
            Self::Local(local) => local.shutdown(),
            Self::Fleet(fleet) => fleet.shutdown(),
        }
    }
}
