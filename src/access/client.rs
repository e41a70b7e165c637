//! The client behind an active key.

use std::fmt;
use std::sync::Arc;

use super::rate_limits::RateLimits;

/// The public identifier of a key (a UUID). It reveals nothing about the key itself. Cheap to clone.
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

/// The owner of an active key, as [`Access::authenticate`](super::Access::authenticate) returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// The key's identifier. Usage is counted per identifier.
    pub key_id: KeyId,
    /// The key's name, as the operator gave it.
    pub name: Arc<str>,
    /// Billable requests per UTC calendar month; `None` is no limit.
    pub monthly_quota: Option<u64>,
    /// Limits of its own.
    pub rate_limits: RateLimits,
}
