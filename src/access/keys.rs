//! Creates, lists, changes and revokes keys, in either store. Needs no running server; a server notices the changes.

use std::path::Path;
use std::sync::Arc;

use super::api_key::ApiKey;
use super::calendar::Month;
use super::error::StoreError;
use super::key_info::{CreatedKey, KeySettings, KeySummary, KeyUse, UsageReport, check_quota};
use super::rate_limits::RateLimits;
use super::redis_store::{FleetAddress, RedisStore};
use super::sqlite_store::SqliteStore;
use super::store::{KeyChange, Store};
use crate::clock::Clock;

/// Fewest characters of an identifier that name a key.
const SHORTEST_PREFIX: usize = 4;

/// The keys of a store, for administration.
///
/// Calls block for a commit or a round trip: milliseconds, up to five seconds while the store is busy. Do not call them
/// on a tokio worker. Several processes may administer one store.
#[derive(Clone, Debug)]
pub struct Keys(pub(super) Arc<dyn Store>);

impl Keys {
    /// The keys in `data_dir`. Creates the directory and the store if they do not exist.
    ///
    /// # Errors
    /// The directory or the store cannot be created or opened, or a newer version wrote the store.
    pub fn open_in(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        Ok(Self(Arc::new(SqliteStore::open_in(data_dir, clock)?)))
    }

    /// The keys in `data_dir`, or `None` if it holds no store. Creates nothing.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in).
    pub fn open_existing_in(data_dir: &Path, clock: Clock) -> Result<Option<Self>, StoreError> {
        Ok(SqliteStore::open_existing_in(data_dir, clock)?.map(|store| Self(Arc::new(store))))
    }

    /// The keys that a fleet shares. Connects at the first call.
    ///
    /// # Errors
    /// The address cannot be used, or the system starts no thread.
    pub fn connect(address: &FleetAddress, clock: Clock) -> Result<Self, StoreError> {
        Ok(Self(Arc::new(RedisStore::for_administration(address, clock)?)))
    }

    /// Creates an active key. The store keeps only its hash.
    ///
    /// # Errors
    /// [`StoreError::InvalidName`], [`StoreError::QuotaTooLarge`], or the key cannot be generated or stored.
    pub fn create(&self, name: &str, monthly_quota: Option<u64>) -> Result<CreatedKey, StoreError> {
        self.create_limited(name, monthly_quota, RateLimits::default())
    }

