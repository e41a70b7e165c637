//! Traces: one span per request, for an OpenTelemetry collector.
//!
//! Input: a [`Span`], the description of a finished request. Output: OTLP over HTTP in JSON, one batch per second.
//! Parts: `context` (the client's span, from `traceparent`, and whether to record), `otlp` (a batch as JSON), `courier`
//! (the thread that sends batches to the collector).
//!
//! A collector that is slow or away costs requests nothing: spans that find no room or no collector are dropped and
//! counted. The module knows no texts, keys or paths of clients: a span contains only the fields of [`Span`].

mod context;
mod courier;
mod otlp;

use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::time::{Duration, SystemTime};

pub use context::SpanContext;

use super::events;
use crate::clock::Clock;
use courier::{Courier, Message};

/// Most spans that wait to be taken to the collector.
const ROOM: usize = 4096;
/// Longest wait for the last spans to be taken.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// An exchange that is over.
#[derive(Clone, Debug)]
pub struct Span {
    /// Its place in the trace.
    pub context: SpanContext,
    /// The endpoint, from a fixed set.
    pub endpoint: &'static str,
    /// The path as the router knows it, where it does.
    pub route: Option<String>,
    /// `GET`, `HEAD`, `OPTIONS` or `POST`, else `_OTHER`.
    pub method: &'static str,
    /// Status of the answer; none where the caller had gone away.
    pub status: Option<u16>,
    /// Code of the error that the answer is.
    pub error: Option<&'static str>,
    /// How caller and log call it.
    pub request_id: String,
    /// Whose key it came with.
    pub key_id: Option<String>,
    /// When it was over.
    pub ended: SystemTime,
    /// How long it took.
    pub took: Duration,
    /// How long its stages took.
    pub stages: Vec<(&'static str, Duration)>,
}

/// Sends spans to a collector.
#[derive(Debug)]
pub struct Traces {
    spans: SyncSender<Message>,
}

impl Traces {
    /// Starts the thread that takes spans to `endpoint`, the address for `POST` of a collector.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(endpoint: &str, clock: Clock) -> std::io::Result<Self> {
        let (spans, waiting) = sync_channel(ROOM);
        let courier = Courier::to(endpoint, clock);
        for outcome in ["sent", "dropped"] {
            // What never happens is 0, and not missing.
            events::spans(outcome, 0);
        }
        std::thread::Builder::new().name("traces".to_owned()).spawn(move || courier.run(&waiting))?;
        Ok(Self { spans })
    }

    /// Lets a span wait for the collector.
    pub fn record(&self, span: Span) {
        if self.spans.try_send(Message::Span(Box::new(span))).is_err() {
            events::spans("dropped", 1);
        }
    }

    /// Waits until what was recorded is sent, as far as that takes seconds. What is recorded later is dropped.
    pub fn finish(&self) {
        let (done, finished) = sync_channel(1);
        let told = match self.spans.try_send(Message::Finish(done)) {
            Ok(()) => finished.recv_timeout(LAST_PATIENCE).is_ok(),
            // The thread is gone only where it was told to finish before.
            Err(TrySendError::Disconnected(_)) => true,
            Err(TrySendError::Full(_)) => false,
        };
        if !told {
            tracing::warn!("the last traces were not sent");
        }
    }
}
