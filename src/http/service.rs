//! The state that handlers share.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, RwLock};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::middleware::log_budget::LogBudget;
use super::renderer::Renderer;
use super::responses::loaded_fonts::{ClientFonts, LoadedFonts};
use super::responses::response_budget::ResponseBudget;
use crate::access::{Access, Client, KeyId};
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::hands::Hands;
use crate::jobs::Jobs;
use crate::pipeline::{DeviceHealth, PreviewMark, RenderError};
use crate::spec::Known;
use crate::telemetry::Traces;
use crate::uploads::Uploads;

/// The running service.
pub struct Service {
    pub(super) access: Arc<Access>,
    /// Large mailings, if the service makes them.
    pub(super) jobs: Option<Arc<Jobs>>,
    /// Hands that clients make, if the operator allows it.
    pub(super) hands: Option<Arc<Hands>>,
    /// Pictures that clients upload, if the operator allows it.
    pub(super) uploads: Option<Arc<Uploads>>,
    pub(super) renderer: Arc<dyn Renderer>,
    pub(super) clock: Clock,
    /// The memory of responses that wait to be sent.
    pub(super) response_budget: ResponseBudget,
    /// The sender of traces, if a collector is configured.
    pub(super) traces: Option<Arc<Traces>>,
    pub(super) body_timeout: Duration,
    preview_watermark: PreviewWatermark,
    makes_links: bool,
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

/// Which previews have a watermark.
#[derive(Deserialize, Serialize, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum PreviewWatermark {
    /// All.
    #[default]
    On,
    /// Those of keys with a monthly quota.
    Quota,
    /// None.
    Off,
}

impl FromStr for PreviewWatermark {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "on" => Ok(Self::On),
            "quota" => Ok(Self::Quota),
            "off" => Ok(Self::Off),
            other => Err(format!("{other:?} is none of on, quota and off")),
        }
    }
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
        access: impl Into<Arc<Access>>,
        renderer: Arc<dyn Renderer>,
        catalogue: &FontCatalogue,
        body_timeout: Duration,
        clock: Clock,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            access: access.into(),
            jobs: None,
            hands: None,
            uploads: None,
            renderer,
            started: clock.monotonic(),
            clock,
            response_budget: ResponseBudget::default(),
            traces: None,
            body_timeout,
            preview_watermark: PreviewWatermark::default(),
            makes_links: false,
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

    /// The same service, which makes these jobs once [`make_jobs`](Self::make_jobs) runs.
    #[must_use]
    pub fn with_jobs(self, jobs: Option<Arc<Jobs>>) -> Self {
        Self { jobs, ..self }
    }

    /// The same service, whose clients make these hands.
    #[must_use]
    pub fn with_hands(self, hands: Option<Arc<Hands>>) -> Self {
        Self { hands, ..self }
    }

    /// The same service, whose clients make links that show a page without a key, or not.
    #[must_use]
    pub fn with_links(self, makes_links: bool) -> Self {
        Self { makes_links, ..self }
    }

    /// Whether clients make links.
    pub(super) const fn makes_links(&self) -> bool {
        self.makes_links
    }

    /// The same service, whose clients upload these pictures.
    #[must_use]
    pub fn with_uploads(self, uploads: Option<Arc<Uploads>>) -> Self {
        Self { uploads, ..self }
    }

    /// The hands of clients, if the operator allows them.
    #[must_use]
    pub fn hands(&self) -> Option<&Hands> {
        self.hands.as_deref()
    }

    /// The jobs of the service, if it makes any.
    #[must_use]
    pub fn jobs(&self) -> Option<&Jobs> {
        self.jobs.as_deref()
    }

    /// The same service, with a watermark on these previews.
    #[must_use]
    pub fn with_preview_watermark(self, preview_watermark: PreviewWatermark) -> Self {
        Self { preview_watermark, ..self }
    }

    /// The mark of previews for `client`.
    pub(super) const fn preview_mark(&self, client: &Client) -> PreviewMark {
        match self.preview_watermark {
            PreviewWatermark::On => PreviewMark::Watermark,
            PreviewWatermark::Quota if client.monthly_quota.is_some() => PreviewMark::Watermark,
            PreviewWatermark::Quota | PreviewWatermark::Off => PreviewMark::Nothing,
        }
    }

    /// The fonts at present.
    pub(super) fn fonts(&self) -> Arc<LoadedFonts> {
        Arc::clone(&self.fonts.read())
    }

    /// The fonts that the client of a key may use.
    pub(super) fn fonts_of(&self, key: &KeyId) -> Arc<ClientFonts> {
        self.fonts.read().of_client(key)
    }

    /// What requests of a key may name.
    pub(super) fn known_to(&self, key: &KeyId) -> Known {
        let artwork = self.uploads.as_ref().map(|uploads| uploads.of_key(key)).unwrap_or_default();
        Known { fonts: self.fonts_of(key).names.clone(), artwork }
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
    pub fn access(&self) -> &Access {
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
