//! One request and its answer, as handlers and the outermost layer see it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::admission::Allowance;
use super::request_id::RequestId;
use crate::access::KeyId;
use crate::clock::Clock;
use crate::pipeline::StageTimes;

/// What the exchange is called, since when it runs, and what was learnt about it on the way. Clones share what they
/// learn, so that it is known whatever becomes of the request.
#[derive(Clone, Debug)]
pub(super) struct Exchange {
    /// How caller and log call it.
    pub(super) id: RequestId,
    /// When its head had arrived.
    pub(super) started: Instant,
    notes: Arc<Mutex<Notes>>,
}

/// What was learnt about an exchange.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Whose key it came with.
    pub(super) caller: Option<KeyId>,
    /// Where the caller stands in the rate window, once the window was asked.
    pub(super) allowance: Option<Allowance>,
    /// Length of the body, once it was read.
    pub(super) body_bytes: Option<u64>,
    /// How long its stages took.
    pub(super) stages: Stages,
}

/// How long each stage of an exchange took, as far as it was met.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stages {
    /// Reading the body.
    pub(super) body: Option<Duration>,
    /// Making the page.
    pub(super) page: StageTimes,
    /// Making the charge durable.
    pub(super) charge: Option<Duration>,
}

impl Exchange {
    /// An exchange that starts now.
    pub(super) fn new(id: RequestId, clock: &Clock) -> Self {
        Self { id, started: clock.monotonic(), notes: Arc::default() }
    }

    /// Where to write down what was learnt.
    pub(super) fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Stages {
    /// The stages that were met, by name, in order.
    pub(super) fn met(&self) -> impl Iterator<Item = (&'static str, Duration)> {
        let page = self.page.met().map(|(stage, took)| (stage.name(), took));
        let body = self.body.map(|took| ("body", took));
        let charge = self.charge.map(|took| ("charge", took));
        body.into_iter().chain(page).chain(charge)
    }
}
