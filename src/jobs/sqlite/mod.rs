//! The database of one server: one `SQLite` file of the folder.
//!
//! Input and output are those of [`JobTable`] (here), of `RowTable` (`rows`, and `rounds` for the size that all share) and of
//! `EventTable` (`events`; an `announcement` is written with the state that it tells). `columns` has their values.
//!
//! Two connections: one for clients, one for the runner. A mark of a row need not survive a power failure, as the row is
//! made again then; a job that was accepted does.

mod announcement;
mod columns;
mod events;
mod rounds;
mod rows;

use std::path::Path;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use rusqlite::{Connection, OptionalExtension as _, ToSql, TransactionBehavior, params};

use self::announcement::announce;
use self::columns::{SUMMARY, from_json, json, summary};
use super::database::{JobTable, RunningJob};
use super::definition::NewJob;
use super::error::JobError;
use super::summary::{JobState, JobSummary, PauseReason, word};
use crate::access::{Formats, KeyId, connect_database};
use crate::clock::Timestamp;

/// The file.
const FILE: &str = "jobs.sqlite3";
/// How long a call waits for another's write.
const TIMEOUT: Duration = Duration::from_secs(5);

const FORMATS: Formats = &[
    "
    CREATE TABLE job (
        id         TEXT    NOT NULL PRIMARY KEY,
        key_id     TEXT    NOT NULL,
        created_at INTEGER NOT NULL, -- unix seconds
        ended_at   INTEGER,
        state      TEXT    NOT NULL,
        reason     TEXT,
        definition TEXT    NOT NULL, -- JSON
        rows       INTEGER NOT NULL,
        made       INTEGER NOT NULL DEFAULT 0,
        failed     INTEGER NOT NULL DEFAULT 0,
        warned     INTEGER NOT NULL DEFAULT 0,
        pages      INTEGER NOT NULL DEFAULT 0,
        bytes      INTEGER NOT NULL DEFAULT 0,
        kinds      TEXT    NOT NULL DEFAULT '{}', -- JSON
        notify     TEXT,                          -- URL, and the secret of its events
        secret     TEXT
    ) STRICT;
    CREATE INDEX job_key ON job (key_id, created_at);
    CREATE TABLE row (
        job     TEXT    NOT NULL,
        number  INTEGER NOT NULL,
        state   INTEGER NOT NULL DEFAULT 0, -- 0 waiting, 1 made, 2 failed
        cells   TEXT,                       -- JSON
        name    TEXT,
        outcome TEXT,                       -- JSON
        PRIMARY KEY (job, number)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX row_name ON row (job, name) WHERE name IS NOT NULL;
    CREATE INDEX row_state ON row (job, state, number);
    CREATE TABLE event (
        number       INTEGER PRIMARY KEY,
        id           TEXT    NOT NULL UNIQUE,
        job          TEXT    NOT NULL,
        type         TEXT    NOT NULL,
        created_at   INTEGER NOT NULL, -- unix seconds
        body         TEXT    NOT NULL, -- JSON
        attempts     INTEGER NOT NULL DEFAULT 0,
        due_at       INTEGER,          -- NULL once it is delivered or given up
        delivered_at INTEGER,
        problem      TEXT
    ) STRICT;
    CREATE INDEX event_due ON event (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX event_job ON event (job, number);
",
    "
    ALTER TABLE job ADD COLUMN size TEXT; -- JSON, of jobs whose rows share one
",
];

/// The tables of jobs, rows and events.
pub(super) struct Sqlite {
    clients: Mutex<Connection>,
    runner: Mutex<Connection>,
}

impl Sqlite {
    /// Opens the database in `folder`, which exists, and creates it if it does not exist.
    pub(super) fn open(folder: &Path) -> Result<Self, JobError> {
        let open = || connect_database(&folder.join(FILE), TIMEOUT, FORMATS);
        let runner = open()?;
        runner.pragma_update(None, "synchronous", "NORMAL").map_err(JobError::sqlite("open the jobs"))?;
        Ok(Self { clients: Mutex::new(open()?), runner: Mutex::new(runner) })
    }

    /// The connection for clients.
    pub(super) fn clients(&self) -> MutexGuard<'_, Connection> {
        self.clients.lock()
    }

    /// The connection for the runner.
    pub(super) fn runner(&self) -> MutexGuard<'_, Connection> {
        self.runner.lock()
    }

    fn delete_where(&self, condition: &str, value: &dyn ToSql) -> Result<Vec<(String, KeyId)>, JobError> {
        let mut connection = self.runner();
        let mut delete = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut ended = transaction.prepare(&format!("SELECT id, key_id FROM job WHERE {condition}"))?;
            let read = ended.query_map([value], |row| Ok((row.get(0)?, KeyId::from(row.get_ref(1)?.as_str()?))))?;
            let jobs: Vec<(String, KeyId)> = read.collect::<rusqlite::Result<_>>()?;
            drop(ended);
            for (id, _) in &jobs {
                transaction.execute("DELETE FROM event WHERE job = ?1", [id])?;
                transaction.execute("DELETE FROM row WHERE job = ?1", [id])?;
                transaction.execute("DELETE FROM job WHERE id = ?1", [id])?;
            }
            transaction.commit()?;
            Ok::<_, rusqlite::Error>(jobs)
        };
        delete().map_err(JobError::sqlite("delete the jobs that are over"))
    }

    /// Changes the state of a job, with the event of it in the same commit.
    fn change(&self, id: &str, sql: &str, values: &[&dyn ToSql], now: i64) -> Result<(), JobError> {
        let mut connection = self.clients();
        let mut write = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            if transaction.execute(sql, values)? == 1 {
                announce(&transaction, id, now)?;
            }
            transaction.commit()
        };
        write().map_err(JobError::sqlite("change the job"))
    }
}

