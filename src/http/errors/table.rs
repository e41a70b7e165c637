//! The table of all errors that a client can get.
//!
//! Handlers and extractors return an [`ApiError`]. [`ApiError::row`] has one row per error: code, message, headers, and
//! the routes that can answer with it. Both the responses and the `OpenAPI` document are made from it.
//! `error_response` writes responses, `error_sources` converts the errors of other modules.

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode};

use super::error_body::{Extra, NoExtra, QuotaExtra, RateExtra, ValidationExtra};
use crate::access::LimitedEndpoint;
use crate::http::routes::route::Route;
use crate::spec::{Violation, ViolationKind, Violations};

/// Largest body that is read, in bytes.
pub(in crate::http) const LARGEST_BODY: usize = 256 * 1024;
/// Seconds after which to try again when the device or the store is away.
const AWAY_RETRY_SECONDS: u64 = 5;
/// Seconds after which a request in progress has likely been charged or has failed.
const HELD_RETRY_SECONDS: u64 = 1;

/// An error of the API, with what the client needs to act on it. A `cause` is for the log alone.
#[derive(Clone, Debug)]
pub(in crate::http) enum ApiError {
    /// No bearer token was sent.
    MissingKey,
    /// The token does not have the form of a key.
    InvalidKeyFormat,
    /// The key is unknown or revoked.
    InvalidKey,
    /// The monthly quota is used up.
    QuotaExhausted { limit: u64, used: u64, in_progress: u64, reset_at: String },
    /// Too many requests in the window.
    RateLimited { endpoint: LimitedEndpoint, retry_after_seconds: u64 },
    /// The free calls of the key took as much work as they may.
    WorkSpent { retry_after_seconds: u64 },
    /// The body is not JSON.
    InvalidRequest { message: String },
    /// The JSON breaks constraints.
    Validation { violations: Violations },
    /// There is no such path, font or mail piece. The message names the existing ones.
    NotFound { message: &'static str },
    /// The path has no such method.
    MethodNotAllowed,
    /// `Accept` names files, and none that the request makes.
    NotAcceptable { made: String },
    /// The body did not arrive in time.
    RequestTimeout,
    /// The body is larger than [`LARGEST_BODY`].
    PayloadTooLarge,
    /// The body is not declared as JSON.
    UnsupportedMediaType,
    /// The body is compressed.
    UnsupportedContentEncoding,
    /// The service is at its capacity; the reason is for metrics.
    Overloaded { retry_after_seconds: u64, reason: &'static str },
    /// The device is away.
    Unavailable { cause: String },
    /// The store of keys and usage is away, or does not accept writes.
    StoreUnavailable { cause: String },
    /// Rendering failed.
    GenerationFailed { cause: String },
}

/// One row of the table.
pub(in crate::http) struct Row<'a> {
    pub(in crate::http) status: StatusCode,
    /// The error's name for programs.
    pub(in crate::http) code: &'static str,
    /// The message of this response.
    pub(in crate::http) message: Cow<'a, str>,
    /// When the error occurs, for the document.
    pub(in crate::http) occurs: &'static str,
    /// The routes that can answer with it, for the document.
    pub(in crate::http) met_by: fn(&Route) -> bool,
    /// Whether it occurs after the check of the rate limit, so that its response has the `X-RateLimit-*` headers.
    pub(in crate::http) is_after_rate_limit: bool,
    /// Its own headers. Those without a value are set by the router.
    pub(in crate::http) headers: Vec<(&'static str, Option<HeaderValue>)>,
    /// Further members of the body.
    pub(in crate::http) extra: Extra<'a>,
}

impl<'a> Row<'a> {
    fn new(
        status: StatusCode,
        code: &'static str,
        met_by: fn(&Route) -> bool,
        occurs: &'static str,
        message: impl Into<Cow<'a, str>>,
    ) -> Self {
        let (message, headers) = (message.into(), Vec::new());
        Self {
            status,
            code,
            message,
            occurs,
            met_by,
            is_after_rate_limit: false,
            headers,
            extra: Extra::None(NoExtra {}),
        }
    }

    fn after_rate_limit(self) -> Self {
        Self { is_after_rate_limit: true, ..self }
    }

    fn with_header(mut self, name: &'static str, value: impl Into<Option<HeaderValue>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    fn unauthorized(code: &'static str, occurs: &'static str, message: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, Route::needs_key, occurs, message)
            .with_header("WWW-Authenticate", HeaderValue::from_static("Bearer"))
    }

    fn unavailable(
        code: &'static str,
        met_by: fn(&Route) -> bool,
        occurs: &'static str,
        message: &'static str,
        retry_after: u64,
    ) -> Self {
        let message = format!("{message}; retry in {retry_after} s");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, code, met_by, occurs, message)
            .with_header("Retry-After", HeaderValue::from(retry_after))
            .after_rate_limit()
    }

    /// A refusal of the body as it was sent.
    fn bad_body(
        status: StatusCode,
        code: &'static str,
        occurs: &'static str,
        message: impl Into<Cow<'a, str>>,
    ) -> Self {
        Self::new(status, code, Route::has_body, occurs, message).after_rate_limit()
    }
}

impl ApiError {
    /// No font has that number.
    pub(in crate::http) const NO_SUCH_FONT: Self =
        Self::NotFound { message: "no font has that number; GET /api/v1/fonts lists those there are" };

