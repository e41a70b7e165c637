//! Makes the rows of all jobs, in turns.
//!
//! One task holds the turns: keys in turn, and within a key its jobs. It keeps some rows in progress, each a task, and
//! marks rows in batches. Rows are read from the database in small pages. The task ends with its runtime; rows in progress
//! then still wait in the database.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::database::RunningJob;
use super::definition::{Prepared, Priority};
use super::error::JobError;
use super::rows::TriedRow;
use super::summary::{JobState, Outcome, PauseReason, RowProblem, RowState};
use super::{Form, Jobs, MadeRow, RowError, RowRenderer, archive};
use crate::access::{AuthError, Begun, Fingerprint, IdempotencyKey, KeyId, QuotaError};
use crate::mail_merge::{MergedRow, Record, RowWarning};

/// Rows that are read at a time.
const PAGE: usize = 128;
/// Rows that are marked in one commit, unless [`TICK`] comes first.
const MARKED_TOGETHER: usize = 64;
/// Rows that may wait to be marked while the database accepts no writes.
const MOST_UNMARKED: usize = 1024;
/// Interval between two looks at the table of jobs, and the longest time until a row is marked.
const TICK: Duration = Duration::from_millis(250);
/// Wait before a row is tried again.
const LATER: Duration = Duration::from_secs(1);
/// Interval between two looks for jobs that are over.
const SWEEP: Duration = Duration::from_secs(60);
/// What the access to charges keeps of a row.
const MADE: &str = "made";
/// The type of a row's error that is not one of its request.
const ROW: &str = "row";

/// A job in turn.
struct Turn {
    id: String,
    key: KeyId,
    prepared: Arc<Prepared>,
    /// Rows to be tried next.
    next: VecDeque<Record>,
    /// The last row that was read.
    after: u64,
    /// Whether all rows were read.
    is_read: bool,
    in_progress: usize,
}

impl Turn {
    /// Begins no further row.
    fn stop(&mut self) {
        self.next.clear();
        self.is_read = true;
    }
}

/// What became of a row in progress.
enum Tried {
    Done(TriedRow),
    /// It is to be tried again.
    Later {
        job: String,
        record: Record,
    },
    Paused {
        job: String,
        reason: PauseReason,
    },
}

impl Jobs {
    /// Makes rows until the task is dropped.
    pub(crate) async fn run(self: Arc<Self>, renderer: Arc<dyn RowRenderer>) {
        let mut turns: Vec<Turn> = Vec::new();
        let mut tasks: JoinSet<Tried> = JoinSet::new();
        let mut tried: Vec<TriedRow> = Vec::new();
        let (mut marked_at, mut is_woken) = (self.clock.monotonic(), true);
        let mut swept_at = None;
        loop {
            let now = self.clock.monotonic();
            if swept_at.is_none_or(|swept_at| now.saturating_duration_since(swept_at) >= SWEEP) {
                swept_at = Some(now);
                self.clone().blocking(Self::sweep).await;
            }
            let is_due = is_woken || tasks.is_empty() || now.saturating_duration_since(marked_at) >= TICK;
            if tried.len() >= MARKED_TOGETHER || is_due {
                (marked_at, is_woken) = (now, false);
                let rows = std::mem::take(&mut tried);
                tried = self.clone().blocking(move |jobs| jobs.mark(rows)).await.unwrap_or_default();
                if tried.is_empty() {
                    turns = self.clone().blocking(move |jobs| jobs.finished(turns)).await.unwrap_or_default();
                }
                // A job that was resumed while its last rows were in progress comes back here.
                turns = self.clone().blocking(move |jobs| jobs.refreshed(turns)).await.unwrap_or_default();
            }
            while tasks.len() < self.options.rows_at_a_time && tried.len() < MOST_UNMARKED {
                let picked;
                (turns, picked) = self.clone().blocking(move |jobs| jobs.pick(turns)).await.unwrap_or_default();
                let Some((job, key, prepared, record)) = picked else { break };
                let (jobs, renderer) = (Arc::clone(&self), Arc::clone(&renderer));
                tasks.spawn(async move { jobs.attempt(&*renderer, job, &key, &prepared, record).await });
            }
            let is_idle = tasks.is_empty() && tried.is_empty() && turns.is_empty();
            tokio::select! {
                Some(joined) = tasks.join_next(), if !tasks.is_empty() => {
                    // A task that panicked leaves its row waiting; the next start makes it.
                    tried.extend(joined.ok().and_then(|outcome| self.settle(&mut turns, outcome)));
                }
                () = self.wake.notified() => is_woken = true,
                () = sleep(if is_idle { SWEEP } else { TICK }) => {}
            }
        }
    }

