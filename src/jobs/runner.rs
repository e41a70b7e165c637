//! Makes the rows of all jobs, in turns.
//!
//! One task holds the turns: keys in turn, and within a key its jobs. It keeps some rows in progress, each a task, and
//! marks rows in batches. Rows are read from the database in small pages. The end of a job, with the file of all rows, is
//! a task too. The task of turns ends with its runtime; rows in progress then still wait in the database.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::sleep;

use super::attempt::{PickedRow, Tried};
use super::database::{RunningJob, TakenRows, TriedRow};
use super::definition::{Prepared, Priority};
use super::error::JobError;
use super::size::JobSize;
use super::summary::{JobState, PauseReason};
use super::{Jobs, RowRenderer, result};
use crate::access::KeyId;
use crate::clock::Timestamp;
use crate::mail_merge::Record;

/// Rows that are read at a time.
const PAGE: usize = 128;
/// Rows that are marked in one commit, unless [`TICK`] comes first.
const MARKED_TOGETHER: usize = 64;
/// Rows that may wait to be marked while the database accepts no writes.
const MOST_UNMARKED: usize = 1024;
/// Interval between two looks at the table of jobs, and the longest time until a row is marked.
const TICK: Duration = Duration::from_millis(250);
/// The same where other instances create jobs, and there are none to be made.
const SHARED_TICK: Duration = Duration::from_secs(1);
/// Interval between two looks for jobs that are over.
const SWEEP: Duration = Duration::from_secs(60);

/// A job in turn.
struct Turn {
    id: String,
    key: KeyId,
    created: Timestamp,
    prepared: Arc<Prepared>,
    size: JobSize,
    /// Rows to be tried next.
    next: VecDeque<Record>,
    /// The last row that was read.
    after: u64,
    /// Whether all rows were read.
    is_read: bool,
    in_progress: usize,
    /// Whether its end is being written.
    is_ending: bool,
}

impl Turn {
    /// Whether all of its rows were tried.
    fn is_over(&self) -> bool {
        self.is_read && self.next.is_empty() && self.in_progress == 0
    }

    /// Begins no further row. Returns those that were to be tried.
    fn stop(&mut self) -> Vec<u64> {
        self.is_read = true;
        self.next.drain(..).map(|record| record.number as u64).collect()
    }
}

/// A job that a row in progress found reason to pause, and its rows that were not tried.
struct Pause {
    job: String,
    reason: PauseReason,
    rows: Vec<u64>,
}

