//! The layers that every request passes.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, AUTHORIZATION, CONTENT_DISPOSITION, CONTENT_TYPE, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::{Instrument as _, Span};

use super::error::ApiError;
use super::error_response::write_body;
use super::exchange::{Exchange, Notes};
use super::log_budget::{LogBudget, MOST_LINES};
use super::origin::Origin;
use super::pdf_response::{X_CALCULATED_FONT_SIZE, X_SEED, X_WARNINGS};
use super::request_id::{RequestId, X_REQUEST_ID};
use super::trace::Trace;
use crate::access::KeyId;
use crate::clock::Clock;
use crate::pipeline::Stage;
use crate::telemetry::{self, Traces};

/// Longest part of a method and of a path that is logged, in bytes.
const LONGEST_LOGGED_METHOD: usize = 16;
const LONGEST_LOGGED_PATH: usize = 256;

pub(super) const X_PROCESS_TIME: HeaderName = HeaderName::from_static("x-process-time");

/// What accounts of exchanges are kept with.
#[derive(Clone)]
pub(super) struct Account {
    pub(super) clock: Clock,
    /// Where spans go, if anywhere.
    pub(super) traces: Option<Arc<Traces>>,
    /// Log lines of exchanges without an accepted key.
    pub(super) log_budget: Arc<LogBudget>,
}

/// Puts the layers around `routes`. A request passes them from the last line to the first, its answer the other way.
pub(super) fn around(routes: Router, cors_origins: &[Origin], account: Account) -> Router {
    let mut routes = routes.layer(CatchPanicLayer::custom(answer_panic));
    if !cors_origins.is_empty() {
        routes = routes.layer(cors(cors_origins));
    }
    routes.layer(from_fn_with_state(account, keep_account))
}

/// Names and times the exchange, gives errors their body, stamps what stands on every answer (one made after a panic
/// included), counts it, and writes the one log line.
async fn keep_account(State(account): State<Account>, mut request: Request, next: Next) -> Response {
    let Account { clock, traces, log_budget } = account;
    let exchange = Exchange::new(RequestId::of(request.headers()), &clock);
    let span = tracing::info_span!("exchange", request_id = exchange.id.as_str());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let endpoint = endpoint_of(&path);
    let trace = traces.and_then(|traces| Trace::begin(traces, endpoint, &request, &exchange, &clock));
    let mut unanswered = Unanswered { endpoint, span: &span, trace, is_answered: false };
    request.extensions_mut().insert(exchange.clone());

    let mut response = next.run(request).instrument(span.clone()).await;

    unanswered.is_answered = true;
    let error = write_body(&mut response, &exchange.id);
    let took = clock.monotonic().duration_since(exchange.started);
    let notes = exchange.notes().clone();
    let headers = response.headers_mut();
    protect(headers);
    headers.insert(X_REQUEST_ID, exchange.id.header());
    if let Some(allowance) = notes.allowance {
        allowance.stamp(headers);
    }
    if let Ok(process_time) = HeaderValue::try_from(format!("{:.3}", took.as_secs_f64())) {
        headers.insert(X_PROCESS_TIME, process_time);
    }
    count(unanswered.endpoint, &response, error.as_deref(), took, &notes);

    let _inside = span.enter();
    let status = response.status().as_u16();
    let trace = unanswered.trace.take();
    // Rate limits bound the others.
    let left_out = if notes.caller.is_some() { Some(0) } else { log_budget.take(clock.monotonic()) };
    if let Some(left_out) = left_out {
        if left_out > 0 {
            tracing::warn!(left_out, most_per_second = MOST_LINES, "requests without a valid key were not logged");
        }
        if let Some(cause) = error.as_ref().and_then(|error| error.cause()) {
            tracing::error!(cause, "the request failed");
        }
        log_answer(&method, &path, status, took, &notes, trace.as_ref().map(Trace::id).as_deref());
    }
    if let Some(trace) = trace {
        trace.end(Some(status), error.as_ref().map(|error| error.code()));
    }
    response
}

/// Gives an answer its request id, and an error its body. Neither logs nor counts.
pub(super) async fn name_request(request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let mut response = next.run(request).await;
    let _ = write_body(&mut response, &id);
    protect(response.headers_mut());
    response.headers_mut().insert(X_REQUEST_ID, id.header());
    response
}

