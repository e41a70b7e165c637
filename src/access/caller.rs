//! The client behind a valid key.

use std::fmt;
use std::sync::Arc;

/// The public identifier of a key (a UUID), which tells nothing about the key itself. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(Arc<str>);

impl KeyId {
    /// The identifier as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for KeyId {
    fn from(id: &str) -> Self {
        Self(Arc::from(id))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The owner of an active key, as [`KeyRegistry::authenticate`](super::KeyRegistry::authenticate) found it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caller {
    /// The key's identifier, by which usage is counted.
    pub key_id: KeyId,
    /// Billable requests allowed in a UTC calendar month; `None` is no limit.
    pub monthly_quota: Option<u64>,
}
