//! Jobs: large mailings that the service makes while nobody waits.
//!
//! Input: a generation request with placeholders, and a table of rows. Output: a file for each row, a ZIP of all or one PDF,
//! and what became of each row. Values flow one way:
//!
//! ```text
//!  body ── mail_merge ──▶ Definition and rows ── database ──▶ runner ── RowRenderer ──▶ files ── result ──▶ one file
//! ```
//!
//! - **State.** One `SQLite` file in `jobs_dir`, and files in the same folder or in a bucket. The table of rows is the
//!   queue: there is no other one. Instances that share a Redis keep jobs there, with a stream of rows for each job
//!   (`fleet`). A row waits, or is made, or has failed; the `runner` holds the rows in progress in memory.
//! - **A row** is filled when its turn comes, by the code that `longhand batch` uses. Its seed follows from its number and
//!   its request, so that it becomes the same file whenever it is made.
//! - **A charge** is an attempt with an idempotency key (`access`): job and row. The order is: reserve, render, write the
//!   file, charge, mark the row. A process that is killed between two of them leaves a row that waits. It is made again
//!   into the same file, and `access` knows whether it was charged. So each row is charged once.
//! - **Turns.** Keys take turns, and so do the jobs of a key; those of `low` priority follow the others. Rows run in the
//!   background of the render queue (`pipeline::queue`): pages that somebody waits for go first.
//! - **Pauses.** A job whose quota is used up, whose key is revoked, or whose disk is full pauses and says so. `resume`
//!   continues it; nothing is lost.
//! - **End.** Files and rows are deleted `jobs_keep_days` after the job's end (`sweep`).
//!
//! `definition` and `output` are what a client asks for. Its rows wait on the disk while they arrive (`arriving`), and
//! `given_rows` reads them; `summary` is what it is told.
//! `database` is what is kept of jobs, rows and events, and `sqlite` or `fleet` keeps it; `files` is the folder or the
//! bucket. `runner` gives rows their turns, `attempt` makes one, `size` is the one that all share, `result` writes the
//! file of all rows. An `announcement` is written when a job has ended or paused; `events` sends it until `webhook` has
//! delivered it. The module knows no fonts or devices.

mod announcement;
mod arriving;
mod attempt;
mod database;
mod definition;
mod error;
mod events;
mod files;
mod fleet;
mod given_rows;
mod output;
mod result;
mod runner;
mod size;
mod sqlite;
mod summary;
mod sweep;
mod webhook;

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify as Wake;

use crate::access::{Access, FleetAddress, KeyId, StoreError, create_data_dir};
use crate::clock::{Clock, Timestamp};
pub use crate::mail_merge::RowWarning;
pub(crate) use crate::mail_merge::Table;
pub use crate::mail_merge::WorkbookReader;
use crate::turns::Turns;

pub(crate) use arriving::ArrivingList;
use database::Database;
pub use definition::{JobRequest, Notify, Priority, TableSettings};
pub(crate) use definition::{MOST_JOB_ROWS, NewJob};
pub use error::JobError;
pub use events::Event;
pub use files::BucketAddress;
use files::Files;
pub(crate) use files::{ObjectFacts, ObjectReader, StoredFile, StoredObject};
use fleet::Fleet;
pub(crate) use given_rows::{GivenRows, read_table_file};
pub use output::{Form, Impose, Order, Output, PdfOutput, Sheet, StartOn};
use sqlite::Sqlite;
pub use summary::{JobState, JobSummary, PauseReason, RowKind, RowState, RowSummary, WantedRows};
pub use webhook::NotifyHost;

/// New jobs whose bodies arrive at the same time, and those of one key. Each takes at most 64 MiB of the disk.
const MOST_BODIES: usize = 32;
const MOST_BODIES_OF_KEY: usize = 8;

/// Makes rows.
pub(crate) trait RowRenderer: Send + Sync {
    /// Makes the file of a row, while no page is asked for.
    fn make<'a>(&'a self, row: RowRequest<'a>) -> Making<'a>;

    /// Lays a row out in the same way, and draws nothing. The row has no bytes.
    fn lay_out<'a>(&'a self, row: RowRequest<'a>) -> Making<'a>;
}

