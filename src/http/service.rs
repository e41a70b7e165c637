//! The state that handlers share.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use schemars::JsonSchema;
use serde::Serialize;

use super::middleware::log_budget::LogBudget;
use super::renderer::Renderer;
use super::responses::loaded_fonts::LoadedFonts;
use super::responses::response_budget::ResponseBudget;
use crate::access::Access;
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::pipeline::{DeviceHealth, RenderError};
use crate::telemetry::Traces;

/// The running service.
pub struct Service {
    pub(super) access: Access,
    pub(super) renderer: Arc<dyn Renderer>,
    pub(super) clock: Clock,
    /// The memory of responses that wait to be sent.
    pub(super) response_budget: ResponseBudget,
    /// The sender of traces, if a collector is configured.
    pub(super) traces: Option<Arc<Traces>>,
    pub(super) body_timeout: Duration,
    /// The fonts at present.
    fonts: RwLock<Arc<LoadedFonts>>,
    pub(super) started: Instant,
    draining: AtomicBool,
    device_away: AtomicBool,
    /// The time of the last successful page.
    pub(super) last_page: Mutex<Option<Instant>>,
    /// Bounds the log lines of requests without a valid key.
    pub(super) log_budget: LogBudget,
}

/// The state of the service, for `GET /api/v1/status`.
#[derive(Serialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum Condition {
    // Everything works.
    Ok,
    // The device failed too often, or was away for the last page.
    Degraded,
    // Shutting down: finishes the requests in flight.
    Draining,
}

impl Service {
    /// A service. The body of a request must arrive within `body_timeout`.
    ///
    /// # Errors
    /// The font records cannot be serialised, which is a defect of the catalogue.
    pub fn new(
        access: Access,
        renderer: Arc<dyn Renderer>,
        catalogue: &FontCatalogue,
        body_timeout: Duration,
        clock: Clock,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            access,
            renderer,
            started: clock.monotonic(),
            clock,
            response_budget: ResponseBudget::default(),
            traces: None,
            body_timeout,
            fonts: RwLock::new(Arc::new(LoadedFonts::of(catalogue)?)),
            draining: AtomicBool::new(false),
            device_away: AtomicBool::new(false),
            last_page: Mutex::default(),
            log_budget: LogBudget::default(),
        })
    }

    /// The same service, which sends traces of its requests.
    #[must_use]
    pub fn with_traces(self, traces: Option<Arc<Traces>>) -> Self {
        Self { traces, ..self }
    }

    /// The fonts at present.
    pub(super) fn fonts(&self) -> Arc<LoadedFonts> {
        Arc::clone(&self.fonts.read())
    }

    /// Replaces the fonts that clients see. The renderer must have them already.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn set_fonts(&self, catalogue: &FontCatalogue) -> Result<(), serde_json::Error> {
        let fonts = LoadedFonts::of(catalogue)?;
        let mut current = self.fonts.write();
        *current = Arc::new(fonts.with_specimens_of(&current));
        Ok(())
    }

    /// Sets the state to draining.
    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Keys, rate limits and quotas.
    #[must_use]
    pub const fn access(&self) -> &Access {
        &self.access
    }

    /// Records whether the device was available for a rendering.
    pub(super) fn note_device<T>(&self, rendered: &Result<T, RenderError>) {
        match rendered {
            Ok(_) => {
                self.device_away.store(false, Ordering::Relaxed);
                *self.last_page.lock() = Some(self.clock.monotonic());
            }
            Err(RenderError::DeviceUnavailable(_)) => self.device_away.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }

    /// The state of the service.
    pub(super) fn condition(&self) -> Condition {
        if self.draining.load(Ordering::Relaxed) {
            Condition::Draining
        } else if self.device_away.load(Ordering::Relaxed) || self.renderer.device_health() != DeviceHealth::Working {
            Condition::Degraded
        } else {
            Condition::Ok
        }
    }
}
