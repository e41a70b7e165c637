//! The schemas of a generation request, from the tables that validate it.

use serde_json::{Value, json};

use super::examples;
use super::schema::{Parts, or_null, reference};
use crate::catalogue::{FONT_COUNT, OPERATOR_IDS};
use crate::spec::{
    ADDRESS_CHARACTERS, ADDRESS_LINES, Endpoint, FieldDescription, FieldKind, ObjectDescription, OutputName,
    RequestPreset, fields,
};

const PREAMBLE: &str = "One page. Only `text`, `blocks`, `artwork` or `sides` is required. The margins of each axis must leave room on the page, and \
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
    let contents = ["text", "blocks", "artwork", "sides"].into_iter();
    let contents = contents.filter(|name| endpoint.fields().iter().any(|field| field.name == *name));
    let contents: Vec<Value> = contents.map(|name| json!({"required": [name]})).collect();
    let mut rules = vec![json!({"anyOf": contents}), address_rule(), custom_page_rule()];
    if endpoint.only_format().is_none() {
        rules.push(paginate_rule());
    }
    schema["allOf"] = rules.into();
    if let Value::Object(keywords) = &mut schema {
        keywords.remove("required");
    }
    schema
}

/// The objects that are fields of a preview, or in them, by the names of their schemas.
pub(super) fn objects() -> impl Iterator<Item = (&'static str, Value)> {
    let objects = Endpoint::Preview.fields().iter().filter_map(|field| field.kind.object());
    objects.map(|ObjectDescription { schema, meaning, members, has_any }| {
        let mut object = of_fields(meaning, members(), Endpoint::Generate);
        object["additionalProperties"] = has_any.into();
        (schema, object)
    })
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
    let properties: Parts = fields.iter().map(|field| (field.name.to_owned(), of_field(field, endpoint))).collect();
    let required: Vec<&str> =
        fields.iter().filter(|field| field.default_json.is_none()).map(|field| field.name).collect();
    let mut schema = json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

fn of_field(field: &FieldDescription, endpoint: Endpoint) -> Value {
    let mut schema = of_kind(field, endpoint);
    if field.nullable {
        schema = or_null(schema);
    }
    schema["description"] = field.meaning.into();
    if let Some(unit) = field.unit {
        schema["x-unit"] = unit.into();
    }
    schema["examples"] = vec![examples::of_field(field, endpoint)].into();
    if field.name == RequestPreset::FIELD {
        schema["x-sets"] = RequestPreset::NAMES.iter().map(|(name, preset)| (*name, sets(*preset))).collect();
    }
    if let Some(default) = examples::default_of(field, endpoint) {
        schema["default"] = default;
    }
    schema
}

/// The fields that a preset sets, with their values.
fn sets(preset: RequestPreset) -> Value {
    preset.values().into_iter().collect()
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
        FieldKind::Object(object) => reference(object.schema),
        FieldKind::List { most, object } => {
            json!({"type": "array", "items": reference(object.schema), "minItems": 1, "maxItems": most})
        }
        FieldKind::Ruling { names, object } => json!({"anyOf": [choice(names), reference(object.schema)]}),
    }
}

/// The names that an endpoint accepts. Some have one format, which may have one page; a preview shows each page of all.
fn names_for<'a>(field: &str, names: &[&'a str], endpoint: Endpoint) -> Vec<&'a str> {
    let is_accepted = |name: &str| match (endpoint.only_format(), field) {
        _ if endpoint == Endpoint::Preview => true,
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
        choice["x-enum-varnames"] = variants.collect::<Vec<_>>().into();
    }
    choice
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
                            request[margin] = 20.into();
                        }
                    }
                    if *name == "custom" {
                        request["custom_page"] = json!({"width": 100, "height": 150});
                    }
                    if *name == "paginate" && endpoint == Endpoint::Generate {
                        request["output_format"] = "pdf".into();
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
