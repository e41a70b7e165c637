//! All errors of the table: where they can occur, and their answers.

use serde_json::{Value, json};

use super::answers::REQUEST_ID;
use super::headers::{self, ALLOWANCE, ALWAYS};
use super::operations::Operation;
use super::schema::{Parts, count, list, object, one_of, reference, typed};
use crate::access::LimitedEndpoint;
use crate::http::error::ApiError;
use crate::spec::{Violation, ViolationKind, Violations};

/// One of every error, as an example.
pub(super) struct Errors(Vec<ApiError>);

impl Errors {
    /// The table.
    pub(super) fn collect() -> Self {
        let cause = String::new;
        let limit = LimitedEndpoint::Generate.limit().into();
        Self(vec![
            ApiError::InvalidRequest { message: "EOF while parsing an object at line 1 column 9".to_owned() },
            ApiError::MissingKey,
            ApiError::InvalidKey,
            ApiError::InvalidKeyFormat,
            ApiError::NO_SUCH_FONT,
            ApiError::MethodNotAllowed,
            ApiError::RequestTimeout,
            ApiError::PayloadTooLarge,
            ApiError::UnsupportedMediaType,
            ApiError::UnsupportedContentEncoding,
            ApiError::Validation { violations: violations() },
            ApiError::RateLimited { endpoint: LimitedEndpoint::Generate.path_tail(), limit, retry_after_seconds: 42 },
            quota_exhausted(0),
            quota_exhausted(1),
            ApiError::GenerationFailed { cause: cause() },
            ApiError::Overloaded { retry_after_seconds: 2, reason: "queue_full" },
            ApiError::Unavailable { cause: cause() },
            ApiError::StoreUnavailable { cause: cause() },
        ])
    }

    /// The schemas of error bodies.
    pub(super) fn schemas(&self) -> Parts {
        let codes = |wanted: &str| -> Vec<&str> {
            let mut codes: Vec<&str> =
                self.0.iter().filter(|error| schema_name(error) == wanted).map(ApiError::code).collect();
            codes.dedup();
            codes
        };
        let with = |name: &'static str, description: &str, more: Vec<(&'static str, Value)>| {
            let mut members = vec![
                ("error", one_of(&codes(name), "What went wrong, for programs.")),
                ("message", typed("string", "What went wrong and what would be right, for people.")),
                ("request_id", typed("string", "The same as the `X-Request-ID` header.")),
            ];
            members.extend(more);
            (name.to_owned(), object(description, members, &[]))
        };
        let rate = vec![
            ("limit", count("Most requests in any 60 seconds.")),
            ("endpoint", typed("string", "The end of the path, such as `/generate`.")),
            ("retry_after", json!({"type": "integer", "minimum": 1, "description": "Seconds to wait."})),
        ];
        let quota = vec![
            ("limit", count("Pages a month.")),
            ("used", count("Pages this month, those in progress included.")),
            ("period", json!({"type": "string", "const": "monthly", "description": "What the limit is for."})),
            (
                "reset_at",
                json!({"type": "string", "format": "date-time", "description": "When the next month begins, UTC."}),
            ),
        ];
        let details = "Everything that is wrong, one entry a violation.";
        let validation = vec![
            ("details", list(&reference("Violation"), details)),
            ("detail", list(&reference("LocatedViolation"), "The same entries with the field as a path.")),
        ];
        Parts::from_iter([
            with("Error", "An error.", vec![]),
            with("RateLimitError", "Too many requests in 60 seconds.", rate),
            with("QuotaError", "The monthly quota is used up.", quota),
            with("ValidationError", "The JSON breaks constraints.", validation),
            ("Violation".to_owned(), violation()),
            ("LocatedViolation".to_owned(), located_violation()),
        ])
    }

    /// Every error as a response of its own, by status and code.
    pub(super) fn responses(&self) -> Parts {
        let mut statuses: Vec<u16> = self.0.iter().map(|error| error.status().as_u16()).collect();
        statuses.dedup();
        statuses.into_iter().map(|status| (format!("Error{status}"), self.response(status, |_| true))).collect()
    }

    /// The error responses of `operation`, by status.
    pub(super) fn of(&self, operation: Operation) -> Parts {
        let met: Vec<&ApiError> = self.0.iter().filter(|error| can_meet(error, operation)).collect();
        let whole = |status: u16| {
            self.0.iter().filter(|error| error.status().as_u16() == status).all(|error| can_meet(error, operation))
        };
        met.iter()
            .map(|error| {
                let status = error.status().as_u16();
                let response = if whole(status) {
                    json!({"$ref": format!("#/components/responses/Error{status}")})
                } else {
                    self.response(status, |error| can_meet(error, operation))
                };
                (status.to_string(), response)
            })
            .collect()
    }

    /// The answer of this status, whichever of the `wanted` errors it is.
    fn response(&self, status: u16, wanted: impl Fn(&ApiError) -> bool) -> Value {
        let errors: Vec<&ApiError> =
            self.0.iter().filter(|error| error.status().as_u16() == status && wanted(error)).collect();
        let mut schemas: Vec<&str> = errors.iter().map(|error| schema_name(error)).collect();
        schemas.dedup();
        let references: Vec<Value> = schemas.into_iter().map(reference).collect();
        let schema = match references.as_slice() {
            [only] => only.clone(),
            several => json!({"oneOf": several}),
        };
        let mut examples = Parts::new();
        for (number, error) in errors.iter().enumerate() {
            let code = error.code().to_ascii_lowercase();
            let name = if examples.contains_key(&code) { format!("{code}_{}", number + 1) } else { code };
            examples.insert(
                name,
                json!({"value": serde_json::from_slice::<Value>(&error.body(REQUEST_ID)).unwrap_or_default()}),
            );
        }
        let mut names: Vec<&str> = ALWAYS.to_vec();
        names.extend(errors.iter().flat_map(|error| headers_of(error)));
        let descriptions: Vec<&str> = errors.iter().map(|error| description(error)).collect();
        json!({
            "description": descriptions.join(" "),
            "headers": headers::references(names),
            "content": {"application/json": {"schema": schema, "examples": examples}},
        })
    }
}

