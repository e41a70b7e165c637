//! Requests with the header `Idempotency-Key`: carried out and charged once, however often they are sent.
//!
//! `admission` reads the key from the head, so that a repetition needs no place in the quota. [`begin`] compares the
//! body. The handler does the work of a first request, and makes the first answer again for a repetition.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

use crate::access::{Attempt, Begun, Fingerprint, IdempotencyKey};
use crate::http::errors::table::ApiError;
use crate::http::routes::admission::Admission;

/// Present on an answer that was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A request that may be carried out.
pub(super) enum Start {
    /// For the first time; with its attempt if it has an idempotency key.
    First(Option<Attempt>),
    /// Once more, without a charge; with what was kept of the first answer.
    Again(String),
}

/// A request that may be sent again.
pub(super) struct Repeatable {
    key: IdempotencyKey,
    fingerprint: Fingerprint,
}

impl Repeatable {
    /// The request to this path with a body of these parts; `None` if it has no key.
    pub(super) fn of(key: Option<IdempotencyKey>, path: &str, parts: &[&[u8]]) -> Option<Self> {
        key.map(|key| Self { key, fingerprint: Fingerprint::of(path, parts) })
    }
}

/// Begins the request.
///
/// # Errors
/// A request with the same key is in progress, or the key belongs to another request.
pub(super) async fn begin(admission: &Admission, request: Option<Repeatable>) -> Result<Start, ApiError> {
    let Some(Repeatable { key, fingerprint }) = request else { return Ok(Start::First(None)) };
    match admission.service.access.begin(&admission.client, key, fingerprint).await? {
        Begun::First(attempt) => Ok(Start::First(Some(attempt))),
        Begun::Done(answer) => Ok(Start::Again(answer)),
        Begun::InProgress => Err(ApiError::AttemptInProgress),
        Begun::OtherRequest => Err(ApiError::IdempotencyKeyReused),
    }
}

/// Says on an answer that it was given before.
pub(in crate::http::handlers) fn mark_replayed(response: &mut Response) {
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
}
