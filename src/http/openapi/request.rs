//! The schemas of a generation request, from the tables that validate it.

use serde_json::{Value, json};

use super::examples;
use super::schema::{object, or_null, reference, set};
use crate::catalogue::{FONT_COUNT, OPERATOR_IDS};
use crate::spec::{
    ADDRESS_CHARACTERS, ADDRESS_LINES, Endpoint, FieldDescription, FieldKind, OutputName, fields, preview_fields,
};

const PREAMBLE: &str = "One page. Only `text` or `blocks` is required. The margins of each axis must leave room on the page, and \
    the text must fit it; `overflow` says what becomes of text that does not.";

/// The name of the schema of a request.
pub(super) fn name(endpoint: Endpoint) -> String {
    match endpoint {
        Endpoint::Generate => "GenerationRequest".to_owned(),
        // As the variant is spelled, like the id of its operation.
        Endpoint::GenerateFile(format) => format!("{format:?}Request"),
        Endpoint::Preview => "PreviewRequest".to_owned(),
    }
}

/// The body of a request.
pub(super) fn schema(endpoint: Endpoint) -> Value {
    let mut schema = of_fields(PREAMBLE, endpoint.fields(), endpoint);
    let mut rules = vec![text_rule(), address_rule(), custom_page_rule()];
    if endpoint.only_format().is_none() {
        rules.push(paginate_rule());
    }
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

/// The `svg` member.
pub(super) fn svg_options() -> Value {
    of_members("svg", "SVG options; checked whenever they are there, used when `output_format` is `svg`.")
}

/// The `region` member.
pub(super) fn region() -> Value {
    of_members("region", "A part of the page, at least 200 px wide and high, inside the page.")
}

/// A block of the `blocks` member.
pub(super) fn block() -> Value {
    of_members("blocks", "A text in a box of its own, which is on the page.")
}

/// The `custom_page` member.
pub(super) fn custom_page() -> Value {
    of_members("custom_page", "The sides of a page of any size, from 25 mm to those of A3.")
}

/// The `ruling` member, as an object.
pub(super) fn ruling() -> Value {
    of_members("ruling", "Rules to write on. They go on downwards from the first one.")
}

/// An object that is the field `name` of a preview.
fn of_members(name: &str, description: &str) -> Value {
    let members = preview_fields().iter().find(|field| field.name == name).map(|field| field.kind.members());
    of_fields(description, members.unwrap_or_default(), Endpoint::Generate)
}

/// The range of the numeric field `name`, if it has one.
pub(super) fn bounds_of(name: &str) -> (i64, i64) {
    let kind = fields().iter().find(|field| field.name == name).map(|field| &field.kind);
    match kind {
        Some(FieldKind::Integer { min, max } | FieldKind::FontSize { min, max }) => (*min, *max),
        _ => (i64::MIN, i64::MAX),
    }
}

/// The number of a font: one of the program, or one that an operator may have.
pub(super) fn font_id() -> Value {
    json!({
        "type": "integer",
        "anyOf": [
            {"minimum": 1, "maximum": FONT_COUNT},
            {"minimum": OPERATOR_IDS.start(), "maximum": OPERATOR_IDS.end()},
        ],
    })
}

/// An object with these fields and no others.
fn of_fields(description: &str, fields: &[FieldDescription], endpoint: Endpoint) -> Value {
    let members = fields.iter().map(|field| (field.name, of_field(field, endpoint))).collect();
    let optional: Vec<&str> =
        fields.iter().filter(|field| field.default_json.is_some()).map(|field| field.name).collect();
    let mut schema = object(description, members, &optional);
    set(&mut schema, "additionalProperties", false);
    schema
}

fn of_field(field: &FieldDescription, endpoint: Endpoint) -> Value {
    let mut schema = of_kind(field, endpoint);
    if field.nullable {
        schema = or_null(schema);
    }
    set(&mut schema, "description", field.meaning);
    set(&mut schema, "examples", vec![examples::of_field(field, endpoint)]);
    if let Some(default) = examples::default_of(field, endpoint) {
        set(&mut schema, "default", default);
    }
    schema
}

fn of_kind(field: &FieldDescription, endpoint: Endpoint) -> Value {
    match &field.kind {
        FieldKind::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        FieldKind::FontId => font_id(),
        FieldKind::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        FieldKind::Boolean => json!({"type": "boolean"}),
        FieldKind::Text { min_length, max_length } => {
            json!({"type": "string", "minLength": min_length, "maxLength": max_length})
        }
        FieldKind::OneOf(names) if field.nullable => choice_or_null(names),
        FieldKind::OneOf(names) => choice(&names_for(field.name, names, endpoint)),
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
        FieldKind::SvgObject(_) => reference("SvgOptions"),
        FieldKind::RegionObject(_) => reference("PreviewRegion"),
        FieldKind::CustomPageObject(_) => reference("CustomPage"),
        FieldKind::Ruling { names, .. } => json!({"anyOf": [choice(names), reference("Ruling")]}),
    }
}

/// The names that an endpoint accepts. Some have one format, which may have one page.
fn names_for<'a>(field: &str, names: &[&'a str], endpoint: Endpoint) -> Vec<&'a str> {
    let is_accepted = |name: &str| match (endpoint.only_format(), field) {
        (Some(only), OutputName::FIELD) => name == only.name(),
        (Some(only), "overflow") => only.facts().has_pages || name != "paginate",
        _ => true,
    };
    names.iter().copied().filter(|name| is_accepted(name)).collect()
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

