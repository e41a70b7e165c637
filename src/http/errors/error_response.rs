//! The HTTP response of an error.
//!
//! A handler returns an [`ApiError`]. Its response has the status, the headers and, as an extension, the error itself.
//! The outermost layer knows the request id and writes the body with [`write_body`].

use std::sync::Arc;

use axum::body::Body;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::error_body::ErrorBody;
use super::table::ApiError;
use crate::http::middleware::request_id::RequestId;

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.row().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        if let Some((name, Some(value))) = self.header() {
            response.headers_mut().insert(name, value);
        }
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

impl ApiError {
    /// The JSON body of the error for the request `id`.
    pub(in crate::http) fn body(&self, id: &str) -> Vec<u8> {
        let body = ErrorBody { error: self.row().code, message: self.to_string(), request_id: id, extra: self.extra() };
        // These plain structs always serialise; an empty body would still have status and headers.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

/// Writes the body of an [`ApiError`]'s response, and returns the error for the log. Other responses stay as they are.
pub(in crate::http) fn write_body(response: &mut Response, id: &RequestId) -> Option<Arc<ApiError>> {
    let error = response.extensions_mut().remove::<Arc<ApiError>>()?;
    *response.body_mut() = Body::from(error.body(&id.text));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(error)
}