impl JobTable for Sqlite {
    fn ids(&self) -> Result<Vec<String>, JobError> {
        let connection = self.clients();
        let read = || {
            let mut statement = connection.prepare("SELECT id FROM job")?;
            statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(JobError::sqlite("read the jobs"))
    }

    fn create(&self, id: &str, key: &KeyId, job: &NewJob, secret: &str, now: i64) -> Result<(), JobError> {
        let mut connection = self.clients();
        let mut write = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let rows = job.records.len() as i64;
            let notify = job.definition().job.notify.as_ref().map(|notify| notify.url.as_str());
            let created = transaction.execute(
                "INSERT OR IGNORE INTO job (id, key_id, created_at, state, definition, rows, notify, secret)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                params![
                    id,
                    key.as_str(),
                    now,
                    json(&JobState::Running)?,
                    json(job.definition())?,
                    rows,
                    notify,
                    notify.map(|_| secret)
                ],
            )?;
            if created == 1 {
                let mut insert = transaction.prepare("INSERT INTO row (job, number, cells) VALUES (?1, ?2, ?3)")?;
                for record in &job.records {
                    insert.execute(params![id, record.number as i64, json(&record.cells)?])?;
                }
            }
            transaction.commit()
        };
        write().map_err(JobError::sqlite("create the job"))
    }

    fn list(&self, key: &KeyId) -> Result<Vec<JobSummary>, JobError> {
        let connection = self.clients();
        let read = || {
            let sql = format!("SELECT {SUMMARY} FROM job WHERE key_id = ?1 ORDER BY created_at DESC, id");
            let mut statement = connection.prepare(&sql)?;
            statement.query_map([key.as_str()], summary)?.collect::<rusqlite::Result<_>>()
        };
        read().map_err(JobError::sqlite("read the jobs"))
    }

    fn get(&self, key: &KeyId, id: &str) -> Result<Option<JobSummary>, JobError> {
        let connection = self.clients();
        let sql = format!("SELECT {SUMMARY} FROM job WHERE key_id = ?1 AND id = ?2");
        let found = connection.query_row(&sql, [key.as_str(), id], summary).optional();
        found.map_err(JobError::sqlite("read the job"))
    }

    fn end(&self, id: &str, state: JobState, now: i64) -> Result<(), JobError> {
        let sql = "UPDATE job SET state = ?2, reason = NULL, ended_at = ?3 WHERE id = ?1 AND ended_at IS NULL";
        self.change(id, sql, params![id, word(&state), now], now)
    }

    fn pause(&self, id: &str, reason: PauseReason, now: i64) -> Result<(), JobError> {
        let (paused, running) = (word(&JobState::Paused), word(&JobState::Running));
        let sql = "UPDATE job SET state = ?2, reason = ?3 WHERE id = ?1 AND state = ?4";
        self.change(id, sql, params![id, paused, word(&reason), running], now)
    }

    fn resume(&self, id: &str, now: i64) -> Result<(), JobError> {
        let (paused, running) = (word(&JobState::Paused), word(&JobState::Running));
        let sql = "UPDATE job SET state = ?2, reason = NULL WHERE id = ?1 AND state = ?3";
        self.change(id, sql, params![id, running, paused], now)
    }

    fn running(&self) -> Result<Vec<RunningJob>, JobError> {
        let connection = self.runner();
        let read = || {
            let sql = "SELECT id, key_id, definition, created_at, coalesce(size, 'null') FROM job
                       WHERE state = ?1 ORDER BY created_at, id";
            let mut statement = connection.prepare_cached(sql)?;
            let jobs = statement.query_map([word(&JobState::Running)], |row| {
                let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
                let created = Timestamp::from_second(row.get(3)?).unwrap_or_default();
                let (definition, size) = (from_json(row, 2)?, from_json(row, 4)?);
                Ok(RunningJob { id: row.get(0)?, key_id, created, definition, size })
            })?;
            jobs.collect::<rusqlite::Result<_>>()
        };
        read().map_err(JobError::sqlite("read the jobs"))
    }

    fn delete_ended_before(&self, time: i64) -> Result<Vec<(String, KeyId)>, JobError> {
        self.delete_where("ended_at < ?1", &time)
    }

    fn delete(&self, id: &str) -> Result<Vec<(String, KeyId)>, JobError> {
        self.delete_where("id = ?1 AND ended_at IS NOT NULL", &id)
    }

    fn bytes(&self) -> Result<u64, JobError> {
        let sum = self.runner().query_row("SELECT coalesce(sum(bytes), 0) FROM job", [], |row| row.get::<_, i64>(0));
        sum.map(i64::cast_unsigned).map_err(JobError::sqlite("read the jobs"))
    }
}