/// The one line of an exchange: who, what, how long; never what was written.
fn log_answer(method: &Method, path: &str, status: u16, took: Duration, notes: &Notes, trace_id: Option<&str>) {
    let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
    let page = |stage| notes.stages.page.of(stage).map(milliseconds);
    tracing::info!(
        method = start_of(method.as_str(), LONGEST_LOGGED_METHOD),
        path = start_of(path, LONGEST_LOGGED_PATH),
        status,
        duration_ms = milliseconds(took),
        key_id = notes.caller.as_ref().map(KeyId::as_str),
        trace_id,
        body_ms = notes.stages.body.map(milliseconds),
        queue_ms = page(Stage::Queue),
        lay_out_ms = page(Stage::LayOut),
        compose_ms = page(Stage::Compose),
        draw_ms = page(Stage::Draw),
        encode_ms = page(Stage::Encode),
        charge_ms = notes.stages.charge.map(milliseconds),
        "answered"
    );
}

/// The first `most` bytes of `text`, or a few less, so that no character is cut.
fn start_of(text: &str, most: usize) -> &str {
    let cut = || (0..=most).rev().find_map(|end| text.get(..end)).unwrap_or_default();
    if text.len() > most { cut() } else { text }
}

/// Headers of every answer: browsers guess no type of it, and tell nobody that they came from here.
fn protect(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

fn count(endpoint: &'static str, response: &Response, error: Option<&ApiError>, took: Duration, notes: &Notes) {
    telemetry::answered(endpoint, response.status().as_u16(), took, response.body().size_hint().exact());
    if let Some(bytes) = notes.body_bytes {
        telemetry::received(endpoint, bytes);
    }
    for (stage, took) in notes.stages.met() {
        telemetry::stage(stage, took);
    }
    if let Some(error) = error {
        telemetry::refused(endpoint, error.code());
        if let ApiError::Overloaded { reason, .. } = error {
            telemetry::shed_request(reason, took);
        }
    }
}

/// The endpoint of a path, from a fixed set: callers must not be able to make up metrics.
fn endpoint_of(path: &str) -> &'static str {
    match path {
        "/api/v1/generate" => "generate",
        "/api/v1/preview" => "preview",
        "/api/v1/fonts" => "fonts",
        "/api/v1/status" => "status",
        "/openapi.json" => "openapi",
        "/docs" => "docs",
        "/" => "page",
        _ if path.starts_with("/page/") => "page",
        _ if path.starts_with("/docs/") => "docs",
        _ if path.starts_with("/api/v1/fonts/") && path.ends_with("/specimen.png") => "specimen",
        _ => "other",
    }
}

/// An exchange without its answer yet. Dropped so, the caller has gone away.
struct Unanswered<'a> {
    endpoint: &'static str,
    span: &'a Span,
    trace: Option<Trace>,
    is_answered: bool,
}

impl Drop for Unanswered<'_> {
    fn drop(&mut self) {
        if !self.is_answered {
            telemetry::hung_up(self.endpoint);
            self.span.in_scope(|| tracing::info!(endpoint = self.endpoint, "the caller hung up"));
            if let Some(trace) = self.trace.take() {
                trace.end(None, None);
            }
        }
    }
}

/// A panic in a handler is a failed request, not a failed process. Its message may quote the text, so only the panic
/// hook's location reaches the log.
fn answer_panic(_payload: Box<dyn Any + Send + 'static>) -> Response {
    ApiError::GenerationFailed { cause: "a handler panicked".to_owned() }.into_response()
}

fn cors(origins: &[Origin]) -> CorsLayer {
    let allowed = if origins.iter().any(Origin::is_any) {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok()))
    };
    let request_id = HeaderName::from_static(X_REQUEST_ID);
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE, request_id.clone()])
        .expose_headers([
            request_id,
            X_PROCESS_TIME,
            RETRY_AFTER,
            ALLOW,
            CONTENT_DISPOSITION,
            HeaderName::from_static(X_SEED),
            HeaderName::from_static(X_CALCULATED_FONT_SIZE),
            HeaderName::from_static(X_WARNINGS),
            HeaderName::from_static("x-ratelimit-limit"),
            HeaderName::from_static("x-ratelimit-remaining"),
            HeaderName::from_static("x-ratelimit-reset"),
        ])
        .max_age(Duration::from_secs(3600))
}