/// What a row is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowRequest<'a> {
    /// Its request, with a seed.
    pub(crate) request: &'a Value,
    /// The largest size that `auto` may choose, in px, beside that of the request.
    pub(crate) largest: Option<u32>,
    /// Whose job it is.
    pub(crate) key: &'a KeyId,
    /// When the job was created: the date of its files, so that a row that is made again has the same bytes.
    pub(crate) created: Timestamp,
}

/// A row in the making.
pub(crate) type Making<'a> = Pin<Box<dyn Future<Output = Result<MadeRow, RowError>> + Send + 'a>>;

/// A row that was made.
#[derive(Debug)]
pub(crate) struct MadeRow {
    /// Its file.
    pub(crate) bytes: Vec<u8>,
    /// Its number of pages.
    pub(crate) pages: usize,
    /// The seed that was used.
    pub(crate) seed: u32,
    /// The size that `auto` chose.
    pub(crate) calculated_font_size: Option<u32>,
    /// What its client should know.
    pub(crate) warnings: Vec<RowWarning>,
}

/// Why a row was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RowError {
    /// It cannot be made.
    Failed {
        /// For programs, such as `text_overflow`.
        kind: String,
        /// For people.
        message: String,
    },
    /// It may be made later: the service is busy, or a device is away.
    Later(String),
}

/// Where jobs are kept and how long.
#[derive(Clone, Debug)]
pub struct JobsOptions {
    /// The folder of the database, which is created if it does not exist.
    pub dir: PathBuf,
    /// The bucket that has their files; without one the folder has them.
    pub bucket: Option<BucketAddress>,
    /// The store that instances share, if there are several: jobs are kept there then, and not in the folder.
    pub store: Option<FleetAddress>,
    /// How long a job is kept after its end.
    pub keep: Duration,
    /// Bytes of the files of all jobs, beyond which jobs pause.
    pub most_bytes: u64,
    /// Bytes of the disk that files leave free, so that the databases on it can still say that jobs have paused.
    pub keep_free: u64,
    /// Rows in progress at the same time.
    pub rows_at_a_time: usize,
    /// Hosts that may be told of events.
    pub notify_hosts: Vec<NotifyHost>,
    /// Reads lists that are workbooks.
    pub workbooks: WorkbookReader,
}

/// The jobs of a service.
///
/// Calls block for a commit or a read: milliseconds; a new job of 100,000 rows takes about a second. Do not call them on
/// a tokio worker.
pub struct Jobs {
    database: Box<dyn Database>,
    files: Files,
    options: JobsOptions,
    access: Arc<Access>,
    clock: Clock,
    turns: Turns<KeyId>,
    /// Bytes of the files of all jobs, those in progress included.
    bytes: AtomicU64,
    /// Whether the database could not be used the last time.
    is_failing: AtomicBool,
    /// Notified when a job is there to be made.
    wake: Wake,
    /// Notified when a job has come to another state.
    wake_events: Wake,
}

impl Jobs {
    /// Opens the jobs of `options.dir`, and creates the folder if it does not exist. Deletes files of the folder that belong
    /// to no job.
    ///
    /// # Errors
    /// The folder or the database cannot be created, opened or read, or the bucket cannot be used.
    pub fn open(options: JobsOptions, access: Arc<Access>, clock: Clock) -> Result<Self, JobError> {
        create_data_dir(&options.dir)?;
        let database: Box<dyn Database> = match &options.store {
            Some(address) => Box::new(Fleet::open(address, clock.clone())?),
            None => Box::new(Sqlite::open(&options.dir)?),
        };
        let files = Files::open(&options)?;
        let known = files.delete_others(|| database.ids()).and_then(|()| database.bytes());
        let bytes = match known {
            Err(error) if database.is_shared() => {
                tracing::warn!(%error, "jobs cannot be read at present");
                0
            }
            known => known?,
        };
        let bytes = AtomicU64::new(bytes);
        let (is_failing, wake, wake_events) = (AtomicBool::new(false), Wake::default(), Wake::default());
        let turns = Turns::new(MOST_BODIES, MOST_BODIES_OF_KEY);
        Ok(Self { database, files, options, access, clock, turns, bytes, is_failing, wake, wake_events })
    }

