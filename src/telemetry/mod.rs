//! Metrics and traces for operators.
//!
//! Input: events, reported by calling the functions of `events`. Output: [`Exporter`], all metrics in Prometheus' text
//! format, and [`Traces`], which sends spans to an OpenTelemetry collector. `names` defines the names,
//! units and labels of all metrics.
//!
//! Labels come from fixed sets, so that no request can create a metric. Exception: the charges of at most 100 API keys
//! have their identifiers and names, as the operator gave them. No secret, text or request is ever a label.
//! Without an exporter the functions do nothing.

mod events;
mod exporter;
mod names;
mod traces;

pub use events::{
    answered, authenticated, connection_closed, connection_opened, device_lost, device_opened, gpu_pass, hung_up,
    panicked, quota, rate, received, refused, shed, shed_request, stage,
};
pub use exporter::{Exporter, Gauges, KeyCharges, UPKEEP_EVERY};
pub use traces::{PARENT_HEADERS, RequestSpan, Traces};
