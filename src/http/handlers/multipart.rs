//! Reads a body in parts (RFC 7578).

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request};
use axum::http::header::CONTENT_TYPE;
use tokio::time::timeout;

use crate::http::errors::table::ApiError;

/// A part of a body.
pub(super) struct Part {
    pub(super) name: String,
    pub(super) file_name: Option<String>,
    pub(super) bytes: Bytes,
}

/// Whether a body is declared to be in parts.
pub(super) fn is_in_parts(request: &Request) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("multipart/form-data"))
}

/// Reads the parts of a body of at most `most` bytes. Each piece of it must arrive within `patience`.
pub(super) async fn read_parts(
    mut request: Request<Body>,
    most: usize,
    patience: Duration,
) -> Result<Vec<Part>, ApiError> {
    DefaultBodyLimit::max(most).apply(&mut request);
    let broken = |error: axum::extract::multipart::MultipartError| match error.status().as_u16() {
        413 => ApiError::PayloadTooLarge { most },
        _ => ApiError::InvalidRequest(format!("the multipart body cannot be read: {error}")),
    };
    let multipart = Multipart::from_request(request, &()).await;
    let mut multipart = multipart.map_err(|error| ApiError::InvalidRequest(error.to_string()))?;
    let mut parts = Vec::new();
    loop {
        let field = timeout(patience, multipart.next_field()).await.map_err(|_| ApiError::RequestTimeout)?;
        let Some(mut field) = field.map_err(broken)? else { return Ok(parts) };
        let (name, file_name) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let mut bytes = Vec::new();
        while let Some(chunk) =
            timeout(patience, field.chunk()).await.map_err(|_| ApiError::RequestTimeout)?.map_err(broken)?
        {
            bytes.extend_from_slice(&chunk);
        }
        parts.push(Part { name, file_name, bytes: bytes.into() });
    }
}
