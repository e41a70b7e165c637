//! The job queue: clients submit jobs, and the render threads take them.
//!
//! Rows of mailings, for which nobody waits, have a queue of their own. One of them begins only while no page waits or is
//! being made, and one worker is kept free of them, so that a page that arrives begins at once. Their queue takes turns
//! as the other one does.
//!
//! It measures the speed of the workers, so it can refuse jobs that would wait too long and say when to try again.
//! `fair_queue` decides who is admitted and whose turn it is.

use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use super::fair_queue::{FairQueue, Job, JobId};
use super::job_request::{JobKind, JobRequest, RejectReason};
use crate::pipeline::cost::Cost;
use crate::pipeline::error::RenderError;

/// Weight of earlier pages in the estimate of the speed, per further page.
const MEMORY: f64 = 0.95;
/// Part of the longest wait that the waiting jobs may take when another one is admitted. The rest is for later jobs
/// that overtake in their turn, and for pages that take longer than recent ones.
const STARTABLE_SHARE: f64 = 0.5;
/// Longest `Retry-After`.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// The state of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueStatus {
    /// Pages waiting or being made.
    pub pages: usize,
    /// Cost of the waiting jobs.
    pub waiting: Cost,
    /// Largest cost of the waiting jobs.
    pub limit: Cost,
    /// Estimated time until the last waiting job begins.
    pub wait: Duration,
}

/// The queue and its workers. `T` is the work of a job.
pub(super) struct JobQueue<T> {
    inner: Mutex<Inner<T>>,
    /// Notified when a job arrives or ends, when the queue closes, and when a worker stops.
    changed: Condvar,
    /// Longest time that a job may wait.
    pub(super) longest_wait: Duration,
}

struct Inner<T> {
    queue: FairQueue<T>,
    background: FairQueue<T>,
    workers: usize,
    speed: Speed,
    is_closed: bool,
}

impl<T> JobQueue<T> {
    /// An open queue. Jobs of `limit` may wait for `longest_wait`. Pages of at most `most_pixels` are in progress.
    pub(in crate::pipeline) fn new(limit: Cost, longest_wait: Duration, most_pixels: Cost) -> Self {
        let queue = FairQueue::new(limit, most_pixels);
        let background = FairQueue::new(limit, most_pixels).numbered_apart();
        let inner = Inner { queue, background, workers: 0, speed: Speed::default(), is_closed: false };
        Self { inner: Mutex::new(inner), changed: Condvar::new(), longest_wait }
    }

    /// Admits a job.
    ///
    /// # Errors
    /// [`RenderError::Overloaded`], or that the queue is closed.
    pub(super) fn submit(&self, request: &JobRequest, work: T) -> Result<JobId, RenderError> {
        let mut inner = self.inner.lock();
        if inner.is_closed {
            return Err(shut_down());
        }
        let startable_cost = inner.work_in(self.longest_wait.mul_f64(STARTABLE_SHARE));
        inner.queue.check(request, startable_cost).map_err(|reason| inner.refusal(reason))?;
        let is_background = request.kind == JobKind::Background;
        let queue = if is_background { &mut inner.background } else { &mut inner.queue };
        let id = queue.push(request, work);
        drop(inner);
        self.changed.notify_one();
        Ok(id)
    }

    /// Removes a job that still waits.
    pub(super) fn withdraw(&self, id: JobId) -> Option<T> {
        let mut inner = self.inner.lock();
        inner.queue.withdraw(id).or_else(|| inner.background.withdraw(id))
    }

    /// The error of a job that is refused now.
    pub(super) fn refusal(&self, reason: RejectReason) -> RenderError {
        self.inner.lock().refusal(reason)
    }

    /// Blocks for the next job. Returns `None` once the queue is closed and empty.
    pub(super) fn next_job(&self) -> Option<Job<T>> {
        let mut inner = self.inner.lock();
        loop {
            if let Some(job) = inner.pop() {
                return Some(job);
            }
            if inner.is_closed {
                return None;
            }
            self.changed.wait(&mut inner);
        }
    }

    /// Charges the tenant of a running job that costs more than its estimate.
    pub(super) fn add_cost(&self, id: JobId, cost: Cost) {
        let mut inner = self.inner.lock();
        inner.queue.add_cost(id, cost);
        inner.background.add_cost(id, cost);
    }

    /// Ends a running job. `took` is its time, if it says something about the speed.
    pub(in crate::pipeline) fn done(&self, id: JobId, cost: Cost, took: Option<Duration>) {
        let mut inner = self.inner.lock();
        inner.queue.done(id);
        inner.background.done(id);
        if let Some(took) = took {
            inner.speed.learn(cost, took);
        }
        drop(inner);
        // Other jobs may run now: those that had no memory, and those of its tenant.
        self.changed.notify_all();
    }

