//! The JSON body of an error.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::spec::{FileReading, PathSegment, Violation, Violations};

/// The body of an error. `M` has the members that only some errors have.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ErrorBody<'a, M> {
    /// What went wrong, for programs.
    pub(in crate::http) error: &'static str,
    /// What went wrong and what would be right, for people.
    pub(in crate::http) message: String,
    /// The same as the `X-Request-ID` header.
    pub(in crate::http) request_id: &'a str,
    #[serde(flatten)]
    pub(in crate::http) extra: M,
}

/// The members that only some errors have.
#[derive(Serialize)]
#[serde(untagged)]
pub(in crate::http) enum Extra<'a> {
    None(NoExtra),
    Quota(QuotaExtra<'a>),
    Rate(RateExtra),
    Validation(ValidationExtra<'a>),
}

/// An error.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct NoExtra {}

/// The monthly quota is used up.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct QuotaExtra<'a> {
    /// Pages per month.
    pub(in crate::http) limit: u64,
    /// Pages this month, including those in progress.
    pub(in crate::http) used: u64,
    /// The period of the limit.
    #[schemars(extend("const" = "monthly"))]
    pub(in crate::http) period: &'static str,
    /// When the next month begins, UTC.
    #[schemars(extend("format" = "date-time"))]
    pub(in crate::http) reset_at: &'a str,
}

/// Too many requests in 60 seconds.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct RateExtra {
    /// Most requests in any 60 seconds.
    pub(in crate::http) limit: u64,
    /// The end of the path, such as `/generate`.
    pub(in crate::http) endpoint: String,
    /// Seconds to wait.
    #[schemars(range(min = 1))]
    pub(super) retry_after: u64,
}

/// The JSON breaks constraints.
#[derive(Serialize, JsonSchema)]
pub(in crate::http) struct ValidationExtra<'a> {
    /// Everything that is wrong, one entry per violation.
    details: Vec<Detail<'a>>,
    /// The same entries with the field as a path.
    detail: Vec<LocatedDetail<'a>>,
}

impl<'a> ValidationExtra<'a> {
    pub(in crate::http) fn of(violations: &'a Violations) -> Self {
        let segment = |segment: &PathSegment| match segment {
            PathSegment::Key(name) => Value::from(name.as_str()),
            PathSegment::Index(index) => Value::from(*index),
        };
        let detail = |violation: &'a Violation| Detail {
            field: violation.field(),
            message: &violation.message,
            r#type: violation.kind.name(),
            readings: violation.readings.iter().map(ShownReading::of).collect(),
        };
        let located = |violation: &'a Violation| LocatedDetail {
            loc: std::iter::once("body".into()).chain(violation.path.iter().map(segment)).collect(),
            msg: &violation.message,
            r#type: violation.kind.name(),
        };
        Self { details: violations.iter().map(detail).collect(), detail: violations.iter().map(located).collect() }
    }
}

const VIOLATION_TYPE: &str = "What is wrong, for programs, such as `less_than_equal`, `missing`, `extra_forbidden`, \
    `text_overflow`, `unsupported_character` or `too_costly`; there may be new ones.";

/// One constraint that is broken.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Violation")]
struct Detail<'a> {
    /// The field, such as `pdf.bleed_mm`; `body` for the body as a whole.
    field: String,
    /// What would be right.
    message: &'a str,
    #[schemars(description = VIOLATION_TYPE)]
    r#type: &'static str,
    /// What the file says in each encoding that it may have, the likeliest first, where that is not certain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    readings: Vec<ShownReading<'a>>,
}

/// What a file says in one encoding.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "FileReading")]
struct ShownReading<'a> {
    /// The encoding, such as `windows-1250`; `table.encoding` takes it.
    encoding: &'a str,
    /// Words of the file in which the encodings differ.
    sample: &'a str,
}

impl<'a> ShownReading<'a> {
    fn of(reading: &'a FileReading) -> Self {
        Self { encoding: &reading.encoding, sample: &reading.sample }
    }
}

/// One constraint that is broken, with its place as a path.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "LocatedViolation")]
struct LocatedDetail<'a> {
    /// The path to the field from `body`: names of members, indices of items.
    #[schemars(schema_with = "path_schema")]
    loc: Vec<Value>,
    /// What would be right.
    msg: &'a str,
    #[schemars(description = VIOLATION_TYPE)]
    r#type: &'static str,
}

fn path_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({"type": "array", "items": {"type": ["string", "integer"]}})
}
