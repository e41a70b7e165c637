//! The state that handlers share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;

use super::answers::Answers;
use super::fonts::FontList;
use super::renderer::Renderer;
use super::specimen::Specimens;
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
    /// The memory of answers that wait to be sent.
    pub(super) answers: Answers,
    /// Where spans of exchanges go, if anywhere.
    pub(super) traces: Option<Arc<Traces>>,
    pub(super) body_timeout: Duration,
    /// The answer of `GET /api/v1/fonts`, which never changes.
    pub(super) fonts: Bytes,
    /// The specimens that were asked for.
    pub(super) specimens: Specimens,
    pub(super) started: Instant,
    draining: AtomicBool,
    device_away: AtomicBool,
    last_page: Mutex<Option<Instant>>,
}

/// How the service is, for `GET /api/v1/status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Everything works.
    Ok,
    /// The device failed too often, or the last page failed for want of it.
    Degraded,
    /// Shutting down: answers what is in flight, accepts nothing new.
    Draining,
}

impl Condition {
    /// Every condition.
    pub(super) const ALL: [Self; 3] = [Self::Ok, Self::Degraded, Self::Draining];

    /// The wire name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Degraded => "degraded",
            Self::Draining => "draining",
        }
    }
}

impl Service {
    /// A service whose requests must send their body within `body_timeout`.
    ///
    /// # Errors
    /// The font records do not serialise, which would be a defect of the catalogue.
    pub fn new(
        access: Access,
        renderer: Arc<dyn Renderer>,
        catalogue: &FontCatalogue,
        body_timeout: Duration,
        clock: Clock,
    ) -> Result<Self, serde_json::Error> {
        let fonts = serde_json::to_vec(&FontList::of(catalogue))?.into();
        let started = clock.monotonic();
        let (draining, device_away) = (AtomicBool::new(false), AtomicBool::new(false));
        let (last_page, specimens) = (Mutex::default(), Specimens::default());
        Ok(Self {
            access,
            renderer,
            clock,
            answers: Answers::default(),
            traces: None,
            body_timeout,
            fonts,
            specimens,
            started,
            draining,
            device_away,
            last_page,
        })
    }

    /// The same service, whose exchanges are sent to a collector as spans.
    #[must_use]
    pub fn with_traces(self, traces: Option<Arc<Traces>>) -> Self {
        Self { traces, ..self }
    }

    /// From now on the service says that it is draining.
    pub fn start_draining(&self) {
        self.draining.store(true, Ordering::Relaxed);
    }

    /// Who may call.
    #[must_use]
    pub const fn access(&self) -> &Access {
        &self.access
    }

    /// Remembers whether the device was there for what was just rendered.
    pub(super) fn note_device<T>(&self, rendered: &Result<T, RenderError>) {
        match rendered {
            Ok(_) => {
                self.device_away.store(false, Ordering::Relaxed);
                *self.last_page.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.clock.monotonic());
            }
            Err(RenderError::DeviceUnavailable(_)) => self.device_away.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }

    /// When a page was made last.
    pub(super) fn last_page(&self) -> Option<Instant> {
        *self.last_page.lock().unwrap_or_else(PoisonError::into_inner)
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
