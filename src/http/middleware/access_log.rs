//! The outermost layer: gives a request its context, completes its response, and reports it to log, metrics and traces.

use std::sync::Arc;

use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument as _, Span};

use super::log_budget::MOST_LINES;
use super::request_context::{RequestContext, RequestRecord, milliseconds};
use super::request_id::RequestId;
use super::request_trace::RequestTrace;
use crate::access::KeyId;
use crate::http::Service;
use crate::http::errors::table::ApiError;
use crate::http::responses::response_headers::{X_PROCESS_TIME, complete};
use crate::http::routes::route::Route;
use crate::telemetry;

/// Longest part of a method that is logged, in bytes.
const LONGEST_LOGGED_METHOD: usize = 16;
/// Longest part of a path that is logged, in bytes.
const LONGEST_LOGGED_PATH: usize = 256;

/// Creates the context of the request. On the response, a panic's included: writes the body of an error, sets the
/// headers of every response, counts it, and writes its log line.
pub(super) async fn access_log(State(service): State<Arc<Service>>, mut request: Request, next: Next) -> Response {
    let clock = &service.clock;
    let context = RequestContext::new(Route::of(&request), RequestId::of(request.headers()), clock.clone());
    let span = tracing::info_span!("request", request_id = context.id.text);
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let endpoint = context.endpoint();
    let trace = service.traces.as_ref().and_then(|traces| RequestTrace::begin(traces, &request, &context, clock));
    let mut guard = HangUpGuard { endpoint, span: &span, trace, is_answered: false };
    request.extensions_mut().insert(context.clone());

    let mut response = next.run(request).instrument(span.clone()).await;

    guard.is_answered = true;
    let error = complete(&mut response, &context.id);
    let record = RequestRecord { took: context.elapsed(), ..context.record().clone() };
    let headers = response.headers_mut();
    if let Some(rate) = record.rate {
        headers.insert("x-ratelimit-limit", rate.limit.into());
        headers.insert("x-ratelimit-remaining", rate.remaining.into());
        headers.insert("x-ratelimit-reset", rate.reset_unix_seconds.into());
    }
    if let Ok(process_time) = HeaderValue::try_from(format!("{:.3}", record.took.as_secs_f64())) {
        headers.insert(X_PROCESS_TIME, process_time);
    }
    count(endpoint, &response, error.as_deref(), &record);

    let _inside = span.enter();
    let status = response.status().as_u16();
    let trace = guard.trace.take();
    let trace_id = trace.as_ref().map(|trace| trace.span.trace_id());
    // Rate limits bound the log lines of clients with a valid key.
    let left_out = if record.key_id.is_some() { Some(0) } else { service.log_budget.take(clock.monotonic()) };
    if let Some(left_out) = left_out {
        if left_out > 0 {
            tracing::warn!(left_out, most_per_second = MOST_LINES, "requests without a valid key were not logged");
        }
        if let Some(cause) = error.as_ref().and_then(|error| error.cause()) {
            tracing::error!(cause, "the request failed");
        }
        log_answer(&method, &path, status, &record, trace_id.as_deref());
    }
    if let Some(trace) = trace {
        trace.end(Some(status), error.as_ref().map(|error| error.row().code));
    }
    response
}

/// Writes the log line of a request: client, path, status, times; never the text.
fn log_answer(method: &Method, path: &str, status: u16, record: &RequestRecord, trace_id: Option<&str>) {
    let took_by = |stage| record.time_of(stage).map(milliseconds);
    tracing::info!(
        method = start_of(method.as_str(), LONGEST_LOGGED_METHOD),
        path = start_of(path, LONGEST_LOGGED_PATH),
        status,
        duration_ms = milliseconds(record.took),
        key_id = record.key_id.as_ref().map(KeyId::as_str),
        trace_id,
        body_ms = took_by("body"),
        queue_ms = took_by("queue"),
        lay_out_ms = took_by("lay_out"),
        compose_ms = took_by("compose"),
        draw_ms = took_by("draw"),
        encode_ms = took_by("encode"),
        charge_ms = took_by("charge"),
        "answered"
    );
}

/// The first `most` bytes of `text`, or a few less, so that no character is cut.
fn start_of(text: &str, most: usize) -> &str {
    let cut = || (0..=most).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    if text.len() > most { cut() } else { text }
}

fn count(endpoint: &'static str, response: &Response, error: Option<&ApiError>, record: &RequestRecord) {
    telemetry::answered(endpoint, response.status().as_u16(), record.took, response.body().size_hint().exact());
    if let Some(bytes) = record.body_bytes {
        telemetry::received(endpoint, bytes);
    }
    for stage in &record.stages {
        telemetry::stage(stage.name, stage.took);
    }
    if let Some(error) = error {
        telemetry::refused(endpoint, error.row().code);
        if let ApiError::Overloaded { reason, .. } = error {
            telemetry::shed_request(reason, record.took);
        }
    }
}

/// Reports a client that hung up: the request was dropped without an answer.
struct HangUpGuard<'a> {
    endpoint: &'static str,
    span: &'a Span,
    trace: Option<RequestTrace>,
    is_answered: bool,
}

impl Drop for HangUpGuard<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            telemetry::hung_up(self.endpoint);
            self.span.in_scope(|| tracing::info!(endpoint = self.endpoint, "the client hung up"));
            if let Some(trace) = self.trace.take() {
                trace.end(None, Some("hung_up"));
            }
        }
    }
}
