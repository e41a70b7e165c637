//! The table of all errors that a client can get.
//!
//! Handlers and extractors return an [`ApiError`], which has its message. [`ApiError::row`] has one row per error:
//! status, code, and the routes that can answer with it. Both the responses and the `OpenAPI` document are made from
//! it. `error_response` writes responses, `error_sources` converts the errors of other modules.

use axum::http::HeaderValue;
use thiserror::Error;

use super::error_body::{Extra, NoExtra, QuotaExtra, RateExtra, ValidationExtra};
use crate::access::{LONGEST_IDEMPOTENCY_KEY, LimitedEndpoint};
use crate::http::routes::route::Route;
use crate::spec::{Violation, ViolationKind, Violations};

/// Largest body that is read, in bytes.
pub(in crate::http) const LARGEST_BODY: usize = 256 * 1024;
/// Largest body of a job and of a hand, in bytes.
pub(in crate::http) const LARGEST_JOB: usize = 64 << 20;
/// Seconds after which to try again when the device or the store is away.
const AWAY_RETRY_SECONDS: u64 = 5;
/// Seconds after which a request in progress has likely been charged or has failed.
const HELD_RETRY_SECONDS: u64 = 1;

/// An error of the API, with what the client needs to act on it, and its message. The text of
/// [`Unavailable`](Self::Unavailable), [`StoreUnavailable`](Self::StoreUnavailable),
/// [`JobsUnavailable`](Self::JobsUnavailable), [`HandsUnavailable`](Self::HandsUnavailable),
/// [`ArtworkUnavailable`](Self::ArtworkUnavailable) and [`GenerationFailed`](Self::GenerationFailed) is for the log alone.
#[derive(Clone, Debug, Error)]
pub(in crate::http) enum ApiError {
    /// No bearer token was sent.
    #[error("missing API key; send Authorization: Bearer <key>")]
    MissingKey,
    /// The token does not have the form of a key.
    #[error("invalid API key format")]
    InvalidKeyFormat,
    /// The key is unknown or revoked.
    #[error("invalid or inactive API key")]
    InvalidKey,
    /// The link is damaged, has ended, or its sender's key is not active.
    #[error("this link is not valid, or not any more; ask its sender for a new one")]
    InvalidLink,
    /// The monthly quota is used up.
    #[error("the monthly quota of {limit} requests is used up; it resets at {reset_at}")]
    QuotaExhausted { limit: u64, used: u64, reset_at: String },
    /// Requests in progress hold what is left of the monthly quota, so it may be free again soon.
    #[error(
        "requests in progress ({in_progress}) hold what is left of the monthly quota of {limit}; one that fails is not \
         charged: retry in {HELD_RETRY_SECONDS} s"
    )]
    QuotaHeld { limit: u64, used: u64, in_progress: u64, reset_at: String },
    /// Too many requests in the window.
    #[error("more than {limit} requests in 60 seconds; retry in {retry_after_seconds} s")]
    RateLimited { endpoint: LimitedEndpoint, limit: u32, retry_after_seconds: u64 },
    /// The free calls of the key took as much work as they may.
    #[error(
        "the free calls of this key took as much work as they may in 60 seconds; make smaller ones, or retry in \
         {retry_after_seconds} s"
    )]
    WorkSpent { retry_after_seconds: u64 },
    /// The body is not JSON.
    #[error("{0}")]
    InvalidRequest(String),
    /// `Range` asks for a part that the file does not have.
    #[error("the file has {length} bytes, and none of those that Range asks for")]
    RangeNotSatisfiable { length: u64 },
    /// The header `Idempotency-Key` is malformed.
    #[error("Idempotency-Key needs 1 to {LONGEST_IDEMPOTENCY_KEY} visible ASCII characters, once; a UUID will do")]
    InvalidIdempotencyKey,
    /// A request with the same `Idempotency-Key` is in progress.
    #[error("a request with this Idempotency-Key is in progress; retry in {HELD_RETRY_SECONDS} s")]
    AttemptInProgress,
    /// The `Idempotency-Key` belongs to another request.
    #[error(
        "this Idempotency-Key was sent with another body or path within 24 hours; send that again, or use a new key"
    )]
    IdempotencyKeyReused,
    /// The JSON breaks constraints.
    #[error("{}", validation_message(.0))]
    Validation(Violations),
    /// There is no such path, font or mail piece. The message names the existing ones.
    #[error("{0}")]
    NotFound(&'static str),
    /// The path has no such method.
    #[error("this path does not answer this method; the Allow header names those it does")]
    MethodNotAllowed,
    /// `Accept` names files, and none that the request makes.
    #[error("this request makes {made}; accept that, or change output_format")]
    NotAcceptable { made: String },
    /// The body did not arrive in time.
    #[error("the request body did not arrive in time; send it again")]
    RequestTimeout,
    /// The body is larger than `most` bytes.
    #[error("the request body is larger than {} KiB", most / 1024)]
    PayloadTooLarge { most: usize },
    /// The body is not declared as what it must be.
    #[error("the request body must be {name}; send Content-Type: {media_type}")]
    UnsupportedMediaType { name: &'static str, media_type: &'static str },
    /// The body is compressed.
    #[error("the request body must not be compressed; send it without Content-Encoding")]
    UnsupportedContentEncoding,
    /// The service is at its capacity; the reason is for metrics.
    #[error("the service is at its capacity; retry in {retry_after_seconds} s")]
    Overloaded { retry_after_seconds: u64, reason: &'static str },
    /// The device is away.
    #[error("the service cannot answer at the moment; retry in {AWAY_RETRY_SECONDS} s")]
    Unavailable(String),
    /// The store of keys and usage is away, or does not accept writes.
    #[error("keys or quotas cannot be looked up or counted at the moment; retry in {AWAY_RETRY_SECONDS} s")]
    StoreUnavailable(String),
    /// The folder or the bucket of jobs cannot be read or written.
    #[error(
        "jobs cannot be kept or read at the moment: the operator's folder or bucket (jobs_dir, jobs_bucket) cannot be read \
         or written, or its disk is full, as the log of the service says; retry in {AWAY_RETRY_SECONDS} s"
    )]
    JobsUnavailable(String),
    /// The folder in which hands are saved cannot be read or written, or has no id left.
    #[error(
        "hands cannot be saved or read at the moment: the operator's folder of fonts (fonts_dir) cannot be read or written, \
         or has no id left, as the log of the service says; retry in {AWAY_RETRY_SECONDS} s"
    )]
    HandsUnavailable(String),
    /// The folder of pictures cannot be read or written.
    #[error(
        "artwork cannot be kept or read at the moment: the operator's folder (artwork_dir) cannot be read or written, as \
         the log of the service says; retry in {AWAY_RETRY_SECONDS} s"
    )]
    ArtworkUnavailable(String),
    /// Rendering failed.
    #[error("the page could not be generated; quote the request_id when you report this")]
    GenerationFailed(String),
}

