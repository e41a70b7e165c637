//! A copy of the active keys in memory, at most half a second old.
//!
//! Input: the hash of a key. Output: its owner.
//!
//! A copy older than that is refreshed before it is used. The store returns the keys only if one was created or revoked
//! since, so a refresh costs about ten microseconds in `SQLite` or one round trip to Redis. A key that the copy lacks
//! causes a refresh too, so that a new key is valid at once. Of concurrent refreshes one reads and the others share its
//! outcome.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::RwLock;
use tokio::sync::Mutex;

use super::api_key::KeyHash;
use super::client::{Client, KeyId};
use super::error::StoreError;
use super::store::{KeysRead, Store};
use crate::clock::Clock;

/// Age up to which the copy is used without a refresh. A revoked key is refused after at most this time.
const MAX_AGE: Duration = Duration::from_millis(500);

/// The generation of a copy that was never read.
const NEVER_READ: i64 = -1;

#[derive(Debug)]
pub(super) struct KeyCache {
    clock: Clock,
    current: RwLock<Snapshot>,
    /// Held during a refresh; the time and error of the last one, if it failed.
    refreshing: Mutex<Option<(Instant, StoreError)>>,
}

/// The active keys as the store had them at `read_at` or later.
#[derive(Clone, Debug)]
struct Snapshot {
    read_at: Option<Instant>,
    generation: i64,
    keys: Arc<ActiveKeys>,
}

/// Active keys in ascending order of the lookup prefixes of their hashes.
#[derive(Debug)]
struct ActiveKeys(Vec<(KeyHash, Client)>);

impl KeyCache {
    /// An empty copy that must be refreshed before use.
    pub(super) fn new(clock: Clock) -> Self {
        let empty = Snapshot { read_at: None, generation: NEVER_READ, keys: Arc::new(ActiveKeys::new(Vec::new())) };
        Self { clock, current: RwLock::new(empty), refreshing: Mutex::default() }
    }

    /// The owner of the key with this hash, unless the copy is too old.
    pub(super) fn find_fresh(&self, hash: &KeyHash) -> Option<Client> {
        let snapshot = self.snapshot();
        let age = self.clock.monotonic().saturating_duration_since(snapshot.read_at?);
        if age < MAX_AGE { snapshot.keys.find(hash).cloned() } else { None }
    }

    /// The key with this identifier, its hash and its owner, unless it is unknown or the copy is too old.
    pub(super) fn find_fresh_by_id(&self, key_id: &KeyId) -> Option<(KeyHash, Client)> {
        let age = self.clock.monotonic().saturating_duration_since(self.snapshot().read_at?);
        if age < MAX_AGE { self.find_by_id(key_id) } else { None }
    }

    /// The key with this identifier, its hash and its owner, however old the copy is.
    pub(super) fn find_by_id(&self, key_id: &KeyId) -> Option<(KeyHash, Client)> {
        self.snapshot().keys.0.iter().find(|(_, client)| client.key_id == *key_id).cloned()
    }

    /// The owner of the key with this hash, however old the copy is.
    pub(super) fn find(&self, hash: &KeyHash) -> Option<Client> {
        self.snapshot().keys.find(hash).cloned()
    }

    /// Whether the keys were ever read.
    pub(super) fn was_read(&self) -> bool {
        self.snapshot().read_at.is_some()
    }

    /// Why the keys were never read; `None` if they were read, or no refresh has failed yet.
    pub(super) fn first_failure(&self) -> Option<StoreError> {
        if self.was_read() {
            return None;
        }
        self.refreshing.try_lock().ok()?.as_ref().map(|(_, error)| error.clone())
    }

    /// Brings the copy to the state that the store had when this was called, or later.
    ///
    /// # Errors
    /// The keys cannot be read. The copy stays as it was.
    pub(super) async fn refresh(&self, store: &dyn Store) -> Result<(), StoreError> {
        let asked_at = self.clock.monotonic();
        let mut failure = self.refreshing.lock().await;
        let known = self.snapshot();
        if known.read_at.is_some_and(|read_at| read_at > asked_at) {
            return Ok(());
        }
        if let Some((_, error)) = failure.as_ref().filter(|(failed_at, _)| *failed_at > asked_at) {
            return Err(error.clone());
        }
        let started = self.clock.monotonic();
        match store.keys(known.generation).await {
            Ok(KeysRead { generation, keys }) => {
                let keys = keys.map_or(known.keys, |keys| Arc::new(ActiveKeys::new(keys)));
                let snapshot = Snapshot { read_at: Some(started), generation, keys };
                *self.current.write() = snapshot;
                *failure = None;
                Ok(())
            }
            Err(error) => {
                *failure = Some((started, error.clone()));
                Err(error)
            }
        }
    }

    fn snapshot(&self) -> Snapshot {
        self.current.read().clone()
    }
}

impl ActiveKeys {
    fn new(mut keys: Vec<(KeyHash, Client)>) -> Self {
        keys.sort_unstable_by_key(|(hash, _)| hash.lookup_prefix());
        Self(keys)
    }

