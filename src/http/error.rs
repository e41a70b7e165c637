//! All errors that a client can get, and their form on the wire.
//!
//! Handlers and extractors return an [`ApiError`]. Its response has the status and headers and, as an extension, the
//! error itself. The outermost layer knows the request id and writes the body with [`write_body`].

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::error_details::{Detail, LocatedDetail};
use super::request_id::RequestId;
use crate::access::{AuthError, QuotaError, StoreError};
use crate::pipeline::{LayoutError, RenderError};
use crate::spec::{RequestError, Violation, ViolationKind, Violations};

/// Largest body that is read, in bytes.
pub(super) const LARGEST_BODY: usize = 256 * 1024;
/// Seconds after which to try again when something behind the service is away.
const AWAY_RETRY_SECONDS: u64 = 5;
/// Seconds after which a request in progress has likely been charged or has failed.
const HELD_RETRY_SECONDS: u64 = 1;

/// What went wrong, with what the caller needs to act on it. A `cause` is for the log alone.
#[derive(Clone, Debug)]
pub(super) enum ApiError {
    /// No bearer token was sent.
    MissingKey,
    /// The token is no key of ours by its form.
    InvalidKeyFormat,
    /// The key is unknown or revoked.
    InvalidKey,
    /// The monthly quota is used up.
    QuotaExhausted { limit: u64, used: u64, in_progress: u64, reset_at: String },
    /// Too many requests in the window.
    RateLimited { endpoint: &'static str, limit: u64, retry_after_seconds: u64 },
    /// The body is not JSON.
    InvalidRequest { message: String },
    /// The JSON breaks constraints.
    Validation { violations: Violations },
    /// There is nothing of that name; the message says what there is.
    NotFound { message: &'static str },
    /// The path has no such method.
    MethodNotAllowed,
    /// The body did not arrive in time.
    RequestTimeout,
    /// The body is larger than [`LARGEST_BODY`].
    PayloadTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The body is compressed.
    UnsupportedContentEncoding,
    /// The service has more to do than it can; the reason is for metrics.
    Overloaded { retry_after_seconds: u64, reason: &'static str },
    /// The device is away.
    Unavailable { cause: String },
    /// The store of keys and usage is away, or takes nothing.
    StoreUnavailable { cause: String },
    /// Rendering failed.
    GenerationFailed { cause: String },
}

impl ApiError {
    /// The service has no such path.
    pub(super) const NO_SUCH_PATH: Self = Self::NotFound {
        message: "no such path; POST generate or preview, GET fonts or status under /api/v1; see /docs",
    };

    /// No font has that number.
    pub(super) const NO_SUCH_FONT: Self =
        Self::NotFound { message: "no font has that number; GET /api/v1/fonts lists those there are" };

    /// The table: status, code and message of every error.
    fn row(&self) -> (StatusCode, &'static str, Cow<'static, str>) {
        match self {
            Self::MissingKey => (
                StatusCode::UNAUTHORIZED,
                "INVALID_API_KEY",
                "missing API key; send Authorization: Bearer <key>".into(),
            ),
            Self::InvalidKeyFormat => (StatusCode::UNAUTHORIZED, "INVALID_KEY_FORMAT", "invalid API key format".into()),
            Self::InvalidKey => (StatusCode::UNAUTHORIZED, "INVALID_API_KEY", "invalid or inactive API key".into()),
            Self::QuotaExhausted { limit, in_progress: 0, reset_at, .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "REQUEST_LIMIT_EXCEEDED",
                format!("the monthly quota of {limit} requests is used up; it resets at {reset_at}").into(),
            ),
            Self::QuotaExhausted { limit, in_progress, .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "REQUEST_LIMIT_EXCEEDED",
                format!(
                    "requests in progress ({in_progress}) hold what is left of the monthly quota of {limit}; one that \
                     fails is not charged: retry in {HELD_RETRY_SECONDS} s"
                )
                .into(),
            ),
            Self::RateLimited { limit, retry_after_seconds, .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "RATE_LIMIT_EXCEEDED",
                format!("more than {limit} requests in 60 seconds; retry in {retry_after_seconds} s").into(),
            ),
            Self::InvalidRequest { message } => (StatusCode::BAD_REQUEST, "INVALID_REQUEST", message.clone().into()),
            Self::Validation { violations } => {
                (StatusCode::UNPROCESSABLE_ENTITY, "VALIDATION_ERROR", validation_message(violations).into())
            }
            Self::NotFound { message } => (StatusCode::NOT_FOUND, "NOT_FOUND", (*message).into()),
            Self::MethodNotAllowed => (
                StatusCode::METHOD_NOT_ALLOWED,
                "METHOD_NOT_ALLOWED",
                "this path does not answer this method; the Allow header names those it does".into(),
            ),
            Self::RequestTimeout => (
                StatusCode::REQUEST_TIMEOUT,
                "REQUEST_TIMEOUT",
                "the request body did not arrive in time; send it again".into(),
            ),
            Self::PayloadTooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "PAYLOAD_TOO_LARGE",
                format!("the request body is larger than {} KiB", LARGEST_BODY / 1024).into(),
            ),
            Self::UnsupportedMediaType => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "the request body must be JSON; send Content-Type: application/json".into(),
            ),
            Self::UnsupportedContentEncoding => (
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "the request body must not be compressed; send it without Content-Encoding".into(),
            ),
            Self::Overloaded { retry_after_seconds, .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "SERVICE_OVERLOADED",
                format!("the service is at its capacity; retry in {retry_after_seconds} s").into(),
            ),
            Self::Unavailable { .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "SERVICE_UNAVAILABLE",
                format!("the service cannot answer at the moment; retry in {AWAY_RETRY_SECONDS} s").into(),
            ),
            Self::StoreUnavailable { .. } => (
                StatusCode::SERVICE_UNAVAILABLE,
                "STORE_UNAVAILABLE",
                format!("keys or quotas cannot be looked up or counted at the moment; retry in {AWAY_RETRY_SECONDS} s")
                    .into(),
            ),
            Self::GenerationFailed { .. } => (
                StatusCode::INTERNAL_SERVER_ERROR,
                "GENERATION_ERROR",
                "the page could not be generated; quote the request_id when you report this".into(),
            ),
        }
    }

    /// The status of its response.
    pub(super) fn status(&self) -> StatusCode {
        self.row().0
    }

    /// The code that programs tell it by.
    pub(super) fn code(&self) -> &'static str {
        self.row().1
    }

