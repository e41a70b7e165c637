//! `/readyz`: whether requests should be sent to this instance.
//!
//! Four conditions must hold: the service is not draining, the queue has room, a page can be drawn, and the store can
//! be written. The last two are tested, at most once in [`FRESH`]: the store by a write, and the device by a page of
//! one word, unless a client's page succeeded meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use tokio::sync::Mutex;

use crate::http::Service;
use crate::http::service::Condition;
use crate::pipeline::Tenant;
use crate::spec::{self, Endpoint};

/// Time for which the result of a test is valid.
const FRESH: Duration = Duration::from_secs(3);
/// Longest wait for the page of the self-test.
const PAGE_PATIENCE: Duration = Duration::from_secs(2);
/// Longest wait for the store.
const STORE_PATIENCE: Duration = Duration::from_secs(1);
/// The instance is not ready while more than this share of the queue is used.
const FULL: f64 = 0.9;
/// The tenant of the self-test. No key has this name.
const SELF: &str = "self-test";
/// The page of the self-test. It is small and always the same.
const SELF_TEST: &[u8] = br#"{"text":"ready","font_size":40,"page_size":"card_96x135","seed":1}"#;

/// The checks and their last results.
pub(super) struct Readiness {
    pub(super) service: Arc<Service>,
    tried: Mutex<Option<Tried>>,
    /// Whether the last report was `ready`; `None` before the first.
    pub(super) latest: parking_lot::Mutex<Option<bool>>,
}

/// `Ok`, or the problem.
type Finding = Result<(), String>;

#[derive(Clone)]
struct Tried {
    at: Instant,
    device: Finding,
    store: Finding,
}

/// The response of `/readyz`.
#[derive(Serialize, Debug)]
pub(super) struct Report {
    pub(super) ready: bool,
    /// The status of `GET /api/v1/status`. A degraded service is ready as long as it makes pages.
    pub(super) status: Condition,
    /// `ok` or the problem, by check.
    pub(super) checks: BTreeMap<&'static str, String>,
}

impl Readiness {
    pub(super) fn of(service: Arc<Service>) -> Self {
        Self { service, tried: Mutex::default(), latest: parking_lot::Mutex::default() }
    }

    /// Runs the checks that are due. One request at a time runs them; others wait for its result. While the service is
    /// draining, nothing is checked.
    pub(super) async fn report(&self) -> Report {
        let status = self.service.condition();
        let findings = if status == Condition::Draining {
            vec![("draining", Err("the service is shutting down".to_owned()))]
        } else {
            let Tried { device, store, .. } = self.tried().await;
            vec![("draining", Ok(())), ("queue", self.queue()), ("device", device), ("store", store)]
        };
        let ready = findings.iter().all(|(_, finding)| finding.is_ok());
        *self.latest.lock() = Some(ready);
        let text = |finding: Finding| finding.err().unwrap_or_else(|| "ok".to_owned());
        Report { ready, status, checks: findings.into_iter().map(|(name, finding)| (name, text(finding))).collect() }
    }

    fn queue(&self) -> Finding {
        let queue = self.service.renderer.queue();
        let (waiting, limit) = (queue.waiting, queue.limit);
        if waiting.get() < limit.get() * FULL {
            return Ok(());
        }
        Err(format!("{:.0} megapixels wait, {:.0} may", waiting.get(), limit.get()))
    }

    async fn tried(&self) -> Tried {
        let mut tried = self.tried.lock().await;
        let now = self.service.clock.monotonic();
        if let Some(fresh) = tried.as_ref().filter(|tried| now.saturating_duration_since(tried.at) < FRESH) {
            return fresh.clone();
        }
        let (device, store) = tokio::join!(self.try_device(now), self.try_store());
        tried.insert(Tried { at: now, device, store }).clone()
    }

    async fn try_device(&self, now: Instant) -> Finding {
        if self.service.last_page.lock().is_some_and(|page| now.saturating_duration_since(page) < FRESH) {
            return Ok(());
        }
        let spec = spec::parse_request(SELF_TEST, Endpoint::Generate, || 1);
        let spec = spec.map_err(|error| format!("the self-test is no request: {error:?}"))?;
        match tokio::time::timeout(PAGE_PATIENCE, self.service.renderer.generate(spec, Tenant::from(SELF))).await {
            Ok(rendered) => {
                self.service.note_device(&rendered.outcome);
                rendered.outcome.map(drop).map_err(|error| format!("the self-test failed: {error}"))
            }
            Err(_) => Err(format!("the self-test took longer than {} s", PAGE_PATIENCE.as_secs())),
        }
    }

    async fn try_store(&self) -> Finding {
        let service = Arc::clone(&self.service);
        let trial = tokio::task::spawn_blocking(move || service.access.check_store());
        match tokio::time::timeout(STORE_PATIENCE, trial).await {
            Ok(Ok(outcome)) => outcome.map_err(|error| error.to_string()),
            Ok(Err(_)) => Err("the check of the store panicked".to_owned()),
            Err(_) => Err(format!("the store did not answer within {} s", STORE_PATIENCE.as_secs())),
        }
    }
}
