//! Spans as OTLP's JSON (`ExportTraceServiceRequest` of OpenTelemetry protocol 1, JSON mapping of its specification):
//! identifiers in hexadecimal, 64-bit integers as text. Attributes have the names of OpenTelemetry's semantic conventions
//! for HTTP servers where there is one.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use super::Span;

/// What the service is called in traces.
const SERVICE: &str = "longhand";
/// A span of one who answers.
const KIND_SERVER: u8 = 2;
/// The answer was the service's fault.
const STATUS_ERROR: u8 = 2;
/// `error.type` of an exchange whose caller went away.
const HUNG_UP: &str = "hung_up";

/// The body that tells a collector of `spans`.
pub(super) fn body(spans: &[Span]) -> Vec<u8> {
    let version = env!("CARGO_PKG_VERSION");
    let resource = [text("service.name", SERVICE), text("service.version", version)];
    let spans: Vec<Value> = spans.iter().map(span).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": resource},
        "scopeSpans": [{"scope": {"name": SERVICE, "version": version}, "spans": spans}],
    }]})
    .to_string()
    .into_bytes()
}

fn span(span: &Span) -> Value {
    let name = span.route.as_ref().map_or(span.method.to_owned(), |route| format!("{} {route}", span.method));
    let is_failed = span.status.is_some_and(|status| status >= 500);
    json!({
        "traceId": span.context.trace(),
        "spanId": span.context.span(),
        "parentSpanId": span.context.parent().unwrap_or_default(),
        "name": name,
        "kind": KIND_SERVER,
        "startTimeUnixNano": nanoseconds(span.ended.checked_sub(span.took).unwrap_or(UNIX_EPOCH)),
        "endTimeUnixNano": nanoseconds(span.ended),
        "attributes": attributes(span),
        "status": if is_failed { json!({"code": STATUS_ERROR, "message": span.error}) } else { json!({}) },
    })
}

fn attributes(span: &Span) -> Vec<Value> {
    let mut attributes = vec![
        text("http.request.method", span.method),
        text("longhand.endpoint", span.endpoint),
        text("longhand.request_id", &span.request_id),
    ];
    attributes.extend(
        span.status
            .map(|status| json!({"key": "http.response.status_code", "value": {"intValue": status.to_string()}})),
    );
    attributes.extend(span.route.as_ref().map(|route| text("http.route", route)));
    let error = span.error.or(span.status.is_none().then_some(HUNG_UP));
    attributes.extend(error.map(|code| text("error.type", code)));
    attributes.extend(span.key_id.as_ref().map(|id| text("longhand.key_id", id)));
    attributes.extend(span.stages.iter().map(|(stage, took)| {
        json!({"key": format!("longhand.stage.{stage}_ms"), "value": {"doubleValue": took.as_secs_f64() * 1e3}})
    }));
    attributes
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn nanoseconds(time: SystemTime) -> String {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
