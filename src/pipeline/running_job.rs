//! A job on a render thread: whom it answers, its times, and its reports to the queue.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::control::JobControl;
use super::cost::Cost;
use super::engine::Engine;
use super::error::RenderError;
use super::job_queue::JobQueue;
use super::job_request::Tenant;
use super::rendered_file::{FilePart, FileStart, PartSink};
use super::stages::StageTimes;
use crate::clock::Clock;
use crate::spec::RenderSpec;

/// The outcome of a page, and the times of its stages, including those before a failure.
#[derive(Debug)]
pub struct Rendered<T> {
    /// The page, or why there is none.
    pub outcome: Result<T, RenderError>,
    /// As far as they were met.
    pub stages: StageTimes,
}

impl<T> From<RenderError> for Rendered<T> {
    /// A page that met no stage.
    fn from(error: RenderError) -> Self {
        Self { outcome: Err(error), stages: StageTimes::default() }
    }
}

/// Work for one thread: makes a page and answers its client.
pub(super) type Task = Box<dyn FnOnce(&Engine, Serving) + Send>;

/// A page that a thread of the pool makes, and the client that waits for it.
pub(super) struct RunningJob<T> {
    pub(super) reply: oneshot::Sender<Rendered<T>>,
    pub(super) times: StageTimes,
    pub(super) serving: Serving,
    pub(super) clock: Clock,
    pub(super) started: Instant,
}

impl<T> RunningJob<T> {
    /// Makes the page in one piece and answers with it. It is wanted as long as the client waits.
    pub(super) fn answer(self, make: impl FnOnce(&mut StageTimes, &JobControl<'_>) -> Result<T, RenderError>)
    where
        T: Send,
    {
        let Self { reply, mut times, serving, clock, started } = self;
        let is_wanted = || !reply.is_closed();
        let tell_cost = |cost| serving.tell_cost(cost);
        let control = JobControl { is_wanted: &is_wanted, tell_cost: &tell_cost };
        let outcome = without_panic(|| make(&mut times, &control));
        // A page that its client has is not in the queue any more.
        serving.end(outcome.is_ok().then(|| clock.monotonic().duration_since(started)));
        // A client that went away meanwhile is not missed.
        let _ = reply.send(Rendered { outcome, stages: times });
    }
}

impl RunningJob<FileStart> {
    /// Makes a file, answers with its first part, and gives the others to `sink`. It is wanted as long as the client waits
    /// for the first, and then as long as the sink takes them.
    pub(super) fn answer_in_parts(self, engine: &Engine, spec: &RenderSpec, sink: &dyn PartSink) {
        let Self { reply, mut times, serving, clock, started } = self;
        let is_begun = AtomicBool::new(false);
        let reply = std::sync::Mutex::new(Some(reply));
        let is_client_waiting =
            || reply.lock().is_ok_and(|reply| reply.as_ref().is_some_and(|reply| !reply.is_closed()));
        let is_wanted = || if is_begun.load(Ordering::Relaxed) { sink.is_wanted() } else { is_client_waiting() };
        let answer = |outcome, stages| {
            if let Some(reply) = reply.lock().ok().and_then(|mut reply| reply.take()) {
                let _ = reply.send(Rendered { outcome, stages });
            }
        };
        let tell_cost = |cost| serving.tell_cost(cost);
        let control = JobControl { is_wanted: &is_wanted, tell_cost: &tell_cost };
        let mut give = |part| match part {
            FilePart::Start { rendered_file, is_whole, times } => {
                is_begun.store(true, Ordering::Relaxed);
                answer(Ok(FileStart { rendered_file, is_whole }), times);
            }
            part => sink.put(part),
        };
        let outcome = without_panic(|| engine.generate_file(spec, &mut times, &control, &mut give));
        serving.end(outcome.is_ok().then(|| clock.monotonic().duration_since(started)));
        if let Err(error) = outcome {
            if is_begun.load(Ordering::Relaxed) {
                tracing::warn!(%error, "a file broke off after its first page");
            }
            answer(Err(error), times);
        }
    }
}

/// A page in progress and its cost.
pub(super) struct Serving {
    jobs: Arc<JobQueue<Task>>,
    tenant: Tenant,
    cost: Cell<Cost>,
    pixels: Cost,
    is_over: bool,
}

impl Serving {
    pub(super) const fn new(jobs: Arc<JobQueue<Task>>, tenant: Tenant, cost: Cost, pixels: Cost) -> Self {
        Self { jobs, tenant, cost: Cell::new(cost), pixels, is_over: false }
    }

    /// Sets the real cost. What exceeds the estimate counts against the tenant.
    fn tell_cost(&self, cost: Cost) {
        let told = self.cost.replace(cost);
        if cost > told {
            self.jobs.add_cost(&self.tenant, cost - told);
        }
    }

    /// The page is made, or not; `took` is how long where it was.
    fn end(mut self, took: Option<Duration>) {
        self.is_over = true;
        self.jobs.done(&self.tenant, self.cost.get(), self.pixels, took);
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if !self.is_over {
            self.jobs.done(&self.tenant, self.cost.get(), self.pixels, None);
        }
    }
}

/// Makes a page; a panic costs this page only.
pub(super) fn without_panic<T>(make: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(make))
        .unwrap_or_else(|_| Err(RenderError::Failed("a panic while the page was made".to_owned())))
}