    /// Counts a worker in.
    pub(super) fn worker_started(&self) {
        self.inner.lock().workers += 1;
    }

    /// Counts a worker out.
    pub(super) fn worker_stopped(&self) {
        self.inner.lock().workers -= 1;
        self.changed.notify_all();
    }

    /// Refuses further jobs. Waiting jobs still run.
    pub(super) fn close(&self) {
        self.inner.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits until all workers have stopped. Returns false after `patience`.
    pub(super) fn wait_for_workers(&self, patience: Duration) -> bool {
        let mut inner = self.inner.lock();
        self.changed.wait_while_for(&mut inner, |inner| inner.workers > 0, patience);
        inner.workers == 0
    }

    /// The state of the queue.
    pub(super) fn status(&self) -> QueueStatus {
        let inner = self.inner.lock();
        let queue = &inner.queue;
        let (waiting, limit) = (queue.waiting(), queue.limit);
        QueueStatus { pages: queue.len(), waiting, limit, wait: inner.time_for(waiting) }
    }
}

impl<T> Inner<T> {
    /// Takes the job whose turn it is; a row of a mailing only if there is no page at all.
    fn pop(&mut self) -> Option<Job<T>> {
        let workers = if self.is_closed { usize::MAX } else { self.workers };
        let most_background = workers.saturating_sub(1).max(1);
        self.queue.pop(workers).or_else(|| {
            let may_run = self.queue.len() == 0 && self.background.running() < most_background;
            // Its own rule for the last worker is not needed.
            if may_run { self.background.pop(usize::MAX) } else { None }
        })
    }

    /// The client may try again when the jobs that wait now have begun.
    fn refusal(&self, reason: RejectReason) -> RenderError {
        let wait = self.time_for(self.queue.waiting()).clamp(Duration::from_secs(1), LONGEST_RETRY);
        RenderError::Overloaded { retry_after_seconds: wait.as_secs_f64().ceil() as u64, reason }
    }

    /// Estimated time that all workers take. None before the speed is known.
    fn time_for(&self, work: Cost) -> Duration {
        let seconds = work.get() * self.speed.seconds_per_megapixel().unwrap_or(0.0) / self.busy();
        Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_RETRY)
    }

    /// Estimated work of all workers. Unbounded before the speed is known.
    fn work_in(&self, time: Duration) -> Cost {
        let work = |seconds| Cost::new(time.as_secs_f64() * self.busy() / seconds);
        self.speed.seconds_per_megapixel().map_or(Cost::UNBOUNDED, work)
    }

    /// Workers that count: one fills the gaps of the others, and adds nothing when all are busy.
    fn busy(&self) -> f64 {
        self.workers.saturating_sub(1).max(1) as f64
    }
}

/// The error of a job that the pool does not make any more.
pub(super) fn shut_down() -> RenderError {
    RenderError::DeviceUnavailable("the service is shutting down".to_owned())
}

/// The speed of one worker, measured on recent jobs.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    megapixels: f64,
    seconds: f64,
}

impl Speed {
    fn learn(&mut self, work: Cost, took: Duration) {
        self.megapixels = self.megapixels * MEMORY + work.get();
        self.seconds = self.seconds * MEMORY + took.as_secs_f64();
    }

