//! The headers of every response.

use axum::extract::Request;
use axum::http::header::{REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::errors::error_response::write_body;
use crate::http::middleware::request_id::{RequestId, X_REQUEST_ID};

/// Processing time in seconds.
pub(in crate::http) const X_PROCESS_TIME: HeaderName = HeaderName::from_static("x-process-time");

/// Gives a response its request id, and an error its body. For responses that are neither logged nor counted.
pub(in crate::http) async fn name_request(request: Request, next: Next) -> Response {
    let id = RequestId::of(request.headers());
    let mut response = next.run(request).await;
    let _ = write_body(&mut response, &id);
    protect(response.headers_mut());
    response.headers_mut().insert(X_REQUEST_ID, id.header());
    response
}

/// Sets the security headers of every response: browsers do not guess its type, and send no referrer.
pub(in crate::http) fn protect(headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