fn quota_exhausted(in_progress: u64) -> ApiError {
    ApiError::QuotaExhausted { limit: 1000, used: 1000, in_progress, reset_at: "2026-12-01T00:00:00Z".to_owned() }
}

fn violations() -> Violations {
    let path = vec!["pdf".into(), "bleed_mm".into()];
    let violation =
        Violation::new(path, ViolationKind::LessThanEqual, "Input should be less than or equal to 20, got 25");
    violation.into()
}

fn violation() -> Value {
    let members = vec![
        ("field", typed("string", "The field, such as `pdf.bleed_mm`; `body` for the body as a whole.")),
        ("message", typed("string", "What would be right.")),
        ("type", typed("string", VIOLATION_TYPE)),
    ];
    object("One constraint that is broken.", members, &[])
}

fn located_violation() -> Value {
    let step = json!({"type": ["string", "integer"]});
    let members = vec![
        ("loc", list(&step, "The path to the field from `body`: names of members, indices of items.")),
        ("msg", typed("string", "What would be right.")),
        ("type", typed("string", VIOLATION_TYPE)),
    ];
    object("One constraint that is broken, with its place as a path.", members, &[])
}

const VIOLATION_TYPE: &str = "What is wrong, for programs, such as `less_than_equal`, `missing`, `extra_forbidden`, \
    `text_overflow`, `unsupported_character` or `too_costly`; there may be new ones.";

const fn schema_name(error: &ApiError) -> &'static str {
    match error {
        ApiError::QuotaExhausted { .. } => "QuotaError",
        ApiError::RateLimited { .. } => "RateLimitError",
        ApiError::Validation { .. } => "ValidationError",
        _ => "Error",
    }
}

