//! Looks a key up in a copy of the store that is in memory and at most half a second old.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::api_key::{ApiKey, KeyHash};
use super::caller::{Caller, KeyId};
use super::database::{self, READER_PATIENCE};
use super::error::{AuthError, StoreError};
use crate::clock::Clock;

/// A key created or revoked by another process is honoured after at most this time.
const OLDEST_ANSWER: Duration = Duration::from_millis(500);

/// Says whose key it is, from a copy of the active keys.
///
/// A copy older than 500 ms is checked against the store's change counter (one row, about ten microseconds) and read
/// anew only if a key was created or revoked. A key that the copy lacks costs one such check, so that a new key counts
/// at once and a flood of unknown ones does not read the table. When the store does not answer, nobody is let in.
#[derive(Debug)]
pub struct KeyRegistry {
    clock: Clock,
    current: RwLock<Arc<Snapshot>>,
    source: Mutex<Source>,
}

#[derive(Debug)]
struct Source {
    connection: Connection,
    /// The last attempt to read, if it failed: those who waited for it share its outcome instead of trying in turn.
    failure: Option<(Instant, StoreError)>,
}

/// The active keys as the store had them at `read_at` or later.
#[derive(Clone, Debug)]
struct Snapshot {
    read_at: Instant,
    generation: i64,
    keys: Arc<ActiveKeys>,
}

/// Active keys by hash, in ascending order of their hashes' lookup prefixes.
#[derive(Debug)]
pub(super) struct ActiveKeys(Vec<(KeyHash, Caller)>);

impl KeyRegistry {
    /// Opens the store at `path`, creating it where it is missing, and reads the keys.
    ///
    /// # Errors
    /// If the store cannot be opened or read.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let mut connection = database::connect(path, READER_PATIENCE)?;
        let snapshot = read(&mut connection, clock.monotonic(), None)?;
        let source = Source { connection, failure: None };
        Ok(Self { clock, current: RwLock::new(Arc::new(snapshot)), source: Mutex::new(source) })
    }

    /// The owner of `key`.
    ///
    /// Synchronous: about a microsecond, or some ten when the store is checked; may be called on a tokio worker.
    ///
    /// # Errors
    /// [`AuthError::Unknown`] for a key never created or since revoked; [`AuthError::Store`] if the store cannot say.
    pub fn authenticate(&self, key: &ApiKey) -> Result<Caller, AuthError> {
        let hash = key.hash();
        let asked_at = self.clock.monotonic();
        let snapshot = self.snapshot();
        if asked_at.saturating_duration_since(snapshot.read_at) < OLDEST_ANSWER
            && let Some(caller) = snapshot.keys.find(&hash)
        {
            return Ok(caller.clone());
        }
        self.newer_snapshot(asked_at)?.keys.find(&hash).cloned().ok_or(AuthError::Unknown)
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.current.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the store held at `asked_at` or later; one thread asks for all that wait.
    fn newer_snapshot(&self, asked_at: Instant) -> Result<Arc<Snapshot>, StoreError> {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        let known = self.snapshot();
        if known.read_at > asked_at {
            return Ok(known);
        }
        if let Some((failed_at, error)) = &source.failure
            && *failed_at > asked_at
        {
            return Err(error.clone());
        }
        let started = self.clock.monotonic();
        match read(&mut source.connection, started, Some(&known)) {
            Ok(snapshot) => {
                let snapshot = Arc::new(snapshot);
                source.failure = None;
                *self.current.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&snapshot);
                Ok(snapshot)
            }
            Err(error) => {
                source.failure = Some((started, error.clone()));
                Err(error)
            }
        }
    }
}

impl ActiveKeys {
    pub(super) fn new(mut keys: Vec<(KeyHash, Caller)>) -> Self {
        keys.sort_unstable_by_key(|(hash, _)| hash.lookup_prefix());
        Self(keys)
    }

    pub(super) fn find(&self, hash: &KeyHash) -> Option<&Caller> {
        let prefix = hash.lookup_prefix();
        let first = self.0.partition_point(|(held, _)| held.lookup_prefix() < prefix);
        let candidates = self.0.iter().skip(first).take_while(|(held, _)| held.lookup_prefix() == prefix);
        candidates.filter(|(held, _)| held.matches(hash)).map(|(_, caller)| caller).next()
    }
}