    /// `None` before the first job.
    fn seconds_per_megapixel(self) -> Option<f64> {
        (self.seconds > 0.0).then(|| self.seconds / self.megapixels)
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests {
    use super::super::job_request::Tenant;
    use super::*;

    fn request(tenant: &str, cost: f64) -> JobRequest {
        let (cost, pixels) = (Cost::new(cost), Cost::new(1.0));
        JobRequest { tenant: Tenant::from(tenant), kind: JobKind::Page, cost, pixels }
    }

    /// The reason for refusing a page of this tenant, and the seconds after which it may try again.
    fn refusal(jobs: &JobQueue<u32>, tenant: &str) -> (RejectReason, u64) {
        match jobs.submit(&request(tenant, 1.0), 9).unwrap_err() {
            RenderError::Overloaded { retry_after_seconds, reason } => (reason, retry_after_seconds),
            error => panic!("{error}"),
        }
    }

    /// A queue with three workers, two of which count, of one megapixel per second each.
    fn jobs() -> JobQueue<u32> {
        let jobs = JobQueue::new(Cost::new(100.0), Duration::from_secs(8), Cost::UNBOUNDED);
        (0..3).for_each(|_| jobs.worker_started());
        jobs.submit(&request("a", 1.0), 0).unwrap();
        let job = jobs.next_job().unwrap();
        jobs.done(job.id, job.request.cost, Some(Duration::from_secs(1)));
        jobs
    }

    #[test]
    fn behind_half_of_the_longest_wait_jobs_are_refused_with_a_time_to_try_again() {
        let jobs = jobs();
        for (tenant, pages) in [("a", 4), ("b", 2), ("c", 1), ("d", 1)] {
            (0..pages).for_each(|work| _ = jobs.submit(&request(tenant, 1.0), work).unwrap());
        }
        assert_eq!(refusal(&jobs, "a"), (RejectReason::TooLate, 4));
        assert_eq!(refusal(&jobs, "e").0, RejectReason::TooLate);
        jobs.next_job().unwrap();
        jobs.next_job().unwrap();
        jobs.submit(&request("e", 1.0), 10).expect("less than that waits");
    }

    #[test]
    fn the_wait_of_a_full_queue_is_the_time_that_all_workers_take() {
        let jobs = jobs();
        for work in 0..5 {
            jobs.submit(&request("a", 1.0), work).unwrap();
        }
        let status = jobs.status();
        assert_eq!((status.pages, status.waiting.get(), status.wait), (5, 5.0, Duration::from_secs_f64(2.5)));
    }

    #[test]
    fn before_the_speed_is_known_only_the_limit_counts() {
        let jobs = JobQueue::new(Cost::new(10.0), Duration::from_millis(1), Cost::UNBOUNDED);
        for work in 0..5 {
            jobs.submit(&request("a", 1.0), work).unwrap();
        }
        assert_eq!(refusal(&jobs, "a").0, RejectReason::TenantShare);
    }

    #[test]
    fn a_row_of_a_mailing_runs_only_while_there_is_no_page_and_leaves_a_worker_free() {
        let jobs = jobs();
        let row =
            |work| jobs.submit(&JobRequest { kind: JobKind::Background, ..request("mailing", 1.0) }, work).unwrap();
        let next = || jobs.inner.lock().pop();
        (0..4).for_each(|work| _ = row(work));
        assert_eq!(jobs.status().pages, 0, "rows are no pages that wait");
        let page = jobs.submit(&request("a", 1.0), 10).unwrap();
        assert_eq!(next().map(|job| job.work), Some(10), "a page goes first");
        assert!(next().is_none(), "a page is being made");
        jobs.done(page, Cost::new(1.0), None);
        let running: Vec<_> = std::iter::from_fn(next).collect();
        assert_eq!(running.iter().map(|job| job.work).collect::<Vec<_>>(), [0, 1], "of three workers two");
        jobs.submit(&request("a", 1.0), 11).unwrap();
        assert_eq!(next().map(|job| job.work), Some(11), "the third begins the page at once");
        jobs.done(running[0].id, Cost::new(1.0), None);
        assert!(next().is_none());
        let withdrawn = row(9);
        assert_eq!(jobs.withdraw(withdrawn), Some(9));
    }

    #[test]
    fn mailings_of_two_keys_take_turns() {
        let jobs = jobs();
        let row = |tenant, work| {
            jobs.submit(&JobRequest { kind: JobKind::Background, ..request(tenant, 1.0) }, work).unwrap()
        };
        (0..3).for_each(|work| _ = row("large", work));
        row("small", 9);
        let next = || {
            let job = jobs.inner.lock().pop();
            job.inspect(|job| jobs.done(job.id, job.request.cost, None))
        };
        let order: Vec<u32> = std::iter::from_fn(next).map(|job| job.work).collect();
        assert_eq!(order, [0, 9, 1, 2]);
    }

    #[test]
    fn a_closed_queue_refuses_jobs_and_runs_those_that_wait() {
        let jobs = jobs();
        jobs.submit(&request("a", 1.0), 7).unwrap();
        jobs.close();
        assert!(matches!(jobs.submit(&request("a", 1.0), 8), Err(RenderError::DeviceUnavailable(_))));
        assert_eq!(jobs.next_job().map(|job| job.work), Some(7));
        assert_eq!(jobs.next_job().map(|job| job.work), None);
    }

    #[test]
    fn workers_that_do_not_stop_are_waited_for_within_limits() {
        let jobs = jobs();
        (0..2).for_each(|_| jobs.worker_stopped());
        assert!(!jobs.wait_for_workers(Duration::from_millis(1)));
        jobs.worker_stopped();
        assert!(jobs.wait_for_workers(Duration::ZERO));
    }
}
