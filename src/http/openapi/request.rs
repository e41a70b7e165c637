//! The schemas of a generation request, from the tables that validate it.

use serde_json::{Value, json};

use super::examples::{self, Use};
use super::schema::{object, or_null, reference, set};
use crate::spec::{ADDRESS_CHARACTERS, ADDRESS_LINES, FieldDescription, FieldKind, fields, preview_fields};

const PREAMBLE: &str = "One page. Only `text` or `blocks` is required. The margins of each axis must leave room on the page, and \
    the text must fit it; `overflow` says what becomes of text that does not.";

/// The body of a request.
pub(super) fn schema(used: Use) -> Value {
    let mut schema = of_fields(PREAMBLE, used.fields(), used);
    let rules = match used {
        Use::Generate => vec![text_rule(), address_rule(), paginate_rule()],
        Use::Preview => vec![text_rule(), address_rule()],
    };
    set(&mut schema, "allOf", rules);
    if let Value::Object(keywords) = &mut schema {
        keywords.remove("required");
    }
    schema
}

/// The `pdf` member.
pub(super) fn pdf_options() -> Value {
    let description = "PDF options; checked whenever they are there, used when `output_format` is `pdf`.";
    of_members("pdf", description)
}

/// The `region` member.
pub(super) fn region() -> Value {
    of_members("region", "A part of the page, at least 200 px wide and high, inside the page.")
}

/// A block of the `blocks` member.
pub(super) fn block() -> Value {
    of_members("blocks", "A text in a box of its own, which is on the page.")
}

/// The `ruling` member, as an object.
pub(super) fn ruling() -> Value {
    of_members("ruling", "Rules to write on. They go on downwards from the first one.")
}

/// An object that is the field `name` of a preview.
fn of_members(name: &str, description: &str) -> Value {
    let members = preview_fields().iter().find(|field| field.name == name).map(|field| field.kind.members());
    of_fields(description, members.unwrap_or_default(), Use::Generate)
}

/// The range of the numeric field `name`, if it has one.
pub(super) fn bounds_of(name: &str) -> (i64, i64) {
    let kind = fields().iter().find(|field| field.name == name).map(|field| &field.kind);
    match kind {
        Some(FieldKind::Integer { min, max } | FieldKind::FontSize { min, max }) => (*min, *max),
        _ => (i64::MIN, i64::MAX),
    }
}

/// An object with these fields and no others.
fn of_fields(description: &str, fields: &[FieldDescription], used: Use) -> Value {
    let members = fields.iter().map(|field| (field.name, of_field(field, used))).collect();
    let optional: Vec<&str> =
        fields.iter().filter(|field| field.default_json.is_some()).map(|field| field.name).collect();
    let mut schema = object(description, members, &optional);
    set(&mut schema, "additionalProperties", false);
    schema
}

fn of_field(field: &FieldDescription, used: Use) -> Value {
    let mut schema = of_kind(field, used);
    if field.nullable {
        schema = or_null(schema);
    }
    set(&mut schema, "description", field.meaning);
    set(&mut schema, "examples", vec![examples::of_field(field)]);
    if let Some(default) = &field.default_json {
        set(&mut schema, "default", default.clone());
    }
    schema
}

fn of_kind(field: &FieldDescription, used: Use) -> Value {
    match &field.kind {
        FieldKind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        FieldKind::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        FieldKind::Boolean => json!({"type": "boolean"}),
        FieldKind::Text { min_length, max_length } => {
            json!({"type": "string", "minLength": min_length, "maxLength": max_length})
        }
        FieldKind::OneOf(names) => choice(&names_for(field.name, names, used)),
        FieldKind::OneOfIntegers(numbers) => json!({"type": "integer", "enum": numbers}),
        FieldKind::FontSize { min, max } => {
            json!({"anyOf": [{"type": "integer", "minimum": min, "maximum": max}, {"const": "auto"}]})
        }
        FieldKind::Color => json!({
            "type": "array",
            "items": {"type": "integer", "minimum": u8::MIN, "maximum": u8::MAX},
            "minItems": 3,
            "maxItems": 3,
        }),
        FieldKind::PdfObject(_) => reference("PdfOptions"),
        FieldKind::Blocks { most, .. } => {
            json!({"type": "array", "items": reference("Block"), "minItems": 1, "maxItems": most})
        }
        FieldKind::RegionObject(_) => reference("PreviewRegion"),
        FieldKind::Ruling { names, .. } => json!({"anyOf": [choice(names), reference("Ruling")]}),
    }
}