/// One row of the table.
pub(in crate::http) struct Row {
    pub(in crate::http) status: u16,
    /// The error's name for programs.
    pub(in crate::http) code: &'static str,
    /// The routes that can answer with it, for the document.
    pub(in crate::http) met_by: fn(&Route) -> bool,
    /// When the error occurs, for the document.
    pub(in crate::http) occurs: &'static str,
}

impl ApiError {
    /// One violation of a field.
    pub(in crate::http) fn refused(field: &str, kind: ViolationKind, message: impl Into<String>) -> Self {
        Self::of(Violation::of_field(field, kind, message))
    }

    /// One violation.
    pub(in crate::http) fn of(violation: Violation) -> Self {
        Self::Validation(violation.into())
    }

    /// The table.
    pub(in crate::http) fn row(&self) -> Row {
        let row = |status, code, met_by, occurs| Row { status, code, met_by, occurs };
        match self {
            Self::MissingKey => row(401, "INVALID_API_KEY", Route::needs_key, "no key was sent"),
            Self::InvalidKeyFormat => {
                row(401, "INVALID_KEY_FORMAT", Route::needs_key, "the key is incomplete or mistyped")
            }
            Self::InvalidKey => row(401, "INVALID_API_KEY", Route::needs_key, "the key is unknown or revoked"),
            Self::InvalidLink => {
                row(401, "INVALID_LINK", Route::shows_link, "the link is damaged, has ended, or its key is revoked")
            }
            Self::QuotaExhausted { .. } => {
                row(429, "REQUEST_LIMIT_EXCEEDED", Route::is_charged, "the monthly quota is used up")
            }
            Self::QuotaHeld { .. } => row(
                429,
                "REQUEST_LIMIT_EXCEEDED",
                Route::is_charged,
                "requests in progress hold what is left of the quota; the response has `Retry-After`",
            ),
            Self::RateLimited { .. } => {
                row(429, "RATE_LIMIT_EXCEEDED", Route::needs_key, "too many requests in 60 seconds")
            }
            Self::WorkSpent { .. } => row(
                429,
                "WORK_LIMIT_EXCEEDED",
                Route::spends_free_work,
                "previews, preflights, specimens and first rows of jobs took as much work as a key may in 60 seconds",
            ),
            Self::InvalidRequest(_) => row(400, "INVALID_REQUEST", Route::has_body, "the body is not JSON"),
            Self::InvalidIdempotencyKey => {
                row(400, "INVALID_REQUEST", Route::is_idempotent, "the header `Idempotency-Key` is malformed")
            }
            Self::AttemptInProgress => row(
                409,
                "REQUEST_IN_PROGRESS",
                Route::is_idempotent,
                "a request with this `Idempotency-Key` is in progress",
            ),
            Self::IdempotencyKeyReused => row(
                422,
                "IDEMPOTENCY_KEY_REUSED",
                Route::is_idempotent,
                "this `Idempotency-Key` was sent with another body or path",
            ),
            Self::Validation(_) => row(
                422,
                "VALIDATION_ERROR",
                Route::checks_fields,
                "the JSON breaks constraints, the text does not fit, or no font can write it. All violations are \
                 reported at once",
            ),
            Self::NotFound(_) => row(
                404,
                "NOT_FOUND",
                Route::may_miss,
                "no such path, no font, job or hand of that number, no mail piece or file of that name, no artwork \
                 of that id, or the service makes no jobs, hands or links, or keeps no artwork",
            ),
            Self::MethodNotAllowed => row(405, "METHOD_NOT_ALLOWED", |_| false, "the path does not answer this method"),
            Self::NotAcceptable { .. } => {
                row(406, "NOT_ACCEPTABLE", Route::takes_page, "`Accept` names files, and none that the request makes")
            }
            Self::RequestTimeout => row(408, "REQUEST_TIMEOUT", Route::has_body, "the body did not arrive in time"),
            Self::PayloadTooLarge { .. } => row(
                413,
                "PAYLOAD_TOO_LARGE",
                Route::has_body,
                "the body is larger than 256 KiB; that of a job or a hand, than 64 MiB; a picture, than 20 MiB",
            ),
            Self::UnsupportedMediaType { .. } => row(
                415,
                "UNSUPPORTED_MEDIA_TYPE",
                Route::has_body,
                "the body is not declared as JSON, that of a hand as multipart, or artwork as PNG, JPEG, SVG or PDF",
            ),
            Self::UnsupportedContentEncoding => {
                row(415, "UNSUPPORTED_MEDIA_TYPE", Route::has_body, "the body is compressed")
            }
            Self::RangeNotSatisfiable { .. } => {
                row(416, "RANGE_NOT_SATISFIABLE", Route::sends_ranges, "the file has no such part")
            }
            Self::Overloaded { .. } => row(503, "SERVICE_OVERLOADED", Route::renders, "too many pages or uploads wait"),
            Self::Unavailable(_) => row(503, "SERVICE_UNAVAILABLE", Route::needs_key, "the device is away"),
            Self::StoreUnavailable(_) => row(
                503,
                "STORE_UNAVAILABLE",
                Route::needs_key,
                "keys or quotas cannot be read or written at the moment",
            ),
            Self::JobsUnavailable(_) => {
                row(503, "JOBS_UNAVAILABLE", Route::is_of_jobs, "jobs cannot be read or written")
            }
            Self::HandsUnavailable(_) => {
                row(503, "HANDS_UNAVAILABLE", Route::is_of_hands, "the folder of hands cannot be read or written")
            }
            Self::ArtworkUnavailable(_) => {
                row(503, "ARTWORK_UNAVAILABLE", Route::is_of_artwork, "the folder of artwork cannot be read or written")
            }
            Self::GenerationFailed(_) => row(500, "GENERATION_ERROR", |_| true, "the request could not be carried out"),
        }
    }

