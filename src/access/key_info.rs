//! A key as administrators see it: when it is created, and in lists.

use serde::Serialize;

use super::api_key::ApiKey;
use super::calendar::Month;
use super::error::StoreError;
use super::rate_limits::RateLimits;

const MAX_NAME_CHARACTERS: usize = 200;

/// A new key. Only here can the key itself be read; the store keeps its hash.
#[derive(Clone, Debug)]
pub struct CreatedKey {
    /// The identifier, a UUID, by which the key is listed and revoked.
    pub id: String,
    /// The secret.
    pub key: ApiKey,
    /// The name given, without leading and trailing spaces.
    pub name: String,
    /// Billable requests per UTC calendar month; `None` is no limit.
    pub monthly_quota: Option<u64>,
    /// Limits of its own.
    pub rate_limits: RateLimits,
}

/// What changes of a key; `None` leaves it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeySettings {
    /// Its monthly quota, or that it has none.
    pub monthly_quota: Option<Option<u64>>,
    /// All limits of its own.
    pub rate_limits: Option<RateLimits>,
}

/// Refuses a quota that the store cannot count.
pub(super) fn check_quota(monthly_quota: Option<u64>) -> Result<(), StoreError> {
    let too_large = monthly_quota.filter(|asked| i64::try_from(*asked).is_err());
    too_large.map_or(Ok(()), |asked| Err(StoreError::QuotaTooLarge { asked }))
}

/// A key as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeySummary {
    /// The identifier, a UUID.
    pub id: String,
    /// The name given at creation; names may repeat.
    pub name: String,
    /// Billable requests per UTC calendar month; `None` is no limit.
    pub monthly_quota: Option<u64>,
    /// Limits of its own.
    #[serde(skip_serializing_if = "RateLimits::is_unset")]
    pub rate_limits: RateLimits,
    /// Requests charged in the UTC month of the list, the present one where none is asked for, also for keys without a
    /// quota.
    pub used_this_month: u64,
    /// False once the key is revoked.
    pub active: bool,
    /// Time of creation, ISO 8601 in UTC to the second.
    pub created_at: String,
}

/// What all keys used in a month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageReport {
    /// The UTC calendar month.
    pub month: Month,
    /// Its keys, oldest first.
    pub keys: Vec<KeyUse>,
}

/// A line of a [`UsageReport`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeyUse {
    /// The UTC calendar month, `2026-11`.
    pub month: String,
    /// The identifier of the key, a UUID.
    pub id: String,
    /// Its name; names may repeat.
    pub name: String,
    /// Its quota at present; `None` is no limit.
    pub monthly_quota: Option<u64>,
    /// Requests charged in the month.
    pub used: u64,
    /// False once the key is revoked.
    pub active: bool,
}

impl CreatedKey {
    /// Generates a key that is not yet stored.
    ///
    /// # Errors
    /// [`StoreError::InvalidName`], [`StoreError::QuotaTooLarge`], or [`StoreError::Random`].
    pub(super) fn generate(
        name: &str,
        monthly_quota: Option<u64>,
        rate_limits: RateLimits,
    ) -> Result<Self, StoreError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > MAX_NAME_CHARACTERS || name.chars().any(char::is_control) {
            return Err(StoreError::InvalidName);
        }
        check_quota(monthly_quota)?;
        let key = ApiKey::generate()?;
        Ok(Self { id: uuid::Uuid::new_v4().to_string(), key, name: name.to_owned(), monthly_quota, rate_limits })
    }
}
