//! The store of a single server: keys and charges in one `SQLite` file, reservations and rate windows in memory.
//!
//! Three connections: one for administration, one for reads while requests are served, one for charges. They wait for
//! other processes for different times. Counts are exact only if one process serves requests from the file; `Access`
//! takes a lock for that.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;

use parking_lot::Mutex;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, TransactionBehavior, params};

use super::api_key::KeyHash;
use super::calendar::Month;
use super::client::{Client, KeyId};
use super::data_dir::{self, OpenedFile, STORE_FILE};
use super::database::{self, ADMIN_TIMEOUT, CHARGE_TIMEOUT, READ_TIMEOUT, write_nothing};
use super::error::{QuotaError, StoreError};
use super::idempotency::{Attempted, Done, IdempotencyKey, Known};
use super::key_info::{CreatedKey, KeySettings, KeySummary};
use super::quota_counter::QuotaCounter;
use super::rate_limiter::{RateDecision, RateLimiter};
use super::rate_limits::{LimitedEndpoint, RateLimits};
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
    /// Fingerprints of requests in progress, by key and idempotency key. They end with the process.
    in_progress: Mutex<HashMap<(KeyId, String), String>>,
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
            in_progress: Mutex::default(),
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

    /// Fingerprint and answer of a request that was done, while they are kept.
    fn done(&self, attempted: &Attempted) -> Result<Option<(String, String)>, StoreError> {
        let select =
            "SELECT fingerprint, answer FROM answer WHERE key_id = ?1 AND idempotency = ?2 AND kept_until > ?3";
        let row = params![attempted.key_id.as_str(), attempted.key.0, self.clock.timestamp().as_second()];
        let reader = self.reader.lock();
        let read = || {
            let mut statement = reader.prepare_cached(select)?;
            statement.query_row(row, |row| Ok((row.get(0)?, row.get(1)?))).optional()
        };
        read().map_err(StoreError::sqlite("look for a request with an idempotency key"))
    }
}

