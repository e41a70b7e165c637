//! A job on a render thread: its client, its times, and its reports to the queue.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::fair_queue::JobId;
use super::heartbeat::Heartbeat;
use super::job_queue::JobQueue;
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::Cost;
use crate::pipeline::engine::Engine;
use crate::pipeline::error::RenderError;
use crate::pipeline::rendered_file::{FilePart, FileStart, PartSink};
use crate::pipeline::stages::StageTimes;
use crate::spec::RenderSpec;

/// The outcome of a page, and the times of its stages, including those before a failure.
#[derive(Debug)]
pub struct Rendered<T> {
    /// The page, or why there is none.
    pub outcome: Result<T, RenderError>,
    /// Times of the stages that were begun.
    pub stages: StageTimes,
}

impl<T> From<RenderError> for Rendered<T> {
    /// A page without any stage.
    fn from(error: RenderError) -> Self {
        Self { outcome: Err(error), stages: StageTimes::default() }
    }
}

/// Makes a page and answers its client.
type Make = Box<dyn FnOnce(&Engine, JobCost) + Send>;

/// Work for one thread.
pub(super) struct Task {
    /// Makes a page and answers its client.
    pub(in crate::pipeline) make: Make,
    /// The span of the request.
    pub(super) span: tracing::Span,
}

/// A page that a render thread makes, and the client that waits for it.
pub(super) struct RunningJob<T> {
    pub(super) reply: oneshot::Sender<Rendered<T>>,
    /// The fonts that were loaded when the client asked.
    pub(in crate::pipeline) catalogue: Arc<FontCatalogue>,
    pub(in crate::pipeline) times: StageTimes,
    pub(in crate::pipeline) cost: JobCost,
    pub(in crate::pipeline) clock: Clock,
    pub(in crate::pipeline) started: Instant,
}

impl<T> RunningJob<T> {
    /// Makes the page in one piece and answers with it. It is wanted as long as the client waits.
    pub(in crate::pipeline) fn answer(
        self,
        make: impl FnOnce(&mut StageTimes, &JobControl<'_>) -> Result<T, RenderError>,
    ) where
        T: Send,
    {
        let Self { reply, catalogue, mut times, cost, clock, started } = self;
        let heartbeat = Heartbeat::of_thread();
        let is_wanted = || {
            stamp(heartbeat.as_deref());
            !reply.is_closed()
        };
        let report_cost = |measured| cost.report(measured);
        let control = JobControl { catalogue: Some(&catalogue), is_wanted: &is_wanted, report_cost: &report_cost };
        let outcome = without_panic(|| make(&mut times, &control));
        // First, so that a client that has its page does not find it in the queue.
        cost.end(outcome.is_ok().then(|| clock.monotonic().duration_since(started)));
        // The client may have disconnected.
        let _ = reply.send(Rendered { outcome, stages: times });
    }
}

impl RunningJob<FileStart> {
    /// Makes a file, answers with its first part, and gives the others to `sink`. The file is wanted as long as the
    /// client waits for the first part, and then as long as the sink takes parts.
    pub(super) fn answer_in_parts(self, engine: &Engine, spec: &RenderSpec, sink: &dyn PartSink) {
        let Self { reply, catalogue, mut times, cost, clock, started } = self;
        let is_begun = AtomicBool::new(false);
        let reply = Mutex::new(Some(reply));
        let is_client_waiting = || reply.lock().as_ref().is_some_and(|reply| !reply.is_closed());
        let heartbeat = Heartbeat::of_thread();
        let is_wanted = || {
            stamp(heartbeat.as_deref());
            if is_begun.load(Ordering::Relaxed) { sink.is_wanted() } else { is_client_waiting() }
        };
        let answer = |outcome, stages| {
            let reply = reply.lock().take();
            if let Some(reply) = reply {
                let _ = reply.send(Rendered { outcome, stages });
            }
        };
        let report_cost = |measured| cost.report(measured);
        let control = JobControl { catalogue: Some(&catalogue), is_wanted: &is_wanted, report_cost: &report_cost };
        let mut give = |part| match part {
            FilePart::Start { rendered_file, is_whole, times } => {
                is_begun.store(true, Ordering::Relaxed);
                answer(Ok(FileStart { rendered_file, is_whole }), times);
            }
            part => sink.put(part),
        };
        let outcome = without_panic(|| engine.generate_file(spec, &mut times, &control, &mut give));
        cost.end(outcome.is_ok().then(|| clock.monotonic().duration_since(started)));
        if let Err(error) = outcome {
            if is_begun.load(Ordering::Relaxed) {
                tracing::warn!(%error, "a file broke off after its first page");
            }
            answer(Err(error), times);
        }
    }
}

fn stamp(heartbeat: Option<&Heartbeat>) {
    if let Some(heartbeat) = heartbeat {
        heartbeat.beat();
    }
}

/// The cost of a running job. Dropped, it ends the job in the queue.
pub(super) struct JobCost {
    jobs: Arc<JobQueue<Task>>,
    id: JobId,
    cost: Cell<Cost>,
    /// The time of the job, if it succeeded.
    took: Option<Duration>,
}

impl JobCost {
    pub(in crate::pipeline) const fn new(jobs: Arc<JobQueue<Task>>, id: JobId, estimate: Cost) -> Self {
        Self { jobs, id, cost: Cell::new(estimate), took: None }
    }

    /// Sets the real cost. What exceeds the estimate counts against the tenant.
    fn report(&self, cost: Cost) {
        let estimate = self.cost.replace(cost);
        if cost > estimate {
            self.jobs.add_cost(self.id, cost - estimate);
        }
    }

    /// Ends the job. `took` is its time, if it succeeded.
    fn end(mut self, took: Option<Duration>) {
        self.took = took;
    }
}

impl Drop for JobCost {
    fn drop(&mut self) {
        self.jobs.done(self.id, self.cost.get(), self.took);
    }
}

/// Makes a page. A panic becomes an error of this page.
pub(in crate::pipeline) fn without_panic<T>(make: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(make))
        .unwrap_or_else(|_| Err(RenderError::Failed("a panic while the page was made".to_owned())))
}