    fn find(&self, hash: &KeyHash) -> Option<&Client> {
        let prefix = hash.lookup_prefix();
        let first = self.0.partition_point(|(held, _)| held.lookup_prefix() < prefix);
        let candidates = self.0.iter().skip(first).take_while(|(held, _)| held.lookup_prefix() == prefix);
        candidates.filter(|(held, _)| held.matches(hash)).map(|(_, client)| client).next()
    }
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::access::api_key::ApiKey;
    use crate::access::keys::Keys;
    use crate::access::sqlite_store::SqliteStore;
    use crate::access::{AuthError, RateLimits};

    struct Fixture {
        folder: tempfile::TempDir,
        clock: Clock,
        store: Arc<SqliteStore>,
        keys: Keys,
        cache: KeyCache,
    }

    impl Fixture {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let clock = Clock::manual(UNIX_EPOCH);
            let store = Arc::new(SqliteStore::open_in(folder.path(), clock.clone()).unwrap());
            let (keys, cache) = (Keys(Arc::clone(&store) as _), KeyCache::new(clock.clone()));
            Self { folder, clock, store, keys, cache }
        }

        fn authenticate(&self, key: &ApiKey) -> Result<Client, AuthError> {
            if let Some(client) = self.cache.find_fresh(&key.hash()) {
                return Ok(client);
            }
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(self.cache.refresh(&*self.store))?;
            self.cache.find(&key.hash()).ok_or(AuthError::Unknown)
        }
    }

    #[test]
    fn a_key_is_found_by_its_identifier_also_where_the_copy_is_no_longer_fresh() {
        let fixture = Fixture::new();
        let created = fixture.keys.create("shop", None).unwrap();
        let client = fixture.authenticate(&created.key).unwrap();
        assert!(fixture.cache.find_fresh_by_id(&client.key_id).is_some());
        fixture.clock.advance(MAX_AGE);
        assert!(fixture.cache.find_fresh_by_id(&client.key_id).is_none());
        assert_eq!(fixture.cache.find_by_id(&client.key_id).unwrap().1, client);
    }

    #[test]
    fn a_key_leads_to_its_own_client() {
        let fixture = Fixture::new();
        for quota in [None, Some(0), Some(7)] {
            let created = fixture.keys.create("demo", quota).unwrap();
            let client = fixture.authenticate(&created.key).unwrap();
            assert_eq!((client.key_id.as_str(), client.monthly_quota), (created.id.as_str(), quota));
        }
    }

    #[test]
    fn a_key_nobody_has_is_unknown() {
        let fixture = Fixture::new();
        fixture.keys.create("demo", None).unwrap();
        let stranger = ApiKey::generate().unwrap();
        assert!(matches!(fixture.authenticate(&stranger), Err(AuthError::Unknown)));
    }

    #[test]
    fn a_new_key_counts_at_once() {
        let fixture = Fixture::new();
        let created = fixture.keys.create("demo", None).unwrap();
        assert!(fixture.authenticate(&created.key).is_ok());
    }

    #[test]
    fn a_revoked_key_is_refused_half_a_second_later() {
        let fixture = Fixture::new();
        let (kept, revoked) =
            (fixture.keys.create("kept", None).unwrap(), fixture.keys.create("revoked", None).unwrap());
        assert!(fixture.authenticate(&revoked.key).is_ok());
        fixture.keys.revoke(&revoked.id).unwrap();
        fixture.clock.advance(MAX_AGE);
        assert!(matches!(fixture.authenticate(&revoked.key), Err(AuthError::Unknown)));
        assert!(fixture.authenticate(&kept.key).is_ok());
    }

    #[test]
    fn keys_are_not_read_again_while_none_changes() {
        let fixture = Fixture::new();
        let created = fixture.keys.create("demo", None).unwrap();
        fixture.authenticate(&created.key).unwrap();
        let before = fixture.cache.snapshot();
        fixture.clock.advance(MAX_AGE);
        fixture.authenticate(&created.key).unwrap();
        fixture.authenticate(&ApiKey::generate().unwrap()).unwrap_err();
        let after = fixture.cache.snapshot();
        assert!(Arc::ptr_eq(&before.keys, &after.keys));
        assert!(after.read_at > before.read_at);
    }

    #[test]
    fn keys_whose_hashes_begin_alike_are_told_apart() {
        let alike = |last: u8| {
            let mut bytes = [9; 32];
            bytes[31] = last;
            KeyHash(bytes)
        };
        let client = |id: &str| Client {
            key_id: KeyId::from(id),
            name: id.into(),
            monthly_quota: None,
            rate_limits: RateLimits::default(),
        };
        let keys = ActiveKeys::new(vec![(alike(1), client("one")), (alike(2), client("two"))]);
        assert_eq!(keys.find(&alike(2)), Some(&client("two")));
        assert_eq!(keys.find(&alike(3)), None);
    }

    #[test]
    fn nobody_is_let_in_when_the_store_does_not_answer() {
        let fixture = Fixture::new();
        let created = fixture.keys.create("demo", None).unwrap();
        fixture.authenticate(&created.key).unwrap();
        let vandal = rusqlite::Connection::open(fixture.folder.path().join("longhand.sqlite3")).unwrap();
        vandal.execute_batch("DROP TABLE key_generation").unwrap();
        fixture.clock.advance(MAX_AGE);
        assert!(matches!(fixture.authenticate(&created.key), Err(AuthError::Store(_))));
    }
}