/// Whether a documented request of `operation` can end so. Every error must be placed here.
fn can_meet(error: &ApiError, operation: Operation) -> bool {
    use Operation::{Generate, Preview, Specimen, Status};
    match error {
        ApiError::QuotaExhausted { .. } => operation == Generate,
        ApiError::MissingKey
        | ApiError::InvalidKeyFormat
        | ApiError::InvalidKey
        | ApiError::RateLimited { .. }
        | ApiError::Unavailable { .. }
        | ApiError::StoreUnavailable { .. } => operation != Status,
        ApiError::InvalidRequest { .. }
        | ApiError::Validation { .. }
        | ApiError::RequestTimeout
        | ApiError::PayloadTooLarge
        | ApiError::UnsupportedMediaType
        | ApiError::UnsupportedContentEncoding => matches!(operation, Generate | Preview),
        ApiError::Overloaded { .. } => matches!(operation, Generate | Preview | Specimen),
        ApiError::NotFound { .. } => operation == Specimen,
        ApiError::MethodNotAllowed => false,
        ApiError::GenerationFailed { .. } => true,
    }
}

/// The names of the headers that this error sets, beside those of every answer.
fn headers_of(error: &ApiError) -> Vec<&'static str> {
    let mut own = axum::http::HeaderMap::new();
    error.stamp(&mut own);
    let known = ["Retry-After", "WWW-Authenticate", "Connection", "Accept-Encoding"];
    let mut names: Vec<&str> = known.into_iter().filter(|name| own.contains_key(*name)).collect();
    match error {
        ApiError::MethodNotAllowed => names.push("Allow"),
        // These come after the rate limit was asked, which leaves its mark on every answer.
        ApiError::RateLimited { .. }
        | ApiError::InvalidRequest { .. }
        | ApiError::Validation { .. }
        | ApiError::RequestTimeout
        | ApiError::PayloadTooLarge
        | ApiError::UnsupportedMediaType
        | ApiError::UnsupportedContentEncoding
        | ApiError::Overloaded { .. }
        | ApiError::Unavailable { .. }
        | ApiError::StoreUnavailable { .. }
        | ApiError::GenerationFailed { .. } => names.extend(ALLOWANCE),
        _ => {}
    }
    names
}

/// When it is met.
const fn description(error: &ApiError) -> &'static str {
    match error {
        ApiError::MissingKey => "`INVALID_API_KEY`: no key was sent.",
        ApiError::InvalidKeyFormat => "`INVALID_KEY_FORMAT`: the key is none by its form.",
        ApiError::InvalidKey => "`INVALID_API_KEY`: the key is unknown or revoked.",
        ApiError::QuotaExhausted { in_progress: 0, .. } => "`REQUEST_LIMIT_EXCEEDED`: the monthly quota is used up.",
        ApiError::QuotaExhausted { .. } => {
            "`REQUEST_LIMIT_EXCEEDED` with `Retry-After`: requests in progress hold what is left of the quota."
        }
        ApiError::RateLimited { .. } => "`RATE_LIMIT_EXCEEDED`: too many requests in 60 seconds.",
        ApiError::InvalidRequest { .. } => "`INVALID_REQUEST`: the body is not JSON.",
        ApiError::Validation { .. } => {
            "`VALIDATION_ERROR`: the JSON breaks constraints, the text does not fit, or no font can write it. All \
             violations are reported at once."
        }
        ApiError::NotFound { .. } => "`NOT_FOUND`: no such path, or no font of that number.",
        ApiError::MethodNotAllowed => "`METHOD_NOT_ALLOWED`: the path does not answer this method.",
        ApiError::RequestTimeout => "`REQUEST_TIMEOUT`: the body did not arrive in time.",
        ApiError::PayloadTooLarge => "`PAYLOAD_TOO_LARGE`: the body is larger than 256 KiB.",
        ApiError::UnsupportedMediaType => "`UNSUPPORTED_MEDIA_TYPE`: the body is not declared as JSON.",
        ApiError::UnsupportedContentEncoding => "`UNSUPPORTED_MEDIA_TYPE`: the body is compressed.",
        ApiError::Overloaded { .. } => "`SERVICE_OVERLOADED`: too many pages are waiting.",
        ApiError::Unavailable { .. } => "`SERVICE_UNAVAILABLE`: the device is away.",
        ApiError::StoreUnavailable { .. } => {
            "`STORE_UNAVAILABLE`: keys or quotas cannot be looked up or counted at the moment."
        }
        ApiError::GenerationFailed { .. } => "`GENERATION_ERROR`: the request could not be carried out.",
    }
}