    /// Its own header. The router sets the one without a value.
    pub(in crate::http) fn header(&self) -> Option<(&'static str, Option<HeaderValue>)> {
        let (name, value) = match self {
            Self::MissingKey | Self::InvalidKeyFormat | Self::InvalidKey | Self::InvalidLink => {
                ("WWW-Authenticate", "Bearer".to_owned())
            }
            Self::MethodNotAllowed => return Some(("Allow", None)),
            Self::RangeNotSatisfiable { length } => ("Content-Range", format!("bytes */{length}")),
            Self::RequestTimeout => ("Connection", "close".to_owned()),
            Self::UnsupportedContentEncoding => ("Accept-Encoding", "identity".to_owned()),
            Self::QuotaHeld { .. } | Self::AttemptInProgress => ("Retry-After", HELD_RETRY_SECONDS.to_string()),
            Self::RateLimited { retry_after_seconds, .. }
            | Self::WorkSpent { retry_after_seconds }
            | Self::Overloaded { retry_after_seconds, .. } => ("Retry-After", retry_after_seconds.to_string()),
            Self::Unavailable(_)
            | Self::StoreUnavailable(_)
            | Self::JobsUnavailable(_)
            | Self::HandsUnavailable(_)
            | Self::ArtworkUnavailable(_) => ("Retry-After", AWAY_RETRY_SECONDS.to_string()),
            _ => return None,
        };
        Some((name, HeaderValue::try_from(value).ok()))
    }

