//! The answers about a job and about its rows.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::{Definition, Priority};
use super::output::Output;
use super::size::FoundSize;
use crate::clock::Timestamp;
use crate::mail_merge::{RowWarning, SharedSize};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Rows are being made, or wait for their turn.
    Running,
    /// It waits until it is resumed.
    Paused,
    /// All rows were tried, and at least one was made.
    Completed,
    /// All rows were tried, and none could be made.
    Failed,
    /// Its client cancelled it.
    Cancelled,
}

/// Why a job has paused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobPauseReason")]
pub enum PauseReason {
    /// The monthly quota is used up.
    Quota,
    /// The key is revoked.
    Key,
    /// A file cannot be written: mostly the disk is full, or the bucket is away.
    Disk,
    /// The files of all jobs take as many bytes as they may.
    Space,
}

impl PauseReason {
    /// What happened and what to do, for people.
    #[must_use]
    pub const fn message(self) -> &'static str {
        match self {
            Self::Quota => "the monthly quota is used up; resume the job when it resets or is raised",
            Self::Key => "the key is revoked",
            Self::Disk => {
                "a file cannot be written: the disk is full, or the bucket is away; resume the job when this is mended"
            }
            Self::Space => "the files of all jobs take jobs_max_bytes; resume the job when others are deleted",
        }
    }
}

/// A job.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Job")]
pub struct JobSummary {
    /// Its number, a UUID.
    pub id: String,
    /// Its state.
    pub state: JobState,
    /// Why it has paused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<PauseReason>,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<&'static str>,
    /// What its rows become.
    pub output: Output,
    /// Whether other jobs of the key go first.
    pub priority: Priority,
    /// Whether its rows are laid out and not made.
    pub dry_run: bool,
    /// All rows.
    pub rows: u64,
    /// Rows that were made; in a dry run, laid out.
    pub made: u64,
    /// Rows that cannot be made.
    pub failed: u64,
    /// Rows that were made, with warnings.
    pub warned: u64,
    /// Rows by what is wrong with them: types of errors and of warnings.
    pub kinds: BTreeMap<String, u64>,
    /// Pages of the rows that were made.
    pub pages: u64,
    /// Bytes of its files.
    pub bytes: u64,
    /// The same in Unix seconds.
    #[serde(skip)]
    pub(super) created: i64,
    /// Time of creation, ISO 8601 in UTC.
    pub created_at: String,
    /// Time of its end.
    pub ended_at: Option<String>,
    /// Estimated seconds until its end, while rows are being made.
    pub seconds_left: Option<u64>,
    /// What its client should know of how the table was read.
    pub notes: Vec<String>,
    /// The columns of the table, in its order.
    pub columns: Vec<String>,
}

/// What a database keeps of a job, but for its counts. Times are in Unix seconds.
pub(super) struct KeptJob {
    pub(super) id: String,
    pub(super) state: JobState,
    pub(super) reason: Option<PauseReason>,
    pub(super) definition: Definition,
    pub(super) size: Option<FoundSize>,
    pub(super) created: i64,
    pub(super) ended: Option<i64>,
}

impl From<KeptJob> for JobSummary {
    /// The job, with counts of zero.
    fn from(KeptJob { id, state, reason, definition, size, created, ended }: KeptJob) -> Self {
        let Definition { job, mut notes, columns, .. } = definition;
        let shared = size.filter(|size| size.is_final).and_then(|size| size.shared);
        notes.extend(shared.map(SharedSize::message));
        Self {
            id,
            state,
            reason,
            message: reason.map(PauseReason::message),
            output: job.output,
            priority: job.priority,
            dry_run: job.dry_run,
            rows: 0,
            made: 0,
            failed: 0,
            warned: 0,
            kinds: BTreeMap::new(),
            pages: 0,
            bytes: 0,
            created,
            created_at: time(created),
            ended_at: ended.map(time),
            seconds_left: None,
            notes,
            columns,
        }
    }
}

impl JobSummary {
    /// A job that is being made, for the description of the interface.
    pub(crate) fn example() -> Self {
        Self {
            id: "0b9f3c1e-8a52-4d7e-b1c6-2f4e8a9d7c30".to_owned(),
            state: JobState::Running,
            reason: None,
            message: None,
            output: Output::default(),
            priority: Priority::Normal,
            dry_run: false,
            rows: 560,
            made: 312,
            failed: 1,
            warned: 2,
            kinds: BTreeMap::from([("text_overflow".to_owned(), 1), ("font_substituted".to_owned(), 2)]),
            pages: 312,
            bytes: 21_954_310,
            created: 0,
            created_at: "2026-11-27T09:30:00Z".to_owned(),
            ended_at: None,
            seconds_left: Some(2),
            notes: vec!["read as windows-1250".to_owned()],
            columns: ["name", "gift"].map(str::to_owned).to_vec(),
        }
    }

    /// The same job at the time `now` (Unix seconds), with an estimate of its end: as fast as since its creation.
    pub(super) fn at(self, now: i64) -> Self {
        let (tried, elapsed) = (self.made + self.failed, u64::try_from(now - self.created).unwrap_or_default());
        let is_known = self.state == JobState::Running && tried > 0;
        let seconds_left = is_known.then(|| elapsed.saturating_mul(self.rows.saturating_sub(tried)) / tried);
        Self { seconds_left, ..self }
    }
}

/// The state of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "JobRowState")]
pub enum RowState {
    /// It has not been tried.
    Waiting,
    /// It was made; in a dry run, laid out.
    Made,
    /// It cannot be made.
    Failed,
}

impl RowState {
    /// Every state.
    pub(crate) const ALL: [Self; 3] = [Self::Waiting, Self::Made, Self::Failed];

    /// Its name in requests and answers.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Made => "made",
            Self::Failed => "failed",
        }
    }
}

/// Rows that a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedRows {
    /// All of them, if there is none.
    pub kind: Option<RowKind>,
    /// Those after this number.
    pub after: u64,
    /// Most rows of the answer.
    pub limit: usize,
    /// Whether with their cells.
    pub with_cells: bool,
}

/// A kind of rows that a client may ask for alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// Those in a state.
    In(RowState),
    /// Those that were made, with warnings.
    Warned,
}

impl RowKind {
    /// Every kind.
    pub(crate) const ALL: [Self; 4] =
        [Self::In(RowState::Waiting), Self::In(RowState::Made), Self::In(RowState::Failed), Self::Warned];

    /// Its name in requests.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::In(state) => state.name(),
            Self::Warned => "warned",
        }
    }
}

/// A row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "JobRow")]
pub struct RowSummary {
    /// Counted from 1, without the header.
    pub row: u64,
    /// Its state.
    pub state: RowState,
    /// The name of its file.
    pub name: Option<String>,
    /// Its cells by their columns, if they were asked for and could be told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cells: Option<BTreeMap<String, String>>,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What became of a row, as the database keeps it in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "JobRowOutcome")]
pub struct Outcome {
    /// Size of its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Its number of pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages: Option<u64>,
    /// SHA-256 of its file in hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The seed that gives the same page again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// The size that `auto` chose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calculated_font_size: Option<u32>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RowProblem>,
    /// Warnings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<RowWarning>,
}

/// Why a row failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "JobRowError")]
pub struct RowProblem {
    /// For programs.
    pub r#type: String,
    /// For people.
    pub message: String,
}

/// The word of a state or reason, as databases keep it: in JSON.
pub(super) fn word(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A time in Unix seconds, in ISO 8601.
pub(super) fn time(seconds: i64) -> String {
    Timestamp::from_second(seconds).unwrap_or_default().to_string()
}