/// Reads the keys, or takes those of `known` where nothing changed since.
fn read(connection: &mut Connection, read_at: Instant, known: Option<&Arc<Snapshot>>) -> Result<Snapshot, StoreError> {
    let reading = StoreError::sqlite("read the keys");
    // One transaction, so that keys and generation belong together.
    let transaction = connection.transaction().map_err(reading)?;
    let generation = transaction
        .prepare_cached("SELECT generation FROM key_generation")
        .and_then(|mut statement| statement.query_row([], |row| row.get(0)))
        .map_err(reading)?;
    let keys = match known {
        Some(known) if known.generation == generation => Arc::clone(&known.keys),
        _ => Arc::new(ActiveKeys::new(read_active_keys(&transaction).map_err(reading)?)),
    };
    Ok(Snapshot { read_at, generation, keys })
}

fn read_active_keys(connection: &Connection) -> rusqlite::Result<Vec<(KeyHash, Caller)>> {
    let mut statement = connection.prepare_cached("SELECT key_sha256, id, monthly_quota FROM api_key WHERE active")?;
    let rows = statement.query_map([], |row| {
        let hash = KeyHash::from_bytes(row.get(0)?);
        let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
        let monthly_quota = row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned);
        Ok((hash, Caller { key_id, monthly_quota }))
    })?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;
    use crate::access::KeyStore;

    fn open() -> (tempfile::TempDir, Clock, KeyStore, KeyRegistry) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH);
        let store = KeyStore::open_in(folder.path(), clock.clone()).unwrap();
        let registry = KeyRegistry::open(store.path(), clock.clone()).unwrap();
        (folder, clock, store, registry)
    }

    #[test]
    fn a_key_leads_to_its_own_caller() {
        let (_folder, _clock, store, registry) = open();
        for quota in [None, Some(0), Some(7)] {
            let created = store.create("demo", quota).unwrap();
            let caller = registry.authenticate(&created.key).unwrap();
            assert_eq!(caller, Caller { key_id: KeyId::from(created.id.as_str()), monthly_quota: quota });
        }
    }

    #[test]
    fn a_key_nobody_has_is_unknown() {
        let (_folder, _clock, store, registry) = open();
        store.create("demo", None).unwrap();
        let stranger = ApiKey::generate().unwrap();
        assert!(matches!(registry.authenticate(&stranger), Err(AuthError::Unknown)));
    }

    #[test]
    fn a_new_key_counts_at_once() {
        let (_folder, _clock, store, registry) = open();
        let created = store.create("demo", None).unwrap();
        assert!(registry.authenticate(&created.key).is_ok());
    }

    #[test]
    fn a_revoked_key_is_refused_half_a_second_later() {
        let (_folder, clock, store, registry) = open();
        let (kept, revoked) = (store.create("kept", None).unwrap(), store.create("revoked", None).unwrap());
        assert!(registry.authenticate(&revoked.key).is_ok());
        store.revoke(&revoked.id).unwrap();
        clock.advance(OLDEST_ANSWER);
        assert!(matches!(registry.authenticate(&revoked.key), Err(AuthError::Unknown)));
        assert!(registry.authenticate(&kept.key).is_ok());
    }

    #[test]
    fn keys_are_not_read_again_while_none_changes() {
        let (_folder, clock, store, registry) = open();
        let created = store.create("demo", None).unwrap();
        registry.authenticate(&created.key).unwrap();
        let before = registry.snapshot();
        clock.advance(OLDEST_ANSWER);
        registry.authenticate(&created.key).unwrap();
        registry.authenticate(&ApiKey::generate().unwrap()).unwrap_err();
        let after = registry.snapshot();
        assert!(Arc::ptr_eq(&before.keys, &after.keys));
        assert!(after.read_at > before.read_at);
    }

    #[test]
    fn keys_whose_hashes_begin_alike_are_told_apart() {
        let alike = |last: u8| {
            let mut bytes = [9; 32];
            bytes[31] = last;
            KeyHash::from_bytes(bytes)
        };
        let caller = |id: &str| Caller { key_id: KeyId::from(id), monthly_quota: None };
        let keys = ActiveKeys::new(vec![(alike(1), caller("one")), (alike(2), caller("two"))]);
        assert_eq!(keys.find(&alike(2)), Some(&caller("two")));
        assert_eq!(keys.find(&alike(3)), None);
    }

    #[test]
    fn nobody_is_let_in_when_the_store_does_not_answer() {
        let (_folder, clock, store, registry) = open();
        let created = store.create("demo", None).unwrap();
        registry.authenticate(&created.key).unwrap();
        let vandal = Connection::open(store.path()).unwrap();
        vandal.execute_batch("DROP TABLE key_generation").unwrap();
        clock.advance(OLDEST_ANSWER);
        assert!(matches!(registry.authenticate(&created.key), Err(AuthError::Store(_))));
    }
}