impl Store for SqliteStore {
    fn keys(&self, known: i64) -> Answer<'_, KeysRead> {
        Box::pin(async move { read_keys(&mut self.reader.lock(), known) })
    }

    fn create(&self, created: &CreatedKey) -> Result<(), StoreError> {
        let CreatedKey { id, key, name, monthly_quota, rate_limits } = created;
        let quota = monthly_quota.map(u64::cast_signed);
        let created_at = self.clock.timestamp().as_second();
        let inserted = self.administration.lock().execute(
            "INSERT INTO api_key (id, name, key_sha256, monthly_quota, rate_limits, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![id, name, key.hash().0, quota, rate_limits.to_string(), created_at],
        );
        inserted.map(drop).map_err(StoreError::sqlite("store the new key"))
    }

    fn months(&self) -> Result<RangeInclusive<Month>, StoreError> {
        Ok(Month::FIRST..=Month::containing(self.clock.timestamp()))
    }

    fn list(&self, month: Month) -> Result<Vec<KeySummary>, StoreError> {
        list_keys(&self.administration.lock(), month).map_err(StoreError::sqlite("list the keys"))
    }

    fn change(&self, id: &str, change: KeyChange) -> Result<bool, StoreError> {
        let keys = self.administration.lock();
        let changed = match change {
            KeyChange::Revoked => keys.execute("UPDATE api_key SET active = 0 WHERE id = ?1", [id]),
            KeyChange::Settings(KeySettings { monthly_quota, rate_limits }) => keys.execute(
                "UPDATE api_key SET monthly_quota = iif(?2, ?3, monthly_quota),
                     rate_limits = coalesce(?4, rate_limits) WHERE id = ?1 AND active",
                params![
                    id,
                    monthly_quota.is_some(),
                    monthly_quota.flatten().map(u64::cast_signed),
                    rate_limits.map(|limits| limits.to_string()),
                ],
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
        let done: Vec<&Done> = slots.iter().filter_map(|slot| slot.done.as_ref()).collect();
        let Err(error) = add_charges(connection, &totals, &done, self.clock.timestamp().as_second()) else {
            unwritten.clear();
            return Ok(());
        };
        for slot in slots.iter().filter(|slot| has_no_quota(slot)) {
            *unwritten.entry((slot.key_id.clone(), slot.month)).or_default() += 1;
        }
        let cause = StoreError::sqlite("charge the request")(error);
        Err(ChargeError { cause, charged: slots.iter().map(|slot| has_no_quota(slot)).collect() })
    }

    fn check_rate<'a>(&'a self, key_id: &'a KeyId, endpoint: LimitedEndpoint, limit: u32) -> Answer<'a, RateDecision> {
        Box::pin(async move { Ok(self.rates.check(key_id, endpoint, limit)) })
    }

    fn knows_attempt<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, bool> {
        Box::pin(async move {
            let name = (attempted.key_id.clone(), attempted.key.0.clone());
            let is_in_progress = self.in_progress.lock().contains_key(&name);
            Ok(is_in_progress || self.done(attempted)?.is_some())
        })
    }

    fn begin<'a>(&'a self, attempted: &'a Attempted) -> Answer<'a, Known> {
        Box::pin(async move {
            let name = (attempted.key_id.clone(), attempted.key.0.clone());
            // Locked while the file is read: an attempt leaves this list after its answer is in the file.
            let mut in_progress = self.in_progress.lock();
            if let Some(fingerprint) = in_progress.get(&name) {
                let is_same = *fingerprint == attempted.fingerprint.0;
                return Ok(if is_same { Known::InProgress } else { Known::OtherRequest });
            }
            if let Some((fingerprint, answer)) = self.done(attempted)? {
                return Ok(attempted.compared(&fingerprint, &answer));
            }
            in_progress.insert(name, attempted.fingerprint.0.clone());
            Ok(Known::Nothing)
        })
    }

    fn end_attempt(&self, attempted: &Attempted, _is_done: bool) {
        self.in_progress.lock().remove(&(attempted.key_id.clone(), attempted.key.0.clone()));
    }

    fn keep_answer(&self, done: &Done) -> Result<(), StoreError> {
        let mut charger = self.charger.lock();
        let kept = add_charges(&mut charger.connection, &Totals::new(), &[done], self.clock.timestamp().as_second());
        kept.map_err(StoreError::sqlite("keep the answer of a request"))
    }

    fn forget_rows(&self, key_id: &KeyId, job: &str) -> Result<(), StoreError> {
        let start = IdempotencyKey::start_of_rows(job);
        let delete = "DELETE FROM answer WHERE key_id = ?1 AND idempotency >= ?2 AND idempotency < ?2 || '~'";
        let deleted = self.administration.lock().execute(delete, params![key_id.as_str(), start]);
        deleted.map(drop).map_err(StoreError::sqlite("forget the rows of a job"))
    }

    fn check(&self) -> Result<(), StoreError> {
        self.file.check_in_place()?;
        let written = write_nothing(&self.administration.lock());
        written.map_err(StoreError::sqlite("write to the store"))
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
    let mut statement = connection
        .prepare_cached("SELECT key_sha256, id, monthly_quota, rate_limits, name FROM api_key WHERE active")?;
    let rows = statement.query_map([], |row| {
        let hash = KeyHash(row.get(0)?);
        let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
        let monthly_quota = row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned);
        let (rate_limits, name) = (rate_limits(row.get_ref(3)?)?, row.get_ref(4)?.as_str()?.into());
        Ok((hash, Client { key_id, name, monthly_quota, rate_limits }))
    })?;
    rows.collect()
}

/// Limits as they are kept. Those that only a newer version knows are as if they were not set.
fn rate_limits(kept: ValueRef<'_>) -> rusqlite::Result<RateLimits> {
    Ok(kept.as_str()?.parse().unwrap_or_default())
}

fn list_keys(connection: &Connection, month: Month) -> rusqlite::Result<Vec<KeySummary>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, name, monthly_quota, coalesce(charged, 0), active, created_at, rate_limits
         FROM api_key LEFT JOIN monthly_usage ON key_id = id AND month = ?1
         ORDER BY created_at, api_key.rowid",
    )?;
    let rows = statement.query_map([month.0], |row| {
        Ok(KeySummary {
            id: row.get(0)?,
            name: row.get(1)?,
            monthly_quota: row.get::<_, Option<i64>>(2)?.map(i64::cast_unsigned),
            rate_limits: rate_limits(row.get_ref(6)?)?,
            used_this_month: row.get::<_, i64>(3)?.cast_unsigned(),
            active: row.get(4)?,
            created_at: Timestamp::from_second(row.get(5)?).unwrap_or_default().to_string(),
        })
    })?;
    rows.collect()
}

/// Adds all charges to their accounts, and keeps the answers of requests; or none of it: a transaction dropped before its commit is rolled back. Without charges
/// it writes nevertheless, which shows whether the file accepts writes. Answers that are kept
/// until `now` (Unix seconds) are deleted.
fn add_charges(connection: &mut Connection, totals: &Totals, done: &[&Done], now: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if totals.is_empty() {
        write_nothing(&transaction)?;
    }
    for ((key_id, month), count) in totals {
        transaction
            .prepare_cached(
                "INSERT INTO monthly_usage (key_id, month, charged) VALUES (?1, ?2, ?3)
                 ON CONFLICT (key_id, month) DO UPDATE SET charged = charged + excluded.charged",
            )?
            .execute(params![key_id.as_str(), month.0, count])?;
    }
    if !done.is_empty() {
        transaction.prepare_cached("DELETE FROM answer WHERE kept_until <= ?1")?.execute([now])?;
    }
    for Done { attempted: Attempted { key_id, key, fingerprint, .. }, answer } in done {
        let mut insert = transaction.prepare_cached("INSERT OR REPLACE INTO answer VALUES (?1, ?2, ?3, ?4, ?5)")?;
        let kept_until = now + key.kept().as_secs().cast_signed();
        insert.execute(params![key_id.as_str(), key.0, fingerprint.0, answer, kept_until])?;
    }
    transaction.commit()
}
