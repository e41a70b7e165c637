//! The schemas of requests for jobs.

use serde_json::{Value, json};

use super::request;
use super::schema::{Schemas, reference, request_schemas};
use crate::jobs::{JobRequest, MOST_JOB_ROWS};
use crate::spec::Endpoint;

/// The schema of a job without its rows.
const JOB: &str = "JobRequest";

/// Adds the schemas of a job without its rows, and with them.
pub(super) fn describe(schemas: &mut Schemas) {
    let mut parts = request_schemas::<JobRequest>();
    let mut job = parts.remove(JOB).unwrap_or_default();
    let mut page = reference(&request::name(Endpoint::Generate));
    page["description"] = "`text` and the texts of `blocks` may have placeholders: `{column}`, `{column|default}`, \
                           `{row}`, and `{{` for a brace."
        .into();
    job["properties"]["request"] = page;
    let mut with_rows = job.clone();
    with_rows["description"] = "A job with its rows.".into();
    with_rows["properties"]["rows"] = rows();
    if let Some(required) = with_rows["required"].as_array_mut() {
        required.push("rows".into());
    }
    schemas.insert(JOB, job);
    schemas.insert("NewJob", with_rows);
    for (name, schema) in parts {
        schemas.insert(&name, schema);
    }
}

fn rows() -> Value {
    json!({
        "type": "array",
        "minItems": 1,
        "maxItems": MOST_JOB_ROWS,
        "description": "The members of the first row are the columns; the others have no further ones.",
        "items": {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
        },
    })
}
