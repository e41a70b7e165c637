//! The job queue: clients submit jobs, and the render threads take them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::cost::Cost;
use super::fair_queue::{FairQueue, FreeWorker, Job, JobId};
use super::job_request::{JobRequest, RejectReason, Tenant};

/// Weight of earlier pages in the estimate of the speed, per further page.
const MEMORY: f64 = 0.95;
/// Part of the patience that admitted work may fill. The rest is for later jobs that overtake in their turn, and for pages
/// that take longer than recent ones.
const REACH: f64 = 0.5;
/// Longest `Retry-After`.
const LONGEST_RETRY: Duration = Duration::from_secs(30);

/// The state of the queue.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueueStanding {
    /// Pages waiting or being made.
    pub pages: usize,
    /// Cost of the waiting jobs.
    pub waiting: Cost,
    /// Largest cost of the waiting jobs.
    pub limit: Cost,
    /// Estimated time until the last waiting job begins.
    pub wait: Duration,
}

/// A refused job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) reason: RejectReason,
    pub(super) retry_after_seconds: u64,
}

/// The queue and its workers. `T` is the work of a job.
pub(super) struct JobQueue<T> {
    inner: Mutex<Inner<T>>,
    /// Notified when a job arrives or ends, when the queue closes, and when a worker stops.
    changed: Condvar,
    /// Longest time that a job may wait.
    patience: Duration,
}

struct Inner<T> {
    queue: FairQueue<T>,
    workers: usize,
    served: usize,
    speed: Speed,
    /// Longest time that the waiting jobs may take when another is admitted.
    reach: Duration,
    is_closed: bool,
}

impl<T> JobQueue<T> {
    /// An open queue. Jobs of `limit` may wait for `patience`. Pages of at most `most_pixels` are in progress at a time.
    pub(super) fn new(limit: Cost, patience: Duration, most_pixels: Cost) -> Self {
        let queue = FairQueue::new(limit, most_pixels);
        let reach = patience.mul_f64(REACH);
        let inner = Inner { queue, workers: 0, served: 0, speed: Speed::default(), reach, is_closed: false };
        Self { inner: Mutex::new(inner), changed: Condvar::new(), patience }
    }

    /// Longest time that a job may wait.
    pub(super) const fn patience(&self) -> Duration {
        self.patience
    }

    /// Admits a job. Returns `Ok(None)` if the queue is closed.
    pub(super) fn submit(&self, request: &JobRequest, work: T) -> Result<Option<JobId>, Refusal> {
        let mut inner = self.inner();
        if inner.is_closed {
            return Ok(None);
        }
        let refused = |reason| Refusal { reason, retry_after_seconds: whole_seconds(inner.wait_of(request)) };
        inner.queue.check(request, inner.reach()).map_err(refused)?;
        let id = inner.queue.push(request, work);
        drop(inner);
        self.changed.notify_one();
        Ok(Some(id))
    }

    /// Removes a job that still waits.
    pub(super) fn withdraw(&self, tenant: &Tenant, id: JobId) -> Option<T> {
        self.inner().queue.withdraw(tenant, id)
    }

    /// Seconds after which a client whose job expired may try again.
    pub(super) fn retry_after_waiting(&self, request: &JobRequest) -> u64 {
        whole_seconds(self.inner().wait_of(request))
    }

