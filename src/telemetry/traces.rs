//! Traces: one span per request and one per stage, for an OpenTelemetry collector.
//!
//! OpenTelemetry's SDK samples spans, batches them, and sends them as OTLP over HTTP from its own thread. The standard
//! `OTEL_*` variables configure it. If the collector is slow or away, spans are dropped: requests never wait. The
//! module knows no texts, keys or paths of clients: a span has only the attributes that `http` gives it.

use std::collections::HashMap;
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use opentelemetry::propagation::TextMapPropagator as _;
use opentelemetry::trace::{
    Span as _, SpanBuilder, SpanKind, Status, TraceContextExt as _, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue, Value};
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::resource::{EnvResourceDetector, TelemetryResourceDetector};
use opentelemetry_sdk::trace::{SdkTracer, SdkTracerProvider, SpanData, SpanExporter as ExportSpans};
use ureq::Agent;

use super::events;

/// The name of the service in traces, unless `OTEL_SERVICE_NAME` names another.
const SERVICE: &str = "longhand";
/// Longest wait for the collector, unless `OTEL_EXPORTER_OTLP_TIMEOUT` sets another.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longest wait for the last spans at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// The headers that name the client's own span (W3C Trace Context).
pub const PARENT_HEADERS: [&str; 2] = ["traceparent", "tracestate"];

/// Sends spans to a collector.
#[derive(Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

/// The span of a request that is being processed.
#[derive(Debug)]
pub struct RequestSpan {
    tracer: SdkTracer,
    context: Context,
}

impl Traces {
    /// Starts sending spans to `endpoint`, otherwise to the collector that the `OTEL_*` variables name. `None` if there
    /// is neither.
    ///
    /// # Errors
    /// A variable has an invalid value.
    pub fn start(endpoint: Option<&str>) -> Result<Option<Self>, ExporterBuildError> {
        let endpoint_variables = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
        let is_disabled = env::var("OTEL_SDK_DISABLED").is_ok_and(|value| value.eq_ignore_ascii_case("true"));
        if is_disabled || (endpoint.is_none() && endpoint_variables.iter().all(|name| env::var_os(name).is_none())) {
            return Ok(None);
        }
        let mut exporter = SpanExporter::builder().with_http().with_http_client(UreqClient::new());
        if let Some(endpoint) = endpoint {
            exporter = exporter.with_endpoint(endpoint);
        }
        let exporter = CountingExporter { exporter: exporter.build()?, is_failing: AtomicBool::new(false) };
        for outcome in ["sent", "dropped"] {
            // A counter that never counted is 0, and not missing.
            events::spans(outcome, 0);
        }
        let provider = SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource()).build();
        let tracer = provider.tracer(SERVICE);
        Ok(Some(Self { provider, tracer }))
    }

    /// Begins the span of a request, below the client's own span if `parent` has the [`PARENT_HEADERS`] of one. `None`
    /// if it is not sampled.
    #[must_use]
    pub fn begin(&self, name: String, parent: &HashMap<String, String>, started: SystemTime) -> Option<RequestSpan> {
        let parent = TraceContextPropagator::new().extract_with_context(&Context::new(), parent);
        let span = SpanBuilder::from_name(name).with_kind(SpanKind::Server).with_start_time(started);
        let span = self.tracer.build_with_context(span, &parent);
        let is_sampled = span.span_context().is_sampled();
        is_sampled.then(|| RequestSpan { tracer: self.tracer.clone(), context: parent.with_span(span) })
    }

    /// Sends the spans that wait, for at most two seconds.
    pub fn finish(&self) {
        if let Err(error) = self.provider.shutdown_with_timeout(SHUTDOWN_TIMEOUT) {
            tracing::warn!(%error, "the last traces were not sent");
        }
    }
}

impl RequestSpan {
    /// The trace, in 32 hexadecimal digits.
    #[must_use]
    pub fn trace_id(&self) -> String {
        self.context.span().span_context().trace_id().to_string()
    }

    /// Adds an attribute.
    pub fn set(&self, name: &'static str, value: impl Into<Value>) {
        self.context.span().set_attribute(KeyValue::new(name, value));
    }

    /// Marks the request as failed by the service.
    pub fn fail(&self, reason: &'static str) {
        self.context.span().set_status(Status::error(reason));
    }

    /// Adds a stage of the request as a child span.
    pub fn stage(&self, name: &'static str, started: SystemTime, ended: SystemTime) {
        let stage = SpanBuilder::from_name(name).with_start_time(started);
        self.tracer.build_with_context(stage, &self.context).end_with_timestamp(ended);
    }

    /// Ends the span.
    pub fn end(self, ended: SystemTime) {
        self.context.span().end_with_timestamp(ended);
    }
}

/// The description of this service in traces. `OTEL_RESOURCE_ATTRIBUTES` and `OTEL_SERVICE_NAME` take precedence.
fn resource() -> Resource {
    let resource = Resource::builder_empty()
        .with_service_name(SERVICE)
        .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
        .with_detectors(&[Box::new(TelemetryResourceDetector), Box::new(EnvResourceDetector::new())]);
    match env::var("OTEL_SERVICE_NAME") {
        Ok(name) if !name.is_empty() => resource.with_service_name(name).build(),
        _ => resource.build(),
    }
}

/// An exporter that counts spans, and logs when the collector fails and when it works again.
#[derive(Debug)]
struct CountingExporter {
    exporter: SpanExporter,
    is_failing: AtomicBool,
}

impl ExportSpans for CountingExporter {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let count = batch.len() as u64;
        let outcome = self.exporter.export(batch).await;
        events::spans(if outcome.is_ok() { "sent" } else { "dropped" }, count);
        let was_failing = self.is_failing.swap(outcome.is_err(), Ordering::Relaxed);
        match &outcome {
            Err(error) if !was_failing => {
                tracing::warn!(%error, "the collector does not accept traces; they are dropped until it does");
            }
            Ok(()) if was_failing => tracing::info!("the collector accepts traces again"),
            _ => {}
        }
        outcome
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

/// The HTTP client of the exporter. It blocks, as the exporter has its own thread.
#[derive(Debug)]
struct UreqClient(Agent);

impl UreqClient {
    fn new() -> Self {
        let timeouts = ["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"];
        let timeout = timeouts.iter().find_map(|name| env::var(name).ok()?.parse().ok()).map(Duration::from_millis);
        let config = Agent::config_builder()
            .timeout_global(Some(timeout.unwrap_or(TIMEOUT)))
            .max_redirects(0)
            .http_status_as_error(false)
            .user_agent(concat!("longhand/", env!("CARGO_PKG_VERSION")));
        Self(config.build().into())
    }
}

#[async_trait]
impl HttpClient for UreqClient {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, mut body) = self.0.run(request.map(Vec::from))?.into_parts();
        Ok(Response::from_parts(parts, body.read_to_vec()?.into()))
    }
}