    /// The JSON body as the caller of the exchange `id` reads it.
    pub(super) fn body(&self, id: &str) -> Vec<u8> {
        let (_, code, message) = self.row();
        let body = ErrorBody { error: code, message: &message, request_id: id, extra: self.extra() };
        // These plain structs always serialise; an empty body would still carry status and headers.
        serde_json::to_vec(&body).unwrap_or_default()
    }

    /// The members that only this kind of error has.
    fn extra(&self) -> Extra<'_> {
        match self {
            Self::QuotaExhausted { limit, used, reset_at, .. } => {
                Extra::Quota { limit: *limit, used: *used, period: "monthly", reset_at }
            }
            Self::RateLimited { endpoint, limit, retry_after_seconds } => {
                Extra::Rate { limit: *limit, endpoint, retry_after: *retry_after_seconds }
            }
            Self::Validation { violations } => Extra::Validation {
                details: violations.iter().map(Detail::of).collect(),
                detail: violations.iter().map(LocatedDetail::of).collect(),
            },
            Self::MissingKey
            | Self::InvalidKeyFormat
            | Self::InvalidKey
            | Self::InvalidRequest { .. }
            | Self::NotFound { .. }
            | Self::MethodNotAllowed
            | Self::RequestTimeout
            | Self::PayloadTooLarge
            | Self::UnsupportedMediaType
            | Self::UnsupportedContentEncoding
            | Self::Overloaded { .. }
            | Self::Unavailable { .. }
            | Self::StoreUnavailable { .. }
            | Self::GenerationFailed { .. } => Extra::None {},
        }
    }

    /// The headers that only this kind of error has.
    pub(super) fn stamp(&self, headers: &mut HeaderMap) {
        match self {
            Self::MissingKey | Self::InvalidKeyFormat | Self::InvalidKey => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::RateLimited { retry_after_seconds, .. } | Self::Overloaded { retry_after_seconds, .. } => {
                headers.insert(RETRY_AFTER, (*retry_after_seconds).into());
            }
            Self::Unavailable { .. } | Self::StoreUnavailable { .. } => {
                headers.insert(RETRY_AFTER, AWAY_RETRY_SECONDS.into());
            }
            Self::UnsupportedContentEncoding => {
                headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
            }
            Self::RequestTimeout => {
                headers.insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Self::QuotaExhausted { in_progress: 1.., .. } => {
                headers.insert(RETRY_AFTER, HELD_RETRY_SECONDS.into());
            }
            Self::QuotaExhausted { .. }
            | Self::InvalidRequest { .. }
            | Self::Validation { .. }
            | Self::NotFound { .. }
            | Self::MethodNotAllowed
            | Self::PayloadTooLarge
            | Self::UnsupportedMediaType
            | Self::GenerationFailed { .. } => {}
        }
    }

    /// What the log must know and the caller must not.
    pub(super) fn cause(&self) -> Option<&str> {
        match self {
            Self::Unavailable { cause } | Self::StoreUnavailable { cause } | Self::GenerationFailed { cause } => {
                Some(cause)
            }
            _ => None,
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.row().0.into_response();
        self.stamp(response.headers_mut());
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Gives the response of an [`ApiError`] its body, and returns the error for the log; other responses pass.
pub(super) fn write_body(response: &mut Response, id: &RequestId) -> Option<Arc<ApiError>> {
    let error = response.extensions_mut().remove::<Arc<ApiError>>()?;
    *response.body_mut() = Body::from(error.body(id.as_str()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Some(error)
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    error: &'static str,
    message: &'a str,
    request_id: &'a str,
    #[serde(flatten)]
    extra: Extra<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Extra<'a> {
    None {},
    Quota { limit: u64, used: u64, period: &'static str, reset_at: &'a str },
    Rate { limit: u64, endpoint: &'static str, retry_after: u64 },
    Validation { details: Vec<Detail<'a>>, detail: Vec<LocatedDetail<'a>> },
}

fn validation_message(violations: &Violations) -> String {
    match violations.as_slice() {
        [only] => only.to_string(),
        several => format!("the request breaks {} constraints; details lists them", several.len()),
    }
}

impl From<AuthError> for ApiError {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Unknown => Self::InvalidKey,
            AuthError::Store(error) => error.into(),
        }
    }
}

impl From<QuotaError> for ApiError {
    fn from(error: QuotaError) -> Self {
        match error {
            QuotaError::Exhausted { limit, used, in_progress, reset_at } => {
                Self::QuotaExhausted { limit, used, in_progress, reset_at }
            }
            QuotaError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::StoreUnavailable { cause: error.to_string() }
    }
}

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Malformed { message } => Self::InvalidRequest { message },
            RequestError::Invalid(violations) => Self::Validation { violations },
        }
    }
}

fn refused(field: &str, kind: ViolationKind, message: String) -> ApiError {
    ApiError::Validation { violations: Violation::of_field(field, kind, message).into() }
}

impl From<RenderError> for ApiError {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Layout(error) => error.into(),
            RenderError::TooManyPages { .. } => refused("text", ViolationKind::TextOverflow, error.to_string()),
            RenderError::TooCostly { field, message } => refused(field, ViolationKind::TooCostly, message),
            RenderError::Overloaded { retry_after_seconds, reason } => {
                Self::Overloaded { retry_after_seconds, reason: reason.name() }
            }
            RenderError::Abandoned => Self::GenerationFailed { cause: error.to_string() },
            RenderError::DeviceUnavailable(cause) | RenderError::Undrawn(cause) => Self::Unavailable { cause },
            RenderError::Failed(cause) => Self::GenerationFailed { cause },
        }
    }
}

impl From<LayoutError> for ApiError {
    fn from(error: LayoutError) -> Self {
        let kind = match error {
            LayoutError::TextOverflow { .. } => ViolationKind::TextOverflow,
            LayoutError::UnsupportedCharacters(_) => ViolationKind::UnsupportedCharacter,
            LayoutError::UnusableFont(_) | LayoutError::Stopped(_) => {
                return Self::GenerationFailed { cause: error.to_string() };
            }
        };
        refused("text", kind, error.to_string())
    }
}
