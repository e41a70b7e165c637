//! The layers that every request passes: `access_log`, CORS, and the catch for panics.
//!
//! `access_log` gives a request its `request_id`, and writes its log line (within `log_budget`), its metrics and its
//! trace (`request_trace`). An `origin` may call the service from a browser. `request_context` holds what handlers and
//! layers share about a request. No layer reads a body, a key or a text.

mod access_log;
pub(super) mod log_budget;
pub(super) mod origin;
pub(super) mod request_context;
pub(super) mod request_id;
mod request_trace;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::header::{ALLOW, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse as _, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::Service;
use super::errors::table::ApiError;
use super::responses::response_headers::{ALLOWANCE, ALWAYS, FILE, OF_OUTLINED, OF_PAGE, OF_PREVIEW, REPLAYED};
use super::routes::admission::IDEMPOTENCY_KEY;
use access_log::access_log;
use origin::Origin;
use request_id::X_REQUEST_ID;

/// Puts the layers around `routes`. A request passes the last one first, its response the other way.
pub(super) fn around(routes: Router, cors_origins: &[Origin], service: Arc<Service>) -> Router {
    let mut routes = routes.layer(CatchPanicLayer::custom(answer_panic));
    if !cors_origins.is_empty() {
        routes = routes.layer(cors(cors_origins));
    }
    routes.layer(from_fn_with_state(service, access_log))
}

/// A panic in a handler is a failed request, not a failed process. Its message may quote the text, so only the panic
/// hook's location reaches the log.
fn answer_panic(_payload: Box<dyn Any + Send + 'static>) -> Response {
    ApiError::GenerationFailed("a handler panicked".to_owned()).into_response()
}

fn cors(origins: &[Origin]) -> CorsLayer {
    let allowed = if origins.iter().any(Origin::is_any) {
        AllowOrigin::any()
    } else {
        AllowOrigin::list(origins.iter().filter_map(|origin| HeaderValue::from_str(origin.as_str()).ok()))
    };
    let of_some = [RETRY_AFTER.as_str(), ALLOW.as_str()];
    let exposed = [&ALWAYS[..], &ALLOWANCE, &of_some, &FILE, &OF_PAGE, &OF_OUTLINED, &OF_PREVIEW, &REPLAYED];
    let exposed = exposed.into_iter().flatten().filter_map(|name| HeaderName::try_from(*name).ok());
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([AUTHORIZATION, CONTENT_TYPE, HeaderName::from_static(X_REQUEST_ID), IDEMPOTENCY_KEY])
        .expose_headers(exposed.collect::<Vec<_>>())
        .max_age(Duration::from_secs(3600))
}
