//! The interface as one `OpenAPI` 3.1 document, made from the types that validate and answer.
//!
//! Input: the field tables of `spec`, the table of `routes`, the table of `errors`, the limits of `access`, and the
//! structs that handlers answer with. Output: [`document`], a JSON value, and [`text`], its text for `/openapi.json`,
//! `longhand openapi` and the committed copy. Parts: `schema` (JSON Schema of Rust types), `request` (fields to schemas),
//! `examples` (of requests), `answers` (successes), `errors` (all errors, by operation), `headers` with the kinds of
//! files, `parameters`, `jobs` (requests of jobs), `hands` (requests for hands, and their answers), `operations` (the
//! paths). The code that answers also writes the examples of answers, so they cannot drift. The module decides nothing: a constraint that is not in the tables and types is not in the document.

pub(super) mod answers;
pub(super) mod artwork;
mod errors;
mod examples;
pub(super) mod hands;
pub(super) mod headers;
mod jobs;
mod operations;
pub(super) mod parameters;
mod request;
mod schema;

use std::borrow::Cow;
use std::sync::LazyLock;

use serde_json::{Value, json};

use errors::Errors;
use schema::Schemas;

use super::errors::table::ApiError;
use super::responses::static_files::StaticFile;
use crate::spec::Endpoint;

static DOCUMENT: LazyLock<Value> = LazyLock::new(describe);
// A JSON value always serialises.
static TEXT: LazyLock<String> = LazyLock::new(|| serde_json::to_string_pretty(&*DOCUMENT).unwrap_or_default());
/// The answer to `GET /openapi.json`.
pub(super) static FILE: LazyLock<StaticFile> =
    LazyLock::new(|| StaticFile::new("openapi.json", "application/json", Cow::Borrowed(text())));

/// The whole document.
#[must_use]
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// The document as indented JSON, without a final newline.
#[must_use]
pub fn text() -> &'static str {
    &TEXT
}

fn describe() -> Value {
    let errors = Errors(ApiError::examples());
    let mut schemas = Schemas::new();
    answers::describe(&mut schemas);
    errors.describe(&mut schemas);
    jobs::describe(&mut schemas);
    hands::describe(&mut schemas);
    artwork::describe(&mut schemas);
    for endpoint in Endpoint::all() {
        schemas.insert(&request::name(endpoint), request::schema(endpoint));
    }
    for (name, schema) in request::objects() {
        schemas.insert(name, schema);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Longhand",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Turns text into handwriting",
            "description": DESCRIPTION,
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "This service"}],
        "tags": [
            {"name": "pages", "description": "Text in, a page of handwriting out."},
            {"name": "jobs", "description": "Large mailings, made while nobody waits."},
            {"name": "hands", "description": "Hands of clients, where the operator allows it."},
            {"name": "artwork", "description": "Pictures and drawings of clients under the writing, where the operator allows it."},
            {"name": "service", "description": "What the service offers and how it is."},
        ],
        "paths": operations::paths(&errors),
        "components": {
            "schemas": schemas.into_parts(),
            "responses": errors.responses(),
            "headers": headers::components(),
            "parameters": {
                "RequestId": headers::request_id_parameter(),
                "IdempotencyKey": headers::idempotency_key_parameter(),
                "Range": headers::range_parameter(),
            },
            "securitySchemes": {"bearer": {
                "type": "http",
                "scheme": "bearer",
                "bearerFormat": "lh_…",
                "description": "An API key as `Authorization: Bearer <key>`. Limits and quotas are counted per key.",
            }},
        },
    })
}

const DESCRIPTION: &str = "Longhand renders text as handwriting: JSON in, a page out.\n\n\
    Lengths of a request (margins, font sizes, spacings, indentation) are pixels at 300 DPI. At 600 DPI the page is \
    the same, twice as fine.\n\n\
    Every error of the service has a JSON body with `error` (a code for programs), `message` (for people) and \
    `request_id`. A path that does not exist is 404 `NOT_FOUND`; a method that a path does not answer is \
    405 `METHOD_NOT_ALLOWED` with \
    `Allow`.\n\n\
    Requests are checked in this order: authentication, monthly quota (pages only), rate limit, body. On \
    `RATE_LIMIT_EXCEEDED` and `WORK_LIMIT_EXCEEDED` wait `Retry-After` seconds; on `REQUEST_LIMIT_EXCEEDED` without it wait until `reset_at`.";
