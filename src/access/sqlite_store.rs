//! The store of a single server: keys and charges in one `SQLite` file, reservations and rate windows in memory.
//!
//! Three connections: one for administration, one for reads while requests are served, one for charges. They wait for
//! other processes for different times. Counts are exact only if one process serves requests from the file; `Access`
//! takes a lock for that.

use std::collections::BTreeMap;
use std::path::Path;

use parking_lot::Mutex;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::api_key::KeyHash;
use super::calendar::Month;
use super::client::{Client, KeyId};
use super::data_dir::{self, OpenedFile, STORE_FILE};
use super::database::{self, ADMIN_TIMEOUT, CHARGE_TIMEOUT, READ_TIMEOUT, WRITE_NOTHING};
use super::error::{QuotaError, StoreError};
use super::key_info::{CreatedKey, KeySummary};
use super::quota_counter::QuotaCounter;
use super::rate_limiter::{LimitedEndpoint, RateDecision, RateLimiter};
use super::store::{Answer, ChargeError, CountedIn, KeyChange, KeysRead, Slot, Store, StoreStatus, Usage};
use crate::clock::{Clock, Timestamp};

/// Number of charges per key and month.
type Totals = BTreeMap<(KeyId, Month), i64>;

#[derive(Debug)]
pub(super) struct SqliteStore {
    clock: Clock,
    file: OpenedFile,
    administration: Mutex<Connection>,
    reader: Mutex<Connection>,
    charger: Mutex<Charger>,
    quotas: QuotaCounter,
    rates: RateLimiter,
}

#[derive(Debug)]
struct Charger {
    connection: Connection,
    /// Charges of keys without a quota that could not be written yet.
    unwritten: Totals,
}

impl SqliteStore {
    /// Opens the store in `data_dir`. Creates the directory and the store if they do not exist.
    ///
    /// # Errors
    /// The directory or the file cannot be created, opened or read, or a newer version wrote the file.
    pub(super) fn open_in(data_dir: &Path, clock: Clock) -> Result<Self, StoreError> {
        data_dir::create(data_dir)?;
        Self::open(&data_dir.join(STORE_FILE), clock)
    }

    /// Opens the store in `data_dir` if there is one. Creates nothing.
    ///
    /// # Errors
    /// As [`open_in`](Self::open_in).
    pub(super) fn open_existing_in(data_dir: &Path, clock: Clock) -> Result<Option<Self>, StoreError> {
        if data_dir.as_os_str().is_empty() {
            return Err(StoreError::NoDataDir);
        }
        let path = data_dir.join(STORE_FILE);
        let exists = path.try_exists().map_err(StoreError::file("look for the key store", &path))?;
        if exists { Self::open(&path, clock).map(Some) } else { Ok(None) }
    }

    fn open(path: &Path, clock: Clock) -> Result<Self, StoreError> {
        let mut administration = database::connect(path, ADMIN_TIMEOUT)?;
        // Damage is found at the start, not by the first request.
        read_keys(&mut administration, -1)?;
        let charger = Charger { connection: database::connect(path, CHARGE_TIMEOUT)?, unwritten: Totals::new() };
        Ok(Self {
            file: OpenedFile::at(path)?,
            administration: Mutex::new(administration),
            reader: Mutex::new(database::connect(path, READ_TIMEOUT)?),
            charger: Mutex::new(charger),
            quotas: QuotaCounter::default(),
            rates: RateLimiter::new(clock.clone()),
            clock,
        })
    }

    fn charged(&self, key_id: &KeyId, month: Month) -> Result<u64, StoreError> {
        let charged: Option<i64> = self
            .reader
            .lock()
            .prepare_cached("SELECT charged FROM monthly_usage WHERE key_id = ?1 AND month = ?2")
            .and_then(|mut statement| {
                statement.query_row(params![key_id.as_str(), month.0], |row| row.get(0)).optional()
            })
            .map_err(StoreError::sqlite("read what was used this month"))?;
        Ok(charged.unwrap_or_default().cast_unsigned())
    }
}