    /// No mail piece has that name.
    pub(in crate::http) const NO_SUCH_MAIL_PIECE: Self =
        Self::NotFound { message: "no mail piece has that name; GET /api/v1/mail-pieces lists those there are" };

    /// The table.
    #[expect(clippy::too_many_lines, reason = "one row per error")]
    pub(in crate::http) fn row(&self) -> Row<'_> {
        match self {
            Self::MissingKey => Row::unauthorized(
                "INVALID_API_KEY",
                "no key was sent",
                "missing API key; send Authorization: Bearer <key>",
            ),
            Self::InvalidKeyFormat => {
                Row::unauthorized("INVALID_KEY_FORMAT", "the key is incomplete or mistyped", "invalid API key format")
            }
            Self::InvalidKey => {
                Row::unauthorized("INVALID_API_KEY", "the key is unknown or revoked", "invalid or inactive API key")
            }
            Self::QuotaExhausted { limit, used, in_progress, reset_at } => {
                quota_exhausted(*limit, *used, *in_progress, reset_at)
            }
            Self::RateLimited { endpoint, retry_after_seconds: wait } => Row {
                extra: Extra::Rate(RateExtra::of(*endpoint, *wait)),
                ..Row::new(
                    StatusCode::TOO_MANY_REQUESTS,
                    "RATE_LIMIT_EXCEEDED",
                    Route::needs_key,
                    "too many requests in 60 seconds",
                    format!("more than {} requests in 60 seconds; retry in {wait} s", endpoint.limit()),
                )
                .with_header("Retry-After", HeaderValue::from(*wait))
                .after_rate_limit()
            },
            Self::WorkSpent { retry_after_seconds: wait } => Row::new(
                StatusCode::TOO_MANY_REQUESTS,
                "WORK_LIMIT_EXCEEDED",
                Route::is_free,
                "previews, preflights and specimens of this key took as much work as they may in 60 seconds",
                format!(
                    "the free calls of this key took as much work as they may in 60 seconds; make smaller ones, or \
                     retry in {wait} s"
                ),
            )
            .with_header("Retry-After", HeaderValue::from(*wait))
            .after_rate_limit(),
            Self::InvalidRequest { message } => {
                Row::bad_body(StatusCode::BAD_REQUEST, "INVALID_REQUEST", "the body is not JSON", message)
            }
            Self::Validation { violations } => Row {
                extra: Extra::Validation(ValidationExtra::of(violations)),
                met_by: Route::renders,
                ..Row::bad_body(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "VALIDATION_ERROR",
                    "the JSON breaks constraints, the text does not fit, or no font can write it. All violations are \
                     reported at once",
                    validation_message(violations),
                )
            },
            Self::NotFound { message } => Row::new(
                StatusCode::NOT_FOUND,
                "NOT_FOUND",
                Route::has_name,
                "no such path, no font of that number, or no mail piece of that name",
                *message,
            ),
            Self::MethodNotAllowed => Row::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "METHOD_NOT_ALLOWED",
                |_| false,
                "the path does not answer this method",
                "this path does not answer this method; the Allow header names those it does",
            )
            .with_header("Allow", None),
            Self::NotAcceptable { made } => Row::bad_body(
                StatusCode::NOT_ACCEPTABLE,
                "NOT_ACCEPTABLE",
                "`Accept` names files, and none that the request makes",
                format!("this request makes {made}; accept that, or change output_format"),
            ),
            Self::RequestTimeout => Row::bad_body(
                StatusCode::REQUEST_TIMEOUT,
                "REQUEST_TIMEOUT",
                "the body did not arrive in time",
                "the request body did not arrive in time; send it again",
            )
            .with_header("Connection", HeaderValue::from_static("close")),
            Self::PayloadTooLarge => Row::bad_body(
                StatusCode::PAYLOAD_TOO_LARGE,
                "PAYLOAD_TOO_LARGE",
                "the body is larger than 256 KiB",
                format!("the request body is larger than {} KiB", LARGEST_BODY / 1024),
            ),
            Self::UnsupportedMediaType => Row::bad_body(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "the body is not declared as JSON",
                "the request body must be JSON; send Content-Type: application/json",
            ),
            Self::UnsupportedContentEncoding => Row::bad_body(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "UNSUPPORTED_MEDIA_TYPE",
                "the body is compressed",
                "the request body must not be compressed; send it without Content-Encoding",
            )
            .with_header("Accept-Encoding", HeaderValue::from_static("identity")),
            Self::Overloaded { retry_after_seconds, .. } => Row::unavailable(
                "SERVICE_OVERLOADED",
                Route::renders,
                "too many pages are waiting",
                "the service is at its capacity",
                *retry_after_seconds,
            ),
            Self::Unavailable { .. } => Row::unavailable(
                "SERVICE_UNAVAILABLE",
                Route::needs_key,
                "the device is away",
                "the service cannot answer at the moment",
                AWAY_RETRY_SECONDS,
            ),
            Self::StoreUnavailable { .. } => Row::unavailable(
                "STORE_UNAVAILABLE",
                Route::needs_key,
                "keys or quotas cannot be read or written at the moment",
                "keys or quotas cannot be looked up or counted at the moment",
                AWAY_RETRY_SECONDS,
            ),
            Self::GenerationFailed { .. } => Row::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "GENERATION_ERROR",
                |_| true,
                "the request could not be carried out",
                "the page could not be generated; quote the request_id when you report this",
            )
            .after_rate_limit(),
        }
    }

    /// Its name for programs.
    pub(in crate::http) fn code(&self) -> &'static str {
        self.row().code
    }

    /// The cause, for the log; clients never see it.
    pub(in crate::http) fn cause(&self) -> Option<&str> {
        match self {
            Self::Unavailable { cause } | Self::StoreUnavailable { cause } | Self::GenerationFailed { cause } => {
                Some(cause)
            }
            _ => None,
        }
    }

    /// One example of every error, by status, for the document.
    pub(in crate::http) fn examples() -> Vec<Self> {
        let cause = String::new;
        let quota_exhausted = |in_progress| Self::QuotaExhausted {
            limit: 1000,
            used: 1000,
            in_progress,
            reset_at: "2026-12-01T00:00:00Z".to_owned(),
        };
        let too_large = Violation::new(
            vec!["pdf".into(), "bleed_mm".into()],
            ViolationKind::LessThanEqual,
            "Input should be less than or equal to 20, got 25",
        );
        vec![
            Self::InvalidRequest { message: "EOF while parsing an object at line 1 column 9".to_owned() },
            Self::MissingKey,
            Self::InvalidKey,
            Self::InvalidKeyFormat,
            Self::NO_SUCH_FONT,
            Self::NO_SUCH_MAIL_PIECE,
            Self::MethodNotAllowed,
            Self::NotAcceptable { made: "application/pdf".to_owned() },
            Self::RequestTimeout,
            Self::PayloadTooLarge,
            Self::UnsupportedMediaType,
            Self::UnsupportedContentEncoding,
            Self::Validation { violations: too_large.into() },
            Self::RateLimited { endpoint: LimitedEndpoint::Generate, retry_after_seconds: 42 },
            Self::WorkSpent { retry_after_seconds: 17 },
            quota_exhausted(0),
            quota_exhausted(1),
            Self::GenerationFailed { cause: cause() },
            Self::Overloaded { retry_after_seconds: 2, reason: "queue_full" },
            Self::Unavailable { cause: cause() },
            Self::StoreUnavailable { cause: cause() },
        ]
    }
}