    /// The same with rate limits of its own.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn create_limited(
        &self,
        name: &str,
        monthly_quota: Option<u64>,
        rate_limits: RateLimits,
    ) -> Result<CreatedKey, StoreError> {
        let created = CreatedKey::generate(name, monthly_quota, rate_limits)?;
        self.0.create(&created)?;
        Ok(created)
    }

    /// All keys, revoked ones included, oldest first.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        self.0.list(*self.0.months()?.end())
    }

    /// What each key used in `month`, by default the present one, oldest key first. A key is in the report if it used
    /// something, or if it is active and was created by the end of the month.
    ///
    /// # Errors
    /// [`StoreError::FutureMonth`], [`StoreError::ForgottenMonth`], or the store cannot be read.
    pub fn report(&self, month: Option<Month>) -> Result<UsageReport, StoreError> {
        let (first, present) = self.0.months()?.into_inner();
        let month = month.unwrap_or(present);
        if month > present {
            return Err(StoreError::FutureMonth { month, present });
        }
        if month < first {
            return Err(StoreError::ForgottenMonth { month, first });
        }
        let end = month.next().start();
        let belongs = |key: &KeySummary| key.used_this_month > 0 || (key.active && key.created_at < end);
        let of_month = |key: KeySummary| KeyUse {
            month: month.to_string(),
            id: key.id,
            name: key.name,
            monthly_quota: key.monthly_quota,
            used: key.used_this_month,
            active: key.active,
        };
        let keys = self.0.list(month)?.into_iter().filter(belongs).map(of_month).collect();
        Ok(UsageReport { month, keys })
    }

    /// Revokes the key `id` for good; running servers refuse it within a second. A second revocation changes nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`] if there is no such key, or the store cannot be written.
    pub fn revoke(&self, id: &str) -> Result<(), StoreError> {
        if self.0.change(id, KeyChange::Revoked)? { Ok(()) } else { Err(StoreError::UnknownId { id: id.to_owned() }) }
    }

    /// Replaces the secret of the active key `id`. Name, quota and usage stay; running servers refuse the old secret
    /// within a second.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`], [`StoreError::Revoked`], or the key cannot be generated or stored.
    pub fn rotate(&self, id: &str) -> Result<CreatedKey, StoreError> {
        let key = ApiKey::generate()?;
        let found = self.change_active(id, KeyChange::Secret(key.hash()))?;
        let KeySummary { id, name, monthly_quota, rate_limits, .. } = found;
        Ok(CreatedKey { id, key, name, monthly_quota, rate_limits })
    }

    /// Sets the monthly quota of the active key `id`. What it used this month counts.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`], [`StoreError::Revoked`], [`StoreError::QuotaTooLarge`], or the store cannot be
    /// written.
    pub fn set_quota(&self, id: &str, monthly_quota: Option<u64>) -> Result<KeySummary, StoreError> {
        self.set(id, KeySettings { monthly_quota: Some(monthly_quota), ..KeySettings::default() })
    }

    /// Changes settings of the active key `id`. What it used this month counts; running servers know the change within
    /// a second.
    ///
    /// # Errors
    /// As [`set_quota`](Self::set_quota).
    pub fn set(&self, id: &str, settings: KeySettings) -> Result<KeySummary, StoreError> {
        check_quota(settings.monthly_quota.flatten())?;
        let found = self.change_active(id, KeyChange::Settings(settings))?;
        let monthly_quota = settings.monthly_quota.unwrap_or(found.monthly_quota);
        let rate_limits = settings.rate_limits.unwrap_or(found.rate_limits);
        Ok(KeySummary { monthly_quota, rate_limits, ..found })
    }

    /// Changes an active key. Returns it as it was.
    fn change_active(&self, id: &str, change: KeyChange) -> Result<KeySummary, StoreError> {
        let found = self.list()?.into_iter().find(|key| key.id == id);
        let found = found.ok_or_else(|| StoreError::UnknownId { id: id.to_owned() })?;
        // It may be revoked meanwhile.
        let is_changed = found.active && self.0.change(id, change)?;
        if is_changed { Ok(found) } else { Err(StoreError::Revoked { id: id.to_owned() }) }
    }

    /// The key that a person means: by its id, by at least 4 characters of its beginning, or by its name.
    /// Revoked keys are meant only where no active one can be.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`], or [`StoreError::Ambiguous`] if several keys can be meant.
    pub fn find(&self, wanted: &str) -> Result<KeySummary, StoreError> {
        let mut keys = self.list()?;
        if let Some(at) = keys.iter().position(|key| key.id == wanted) {
            return Ok(keys.swap_remove(at));
        }
        let begins = |id: &str| wanted.len() >= SHORTEST_PREFIX && id.starts_with(wanted);
        let meant = keys.into_iter().filter(|key| key.name == wanted.trim() || begins(&key.id));
        let (active, revoked): (Vec<_>, Vec<_>) = meant.partition(|key| key.active);
        let mut meant = if active.is_empty() { revoked } else { active };
        match meant.len() {
            0 => Err(StoreError::UnknownId { id: wanted.to_owned() }),
            1 => Ok(meant.swap_remove(0)),
            _ => {
                let line = |key: KeySummary| format!("  {}  {}, created {}", key.id, key.name, key.created_at);
                Err(StoreError::Ambiguous { wanted: wanted.to_owned(), matches: meant.into_iter().map(line).collect() })
            }
        }
    }

    /// Tests whether the store can be written. Changes nothing in it.
    ///
    /// # Errors
    /// The reason, such as a full disk; [`StoreError::Deleted`] if the file was deleted or replaced.
    pub fn check(&self) -> Result<(), StoreError> {
        self.0.check()
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn keys() -> (tempfile::TempDir, Keys) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(1_796_083_199));
        let keys = Keys::open_in(folder.path(), clock).unwrap();
        (folder, keys)
    }

    #[test]
    fn a_created_key_is_listed_with_its_wire_names() {
        let (_folder, keys) = keys();
        let created = keys.create("  demo ", Some(500)).unwrap();
        let expected = serde_json::json!([{
            "id": created.id, "name": "demo", "monthly_quota": 500, "used_this_month": 0, "active": true,
            "created_at": "2026-11-30T23:59:59Z",
        }]);
        assert_eq!(serde_json::to_value(keys.list().unwrap()).unwrap(), expected);
        assert!(uuid::Uuid::parse_str(&created.id).is_ok());
    }

    #[test]
    fn keys_are_listed_oldest_first_even_within_a_second() {
        let (_folder, keys) = keys();
        let names: Vec<_> = (0..20).map(|index| keys.create(&format!("key {index}"), None).unwrap().name).collect();
        assert_eq!(keys.list().unwrap().into_iter().map(|key| key.name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn the_key_itself_is_nowhere_in_the_files() {
        let (folder, keys) = keys();
        let created = keys.create("demo", None).unwrap();
        let secret = created.key.reveal().as_bytes();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret));
        }
    }

    #[test]
    fn a_revoked_key_stays_listed_as_inactive_and_may_be_revoked_again() {
        let (_folder, keys) = keys();
        let created = keys.create("demo", None).unwrap();
        keys.revoke(&created.id).unwrap();
        keys.revoke(&created.id).unwrap();
        assert!(!keys.list().unwrap()[0].active);
    }

    #[test]
    fn revoking_an_unknown_id_is_an_error_that_names_it() {
        let (_folder, keys) = keys();
        let error = keys.revoke("nobody").unwrap_err();
        assert!(matches!(&error, StoreError::UnknownId { id } if id == "nobody"), "{error}");
    }

    #[test]
    fn a_key_is_found_by_id_beginning_or_name_and_never_by_chance() {
        let (_folder, keys) = keys();
        let [shop, old, new] = ["shop", "mail", "mail"].map(|name| keys.create(name, None).unwrap());
        for wanted in [shop.id.as_str(), &shop.id[..8], "shop", " shop "] {
            assert_eq!(keys.find(wanted).unwrap().id, shop.id, "{wanted}");
        }
        for wanted in ["", "sho", &shop.id[..3], "nobody"] {
            assert!(matches!(keys.find(wanted), Err(StoreError::UnknownId { .. })), "{wanted}");
        }
        let error = keys.find("mail").unwrap_err();
        assert!(matches!(error, StoreError::Ambiguous { .. }), "{error}");
        for id in [&old.id, &new.id] {
            assert!(error.to_string().contains(id.as_str()), "{error}");
        }
        keys.revoke(&old.id).unwrap();
        assert_eq!(keys.find("mail").unwrap().id, new.id, "the other is revoked");
        assert_eq!(keys.find(&old.id).unwrap().id, old.id);
        let named_like = keys.create(&shop.id[..8], None).unwrap();
        assert!(matches!(keys.find(&named_like.name), Err(StoreError::Ambiguous { .. })));
    }

    #[test]
    fn a_new_secret_and_a_new_quota_leave_the_rest_of_the_key() {
        let (folder, keys) = keys();
        let created = keys.create("shop", Some(5)).unwrap();
        let rotated = keys.rotate(&created.id).unwrap();
        assert_eq!((&rotated.id, rotated.name.as_str(), rotated.monthly_quota), (&created.id, "shop", Some(5)));
        assert_ne!(rotated.key.reveal(), created.key.reveal());
        for quota in [None, Some(0), Some(7)] {
            assert_eq!(keys.set_quota(&created.id, quota).unwrap().monthly_quota, quota);
            assert_eq!(keys.list().unwrap()[0].monthly_quota, quota);
        }
        assert!(matches!(keys.set_quota(&created.id, Some(u64::MAX)), Err(StoreError::QuotaTooLarge { .. })));
        let clock = Clock::manual(UNIX_EPOCH);
        let access = crate::access::Access::open_local(folder.path(), clock).unwrap();
        let wait =
            |key| tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(access.authenticate(key));
        assert!(wait(&created.key).is_err() && wait(&rotated.key).is_ok());

        keys.revoke(&created.id).unwrap();
        assert!(matches!(keys.rotate(&created.id), Err(StoreError::Revoked { .. })));
        assert!(matches!(keys.set_quota(&created.id, None), Err(StoreError::Revoked { .. })));
        assert!(matches!(keys.rotate("nobody"), Err(StoreError::UnknownId { .. })));
    }

    #[test]
    fn names_that_would_garble_a_list_are_refused() {
        let (_folder, keys) = keys();
        for name in ["", "  ", "two\nlines", "bell\u{7}", &"x".repeat(201)] {
            assert!(matches!(keys.create(name, None), Err(StoreError::InvalidName)), "{name:?}");
        }
        assert!(keys.create(&"é".repeat(200), None).is_ok());
    }

    #[test]
    fn quotas_reach_from_zero_to_what_the_store_can_count() {
        let (_folder, keys) = keys();
        let most = i64::MAX.cast_unsigned();
        for quota in [None, Some(0), Some(most)] {
            keys.create("demo", quota).unwrap();
            assert_eq!(keys.list().unwrap().last().unwrap().monthly_quota, quota);
        }
        assert!(matches!(keys.create("demo", Some(most + 1)), Err(StoreError::QuotaTooLarge { .. })));
    }

    #[test]
    fn looking_for_a_store_creates_none() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("missing");
        assert!(Keys::open_existing_in(&data_dir, Clock::system()).unwrap().is_none());
        assert!(!data_dir.exists());
    }

    #[test]
    fn a_report_tells_what_each_key_used_in_a_month() {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(1_796_083_199));
        let access = crate::access::Access::open_local(folder.path(), clock.clone()).unwrap();
        let keys = access.keys();
        let charge = |key: &CreatedKey| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let client = access.authenticate(&key.key).await.unwrap();
                access.reserve(&client).await.unwrap().charge().await.unwrap();
            });
        };
        let [shop, mail, idle] =
            [("shop", Some(9)), ("mail", None), ("idle", None)].map(|(name, quota)| keys.create(name, quota).unwrap());
        for key in [&shop, &shop, &mail] {
            charge(key);
        }
        keys.revoke(&mail.id).unwrap();
        keys.revoke(&idle.id).unwrap();
        clock.advance(Duration::from_secs(1));
        keys.create("later", None).unwrap();
        charge(&shop);
        let of = |month: Option<&str>| {
            let report = keys.report(month.map(|month| month.parse().unwrap())).unwrap();
            let line =
                |key: KeyUse| format!("{} {} {:?} {} {}", key.month, key.name, key.monthly_quota, key.used, key.active);
            report.keys.into_iter().map(line).collect::<Vec<_>>()
        };
        assert_eq!(of(Some("2026-11")), ["2026-11 shop Some(9) 2 true", "2026-11 mail None 1 false"]);
        let december = ["2026-12 shop Some(9) 1 true", "2026-12 later None 0 true"];
        assert_eq!(
            (of(None), of(Some("2026-12"))),
            (december.map(str::to_owned).to_vec(), december.map(str::to_owned).to_vec())
        );
        assert_eq!(of(Some("2025-01")), [""; 0]);
        let future = keys.report(Some("2027-01".parse().unwrap())).unwrap_err();
        assert!(matches!(future, StoreError::FutureMonth { .. }) && future.to_string().contains("2026-12"), "{future}");
        let charged: Vec<_> =
            access.charges().of_keys.into_values().map(|(name, number)| (name.to_string(), number)).collect();
        assert_eq!(charged.len(), 2);
        assert!(charged.contains(&("shop".to_owned(), 3)) && charged.contains(&("mail".to_owned(), 1)), "{charged:?}");
    }
}
