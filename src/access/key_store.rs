//! Creates, lists and revokes keys in the `SQLite` file that a running server reads.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rusqlite::{Connection, params};
use serde::Serialize;

use super::api_key::ApiKey;
use super::calendar::Month;
use super::database::{self, OpenedFile, WRITE_NOTHING, WRITER_PATIENCE};
use super::error::StoreError;
use crate::clock::{Clock, Utc, unix_seconds};

const LONGEST_NAME: usize = 200;

/// The keys and what they used, for those who administer them.
///
/// Calls are synchronous and sync to disk (milliseconds; up to five seconds while another process writes): not for a
/// tokio worker. Several stores, in several processes, may be open on one file.
#[derive(Debug)]
pub struct KeyStore {
    path: PathBuf,
    file: OpenedFile,
    connection: Mutex<Connection>,
    clock: Clock,
}

/// A key just created: the only time that the key itself can be had.
#[derive(Clone, Debug)]
pub struct CreatedKey {
    /// The identifier to list and revoke it by, a UUID.
    pub id: String,
    /// The secret.
    pub key: ApiKey,
    /// The name given.
    pub name: String,
    /// Billable requests a UTC month; `None` is no limit.
    pub monthly_quota: Option<u64>,
}

/// A key as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KeySummary {
    /// The identifier, a UUID.
    pub id: String,
    /// The name given at creation; names may repeat.
    pub name: String,
    /// Billable requests a UTC month; `None` is no limit.
    pub monthly_quota: Option<u64>,
    /// Requests charged in the present UTC month, for keys without a quota too.
    pub used_this_month: u64,
    /// False once revoked.
    pub active: bool,
    /// When it was created, ISO 8601 in UTC to the second.
    pub created_at: String,
}

impl CreatedKey {
    /// A new key that is not yet stored.
    pub(super) fn new(name: &str, monthly_quota: Option<u64>) -> Result<Self, StoreError> {
        let name = name.trim();
        if name.is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control) {
            return Err(StoreError::InvalidName);
        }
        if let Some(asked) = monthly_quota.filter(|asked| i64::try_from(*asked).is_err()) {
            return Err(StoreError::QuotaTooLarge { asked });
        }
        Ok(Self { id: random_uuid()?, key: ApiKey::generate()?, name: name.to_owned(), monthly_quota })
    }
}

