//! The keys of whatever holds them, for those who administer them.

use std::sync::Arc;

use super::error::StoreError;
use super::key_store::{CreatedKey, KeyStore, KeySummary};

/// Creates, lists and revokes keys. Calls block for a commit or a round trip: not for a tokio worker.
#[derive(Debug)]
pub enum Keys {
    /// Those of a data directory.
    Local(Arc<KeyStore>),
}

impl Keys {
    /// Creates an active key. Only a hash of it is kept.
    ///
    /// # Errors
    /// [`StoreError::InvalidName`], [`StoreError::QuotaTooLarge`], or what kept the key from being generated or stored.
    pub fn create(&self, name: &str, monthly_quota: Option<u64>) -> Result<CreatedKey, StoreError> {
        match self {
            Self::Local(keys) => keys.create(name, monthly_quota),
        }
    }

    /// All keys, revoked ones included, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        match self {
            Self::Local(keys) => keys.list(),
        }
    }

    /// Revokes the key `id` for good; a running server refuses it within a second. Revoking it again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`] if there is no such key, or what kept it from being revoked.
    pub fn revoke(&self, id: &str) -> Result<(), StoreError> {
        match self {
            Self::Local(keys) => keys.revoke(id),
        }
    }
}

impl From<KeyStore> for Keys {
    fn from(keys: KeyStore) -> Self {
        Self::Local(Arc::new(keys))
    }
}