/// One of these strings, or null: an enumeration has to list all that it allows.
fn choice_or_null(names: &[&str]) -> Value {
    let with_null: Vec<Value> = names.iter().map(|name| Value::from(*name)).chain([Value::Null]).collect();
    json!({"type": "string", "enum": with_null})
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

/// A custom page has sides, and no other page has.
fn custom_page_rule() -> Value {
    json!({
        "if": {"properties": {"page_size": {"const": "custom"}}, "required": ["page_size"]},
        "then": {"properties": {"custom_page": {"type": "object"}}, "required": ["custom_page"]},
        "else": {"properties": {"custom_page": {"type": "null"}}},
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
    use crate::spec::parse_value;

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
        for endpoint in Endpoint::all() {
            let enumerated = enumerated(&schema(endpoint));
            assert!(enumerated.len() > 25, "{enumerated:?}");
            for field in endpoint.fields() {
                let FieldKind::OneOf(names) = &field.kind else { continue };
                for name in names {
                    let mut request = json!({"text": "Hi", "font_size": 60, field.name: name});
                    if field.name == "mail_piece" {
                        // The default margins leave no area on small pieces with many zones.
                        for margin in ["margin_left", "margin_right", "margin_top", "margin_bottom"] {
                            set(&mut request, margin, 20);
                        }
                    }
                    if *name == "custom" {
                        set(&mut request, "custom_page", json!({"width": 100, "height": 150}));
                    }
                    if *name == "paginate" && endpoint == Endpoint::Generate {
                        set(&mut request, "output_format", "pdf");
                    }
                    let result = parse_value(&request, endpoint, || 0);
                    let listed = enumerated.contains(&(field.name.to_owned(), Value::from(*name)));
                    assert_eq!(listed, result.is_ok(), "{name} of {} for {endpoint:?}", field.name);
                }
            }
        }
    }

    #[test]
    fn null_is_allowed_where_the_table_says_so() {
        for endpoint in Endpoint::all() {
            let schema = schema(endpoint);
            for field in endpoint.fields() {
                let described = schema["properties"][field.name].to_string();
                assert_eq!(described.contains("\"null\""), field.nullable, "{}: {described}", field.name);
            }
        }
    }
}