/// A preview is always one PNG.
fn names_for<'a>(field: &str, names: &[&'a str], used: Use) -> Vec<&'a str> {
    let only_pdf = match (used, field) {
        (Use::Preview, "output_format") => "pdf",
        (Use::Preview, "overflow") => "paginate",
        _ => return names.to_vec(),
    };
    names.iter().copied().filter(|name| *name != only_pdf).collect()
}

/// One of these strings. If two differ only in case, generators of clients get distinct names.
fn choice(names: &[&str]) -> Value {
    let mut choice = json!({"type": "string", "enum": names});
    let is_alias = |name: &str| names.iter().any(|other| *other != name && other.to_uppercase() == name);
    if names.iter().any(|name| is_alias(name)) {
        let variants = names.iter().map(|name| {
            let variant = name.to_uppercase();
            if is_alias(name) { format!("{variant}_ALIAS") } else { variant }
        });
        set(&mut choice, "x-enum-varnames", variants.collect::<Vec<_>>());
    }
    choice
}

/// A page has a text, blocks, or both.
fn text_rule() -> Value {
    json!({"anyOf": [{"required": ["text"]}, {"required": ["blocks"]}]})
}

/// An address: few lines, few characters, a fixed font size.
fn address_rule() -> Value {
    let breaks = ADDRESS_LINES - 1;
    json!({
        "if": {"properties": {"generation_type": {"const": "address"}}, "required": ["generation_type"]},
        "then": {
            "properties": {
                "text": {
                    "maxLength": ADDRESS_CHARACTERS,
                    "pattern": format!(r"^[^\r\n]*((\r\n|\r|\n)[^\r\n]*){{0,{breaks}}}\s*$"),
                },
                "font_size": {"type": "integer"},
            },
            "required": ["font_size"],
        },
    })
}

/// Only a PDF has more than one page.
fn paginate_rule() -> Value {
    json!({
        "if": {"properties": {"overflow": {"const": "paginate"}}, "required": ["overflow"]},
        "then": {"properties": {"output_format": {"const": "pdf"}}, "required": ["output_format"]},
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Endpoint, parse_value};

    /// The enumeration of a field, also of `pdf.` members.
    fn enumerated(schema: &Value) -> Vec<(String, Value)> {
        let members = schema["properties"].as_object().unwrap();
        let values = |(name, schema): (&String, &Value)| {
            let values = schema["enum"].as_array().cloned().unwrap_or_default();
            values.into_iter().map(|value| (name.clone(), value)).collect::<Vec<_>>()
        };
        members.iter().flat_map(values).collect()
    }

    #[test]
    fn every_enumerated_value_is_accepted_and_every_value_left_out_is_refused() {
        for (used, endpoint) in [(Use::Generate, Endpoint::Generate), (Use::Preview, Endpoint::Preview)] {
            let enumerated = enumerated(&schema(used));
            assert!(enumerated.len() > 25, "{enumerated:?}");
            for field in used.fields() {
                let FieldKind::OneOf(names) = &field.kind else { continue };
                for name in names {
                    let mut request = json!({"text": "Hi", "font_size": 60, field.name: name});
                    if *name == "paginate" && used == Use::Generate {
                        set(&mut request, "output_format", "pdf");
                    }
                    let result = parse_value(&request, endpoint, || 0);
                    let listed = enumerated.contains(&(field.name.to_owned(), Value::from(*name)));
                    assert_eq!(listed, result.is_ok(), "{name} of {} for {used:?}", field.name);
                }
            }
        }
    }

    #[test]
    fn null_is_allowed_where_the_table_says_so() {
        for used in [Use::Generate, Use::Preview] {
            let schema = schema(used);
            for field in used.fields() {
                let described = schema["properties"][field.name].to_string();
                assert_eq!(described.contains("\"null\""), field.nullable, "{}: {described}", field.name);
            }
        }
    }
}