impl Jobs {
    /// Makes rows until the task is dropped.
    pub(crate) async fn run(self: Arc<Self>, renderer: Arc<dyn RowRenderer>) {
        let mut turns: Vec<Turn> = Vec::new();
        let mut tasks: JoinSet<Tried> = JoinSet::new();
        let mut endings: JoinSet<String> = JoinSet::new();
        let mut tried: Vec<TriedRow> = Vec::new();
        let (mut marked_at, mut is_woken) = (self.clock.monotonic(), true);
        let idle = if self.database.is_shared() { SHARED_TICK } else { SWEEP };
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
                for turn in turns.iter_mut().filter(|turn| tried.is_empty() && turn.is_over() && !turn.is_ending) {
                    turn.is_ending = true;
                    let (jobs, key, id, size) = (Arc::clone(&self), turn.key.clone(), turn.id.clone(), turn.size);
                    endings.spawn(async move {
                        let job = id.clone();
                        jobs.blocking(move |jobs| jobs.end_or_pause(&key, &job, size)).await;
                        id
                    });
                }
                // A job that was resumed while its last rows were in progress comes back here.
                turns = self.clone().blocking(move |jobs| jobs.refreshed(turns)).await.unwrap_or_default();
            }
            while tasks.len() < self.options.rows_at_a_time && tried.len() < MOST_UNMARKED {
                let picked;
                (turns, picked) = self.clone().blocking(move |jobs| jobs.pick(turns)).await.unwrap_or_default();
                let Some(picked) = picked else { break };
                let (jobs, renderer) = (Arc::clone(&self), Arc::clone(&renderer));
                tasks.spawn(async move { jobs.attempt(&*renderer, picked).await });
            }
            let is_idle = tasks.is_empty() && endings.is_empty() && tried.is_empty() && turns.is_empty();
            tokio::select! {
                Some(joined) = tasks.join_next(), if !tasks.is_empty() => {
                    // Without an outcome, the runtime is ending.
                    match joined.ok().map(|outcome| settle(&mut turns, outcome)) {
                        Some(Settled::Tried(row)) => tried.push(row),
                        Some(Settled::Paused(pause)) => {
                            self.clone().blocking(move |jobs| jobs.pause_for(&pause)).await;
                            is_woken = true;
                        }
                        Some(Settled::Later) | None => {}
                    }
                }
                Some(ended) = endings.join_next(), if !endings.is_empty() => {
                    // A job that goes on, in another size or resumed, gets a new turn.
                    turns.retain(|turn| !turn.is_ending || ended.as_ref().is_ok_and(|id| *id != turn.id));
                    is_woken = true;
                }
                () = self.wake.notified() => is_woken = true,
                () = sleep(if is_idle { idle } else { TICK }) => {}
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
                self.note_failure(&error, "rows of jobs cannot be marked at present");
                rows
            }
        }
    }

    /// The turns of the jobs that are running now.
    fn refreshed(&self, mut turns: Vec<Turn>) -> Vec<Turn> {
        let running = match self.database.running() {
            Ok(running) => {
                self.is_failing.store(false, Ordering::Relaxed);
                running
            }
            Err(error) => {
                self.note_failure(&error, "jobs cannot be read at present");
                return turns;
            }
        };
        for turn in turns.iter_mut().filter(|turn| running.iter().all(|job| job.id != turn.id)) {
            // It has paused or was cancelled; its rows in progress are finished.
            let rows = turn.stop();
            self.give_back(&turn.id, &rows);
        }
        turns.retain(|turn| running.iter().any(|job| job.id == turn.id) || turn.in_progress > 0);
        if self.database.is_shared()
            && let Ok(bytes) = self.database.bytes()
        {
            // Those of other instances are among them, and those of rows in progress are not.
            self.bytes.store(bytes, Ordering::Relaxed);
        }
        for RunningJob { id, key_id, created, definition, size } in running {
            if turns.iter().any(|turn| turn.id == id) {
                continue;
            }
            match Prepared::new(definition) {
                Ok(prepared) => turns.push(Turn {
                    id,
                    key: key_id,
                    created,
                    size: JobSize::of(prepared.has_same_size(), size),
                    prepared: Arc::new(prepared),
                    next: VecDeque::new(),
                    after: 0,
                    is_read: false,
                    in_progress: 0,
                    is_ending: false,
                }),
                Err((field, problem)) => tracing::error!(job = id, field, problem, "a job cannot be read"),
            }
        }
        turns
    }

    /// Logs why the database cannot be used, once until it can.
    fn note_failure(&self, error: &JobError, what: &'static str) {
        if self.is_failing.swap(true, Ordering::Relaxed) {
            tracing::debug!(%error, what, "the jobs are still away");
        } else {
            tracing::warn!(%error, "{what}");
        }
    }

    /// Ends a job of which all rows are marked. One that cannot be ended pauses.
    fn end_or_pause(&self, key: &KeyId, id: &str, size: JobSize) {
        let finished = self.finish(key, id, size);
        if let Err(error @ JobError::Store(_)) = &finished
            && self.database.is_shared()
        {
            // It is finished when the store is back.
            self.note_failure(error, "a job cannot be finished at present");
        } else if let Err(error) = finished {
            tracing::warn!(job = id, %error, "a job cannot be finished; it pauses");
            if let Err(error) = self.pause(id, PauseReason::Disk) {
                tracing::warn!(job = id, %error, "a job cannot be paused");
            }
        }
    }

    /// Ends a job whose rows were all tried, with the file of all rows if it has one. A job that has paused or was
    /// cancelled stays as it is.
    fn finish(&self, key: &KeyId, id: &str, size: JobSize) -> Result<(), JobError> {
        let Some(job) = self.database.get(key, id)? else { return Ok(()) };
        if job.state != JobState::Running {
            return Ok(());
        }
        if job.made + job.failed < job.rows {
            // The rows are laid out again within the size that was found, or made in it.
            return if size.is_sought() { self.database.settle_size(id) } else { Ok(()) };
        }
        if !self.database.may_finish(id)? {
            return Ok(());
        }
        if !job.dry_run && job.made > 0 {
            result::write(&*self.database, &self.files, &job)?;
            if self.forget_if_deleted(key, id) {
                return Ok(());
            }
        }
        let state = if job.made > 0 { JobState::Completed } else { JobState::Failed };
        self.database.end(id, state, self.now())?;
        self.wake_events.notify_one();
        Ok(())
    }

    /// The next row: of the next key, and of its next job. The turn goes to the end.
    fn pick(&self, mut turns: Vec<Turn>) -> (Vec<Turn>, Option<PickedRow>) {
        // Rows that are taken are nobody else's.
        let page = if self.database.is_shared() { self.options.rows_at_a_time } else { PAGE };
        for turn in turns.iter_mut().filter(|turn| turn.next.is_empty() && !turn.is_read) {
            match self.database.take(&turn.id, turn.size, turn.after, page) {
                Ok(TakenRows { records, are_last }) => {
                    turn.is_read = are_last;
                    turn.after = records.last().map_or(turn.after, |record| record.number as u64);
                    turn.next = records.into();
                }
                Err(error) => self.note_failure(&error, "the rows of a job cannot be read at present"),
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
            let (job, key, prepared) = (turn.id.clone(), turn.key.clone(), Arc::clone(&turn.prepared));
            PickedRow { job, key, created: turn.created, prepared, size: turn.size, record }
        });
        turns.push(turn);
        (turns, picked)
    }

    /// Pauses a job, and lets other instances have its rows that were not tried.
    fn pause_for(&self, Pause { job, reason, rows }: &Pause) {
        match self.pause(job, *reason) {
            Ok(()) => tracing::info!(job, reason = reason.message(), "a job has paused"),
            // The row is tried again, and finds the same.
            Err(error) => tracing::warn!(job, %error, "a job cannot be paused"),
        }
        self.give_back(job, rows);
    }

    /// Lets other instances have rows that were taken and not tried.
    fn give_back(&self, job: &str, rows: &[u64]) {
        if let Err(error) = self.database.give_back(job, rows) {
            // They are taken over when this instance says nothing more of them.
            tracing::debug!(job, %error, "rows cannot be given back at present");
        }
    }
}

/// What becomes of a row that is no longer in progress.
enum Settled {
    /// It is to be marked.
    Tried(TriedRow),
    /// It is tried again.
    Later,
    /// Its job is to be paused.
    Paused(Pause),
}

/// Takes a row out of those in progress.
fn settle(turns: &mut [Turn], outcome: Tried) -> Settled {
    let (Tried::Done(TriedRow { job, .. }) | Tried::Later { job, .. } | Tried::Paused { job, .. }) = &outcome;
    let mut turn = turns.iter_mut().find(|turn| turn.id == *job);
    if let Some(turn) = &mut turn {
        turn.in_progress -= 1;
    }
    match outcome {
        Tried::Done(row) => Settled::Tried(row),
        Tried::Later { record, .. } => {
            if let Some(turn) = turn {
                turn.next.push_front(record);
            }
            Settled::Later
        }
        Tried::Paused { job, number, reason } => {
            // Its rows are read again when it is resumed.
            let mut rows = turn.map(Turn::stop).unwrap_or_default();
            rows.push(number);
            Settled::Paused(Pause { job, reason, rows })
        }
    }
}
