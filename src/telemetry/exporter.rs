//! The metrics of the process in the text format of Prometheus.

use std::time::Duration;

use metrics::{counter, gauge};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use metrics_process::Collector;

use super::names;

/// Upper bounds of the histograms' buckets in seconds: from an empty page on a fast device to a hanging one.
const BUCKETS: [f64; 15] = [0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// Upper bounds for passes on the device in seconds: from a card on hardware to A3 at 600 DPI on a software adapter.
const PASS_BUCKETS: [f64; 12] =
    [0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.01, 0.05, 0.25, 1.0];

/// Keeps all metrics of the process.
pub struct Exporter {
    handle: PrometheusHandle,
    process: Collector,
}

/// Values that are read when the metrics are requested, instead of being counted.
#[derive(Clone, Debug)]
pub struct Gauges {
    /// Pages that wait or are being rendered.
    pub queue_depth: usize,
    /// Megapixels of strips that wait.
    pub queue_megapixels: f64,
    /// Megapixels of strips that may wait.
    pub queue_megapixels_limit: f64,
    /// Estimated time until all waiting pages are started.
    pub queue_wait: Duration,
    /// Time since the start.
    pub uptime: Duration,
    /// Whether the last check found the service ready; `None` before the first.
    pub ready: Option<bool>,
    /// Whether a device failed too often.
    pub degraded: bool,
    /// Whether the store answers and accepts charges.
    pub store_up: bool,
    /// Charges that are not in the shared store yet.
    pub waiting_charges: u64,
    /// Charges since the start, by key.
    pub key_charges: Vec<KeyCharges>,
    /// The names of the devices, each with `vulkan`, `metal` or `dx12`.
    pub adapters: Vec<(String, &'static str)>,
}

/// Charges of a key since the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyCharges {
    /// Its identifier.
    pub key: String,
    /// Its name; empty if it is not shown.
    pub name: String,
    /// The number of charges.
    pub number: u64,
}

impl Exporter {
    /// Starts keeping the events of this process. Must be called once per process.
    ///
    /// # Errors
    /// It was called before.
    pub fn install() -> Result<Self, BuildError> {
        let builder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
            .and_then(|builder| {
                builder.set_buckets_for_metric(Matcher::Full(names::PASS_SECONDS.to_owned()), &PASS_BUCKETS)
            })?;
        let exporter = Self { handle: builder.install_recorder()?, process: Collector::default() };
        names::describe();
        exporter.process.describe();
        // A counter that never counted is 0, and not missing, so that rates over it are known from the start.
        counter!(names::PANICS).increment(0);
        Ok(exporter)
    }

    /// The current metrics as text.
    #[must_use]
    pub fn page(&self, gauges: Gauges) -> String {
        gauge!(names::QUEUE_DEPTH).set(gauges.queue_depth as f64);
        gauge!(names::QUEUE_MEGAPIXELS).set(gauges.queue_megapixels);
        gauge!(names::QUEUE_MEGAPIXELS_LIMIT).set(gauges.queue_megapixels_limit);
        gauge!(names::QUEUE_WAIT).set(gauges.queue_wait.as_secs_f64());
        gauge!(names::STORE_UP).set(f64::from(u8::from(gauges.store_up)));
        gauge!(names::WAITING_CHARGES).set(gauges.waiting_charges as f64);
        gauge!(names::UPTIME).set(gauges.uptime.as_secs_f64());
        gauge!(names::DEVICE_DEGRADED).set(f64::from(u8::from(gauges.degraded)));
        if let Some(ready) = gauges.ready {
            gauge!(names::READY).set(f64::from(u8::from(ready)));
        }
        for KeyCharges { key, name, number } in gauges.key_charges {
            let name = (!name.is_empty()).then_some(("name", name));
            let labels: Vec<_> = [("key", key)].into_iter().chain(name).collect();
            counter!(names::KEY_CHARGES, &labels).absolute(number);
        }
        let version = env!("CARGO_PKG_VERSION");
        for (adapter, backend) in gauges.adapters {
            let labels = [("version", version.to_owned()), ("adapter", adapter), ("backend", backend.to_owned())];
            gauge!(names::BUILD, &labels).set(1.0);
        }
        self.process.collect();
        self.handle.render()
    }

    /// Moves the samples of histograms into their buckets. Must be called every few seconds: without requests for
    /// `/metrics`, samples would accumulate.
    pub fn run_upkeep(&self) {
        self.handle.run_upkeep();
    }
}

/// How often to call [`Exporter::run_upkeep`].
pub const UPKEEP_EVERY: Duration = Duration::from_secs(5);
