//! A job on a render thread: its client, its times, and its reports to the queue.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::fair_queue::JobId;
use super::heartbeat::Heartbeat;
use super::job_queue::JobQueue;
use crate::catalogue::FontCatalogue;
use crate::pipeline::control::JobControl;
use crate::pipeline::cost::Cost;
use crate::pipeline::engine::Engine;
use crate::pipeline::engine::production::Production;
use crate::pipeline::error::RenderError;
use crate::pipeline::file_part::{FilePart, FileStart, PartSink};
use crate::pipeline::stages::StageTimes;

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

/// Work for one thread.
pub(super) struct Task {
    /// Makes a page and answers its client.
    pub(super) make: Box<dyn FnOnce(&Taken<'_>) + Send>,
    /// The span of the request.
    pub(super) span: tracing::Span,
}

/// A job that a thread has taken from the queue.
pub(super) struct Taken<'a> {
    pub(super) engine: &'a Engine,
    pub(super) jobs: &'a JobQueue<Task>,
    pub(super) id: JobId,
    /// Its estimated cost.
    pub(super) cost: Cost,
}

/// The client of a job: it waits for an answer, and for further parts if it asked for a file in parts.
pub(super) struct Client<T> {
    /// `None` once it was answered.
    reply: Mutex<Option<oneshot::Sender<Rendered<T>>>>,
    sink: Option<Box<dyn PartSink>>,
}

impl<T: Send> Client<T> {
    /// A client that waits.
    pub(super) const fn new(reply: oneshot::Sender<Rendered<T>>, sink: Option<Box<dyn PartSink>>) -> Self {
        Self { reply: Mutex::new(Some(reply)), sink }
    }

    /// Makes a page and answers with it, unless `make` has answered with the first part. It is wanted as long as the
    /// client waits for the answer, and then as long as the sink takes parts.
    pub(super) fn serve(
        self,
        Taken { engine, jobs, id, cost }: &Taken<'_>,
        catalogue: &FontCatalogue,
        mut times: StageTimes,
        make: impl FnOnce(&mut Production<'_>, &Self) -> Result<Option<T>, RenderError>,
    ) {
        let heartbeat = Heartbeat::of_thread();
        let is_wanted = || {
            if let Some(heartbeat) = &heartbeat {
                heartbeat.beat();
            }
            match &*self.reply.lock() {
                Some(reply) => !reply.is_closed(),
                None => self.sink.as_ref().is_some_and(|sink| sink.is_wanted()),
            }
        };
        let cost = Cell::new(*cost);
        // What exceeds the estimate counts against the tenant.
        let report_cost = |measured| {
            let estimate = cost.replace(measured);
            if measured > estimate {
                jobs.add_cost(*id, measured - estimate);
            }
        };
        let control = JobControl { catalogue, is_wanted: &is_wanted, report_cost: &report_cost };
        let started = engine.clock.monotonic();
        let outcome = without_panic(|| make(&mut Production { engine, control, times: &mut times }, &self));
        // First, so that a client that has its page does not find it in the queue.
        jobs.done(*id, cost.get(), outcome.is_ok().then(|| engine.clock.monotonic().duration_since(started)));
        if let Some(outcome) = outcome.transpose() {
            self.answer(outcome, times);
        }
    }

    fn answer(&self, outcome: Result<T, RenderError>, stages: StageTimes) {
        let reply = self.reply.lock().take();
        if let Some(reply) = reply {
            // The client may have disconnected.
            let _ = reply.send(Rendered { outcome, stages });
        } else if let Err(error) = outcome {
            tracing::warn!(%error, "a file broke off after its first page");
        }
    }
}

impl Client<FileStart> {
    /// Answers with the first part of a file, and gives the others to the sink.
    pub(super) fn give(&self, part: FilePart) {
        match (part, &self.sink) {
            (FilePart::Start(start, times), _) => self.answer(Ok(start), times),
            (part, Some(sink)) => sink.put(part),
            (_, None) => {}
        }
    }
}

/// Makes a page. A panic becomes an error of this page.
pub(in crate::pipeline) fn without_panic<T>(make: impl FnOnce() -> Result<T, RenderError>) -> Result<T, RenderError> {
    catch_unwind(AssertUnwindSafe(make))
        .unwrap_or_else(|_| Err(RenderError::Failed("a panic while the page was made".to_owned())))
}
