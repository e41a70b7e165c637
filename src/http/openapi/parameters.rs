//! Parameters of path and query.

use serde_json::{Value, json};

use super::schema::set;
use crate::pipeline::SpecimenWords;
use crate::spec::MailPiece;

pub(in crate::http) fn font_id() -> Value {
    let mut schema = super::request::font_id();
    set(&mut schema, "examples", vec![3]);
    json!({"name": "id", "in": "path", "required": true, "description": "The font's `id`.", "schema": schema})
}

pub(in crate::http) fn variation() -> Value {
    json!({
        "name": "variation",
        "in": "query",
        "description": "Whether the letters differ as with `enable_writer_variation`.",
        "schema": {"type": "boolean", "default": false},
    })
}

pub(in crate::http) fn words() -> Value {
    let schema = json!({
        "type": "string",
        "minLength": 1,
        "maxLength": SpecimenWords::LONGEST,
        "pattern": "^[^\\x00-\\x1f\\x7f-\\x9f]*$",
        "examples": ["Dear Ann,"],
    });
    json!({
        "name": "text",
        "in": "query",
        "required": true,
        "description": "The words, on one line.",
        "schema": schema,
    })
}

pub(in crate::http) fn mail_piece() -> Value {
    let names: Vec<&str> = MailPiece::all().iter().map(|piece| piece.name.as_str()).collect();
    json!({
        "name": "name",
        "in": "path",
        "required": true,
        "description": "The mail piece's `name`.",
        "schema": {"type": "string", "enum": names, "examples": ["lob_postcard_4x6_back"]},
    })
}