    /// Runs a call that blocks. `None` if the runtime ends.
    async fn blocking<T: Send + 'static>(self: Arc<Self>, call: impl FnOnce(&Self) -> T + Send + 'static) -> Option<T> {
        spawn_blocking(move || call(&self)).await.ok()
    }

    /// Marks rows; returns them if that fails, to be marked later.
    fn mark(&self, rows: Vec<TriedRow>) -> Vec<TriedRow> {
        if rows.is_empty() {
            return rows;
        }
        match self.database.mark(&rows) {
            Ok(()) => Vec::new(),
            Err(error) => {
                tracing::warn!(%error, "rows of jobs cannot be marked at present");
                rows
            }
        }
    }

    /// The turns of the jobs that are running now.
    fn refreshed(&self, mut turns: Vec<Turn>) -> Vec<Turn> {
        let running = match self.database.running() {
            Ok(running) => running,
            Err(error) => {
                tracing::warn!(%error, "jobs cannot be read at present");
                return turns;
            }
        };
        turns.retain(|turn| running.iter().any(|job| job.id == turn.id) || turn.in_progress > 0);
        for turn in turns.iter_mut().filter(|turn| running.iter().all(|job| job.id != turn.id)) {
            // It has paused or was cancelled; its rows in progress are finished.
            turn.stop();
        }
        for RunningJob { id, key_id, definition } in running {
            let is_paused = |turn: &&mut Turn| turn.id == id;
            if turns.iter_mut().find(is_paused).is_some() {
                continue;
            }
            match Prepared::new(definition) {
                Ok(prepared) => turns.push(Turn {
                    id,
                    key: key_id,
                    prepared: Arc::new(prepared),
                    next: VecDeque::new(),
                    after: 0,
                    is_read: false,
                    in_progress: 0,
                }),
                Err((field, problem)) => tracing::error!(job = id, field, problem, "a job cannot be read"),
            }
        }
        turns
    }

    /// Ends the jobs of which all rows are marked.
    fn finished(&self, mut turns: Vec<Turn>) -> Vec<Turn> {
        turns.retain(|turn| {
            let is_over = turn.is_read && turn.next.is_empty() && turn.in_progress == 0;
            if is_over && let Err(error) = self.finish(turn) {
                tracing::warn!(job = turn.id, %error, "a job cannot be finished; it pauses");
                if let Err(error) = self.database.pause(&turn.id, PauseReason::Disk) {
                    tracing::warn!(job = turn.id, %error, "a job cannot be paused");
                }
            }
            !is_over
        });
        turns
    }

    /// Ends a job whose rows were all tried, with the file of all rows if it has one. A job that has paused or was
    /// cancelled stays as it is.
    fn finish(&self, turn: &Turn) -> Result<(), JobError> {
        let Some(job) = self.database.get(&turn.key, &turn.id)? else { return Ok(()) };
        if job.state != JobState::Running || job.made + job.failed < job.rows {
            return Ok(());
        }
        if job.output.form == Form::Zip && !job.dry_run && job.made > 0 {
            archive::write(&self.database, &self.files, &turn.id)?;
        }
        let state = if job.made > 0 { JobState::Completed } else { JobState::Failed };
        self.database.end(&turn.id, state, self.now())?;
        // Its rows are marked, so that nothing needs to be known of their charges.
        Ok(self.access.forget_rows(&turn.key, &turn.id)?)
    }

    /// The next row: of the next key, and of its next job. The turn goes to the end.
    #[expect(clippy::type_complexity, reason = "the turns come back with what was picked")]
    fn pick(&self, mut turns: Vec<Turn>) -> (Vec<Turn>, Option<(String, KeyId, Arc<Prepared>, Record)>) {
        for turn in turns.iter_mut().filter(|turn| turn.next.is_empty() && !turn.is_read) {
            match self.database.waiting(&turn.id, turn.after, PAGE) {
                Ok(page) => {
                    turn.is_read = page.len() < PAGE;
                    turn.after = page.last().map_or(turn.after, |record| record.number as u64);
                    turn.next = page.into();
                }
                Err(error) => tracing::warn!(job = turn.id, %error, "the rows of a job cannot be read at present"),
            }
        }
        let busy: BTreeMap<&KeyId, usize> = turns.iter().fold(BTreeMap::new(), |mut busy, turn| {
            *busy.entry(&turn.key).or_default() += turn.in_progress;
            busy
        });
        let has_normal = |key: &KeyId| {
            let normal = |turn: &Turn| turn.prepared.priority() == Priority::Normal && !turn.next.is_empty();
            turns.iter().any(|turn| turn.key == *key && normal(turn))
        };
        let may_go = |turn: &Turn| {
            !turn.next.is_empty() && (turn.prepared.priority() == Priority::Normal || !has_normal(&turn.key))
        };
        // The key with the fewest rows in progress, then the job whose turn was longest ago.
        let place = (0..turns.len())
            .filter(|place| turns.get(*place).is_some_and(may_go))
            .min_by_key(|place| turns.get(*place).and_then(|turn| busy.get(&turn.key).copied()));
        let Some(place) = place else { return (turns, None) };
        let mut turn = turns.remove(place);
        let picked = turn.next.pop_front().map(|record| {
            turn.in_progress += 1;
            (turn.id.clone(), turn.key.clone(), Arc::clone(&turn.prepared), record)
        });
        turns.push(turn);
        (turns, picked)
    }

    /// Takes a row out of those in progress. Returns it if it is to be marked.
    fn settle(&self, turns: &mut [Turn], outcome: Tried) -> Option<TriedRow> {
        let (Tried::Done(TriedRow { job, .. }) | Tried::Later { job, .. } | Tried::Paused { job, .. }) = &outcome;
        if let Some(turn) = turns.iter_mut().find(|turn| turn.id == *job) {
            turn.in_progress -= 1;
            match &outcome {
                Tried::Done(_) => {}
                Tried::Later { record, .. } => turn.next.push_front(record.clone()),
                // Its rows are read again when it is resumed.
                Tried::Paused { .. } => turn.stop(),
            }
        }
        match outcome {
            Tried::Done(row) => Some(row),
            Tried::Later { .. } => None,
            Tried::Paused { job, reason } => {
                if let Err(error) = self.database.pause(&job, reason) {
                    // The row is tried again, and finds the same.
                    tracing::warn!(job, %error, "a job cannot be paused");
                }
                tracing::info!(job, reason = reason.message(), "a job has paused");
                self.wake.notify_one();
                None
            }
        }
    }

    /// Makes a row, and charges for it.
    async fn attempt(
        self: Arc<Self>,
        renderer: &dyn RowRenderer,
        job: String,
        key: &KeyId,
        prepared: &Prepared,
        record: Record,
    ) -> Tried {
        let MergedRow { number, request, name, mut warnings } = prepared.row(&record);
        let number = number as u64;
        let failed = |r#type: &str, message: String, warnings| {
            let error = Some(RowProblem { r#type: r#type.to_owned(), message });
            let outcome = Outcome { error, warnings, ..Outcome::default() };
            Tried::Done(TriedRow { job: job.clone(), number, state: RowState::Failed, name: None, outcome })
        };
        let request = match request {
            Ok(request) => request,
            Err(message) => return failed(ROW, message, warnings),
        };
        let made = if prepared.is_dry_run() {
            renderer.lay_out(&request, key).await.map_err(Trouble::Row)
        } else {
            Arc::clone(&self).make(renderer, &request, key, &job, number).await
        };
        match made {
            Ok(row) => {
                let is_new = |warning: &RowWarning| {
                    !warnings.iter().any(|known| (&known.r#type, &known.field) == (&warning.r#type, &warning.field))
                };
                let new: Vec<RowWarning> = row.warnings.into_iter().filter(is_new).collect();
                warnings.extend(new);
                let file = !prepared.is_dry_run();
                let outcome = Outcome {
                    bytes: file.then_some(row.bytes.len() as u64),
                    sha256: file.then(|| hex::encode(Sha256::digest(&row.bytes))),
                    seed: Some(row.seed),
                    calculated_font_size: row.calculated_font_size,
                    error: None,
                    warnings,
                };
                let name = file.then_some(name);
                Tried::Done(TriedRow { job, number, state: RowState::Made, name, outcome })
            }
            Err(Trouble::Row(RowError::Failed { kind, message })) => failed(&kind, message, warnings),
            Err(Trouble::Row(RowError::Later(reason))) => {
                tracing::debug!(job, number, reason, "a row is tried again");
                sleep(LATER).await;
                Tried::Later { job, record }
            }
            Err(Trouble::Pause(reason)) => Tried::Paused { job, reason },
        }
    }

    /// Reserves, renders, writes the file, and charges, unless the row was charged before.
    async fn make(
        self: Arc<Self>,
        renderer: &dyn RowRenderer,
        request: &serde_json::Value,
        key: &KeyId,
        job: &str,
        number: u64,
    ) -> Result<MadeRow, Trouble> {
        let client = self.access.client(key).await.map_err(|error| match error {
            AuthError::Unknown => Trouble::Pause(PauseReason::Key),
            AuthError::Store(error) => Trouble::later(&error),
        })?;
        let fingerprint = Fingerprint::of(job, &[&number.to_be_bytes()]);
        let begun = self.access.begin(&client, IdempotencyKey::of_row(job, number), fingerprint).await;
        let payment = match begun.map_err(|error| Trouble::later(&error))? {
            Begun::Done(_) => None,
            Begun::First(attempt) => {
                let reservation = self.access.reserve(&client).await.map_err(|error| match error {
                    QuotaError::Exhausted { in_progress: 0, .. } => Trouble::Pause(PauseReason::Quota),
                    error => Trouble::later(&error),
                })?;
                Some(reservation.answering(attempt, MADE))
            }
            Begun::InProgress | Begun::OtherRequest => {
                return Err(Trouble::Row(RowError::Later("the row is in progress elsewhere".to_owned())));
            }
        };
        let made = renderer.make(request, key).await.map_err(Trouble::Row)?;
        let (jobs, id) = (Arc::clone(&self), job.to_owned());
        let made = spawn_blocking(move || jobs.write(&id, number, made)).await;
        let made = made.map_err(|error| Trouble::later(&error))??;
        if let Some(reservation) = payment {
            reservation.charge().await.map_err(|error| {
                self.bytes.fetch_sub(made.bytes.len() as u64, Ordering::Relaxed);
                Trouble::later(&error)
            })?;
        }
        Ok(made)
    }

    /// Writes the file of a row, if there is room for it.
    fn write(&self, job: &str, number: u64, made: MadeRow) -> Result<MadeRow, Trouble> {
        let length = made.bytes.len() as u64;
        let used = self.bytes.fetch_add(length, Ordering::Relaxed);
        let written = if used.saturating_add(length) > self.options.most_bytes {
            Err(PauseReason::Space)
        } else {
            self.files.write_row(job, number, &made.bytes).map_err(|error| {
                tracing::warn!(job, number, %error, "the file of a row cannot be written");
                PauseReason::Disk
            })
        };
        written.map_err(|reason| {
            self.bytes.fetch_sub(length, Ordering::Relaxed);
            Trouble::Pause(reason)
        })?;
        Ok(made)
    }
}

/// Why a row is not made now.
enum Trouble {
    Row(RowError),
    Pause(PauseReason),
}

impl Trouble {
    fn later(error: &impl ToString) -> Self {
        Self::Row(RowError::Later(error.to_string()))
    }
}
