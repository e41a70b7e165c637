//! What jobs need of their database.
//!
//! Two implementations: `sqlite` for one server, `fleet` for instances that share a Redis. Calls block for a commit, a read
//! or a round trip.

use super::definition::{Definition, NewJob};
use super::error::JobError;
use super::events::{DueEvent, Event};
use super::size::{FoundSize, JobSize};
use super::summary::{JobState, JobSummary, Outcome, PauseReason, RowProblem, RowState, RowSummary, WantedRows};
use super::webhook::Sent;
use crate::access::KeyId;
use crate::clock::Timestamp;
use crate::mail_merge::{Record, RowWarning};

/// Jobs, rows and events.
pub(super) trait Database: JobTable + RowTable + EventTable {}

impl<T: JobTable + RowTable + EventTable> Database for T {}

/// A job whose rows are to be made.
#[derive(Clone)]
pub(super) struct RunningJob {
    pub(super) id: String,
    pub(super) key_id: KeyId,
    pub(super) created: Timestamp,
    pub(super) definition: Definition,
    /// The size that its rows share, as far as it is found.
    pub(super) size: Option<FoundSize>,
}

/// The jobs.
pub(super) trait JobTable: Send + Sync {
    /// Whether other instances make rows of the same jobs.
    fn is_shared(&self) -> bool {
        false
    }

    /// The numbers of all jobs.
    fn ids(&self) -> Result<Vec<String>, JobError>;

    /// Creates a job with all of its rows, unless there is one of this number. `secret` signs its events. `now` is in Unix
    /// seconds, here and below.
    fn create(&self, id: &str, key: &KeyId, job: &NewJob, secret: &str, now: i64) -> Result<(), JobError>;

    /// The jobs of a key, latest first.
    fn list(&self, key: &KeyId) -> Result<Vec<JobSummary>, JobError>;

    /// A job of this key.
    fn get(&self, key: &KeyId, id: &str) -> Result<Option<JobSummary>, JobError>;

    /// Ends a job that has not ended, and announces it.
    fn end(&self, id: &str, state: JobState, now: i64) -> Result<(), JobError>;

    /// Pauses a job that is running, and announces it.
    fn pause(&self, id: &str, reason: PauseReason, now: i64) -> Result<(), JobError>;

    /// Continues a job that has paused.
    fn resume(&self, id: &str, now: i64) -> Result<(), JobError>;

    /// The jobs whose rows are to be made, oldest first.
    fn running(&self) -> Result<Vec<RunningJob>, JobError>;

    /// Deletes the jobs that ended before `time` (Unix seconds), and returns them with their keys.
    fn delete_ended_before(&self, time: i64) -> Result<Vec<(String, KeyId)>, JobError>;

    /// Deletes a job that has ended, and returns it with its key.
    fn delete(&self, id: &str) -> Result<Vec<(String, KeyId)>, JobError>;

    /// Bytes of the files of all jobs.
    fn bytes(&self) -> Result<u64, JobError>;
}

/// Rows that were taken to be tried.
#[derive(Debug, Default)]
pub(super) struct TakenRows {
    /// In the order of their numbers.
    pub(super) records: Vec<Record>,
    /// Whether there are no others now.
    pub(super) are_last: bool,
}

/// A row that was tried.
#[derive(Debug)]
pub(super) struct TriedRow {
    pub(super) job: String,
    pub(super) number: u64,
    pub(super) state: RowState,
    /// The name of its file, if it has one.
    pub(super) name: Option<String>,
    pub(super) outcome: Outcome,
    /// The size in which it was tried.
    pub(super) size: JobSize,
}

impl TriedRow {
    /// A row that failed.
    pub(super) fn failed(
        job: String,
        number: u64,
        size: JobSize,
        error: RowProblem,
        warnings: Vec<RowWarning>,
    ) -> Self {
        let outcome = Outcome { error: Some(error), warnings, ..Outcome::default() };
        Self { job, number, state: RowState::Failed, name: None, outcome, size }
    }

    /// The types of its error and of its warnings, each once.
    pub(super) fn kinds(&self) -> Vec<&str> {
        let warnings = self.outcome.warnings.iter().map(|warning| warning.r#type.as_str());
        let error = self.outcome.error.iter().map(|error| error.r#type.as_str());
        let mut kinds: Vec<&str> = error.chain(warnings).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// Whether it was made with warnings.
    pub(super) fn is_warned(&self) -> bool {
        self.state == RowState::Made && !self.outcome.warnings.is_empty()
    }
}

/// The rows.
pub(super) trait RowTable: Send + Sync {
    /// Up to `limit` waiting rows of a job after the number `after`; while its size is sought, those alone that are not laid
    /// out.
    fn take(&self, job: &str, size: JobSize, after: u64, limit: usize) -> Result<TakenRows, JobError>;

    /// Lets other instances have rows that were taken and not tried.
    fn give_back(&self, _job: &str, _numbers: &[u64]) -> Result<(), JobError> {
        Ok(())
    }

    /// Whether this instance ends a job of which all rows are tried; no other one does then.
    fn may_finish(&self, _job: &str) -> Result<bool, JobError> {
        Ok(true)
    }

    /// Marks rows as tried, and counts them, in one commit. A row that was marked before, or that was laid out and still
    /// waits, is not counted.
    fn mark(&self, tried: &[TriedRow]) -> Result<(), JobError>;

    /// Ends a round of the search for one size, if all waiting rows are laid out: the next has a smaller limit, or the size
    /// is final.
    fn settle_size(&self, job: &str) -> Result<(), JobError>;

    /// Rows of a job, in order. `columns` are those of its table.
    fn rows(&self, job: &str, columns: &[String], wanted: WantedRows) -> Result<Vec<RowSummary>, JobError>;

    /// The number of the row whose file has this name.
    fn number_of(&self, job: &str, name: &str) -> Result<Option<u64>, JobError>;
}

/// The events.
pub(super) trait EventTable: Send + Sync {
    /// The events of a job, in order.
    fn events(&self, job: &str) -> Result<Vec<Event>, JobError>;

    /// Events that are due, the longest due first. No other instance has them for a while.
    fn due_events(&self, now: i64) -> Result<Vec<DueEvent>, JobError>;

    /// Lets every instance have an event that was due and not sent.
    fn put_back(&self, _event: &DueEvent) -> Result<(), JobError> {
        Ok(())
    }

    /// Notes what became of an attempt to send an event.
    fn note_attempt(&self, event: &DueEvent, sent: &Sent, now: i64) -> Result<(), JobError>;
}