impl Store for SqliteStore {
    fn keys(&self, known: i64) -> Answer<'_, KeysRead> {
        Box::pin(async move { read_keys(&mut self.reader.lock(), known) })
    }

    fn create(&self, created: &CreatedKey) -> Result<(), StoreError> {
        let CreatedKey { id, key, name, monthly_quota } = created;
        let quota = monthly_quota.map(u64::cast_signed);
        let created_at = self.clock.timestamp().as_second();
        let inserted = self.administration.lock().execute(
            "INSERT INTO api_key (id, name, key_sha256, monthly_quota, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![id, name, key.hash().0, quota, created_at],
        );
        inserted.map(drop).map_err(StoreError::sqlite("store the new key"))
    }

    fn list(&self) -> Result<Vec<KeySummary>, StoreError> {
        let month = Month::containing(self.clock.timestamp());
        list_keys(&self.administration.lock(), month).map_err(StoreError::sqlite("list the keys"))
    }

    fn change(&self, id: &str, change: KeyChange) -> Result<bool, StoreError> {
        let keys = self.administration.lock();
        let changed = match change {
            KeyChange::Revoked => keys.execute("UPDATE api_key SET active = 0 WHERE id = ?1", [id]),
            KeyChange::Quota(monthly_quota) => keys.execute(
                "UPDATE api_key SET monthly_quota = ?2 WHERE id = ?1 AND active",
                params![id, monthly_quota.map(u64::cast_signed)],
            ),
            KeyChange::Secret(hash) => {
                keys.execute("UPDATE api_key SET key_sha256 = ?2 WHERE id = ?1 AND active", params![id, hash.0])
            }
        };
        changed.map(|changed| changed > 0).map_err(StoreError::sqlite("change the key"))
    }

    fn usage<'a>(&'a self, client: &'a Client) -> Answer<'a, Usage> {
        Box::pin(async move {
            let month = Month::containing(self.clock.timestamp());
            let counted = client.monthly_quota.and_then(|_| self.quotas.used(&client.key_id, month));
            let used = counted.map_or_else(|| self.charged(&client.key_id, month), Ok)?;
            Ok(Usage { used, reset_at: month.next().start() })
        })
    }

    fn reserve<'a>(&'a self, key_id: &'a KeyId, limit: u64) -> Answer<'a, Slot, QuotaError> {
        Box::pin(async move {
            let month = Month::containing(self.clock.timestamp());
            self.quotas.reserve(key_id, month, limit, || self.charged(key_id, month))?;
            Ok(Slot::new(key_id, month, CountedIn::Memory))
        })
    }

    fn settle(&self, slot: &Slot, is_charged: bool) {
        self.quotas.settle(slot, is_charged);
    }

    /// Charges of keys without a quota never fail: they are kept in memory while the file cannot be written.
    fn charge(&self, slots: &[&Slot]) -> Result<(), ChargeError> {
        let mut charger = self.charger.lock();
        let Charger { connection, unwritten } = &mut *charger;
        let mut totals = unwritten.clone();
        for slot in slots {
            *totals.entry((slot.key_id.clone(), slot.month)).or_default() += 1;
        }
        let has_no_quota = |slot: &Slot| slot.counted_in == CountedIn::Nothing;
        let Err(error) = add_charges(connection, &totals) else {
            unwritten.clear();
            return Ok(());
        };
        for slot in slots.iter().filter(|slot| has_no_quota(slot)) {
            *unwritten.entry((slot.key_id.clone(), slot.month)).or_default() += 1;
        }
        let cause = StoreError::sqlite("charge the request")(error);
        Err(ChargeError { cause, charged: slots.iter().map(|slot| has_no_quota(slot)).collect() })
    }

    fn check_rate<'a>(&'a self, key_id: &'a KeyId, endpoint: LimitedEndpoint) -> Answer<'a, RateDecision> {
        Box::pin(async move { Ok(self.rates.check(key_id, endpoint)) })
    }

    fn check(&self) -> Result<(), StoreError> {
        self.file.check_in_place()?;
        let written = self.administration.lock().execute(WRITE_NOTHING, []);
        written.map(drop).map_err(StoreError::sqlite("write to the store"))
    }

    fn status(&self) -> StoreStatus {
        StoreStatus { is_up: true, waiting_charges: 0 }
    }
}

/// Reads generation and keys in one transaction, so that they belong together.
fn read_keys(connection: &mut Connection, known: i64) -> Result<KeysRead, StoreError> {
    let mut read = || {
        let transaction = connection.transaction()?;
        let generation = transaction
            .prepare_cached("SELECT generation FROM key_generation")?
            .query_row([], |row| row.get::<_, i64>(0))?;
        let keys = if generation == known { None } else { Some(read_active_keys(&transaction)?) };
        Ok(KeysRead { generation, keys })
    };
    read().map_err(StoreError::sqlite("read the keys"))
}

fn read_active_keys(connection: &Connection) -> rusqlite::Result<Vec<(KeyHash, Client)>> {
    let mut statement = connection.prepare_cached("SELECT key_sha256, id, monthly_quota FROM api_key WHERE active")?;
    let rows = statement.query_map([], |row| {
        let hash = KeyHash(row.get(0)?);
        let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
        let monthly_quota = row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned);
        Ok((hash, Client { key_id, monthly_quota }))
    })?;
    rows.collect()
}

fn list_keys(connection: &Connection, month: Month) -> rusqlite::Result<Vec<KeySummary>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, monthly_quota, coalesce(charged, 0), active, created_at
         FROM api_key LEFT JOIN monthly_usage ON key_id = id AND month = ?1
         ORDER BY created_at, api_key.rowid",
    )?;
    let rows = statement.query_map([month.0], |row| {
        Ok(KeySummary {
            id: row.get(0)?,
            name: row.get(1)?,
            monthly_quota: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
            used_this_month: row.get::<_, i64>(3)?.cast_unsigned(),
            active: row.get(4)?,
            created_at: Timestamp::from_second(row.get(5)?).unwrap_or_default().to_string(),
        })
    })?;
    rows.collect()
}

/// Adds all charges to their accounts, or none: a transaction dropped before its commit is rolled back. Without charges
/// it writes nevertheless, which shows whether the file accepts writes.
fn add_charges(connection: &mut Connection, totals: &Totals) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if totals.is_empty() {
        transaction.execute(WRITE_NOTHING, [])?;
    }
    for ((key_id, month), count) in totals {
        transaction
            .prepare_cached(
                "INSERT INTO monthly_usage (key_id, month, charged) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key_id, month) DO UPDATE SET charged = charged + excluded.charged",
            )?
            .execute(params![key_id.as_str(), month.0, count])?;
    }
    transaction.commit()
}
