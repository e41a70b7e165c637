//! Sends spans to the collector, from a thread of its own that may block.

use std::sync::mpsc::{Receiver, SyncSender};
use std::time::Duration;

use ureq::Agent;

use super::{Span, otlp};
use crate::clock::Clock;
use crate::telemetry::events;

/// Longest time for which a span waits for others to go with.
const GATHER: Duration = Duration::from_secs(1);
/// Most spans that go together.
const MOST_TOGETHER: usize = 512;
/// Longest wait for the collector to take them.
const PATIENCE: Duration = Duration::from_secs(5);

/// What the thread is told.
pub(super) enum Message {
    /// A span to take along.
    Span(Box<Span>),
    /// Take what there is, tell when it is done, and end.
    Finish(SyncSender<()>),
}

/// The way to the collector.
pub(super) struct Courier {
    agent: Agent,
    endpoint: String,
    clock: Clock,
    /// Whether the last batch was not taken, so that a collector that is away is told of once.
    is_failing: bool,
}

impl Courier {
    /// The way to `endpoint`.
    pub(super) fn to(endpoint: &str, clock: Clock) -> Self {
        let agent = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("longhand/", env!("CARGO_PKG_VERSION")))
            .build()
            .into();
        Self { agent, endpoint: endpoint.to_owned(), clock, is_failing: false }
    }

    /// Works until told to finish, or until nobody is left to tell.
    pub(super) fn run(mut self, messages: &Receiver<Message>) {
        let mut batch = Vec::new();
        while let Ok(first) = messages.recv() {
            let until = self.clock.monotonic() + GATHER;
            let mut message = Some(first);
            let mut done = None;
            while let Some(told) = message.take() {
                match told {
                    Message::Span(span) => batch.push(*span),
                    Message::Finish(tell) => done = Some(tell),
                }
                let left = until.saturating_duration_since(self.clock.monotonic());
                if done.is_some() || batch.len() >= MOST_TOGETHER {
                    break;
                }
                // Nothing more came in time, or nobody is left to send anything.
                message = messages.recv_timeout(left).ok();
            }
            if !batch.is_empty() {
                self.take(&batch);
                batch.clear();
            }
            if let Some(done) = done {
                // One who waited no longer needs no word.
                let _ = done.send(());
                return;
            }
        }
    }

    fn take(&mut self, batch: &[Span]) {
        let request = self.agent.post(&self.endpoint).content_type("application/json");
        let problem = match request.send(otlp::body(batch)) {
            Ok(answer) if answer.status().is_success() => None,
            Ok(answer) => Some(format!("the collector answers {}", answer.status())),
            Err(error) => Some(error.to_string()),
        };
        events::spans(if problem.is_some() { "dropped" } else { "sent" }, batch.len() as u64);
        let was_failing = std::mem::replace(&mut self.is_failing, problem.is_some());
        match problem {
            Some(problem) if !was_failing => {
                tracing::warn!(problem, "traces are not taken, and dropped until they are");
            }
            None if was_failing => tracing::info!("traces are taken again"),
            _ => {}
        }
    }
}