    /// Whether it occurs after the check of the rate limit, so that its response has the `X-RateLimit-*` headers.
    pub(in crate::http) fn is_after_rate_limit(&self) -> bool {
        let is_before =
            matches!(self, Self::QuotaExhausted { .. } | Self::QuotaHeld { .. } | Self::InvalidIdempotencyKey);
        !is_before && ![401, 404, 405].contains(&self.row().status)
    }

    /// Further members of the body.
    pub(in crate::http) fn extra(&self) -> Extra<'_> {
        match self {
            Self::QuotaExhausted { limit, used, reset_at } | Self::QuotaHeld { limit, used, reset_at, .. } => {
                Extra::Quota(QuotaExtra { limit: *limit, used: *used, period: "monthly", reset_at })
            }
            Self::RateLimited { endpoint, limit, retry_after_seconds } => Extra::Rate(RateExtra {
                limit: (*limit).into(),
                endpoint: format!("/{}", endpoint.name()),
                retry_after: *retry_after_seconds,
            }),
            Self::Validation(violations) => Extra::Validation(ValidationExtra::of(violations)),
            _ => Extra::None(NoExtra {}),
        }
    }

    /// The cause, for the log; clients never see it.
    pub(in crate::http) fn cause(&self) -> Option<&str> {
        match self {
            Self::Unavailable(cause)
            | Self::StoreUnavailable(cause)
            | Self::JobsUnavailable(cause)
            | Self::HandsUnavailable(cause)
            | Self::ArtworkUnavailable(cause)
            | Self::GenerationFailed(cause) => Some(cause),
            _ => None,
        }
    }

    /// One example of every error, by status, for the document.
    pub(in crate::http) fn examples() -> Vec<Self> {
        let (limit, used, reset_at) = (1000, 1000, || "2026-12-01T00:00:00Z".to_owned());
        let too_large = "Input should be less than or equal to 20, got 25";
        vec![
            Self::InvalidRequest("EOF while parsing an object at line 1 column 9".to_owned()),
            Self::InvalidIdempotencyKey,
            Self::MissingKey,
            Self::InvalidKey,
            Self::InvalidKeyFormat,
            Self::InvalidLink,
            Self::NO_SUCH_FONT,
            Self::NO_SUCH_MAIL_PIECE,
            Self::NO_SUCH_JOB,
            Self::NO_SUCH_JOB_FILE,
            Self::NO_RESULT,
            Self::NO_JOBS,
            Self::NO_HANDS,
            Self::NO_LINKS,
            Self::NO_SUCH_HAND,
            Self::NO_ARTWORK,
            Self::NO_SUCH_ARTWORK,
            Self::MethodNotAllowed,
            Self::NotAcceptable { made: "application/pdf".to_owned() },
            Self::RequestTimeout,
            Self::AttemptInProgress,
            Self::PayloadTooLarge { most: LARGEST_BODY },
            Self::NOT_JSON,
            Self::NOT_PARTS,
            Self::NOT_A_PICTURE,
            Self::UnsupportedContentEncoding,
            Self::RangeNotSatisfiable { length: 21_954_310 },
            Self::refused("pdf.bleed_mm", ViolationKind::LessThanEqual, too_large),
            Self::IdempotencyKeyReused,
            Self::RateLimited { endpoint: LimitedEndpoint::Generate, limit: 500, retry_after_seconds: 42 },
            Self::WorkSpent { retry_after_seconds: 17 },
            Self::QuotaExhausted { limit, used, reset_at: reset_at() },
            Self::QuotaHeld { limit, used, in_progress: 1, reset_at: reset_at() },
            Self::GenerationFailed(String::new()),
            Self::Overloaded { retry_after_seconds: 2, reason: "queue_full" },
            Self::Unavailable(String::new()),
            Self::StoreUnavailable(String::new()),
            Self::JobsUnavailable(String::new()),
            Self::HandsUnavailable(String::new()),
            Self::ArtworkUnavailable(String::new()),
        ]
    }
}

fn validation_message(violations: &Violations) -> String {
    match &violations[..] {
        [only] => only.to_string(),
        several => format!("the request breaks {} constraints; details lists them", several.len()),
    }
}
