//! The headers of responses: their names, and those of every response.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::errors::error_response::write_body;
use crate::http::errors::table::ApiError;
use crate::http::middleware::request_id::{RequestId, X_REQUEST_ID};

/// Processing time in seconds.
pub(in crate::http) const X_PROCESS_TIME: HeaderName = HeaderName::from_static("x-process-time");

/// Headers of every response.
pub(in crate::http) const ALWAYS: [&str; 2] = ["X-Request-ID", "X-Process-Time"];
/// Headers of every response after the check of the rate limit.
pub(in crate::http) const ALLOWANCE: [&str; 3] = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
/// Headers of a page or preview as a file, in place of its JSON.
pub(in crate::http) const FILE: [&str; 7] =
    ["Content-Disposition", "X-Blocks", "X-Calculated-Font-Size", "X-Seed", "X-Warnings", "X-Width", "X-Height"];
/// The further headers of a page as a file.
pub(in crate::http) const OF_PAGE: [&str; 1] = ["X-Characters-Processed"];
/// The further headers of a page as a PDF or an SVG.
pub(in crate::http) const OF_OUTLINED: [&str; 1] = ["X-Writing"];
/// The further headers of a preview as a file.
pub(in crate::http) const OF_PREVIEW: [&str; 2] = ["X-Preview-Width", "X-Preview-Height"];

/// The header of an answer that was given before.
pub(in crate::http) const REPLAYED: [&str; 1] = ["Idempotency-Replayed"];

/// The header of an answer about something new.
pub(in crate::http) const LOCATION: [&str; 1] = ["Location"];

/// The headers of JSON about one request.
pub(in crate::http) const UNCACHED_JSON: [(HeaderName, &str); 2] =
    [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];

/// Gives a response its request id, and an error its body. For responses that are neither logged nor counted.
pub(in crate::http) async fn name_request(request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let mut response = next.run(request).await;
    complete(&mut response, &id);
    response
}

/// Gives a response its request id, an error its body, and sets the security headers of every response: browsers do not
/// guess its type, and send no referrer. Returns the error for the log.
pub(in crate::http) fn complete(response: &mut Response, id: &RequestId) -> Option<Arc<ApiError>> {
    let error = write_body(response, id);
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_REQUEST_ID, id.header());
    error
}
