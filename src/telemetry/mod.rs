//! What an operator's monitoring may know: counters, gauges and histograms in Prometheus' text format.
//!
//! In: what happened, told by whoever saw it through the functions of `events`. Out: [`Exporter`], the whole of it as a
//! page of text. Names, units and labels of all metrics stand in `names`, and nowhere else. [`Traces`] sends every
//! exchange as a span to an OpenTelemetry collector.
//!
//! Labels are drawn from fixed sets, so that nothing a caller sends can make the page grow. No key, text or identifier
//! is ever a label. Without an exporter everything here does nothing.

mod events;
mod exporter;
mod names;
mod traces;

pub use events::{
    QuotaEvent, answered, authenticated, connection_closed, connection_opened, device_lost, device_opened, hung_up,
    panicked, quota, rate, received, refused, shed, shed_request, stage,
};
pub use exporter::{Exporter, ExporterError, FOLD_EVERY, Standing};
pub use traces::{Span, SpanContext, Traces};
