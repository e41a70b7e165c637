//! The headers of requests and responses, and the files that have them.

use serde_json::{Value, json};

use super::schema::Parts;
use crate::access::LONGEST_IDEMPOTENCY_KEY;
use crate::http::responses::response_headers::{FILE, OF_OUTLINED, OF_PAGE, OF_PREVIEW};
use crate::http::routes::route::File;
use crate::spec::{OutputName, Representation};

const PNG: &str = OutputName::Png.facts().media_type;
const PDF: &str = OutputName::Pdf.facts().media_type;
const SVG: &str = OutputName::Svg.facts().media_type;
/// A page in this format.
pub(in crate::http) const fn page(format: OutputName) -> File {
    let facts = format.facts();
    let headers: &[&[&str]] = if facts.is_image { &[&FILE, &OF_PAGE] } else { &[&FILE, &OF_PAGE, &OF_OUTLINED] };
    File { media_type: facts.media_type, is_text: false, has_ranges: false, headers }
}
/// A preview as a PNG.
pub(in crate::http) const PREVIEW: File =
    File { media_type: PNG, is_text: false, has_ranges: false, headers: &[&FILE, &OF_PREVIEW] };
/// A picture of fonts.
pub(in crate::http) const PICTURE: File = File { media_type: PNG, is_text: false, has_ranges: false, headers: &[] };
/// The guide of a mail piece.
pub(in crate::http) const GUIDE: File = File { media_type: SVG, is_text: true, has_ranges: false, headers: &[] };
/// A PDF to print.
pub(in crate::http) const SHEET: File =
    File { media_type: PDF, is_text: false, has_ranges: false, headers: &[&["Content-Disposition"]] };
/// Rows of a job.
pub(in crate::http) const ROWS: File =
    File { media_type: "application/jsonl", is_text: true, has_ranges: false, headers: &[&["Link"]] };
/// A file that a job made, in this format.
pub(in crate::http) const fn made(format: OutputName) -> File {
    made_as(format.facts().media_type)
}
/// A file that a job made, of this media type.
pub(in crate::http) const fn made_as(media_type: &'static str) -> File {
    File { media_type, is_text: false, has_ranges: true, headers: &[&["Content-Disposition"]] }
}

/// Every header of responses.
pub(super) fn components() -> Parts {
    let text = || json!({"type": "string"});
    let count = || json!({"type": "integer", "minimum": 0});
    let whole = || json!({"type": "integer", "minimum": 1});
    [
        ("X-Request-ID", true, text(), "The client's `X-Request-ID`, or a new UUID."),
        (
            "X-Process-Time",
            true,
            json!({"type": "string", "pattern": r"^[0-9]+\.[0-9]{3}$", "examples": ["0.042"]}),
            "Processing time in seconds, three decimal places.",
        ),
        ("X-RateLimit-Limit", false, whole(), "Most requests in any 60 seconds."),
        ("X-RateLimit-Remaining", false, count(), "Requests left in the window."),
        ("X-RateLimit-Reset", false, count(), "Unix time at which the oldest counted request leaves the window."),
        (
            "Idempotency-Replayed",
            false,
            json!({"type": "string", "const": "true"}),
            "The request was carried out before; this answer is made again and not charged.",
        ),
        ("Retry-After", false, whole(), "Seconds to wait before the next attempt."),
        ("WWW-Authenticate", true, json!({"type": "string", "const": "Bearer"}), "How to authenticate."),
        ("Allow", true, text(), "The methods that the path answers."),
        ("Accept-Encoding", false, text(), "`identity`: send the body without `Content-Encoding`."),
        ("Connection", false, text(), "`close`: the connection ends here."),
        (
            "Content-Disposition",
            false,
            text(),
            "Files only: `inline` with a file name of page size and DPI; of a job's file `attachment` with its name.",
        ),
        ("Location", false, text(), "The path of the job."),
        ("Link", false, text(), "With `rel=\"next\"`: where the rows after these are, if there may be more."),
        ("Content-Range", false, text(), "Which part of the file this is."),
        ("X-Seed", false, count(), "Files only: the seed the page was made from."),
        ("X-Calculated-Font-Size", false, whole(), "Files only: the size that `auto` chose."),
        ("X-Blocks", false, text(), "Files only: the sizes and ink boxes of the blocks as JSON; not without blocks."),
        (
            "X-Warnings",
            false,
            text(),
            "Files only: the warnings as ASCII JSON, at most 4 KiB. If there are more, its last entry is of the type \
         `more_warnings` and counts them.",
        ),
        ("X-Width", false, whole(), "Files only: width of the full page in pixels at the requested DPI."),
        ("X-Height", false, whole(), "Files only: height of the full page in pixels at the requested DPI."),
        ("X-Characters-Processed", false, count(), "Files only: Unicode scalar values of `text` as received."),
        ("X-Preview-Width", false, whole(), "Files only: width of the preview in pixels."),
        ("X-Preview-Height", false, whole(), "Files only: height of the preview in pixels."),
        (
            "X-Writing",
            false,
            json!({"type": "string", "enum": Representation::NAMES.iter().map(|(name, _)| name).collect::<Vec<_>>()}),
            "PDF and SVG only: how the file carries the writing.",
        ),
    ]
    .into_iter()
    .map(|(name, required, schema, description)| {
        (name.to_owned(), json!({"description": description, "required": required, "schema": schema}))
    })
    .collect()
}

/// References to the headers of these names.
pub(super) fn references<'a>(names: impl IntoIterator<Item = &'a str>) -> Parts {
    names.into_iter().map(|name| (name.to_owned(), reference(name))).collect()
}

/// A reference to the header of this name.
pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{name}")})
}

/// The header that asks for a part of a file.
pub(super) fn range_parameter() -> Value {
    json!({
        "name": "Range",
        "in": "header",
        "required": false,
        "description": "The part of the file to send, as `bytes=0-1023` (RFC 9110, section 14).",
        "schema": {"type": "string", "examples": ["bytes=0-1023"]},
    })
}

/// The header that lets a request be sent again.
pub(super) fn idempotency_key_parameter() -> Value {
    json!({
        "name": "Idempotency-Key",
        "in": "header",
        "required": false,
        "description": "Your name for this request, such as a UUID. The same request with the same key within 24 hours \
                        is answered again, from the same seed, and not charged again.",
        "schema": {
            "type": "string",
            "pattern": "^[!-~]+$",
            "minLength": 1,
            "maxLength": LONGEST_IDEMPOTENCY_KEY,
            "examples": ["7d1c1a52-91a5-4a0e-9d5a-2c4be9f2a2cc"],
        },
    })
}

/// The header that names a request.
pub(super) fn request_id_parameter() -> Value {
    json!({
        "name": "X-Request-ID",
        "in": "header",
        "required": false,
        "description": "Names the request in answers and logs. One that is not of the form \
                        `[A-Za-z0-9._:-]{1,128}` is replaced by a new UUID. Where it is a UUID it is also the \
                        `request_id` of the body.",
        "schema": {"type": "string", "examples": ["3f2b8a54-6c1d-4e7f-9a0b-5d8c7e6f1a2b"]},
    })
}
