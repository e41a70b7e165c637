//! Key administration over either store.

use std::sync::Arc;

use super::error::StoreError;
use super::fleet::FleetKeys;
use super::key_store::{CreatedKey, KeyStore, KeySummary};

/// Creates, lists and revokes keys. Calls block for a commit or a round trip: not for a tokio worker.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one a command")]
pub enum Keys {
    /// Those of a data directory.
    Local(Arc<KeyStore>),
    /// Those that a fleet shares.
    Fleet(FleetKeys),
}

impl Keys {
    /// Creates an active key. Only a hash of it is kept.
    ///
    /// # Errors
    /// [`StoreError::InvalidName`], [`StoreError::QuotaTooLarge`], or what kept the key from being generated or stored.
    pub fn create(&self, name: &str, monthly_quota: Option<u64>) -> Result<CreatedKey, StoreError> {
        match self {
            Self::Local(keys) => keys.create(name, monthly_quota),
            Self::Fleet(keys) => keys.create(name, monthly_quota),
        }
    }

    /// All keys, revoked ones included, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        match self {
            Self::Local(keys) => keys.list(),
            Self::Fleet(keys) => keys.list(),
        }
    }

    /// Revokes the key `id` for good; a running server refuses it within a second. Revoking it again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`] if there is no such key, or what kept it from being revoked.
    pub fn revoke(&self, id: &str) -> Result<(), StoreError> {
        match self {
            Self::Local(keys) => keys.revoke(id),
            Self::Fleet(keys) => keys.revoke(id),
        }
    }
}

impl From<KeyStore> for Keys {
    fn from(keys: KeyStore) -> Self {
        Self::Local(Arc::new(keys))
    }
}

impl From<FleetKeys> for Keys {
    fn from(keys: FleetKeys) -> Self {
        Self::Fleet(keys)
    }
}
