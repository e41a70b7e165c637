//! Parameters of path and query.

use serde_json::{Value, json};

use crate::artwork::ArtworkId;
use crate::catalogue::OPERATOR_IDS;
use crate::http::handlers::jobs::read::{MOST_AFTER, MOST_ROWS, USUAL_ROWS};
use crate::http::handlers::links::{MOST_DAYS, USUAL_DAYS};
use crate::jobs::RowKind;
use crate::pipeline::SpecimenWords;
use crate::spec::MailPiece;

pub(in crate::http) fn font_id() -> Value {
    let mut schema = super::request::font_id();
    schema["examples"] = json!([3]);
    required("path", "id", "The font's `id`.", &schema)
}

pub(in crate::http) fn mail_piece() -> Value {
    let names: Vec<&str> = MailPiece::all().iter().map(|piece| piece.name.as_str()).collect();
    let schema = json!({"type": "string", "enum": names, "examples": ["lob_postcard_4x6_back"]});
    required("path", "name", "The mail piece's `name`.", &schema)
}

pub(in crate::http) fn words() -> Value {
    let schema = json!({
        "type": "string",
        "minLength": 1,
        "maxLength": SpecimenWords::LONGEST,
        "pattern": "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
        "examples": ["Dear Ann,"],
    });
    required("query", "text", "The words, on one line.", &schema)
}

pub(in crate::http) fn variation() -> Value {
    switch("variation", "Whether the letters differ as with `enable_writer_variation`.")
}

pub(in crate::http) fn link_days() -> Value {
    json!({
        "name": "days",
        "in": "query",
        "description": "Days that the link lasts.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_DAYS, "default": USUAL_DAYS},
    })
}

pub(in crate::http) fn link_page() -> Value {
    json!({
        "name": "page",
        "in": "query",
        "description": "Which of its pages to show, instead of that of the link.",
        "schema": {"type": "integer", "minimum": 1},
    })
}

pub(in crate::http) fn artwork_id() -> Value {
    let schema = json!({"type": "string", "pattern": "^[0-9a-f]{64}$", "examples": [ArtworkId::of(b"").to_string()]});
    required("path", "id", "The picture's `id`.", &schema)
}

pub(in crate::http) fn job_id() -> Value {
    let schema = json!({"type": "string", "format": "uuid", "examples": [super::answers::REQUEST_ID]});
    required("path", "id", "The job's `id`.", &schema)
}

pub(in crate::http) fn job_file() -> Value {
    let schema = json!({"type": "string", "minLength": 1, "examples": ["1-Ann.pdf"]});
    required("path", "name", "The `name` of a row that is made.", &schema)
}

pub(in crate::http) fn hand_id() -> Value {
    let schema = json!({
        "type": "integer",
        "minimum": OPERATOR_IDS.start(),
        "maximum": OPERATOR_IDS.end(),
        "examples": [OPERATOR_IDS.end()],
    });
    required("path", "id", "The hand's `font_id`.", &schema)
}

pub(in crate::http) fn joined() -> Value {
    switch("joined", "For a joined hand: with ticks where strokes lead out of letters.")
}

pub(in crate::http) fn quick() -> Value {
    switch("quick", "Two pages instead of three: fewer copies of each letter, and no letters with accents.")
}

pub(in crate::http) fn letter_paper() -> Value {
    switch("letter", "On Letter paper instead of A4.")
}

fn switch(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "query", "description": description, "schema": {"type": "boolean", "default": false}})
}

pub(in crate::http) fn row_state() -> Value {
    let states: Vec<Value> = RowKind::ALL.iter().map(|kind| json!(kind.name())).collect();
    json!({
        "name": "state",
        "in": "query",
        "description": "Rows in this state alone; `warned`: those that were made, with warnings.",
        "schema": {"type": "string", "enum": states},
    })
}

pub(in crate::http) fn rows_after() -> Value {
    json!({
        "name": "after",
        "in": "query",
        "description": "The number of the last row that is known.",
        "schema": {"type": "integer", "minimum": 0, "maximum": MOST_AFTER, "default": 0},
    })
}

pub(in crate::http) fn with_cells() -> Value {
    switch("cells", "Whether each row has its `cells`.")
}

pub(in crate::http) fn most_rows() -> Value {
    json!({
        "name": "limit",
        "in": "query",
        "description": "Most rows of the answer.",
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "default": USUAL_ROWS},
    })
}

fn required(place: &str, name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "in": place, "required": true, "description": description, "schema": schema})
}
