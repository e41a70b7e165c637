//! Responses with files that are embedded in the binary.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};

use super::error::ApiError;

/// Name, media type and text of a file.
pub(super) type StaticFile = (&'static str, &'static str, &'static str);

/// The file of this name.
///
/// # Errors
/// 404 if there is none.
pub(super) fn find(files: &[StaticFile], name: &str) -> Result<Response, ApiError> {
    let (_, kind, text) = files.iter().find(|(known, ..)| *known == name).ok_or(ApiError::NO_SUCH_PATH)?;
    Ok(file(kind, *text))
}

/// A file of this media type, in UTF-8.
pub(super) fn file(kind: &str, text: impl Into<Body>) -> Response {
    let headers = [(CONTENT_TYPE, format!("{kind}; charset=utf-8")), (CACHE_CONTROL, "no-cache".to_owned())];
    (headers, text.into()).into_response()
}
