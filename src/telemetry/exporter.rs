//! The page of text that Prometheus reads.

use std::time::Duration;

use metrics::{counter, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;
use thiserror::Error;

use super::names;

/// Upper bounds of the histograms' buckets in seconds: from an empty page on a fast device to a hanging one.
const BUCKETS: [f64; 15] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// Where all metrics of the process are kept.
pub struct Exporter {
    handle: PrometheusHandle,
    process: Collector,
}

/// What is looked up when the page is asked for, instead of being counted on the way.
#[derive(Clone, Debug)]
pub struct Standing {
    /// Pages waiting or being made.
    pub queue_depth: usize,
    /// Megapixels of strips that wait.
    pub queue_megapixels: f64,
    /// Megapixels of strips that may wait.
    pub queue_megapixels_limit: f64,
    /// Until all that waits is being made.
    pub queue_wait: Duration,
    /// Since the start.
    pub uptime: Duration,
    /// Whether the last check found the service ready; `None` before the first.
    pub ready: Option<bool>,
    /// Whether a device failed too often.
    pub degraded: bool,
    /// Whether the store answers and takes charges.
    pub store_up: bool,
    /// Charges on their way to the shared store.
    pub waiting_charges: u64,
    /// The devices' own names, each with `vulkan`, `metal` or `dx12`.
    pub adapters: Vec<(String, &'static str)>,
}

/// The process keeps metrics already.
#[derive(Debug, Error)]
#[error("cannot keep metrics: {0}")]
pub struct ExporterError(#[from] BuildError);

impl Exporter {
    /// From now on the events of this process are kept. Once a process.
    ///
    /// # Errors
    /// If it was done before.
    pub fn install() -> Result<Self, ExporterError> {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
            .map_err(ExporterError)?;
        let exporter = Self { handle: builder.install_recorder()?, process: Collector::default() };
        names::describe();
        exporter.process.describe();
        // What never happens is 0, and not missing: a rate over it must be known from the start.
        counter!(names::PANICS).increment(0);
        Ok(exporter)
    }

    /// The page, as of now.
    #[must_use]
    pub fn page(&self, standing: Standing) -> String {
        gauge!(names::QUEUE_DEPTH).set(standing.queue_depth as f64);
        gauge!(names::QUEUE_MEGAPIXELS).set(standing.queue_megapixels);
        gauge!(names::QUEUE_MEGAPIXELS_LIMIT).set(standing.queue_megapixels_limit);
        gauge!(names::QUEUE_WAIT).set(standing.queue_wait.as_secs_f64());
        gauge!(names::STORE_UP).set(f64::from(u8::from(standing.store_up)));
        gauge!(names::WAITING_CHARGES).set(standing.waiting_charges as f64);
        gauge!(names::UPTIME).set(standing.uptime.as_secs_f64());
        gauge!(names::DEVICE_DEGRADED).set(f64::from(u8::from(standing.degraded)));
        if let Some(ready) = standing.ready {
            gauge!(names::READY).set(f64::from(u8::from(ready)));
        }
        let version = env!("CARGO_PKG_VERSION");
        for (adapter, backend) in standing.adapters {
            let labels = [("version", version.to_owned()), ("adapter", adapter), ("backend", backend.to_owned())];
            gauge!(names::BUILD, &labels).set(1.0);
        }
        self.process.collect();
        self.handle.render()
    }

    /// Moves the samples of histograms into their buckets. To be called every few seconds: without requests for the page,
    /// samples would pile up.
    pub fn run_upkeep(&self) {
        self.handle.run_upkeep();
    }
}

/// How often to call [`Exporter::run_upkeep`].
pub const UPKEEP_EVERY: Duration = Duration::from_secs(5);