    /// Blocks for the next job. Returns `None` once the queue is closed and empty.
    pub(super) fn next_job(&self) -> Option<Job<T>> {
        let mut inner = self.inner();
        loop {
            if let Some(job) = inner.next() {
                return Some(job);
            }
            if inner.is_closed {
                return None;
            }
            inner = self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Charges a tenant for a running job that costs more than its estimate.
    pub(super) fn add_cost(&self, tenant: &Tenant, cost: Cost) {
        self.inner().queue.add_cost(tenant, cost);
    }

    /// Ends a running job. `took` is its time, if it says something about the speed.
    pub(super) fn done(&self, tenant: &Tenant, cost: Cost, pixels: Cost, took: Option<Duration>) {
        let mut inner = self.inner();
        inner.served = inner.served.saturating_sub(1);
        inner.queue.done(tenant, pixels);
        if let Some(took) = took {
            inner.speed.learn(cost, took);
        }
        drop(inner);
        // A job that was kept from the last worker, or had no memory, may begin now.
        self.changed.notify_all();
    }

    /// Counts a worker in.
    pub(super) fn worker_started(&self) {
        self.inner().workers += 1;
    }

    /// Counts a worker out.
    pub(super) fn worker_stopped(&self) {
        self.inner().workers -= 1;
        self.changed.notify_all();
    }

    /// Refuses further jobs. Waiting jobs still run.
    pub(super) fn close(&self) {
        self.inner().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits until all workers have stopped. Returns false after `patience`.
    pub(super) fn wait_for_workers(&self, patience: Duration) -> bool {
        let inner = self.inner();
        let waited = self.changed.wait_timeout_while(inner, patience, |inner| inner.workers > 0);
        let (inner, _) = waited.unwrap_or_else(PoisonError::into_inner);
        inner.workers == 0
    }

    /// The state of the queue.
    pub(super) fn standing(&self) -> QueueStanding {
        let inner = self.inner();
        let queue = &inner.queue;
        let (waiting, limit) = (queue.waiting(), queue.limit());
        QueueStanding { pages: queue.len() + inner.served, waiting, limit, wait: inner.time_for(waiting) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner<T>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A wait in the seconds of `Retry-After`.
fn whole_seconds(wait: Duration) -> u64 {
    wait.clamp(Duration::from_secs(1), LONGEST_RETRY).as_secs_f64().ceil() as u64
}

impl<T> Inner<T> {
    /// The job whose turn it is.
    fn next(&mut self) -> Option<Job<T>> {
        // A closed queue gets no newcomers to keep a worker for.
        let is_last = self.workers > 1 && self.served + 1 >= self.workers && !self.is_closed;
        let worker = if is_last { FreeWorker::Last } else { FreeWorker::OneOfSeveral };
        let job = self.queue.pop(self.reach(), worker)?;
        self.served += 1;
        Some(job)
    }

    /// Estimated wait of a request.
    fn wait_of(&self, request: &JobRequest) -> Duration {
        self.time_for(self.queue.ahead_of(request))
    }

    fn time_for(&self, work: Cost) -> Duration {
        self.speed.time_for_one(work).map_or(Duration::ZERO, |time| time / self.busy() as u32)
    }

    /// Largest cost that may wait. Unbounded before the speed is known.
    fn reach(&self) -> Cost {
        self.speed.work_of_one(self.reach).map_or(Cost::UNBOUNDED, |work| work.part(self.busy() as f64))
    }

    /// Workers that count: one fills the gaps of the others, and adds nothing when all are busy.
    fn busy(&self) -> usize {
        self.workers.saturating_sub(1).max(1)
    }
}

/// The speed of one worker, measured on recent jobs.
#[derive(Clone, Copy, Debug, Default)]
struct Speed {
    work: Cost,
    seconds: f64,
}

impl Speed {
    fn learn(&mut self, work: Cost, took: Duration) {
        self.work = Cost::megapixels(self.work.get() * MEMORY) + work;
        self.seconds = self.seconds * MEMORY + took.as_secs_f64();
    }

    /// The time of one worker. `None` before the first job.
    fn time_for_one(self, work: Cost) -> Option<Duration> {
        Duration::try_from_secs_f64(work.get() * self.seconds / self.work.get()).ok()
    }

    /// The work of one worker. `None` before the first job.
    fn work_of_one(self, time: Duration) -> Option<Cost> {
        (self.seconds > 0.0).then(|| Cost::megapixels(time.as_secs_f64() * self.work.get() / self.seconds))
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::job_request::JobKind;

    fn request(tenant: &str, cost: f64) -> JobRequest {
        let (cost, pixels) = (Cost::megapixels(cost), Cost::megapixels(1.0));
        JobRequest { tenant: Tenant::from(tenant), kind: JobKind::Page, cost, pixels }
    }

    /// A queue with three workers, two of which count, of one megapixel per second each.
    fn jobs() -> JobQueue<u32> {
        let jobs = JobQueue::new(Cost::megapixels(100.0), Duration::from_secs(8), Cost::UNBOUNDED);
        (0..3).for_each(|_| jobs.worker_started());
        jobs.submit(&request("a", 1.0), 0).unwrap();
        let job = jobs.next_job().unwrap();
        jobs.done(&job.tenant, job.cost, job.pixels, Some(Duration::from_secs(1)));
        jobs
    }

    #[test]
    fn behind_half_of_the_longest_wait_jobs_are_refused_with_a_time_to_try_again() {
        let jobs = jobs();
        for (tenant, pages) in [("a", 6), ("b", 2)] {
            (0..pages).for_each(|work| _ = jobs.submit(&request(tenant, 1.0), work).unwrap());
        }
        let refusal = jobs.submit(&request("a", 1.0), 9).unwrap_err();
        assert_eq!(refusal, Refusal { reason: RejectReason::TooLate, retry_after_seconds: 4 });
        assert_eq!(jobs.submit(&request("c", 1.0), 9).unwrap_err().reason, RejectReason::TooLate);
        jobs.next_job().unwrap();
        jobs.next_job().unwrap();
        jobs.submit(&request("c", 1.0), 10).expect("less than that waits");
    }

    #[test]
    fn the_wait_of_a_full_queue_is_the_time_that_all_workers_take() {
        let jobs = jobs();
        for work in 0..5 {
            jobs.submit(&request("a", 1.0), work).unwrap();
        }
        let standing = jobs.standing();
        assert_eq!((standing.pages, standing.waiting.get(), standing.wait), (5, 5.0, Duration::from_secs_f64(2.5)));
    }

    #[test]
    fn before_the_speed_is_known_only_the_limit_counts() {
        let jobs = JobQueue::new(Cost::megapixels(10.0), Duration::from_millis(1), Cost::UNBOUNDED);
        for work in 0..5 {
            jobs.submit(&request("a", 1.0), work).unwrap();
        }
        assert_eq!(jobs.submit(&request("a", 1.0), 5).unwrap_err().reason, RejectReason::TenantShare);
    }

    #[test]
    fn a_closed_queue_refuses_jobs_and_runs_those_that_wait() {
        let jobs = jobs();
        jobs.submit(&request("a", 1.0), 7).unwrap();
        jobs.close();
        assert_eq!(jobs.submit(&request("a", 1.0), 8), Ok(None));
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
