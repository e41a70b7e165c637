//! Reads a body in parts (RFC 7578).

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field, MultipartError};
use axum::extract::{DefaultBodyLimit, FromRequest as _, Multipart, Request};
use axum::http::header::CONTENT_TYPE;
use tokio::time::timeout;

use crate::http::errors::table::ApiError;

/// A body in parts, as it arrives.
pub(super) struct Parts {
    multipart: Multipart,
    limits: Limits,
}

/// A part of a body, as it arrives.
pub(super) struct Part<'a> {
    pub(super) name: String,
    pub(super) file_name: Option<String>,
    field: Field<'a>,
    limits: Limits,
}

#[derive(Clone, Copy)]
struct Limits {
    /// Bytes of the body.
    most: usize,
    /// How long a piece of it may take.
    patience: Duration,
}

/// Whether a body is declared to be in parts.
pub(super) fn is_in_parts(request: &Request) -> bool {
    let content_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("multipart/form-data"))
}

impl Parts {
    /// The parts of a body of at most `most` bytes. Each piece of it must arrive within `patience`.
    pub(super) async fn of(mut request: Request<Body>, most: usize, patience: Duration) -> Result<Self, ApiError> {
        DefaultBodyLimit::max(most).apply(&mut request);
        let multipart = Multipart::from_request(request, &()).await;
        let multipart = multipart.map_err(|error| ApiError::InvalidRequest(error.to_string()))?;
        Ok(Self { multipart, limits: Limits { most, patience } })
    }

    /// The next part; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Part<'_>>, ApiError> {
        let limits = self.limits;
        Ok(limits.await_piece(self.multipart.next_field()).await?.map(|field| Part {
            name: field.name().unwrap_or_default().to_owned(),
            file_name: field.file_name().map(str::to_owned),
            field,
            limits,
        }))
    }
}

impl Part<'_> {
    /// The next piece of it; `None` at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, ApiError> {
        self.limits.await_piece(self.field.chunk()).await
    }

    /// All of it.
    pub(super) async fn read(mut self) -> Result<Vec<u8>, ApiError> {
        let mut bytes = Vec::new();
        while let Some(piece) = self.next().await? {
            bytes.extend_from_slice(&piece);
        }
        Ok(bytes)
    }
}

impl Limits {
    async fn await_piece<T>(self, piece: impl Future<Output = Result<T, MultipartError>>) -> Result<T, ApiError> {
        let arrived = timeout(self.patience, piece).await.map_err(|_| ApiError::RequestTimeout)?;
        arrived.map_err(|error| match error.status().as_u16() {
            413 => ApiError::PayloadTooLarge { most: self.most },
            _ => ApiError::InvalidRequest(format!("the multipart body cannot be read: {error}")),
        })
    }
}