/// The row of a used-up quota. With requests in progress it may be free again soon.
fn quota_exhausted(limit: u64, used: u64, in_progress: u64, reset_at: &str) -> Row<'_> {
    let (occurs, message) = if in_progress == 0 {
        (
            "the monthly quota is used up",
            format!("the monthly quota of {limit} requests is used up; it resets at {reset_at}"),
        )
    } else {
        (
            "requests in progress hold what is left of the quota; the response has `Retry-After`",
            format!(
                "requests in progress ({in_progress}) hold what is left of the monthly quota of {limit}; one that \
                 fails is not charged: retry in {HELD_RETRY_SECONDS} s"
            ),
        )
    };
    let status = StatusCode::TOO_MANY_REQUESTS;
    let row = Row::new(status, "REQUEST_LIMIT_EXCEEDED", Route::is_charged, occurs, message);
    let row = Row { extra: Extra::Quota(QuotaExtra { limit, used, period: "monthly", reset_at }), ..row };
    if in_progress == 0 { row } else { row.with_header("Retry-After", HeaderValue::from(HELD_RETRY_SECONDS)) }
}

fn validation_message(violations: &Violations) -> String {
    match violations.as_slice() {
        [only] => only.to_string(),
        several => format!("the request breaks {} constraints; details lists them", several.len()),
    }
}
