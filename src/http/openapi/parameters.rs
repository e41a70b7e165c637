//! Parameters of path and query.

use serde_json::{Value, json};

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
    json!({
        "name": "variation",
        "in": "query",
        "description": "Whether the letters differ as with `enable_writer_variation`.",
        "schema": {"type": "boolean", "default": false},
    })
}

fn required(place: &str, name: &str, description: &str, schema: &Value) -> Value {
    json!({"name": name, "in": place, "required": true, "description": description, "schema": schema})
}
