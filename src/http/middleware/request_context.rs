//! Facts of one request that handlers and layers share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use super::request_id::RequestId;
use crate::access::{KeyId, RateDecision};
use crate::clock::Clock;
use crate::http::routes::route::Route;
use crate::pipeline::StageTimes;

/// The id of a request, its start, and its record. Clones share the record, so it stays complete if the handler is
/// dropped.
#[derive(Clone, Debug)]
pub(in crate::http) struct RequestContext {
    /// The route, if the path has one.
    pub(in crate::http) route: Option<&'static Route>,
    /// The id for the client and the log.
    pub(in crate::http) id: RequestId,
    /// When the head had arrived.
    pub(in crate::http) started: Instant,
    clock: Clock,
    record: Arc<Mutex<RequestRecord>>,
}

/// Facts about a request, for the log, the metrics and the trace.
#[derive(Clone, Debug, Default)]
pub(in crate::http) struct RequestRecord {
    /// The key of the client.
    pub(in crate::http) key_id: Option<KeyId>,
    /// The rate limit's decision, once it was asked.
    pub(in crate::http) rate: Option<RateDecision>,
    /// Length of the body, once it was read.
    pub(in crate::http) body_bytes: Option<u64>,
    /// From the head to the response, once it is ready.
    pub(in crate::http) took: Duration,
    /// The stages so far, in order.
    pub(in crate::http) stages: Vec<StageRecord>,
}

/// One stage of a request that is over.
#[derive(Clone, Copy, Debug)]
pub(in crate::http) struct StageRecord {
    /// Its name in logs, metrics and traces.
    pub(in crate::http) name: &'static str,
    /// When it ended.
    pub(in crate::http) ended: Instant,
    /// Its duration.
    pub(in crate::http) took: Duration,
}

impl RequestContext {
    /// The context of a request that starts now.
    pub(in crate::http) fn new(route: Option<&'static Route>, id: RequestId, clock: Clock) -> Self {
        Self { route, id, started: clock.monotonic(), clock, record: Arc::default() }
    }

    /// The name of the route in metrics and traces, from a fixed set, so that clients cannot create metrics.
    pub(in crate::http) fn endpoint(&self) -> &'static str {
        self.route.map_or("other", |route| route.name)
    }

    /// The record, to read or to add to.
    pub(in crate::http) fn record(&self) -> MutexGuard<'_, RequestRecord> {
        self.record.lock()
    }

    /// Time since the start.
    pub(in crate::http) fn elapsed(&self) -> Duration {
        self.clock.monotonic().duration_since(self.started)
    }

    /// Awaits `work` and records it as the stage `name`.
    pub(in crate::http) async fn stage<T>(&self, name: &'static str, work: impl Future<Output = T>) -> T {
        let started = self.clock.monotonic();
        let done = work.await;
        let ended = self.clock.monotonic();
        self.record().stages.push(StageRecord { name, ended, took: ended.duration_since(started) });
        done
    }

    /// Records the stages of a page that ended now. Each ended when the next began.
    pub(in crate::http) fn record_page(&self, times: StageTimes) {
        let (now, whole) = (self.clock.monotonic(), times.met().map(|(_, took)| took).sum());
        let mut ended = now.checked_sub(whole).unwrap_or(now);
        for (stage, took) in times.met() {
            ended += took;
            self.record().stages.push(StageRecord { name: stage.name(), ended, took });
        }
    }
}

impl RequestRecord {
    /// The duration of the stage `name`, if it is over.
    pub(in crate::http) fn time_of(&self, name: &str) -> Option<Duration> {
        self.stages.iter().find(|stage| stage.name == name).map(|stage| stage.took)
    }
}

/// Milliseconds to three decimals.
pub(in crate::http) fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use axum::http::HeaderMap;

    use super::*;
    use crate::pipeline::Stage;

    #[test]
    fn the_stages_of_a_page_follow_each_other_and_end_now() {
        let clock = Clock::manual(UNIX_EPOCH);
        let context = RequestContext::new(None, RequestId::of(&HeaderMap::new()), clock.clone());
        let mut times = StageTimes::default();
        for (stage, seconds) in [(Stage::Queue, 2), (Stage::Draw, 3)] {
            times.time(stage, &clock, || clock.advance(Duration::from_secs(seconds)));
        }
        context.record_page(times);
        let stages = context.record().stages.clone();
        let ends: Vec<_> = stages.iter().map(|stage| (stage.name, (stage.ended - context.started).as_secs())).collect();
        assert_eq!(ends, [("queue", 2), ("draw", 5)]);
        assert_eq!(context.record().time_of("draw"), Some(Duration::from_secs(3)));
        assert_eq!(context.record().time_of("encode"), None);
    }
}