    /// How they were opened.
    pub(crate) const fn options(&self) -> &JobsOptions {
        &self.options
    }

    /// The turns of keys to send new jobs.
    pub(crate) const fn turns(&self) -> &Turns<KeyId> {
        &self.turns
    }

    /// A place for a list that arrives.
    pub(crate) fn arriving_list(&self) -> ArrivingList {
        ArrivingList::new(&self.options.dir, self.options.keep_free)
    }

    /// Creates the job of this number, unless there is one. `secret` signs its events.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn create(&self, id: &str, key: &KeyId, job: &NewJob, secret: &str) -> Result<(), JobError> {
        self.database.create(id, key, job, secret, self.now())?;
        self.wake.notify_one();
        Ok(())
    }

    /// The jobs of a key, latest first.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn list(&self, key: &KeyId) -> Result<Vec<JobSummary>, JobError> {
        let now = self.now();
        Ok(self.database.list(key)?.into_iter().map(|job| job.at(now)).collect())
    }

    /// A job of this key.
    ///
    /// # Errors
    /// [`JobError::Unknown`], or it cannot be read.
    pub fn get(&self, key: &KeyId, id: &str) -> Result<JobSummary, JobError> {
        Ok(self.database.get(key, id)?.ok_or(JobError::Unknown)?.at(self.now()))
    }

    /// Rows of a job in the order of their numbers.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn rows(&self, key: &KeyId, id: &str, wanted: WantedRows) -> Result<Vec<RowSummary>, JobError> {
        let job = self.get(key, id)?;
        self.database.rows(id, &job.columns, wanted)
    }

    /// The file of this name.
    ///
    /// # Errors
    /// [`JobError::NoFile`], or as [`get`](Self::get).
    pub(crate) fn file(&self, key: &KeyId, id: &str, name: &str) -> Result<StoredFile, JobError> {
        self.get(key, id)?;
        let number = self.database.number_of(id, name)?.ok_or(JobError::NoFile)?;
        Ok(self.files.stored_row(id, number))
    }

    /// The file of all rows, a PDF or a ZIP, with its ending.
    ///
    /// # Errors
    /// [`JobError::NoResult`], the file cannot be looked for, or as [`get`](Self::get).
    pub(crate) fn result(&self, key: &KeyId, id: &str) -> Result<(StoredFile, &'static str), JobError> {
        let job = self.get(key, id)?;
        let is_ready = job.state == JobState::Completed;
        let ending = job.output.ending(job.made).filter(|_| is_ready).ok_or(JobError::NoResult)?;
        Ok((self.files.stored_result(id, ending)?.ok_or(JobError::NoResult)?, ending))
    }

    /// Cancels a job that has not ended: what is made stays. Deletes one that has ended, with its files. Returns the job as
    /// it then is, or was.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn cancel(&self, key: &KeyId, id: &str) -> Result<JobSummary, JobError> {
        let job = self.get(key, id)?;
        if job.ended_at.is_some() {
            let deleted = self.database.delete(id)?;
            self.forget(&deleted);
            return Ok(job);
        }
        self.database.end(id, JobState::Cancelled, self.now())?;
        self.get(key, id)
    }

    /// Continues a job that has paused.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    pub fn resume(&self, key: &KeyId, id: &str) -> Result<JobSummary, JobError> {
        self.get(key, id)?;
        self.database.resume(id, self.now())?;
        self.wake.notify_one();
        self.get(key, id)
    }

    /// Pauses a job.
    fn pause(&self, id: &str, reason: PauseReason) -> Result<(), JobError> {
        self.database.pause(id, reason, self.now())?;
        self.wake_events.notify_one();
        Ok(())
    }

    /// Now, in Unix seconds.
    fn now(&self) -> i64 {
        self.clock.timestamp().as_second()
    }
}

/// The folder of jobs in a data directory.
#[must_use]
pub fn dir_in(data_dir: &Path) -> PathBuf {
    data_dir.join("jobs")
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