impl KeyStore {
    /// Opens the store at `path`, creating it where it is missing.
    ///
    /// # Errors
    /// If the file cannot be opened, is no store, or was written by a newer version.
    pub fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let connection = Mutex::new(database::connect(path, WRITER_PATIENCE)?);
        Ok(Self { path: path.to_owned(), file: OpenedFile::at(path)?, connection, clock })
    }

    /// Opens the store of `data_dir`, creating both where they are missing.
    ///
    /// # Errors
    /// As [`open`](Self::open), and if the directory cannot be created.
    pub fn open_in(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        database::create_data_dir(data_dir)?;
        Self::open(&data_dir.join(database::FILE_NAME), clock)
    }

    /// Opens the store of `data_dir` if there is one; creates nothing.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_existing_in(data_dir: &Path, clock: Clock) -> Result<Option<Self>, StoreError> {
        if data_dir.as_os_str().is_empty() {
            return Err(StoreError::NoDataDir);
        }
        let path = data_dir.join(database::FILE_NAME);
        let exists = path.try_exists().map_err(StoreError::file("look for the key store", &path))?;
        if exists { Self::open(&path, clock).map(Some) } else { Ok(None) }
    }

    /// The `SQLite` file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates an active key. Only a hash of it is kept.
    ///
    /// # Errors
    /// [`StoreError::InvalidName`], [`StoreError::QuotaTooLarge`], or what kept the key from being generated or stored.
    pub fn create(&self, name: &str, monthly_quota: Option<u64>) -> Result<CreatedKey, StoreError> {
        let created = CreatedKey::new(name, monthly_quota)?;
        let CreatedKey { id, key, name, .. } = &created;
        let quota = monthly_quota.map(u64::cast_signed);
        let created_at = unix_seconds(self.clock.now());
        self.with_connection(|connection| {
            connection.execute(
                "INSERT INTO api_key (id, name, key_sha256, monthly_quota, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![id, name, key.hash().as_bytes(), quota, created_at],
            )
        })
        .map_err(StoreError::sqlite("store the new key"))?;
        Ok(created)
    }

    /// Writes to the store without a change of what it says.
    ///
    /// # Errors
    /// What keeps the store from being written, such as a full disk; [`StoreError::Deleted`] if it is gone.
    pub fn check_writable(&self) -> Result<(), StoreError> {
        self.file.check_in_place()?;
        self.with_connection(|connection| connection.execute(WRITE_NOTHING, []))
            .map(drop)
            .map_err(StoreError::sqlite("write to the store"))
    }

    /// All keys, revoked ones included, oldest first.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        let month = Month::containing(self.clock.now()).number();
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT id, name, monthly_quota, coalesce(charged, 0), active, created_at
                 FROM api_key LEFT JOIN monthly_usage ON key_id = id AND month = ?1
                 ORDER BY created_at, api_key.rowid",
            )?;
            let rows = statement.query_map([month], |row| {
                Ok(KeySummary {
                    id: row.get(0)?,
                    name: row.get(1)?,
                    monthly_quota: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
                    used_this_month: row.get::<_, i64>(3)?.cast_unsigned(),
                    active: row.get(4)?,
                    created_at: Utc::from_unix_seconds(row.get(5)?).to_string(),
                })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        })
        .map_err(StoreError::sqlite("list the keys"))
    }

    /// Revokes the key `id` for good; a running server refuses it within a second. Revoking it again changes nothing.
    ///
    /// # Errors
    /// [`StoreError::UnknownId`] if there is no such key, or what kept it from being revoked.
    pub fn revoke(&self, id: &str) -> Result<(), StoreError> {
        let changed = self
            .with_connection(|connection| connection.execute("UPDATE api_key SET active = 0 WHERE id = ?1", [id]))
            .map_err(StoreError::sqlite("revoke the key"))?;
        if changed == 0 { Err(StoreError::UnknownId { id: id.to_owned() }) } else { Ok(()) }
    }

    fn with_connection<T>(&self, work: impl FnOnce(&Connection) -> T) -> T {
        work(&self.connection.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn random_uuid() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(uuid::Builder::from_random_bytes(bytes).into_uuid().to_string())
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    fn store() -> (tempfile::TempDir, KeyStore) {
        let folder = tempfile::tempdir().unwrap();
        let clock = Clock::manual(UNIX_EPOCH + Duration::from_secs(1_796_083_199));
        let store = KeyStore::open_in(folder.path(), clock).unwrap();
        (folder, store)
    }

    #[test]
    fn a_created_key_is_listed_with_its_wire_names() {
        let (_folder, store) = store();
        let created = store.create("  demo ", Some(500)).unwrap();
        let expected = serde_json::json!([{
            "id": created.id, "name": "demo", "monthly_quota": 500, "used_this_month": 0, "active": true,
            "created_at": "2026-11-30T23:59:59Z",
        }]);
        assert_eq!(serde_json::to_value(store.list().unwrap()).unwrap(), expected);
        assert!(uuid::Uuid::parse_str(&created.id).is_ok());
    }

    #[test]
    fn keys_are_listed_oldest_first_even_within_a_second() {
        let (_folder, store) = store();
        let names: Vec<_> = (0..20).map(|index| store.create(&format!("key {index}"), None).unwrap().name).collect();
        assert_eq!(store.list().unwrap().into_iter().map(|key| key.name).collect::<Vec<_>>(), names);
    }

    #[test]
    fn the_key_itself_is_nowhere_in_the_files() {
        let (folder, store) = store();
        let created = store.create("demo", None).unwrap();
        let secret = created.key.reveal().as_bytes();
        for entry in std::fs::read_dir(folder.path()).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            assert!(!bytes.windows(secret.len()).any(|window| window == secret));
        }
    }

    #[test]
    fn a_revoked_key_stays_listed_as_inactive_and_may_be_revoked_again() {
        let (_folder, store) = store();
        let created = store.create("demo", None).unwrap();
        store.revoke(&created.id).unwrap();
        store.revoke(&created.id).unwrap();
        assert!(!store.list().unwrap()[0].active);
    }

    #[test]
    fn revoking_an_unknown_id_is_an_error_that_names_it() {
        let (_folder, store) = store();
        let error = store.revoke("nobody").unwrap_err();
        assert!(matches!(&error, StoreError::UnknownId { id } if id == "nobody"), "{error}");
    }

    #[test]
    fn names_that_would_garble_a_list_are_refused() {
        let (_folder, store) = store();
        for name in ["", "  ", "two\nlines", "bell\u{7}", &"x".repeat(201)] {
            assert!(matches!(store.create(name, None), Err(StoreError::InvalidName)), "{name:?}");
        }
        assert!(store.create(&"é".repeat(200), None).is_ok());
    }

    #[test]
    fn quotas_reach_from_zero_to_what_the_store_can_count() {
        let (_folder, store) = store();
        let most = i64::MAX.cast_unsigned();
        for quota in [None, Some(0), Some(most)] {
            store.create("demo", quota).unwrap();
            assert_eq!(store.list().unwrap().last().unwrap().monthly_quota, quota);
        }
        assert!(matches!(store.create("demo", Some(most + 1)), Err(StoreError::QuotaTooLarge { .. })));
    }

    #[test]
    fn looking_for_a_store_creates_none() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("missing");
        assert!(KeyStore::open_existing_in(&data_dir, Clock::system()).unwrap().is_none());
        assert!(!data_dir.exists());
    }
}
