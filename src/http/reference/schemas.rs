//! The schemas of the document: tables of members, and short descriptions of types.

use serde_json::Value;

use super::html::{code, escaped, inline, table, text_of};

/// The names, in the document's order.
pub(super) fn names(document: &Value) -> impl Iterator<Item = &str> {
    document["components"]["schemas"].as_object().into_iter().flatten().map(|(name, _)| name.as_str())
}

/// What `part` is, or refers to.
pub(super) fn resolved<'a>(document: &'a Value, part: &'a Value) -> &'a Value {
    let pointer = part["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    pointer.and_then(|pointer| document.pointer(pointer)).unwrap_or(part)
}

/// A table for each, and one of the headers.
pub(super) fn all(document: &Value) -> String {
    let schemas = document["components"]["schemas"].as_object().into_iter().flatten();
    let schemas: String = schemas.map(|(name, schema)| section(name, schema)).collect();
    schemas + "<h2 id=\"headers\">Headers of answers</h2>\n" + &headers(document)
}

fn section(name: &str, schema: &Value) -> String {
    let required: Vec<&str> = strings(&schema["required"]).collect();
    let rows: Vec<Vec<String>> = strings(&schema["x-order"])
        .map(|member| {
            let described = &schema["properties"][member];
            let need = if required.contains(&member) { " <strong>required</strong>" } else { "" };
            let default = described.get("default").map_or_else(String::new, |default| code(&default.to_string()));
            let meaning = inline(text_of(&described["description"]));
            vec![format!("{}{need}", code(member)), type_of(described), default, meaning]
        })
        .collect();
    let rules: String = schema["allOf"].as_array().into_iter().flatten().map(rule).collect();
    format!(
        "<section>\n<h3 id=\"schema-{name}\">{name}</h3>\n<p>{}</p>\n{}{rules}</section>\n",
        inline(text_of(&schema["description"])),
        table(&format!("Members of {name}"), &["Member", "Type and range", "Default", "Meaning"], &rows),
        name = escaped(name),
    )
}

/// "If … then …" over members.
fn rule(rule: &Value) -> String {
    let members = |part: &Value| {
        let members = part["properties"].as_object().into_iter().flatten();
        members.map(|(name, schema)| format!("{} is {}", code(name), type_of(schema))).collect::<Vec<_>>().join(" and ")
    };
    format!("<p>If {}, then {}.</p>\n", members(&rule["if"]), members(&rule["then"]))
}

fn headers(document: &Value) -> String {
    let headers = document["components"]["headers"].as_object().into_iter().flatten();
    let rows: Vec<Vec<String>> = headers
        .map(|(name, header)| vec![code(name), type_of(&header["schema"]), inline(text_of(&header["description"]))])
        .collect();
    table("Headers", &["Header", "Type", "Meaning"], &rows)
}

/// A schema in a few words, with links to those it refers to.
pub(super) fn type_of(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
        return format!("<a href=\"#schema-{0}\">{0}</a>", escaped(name));
    }
    for keyword in ["anyOf", "oneOf"] {
        if let Some(choices) = schema[keyword].as_array() {
            return choices.iter().map(type_of).collect::<Vec<_>>().join(" or ");
        }
    }
    if let Some(only) = schema.get("const") {
        return code(&plain(only));
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(|value| code(&plain(value))).collect::<Vec<_>>().join(", ");
    }
    let mut words: Vec<String> = kinds(schema).into_iter().collect();
    words.extend(range(schema, "minimum", "maximum", ""));
    words.extend(range(schema, "minLength", "maxLength", " characters"));
    words.extend(range(schema, "minItems", "maxItems", " items"));
    if let Some(items) = schema.get("items") {
        words.push(format!("of {}", type_of(items)));
    }
    for keyword in ["format", "contentEncoding", "contentMediaType"] {
        words.extend(schema[keyword].as_str().map(escaped));
    }
    words.extend(schema["pattern"].as_str().map(|pattern| format!("matching {}", code(pattern))));
    words.join(" ")
}

fn kinds(schema: &Value) -> Option<String> {
    match &schema["type"] {
        Value::String(kind) => Some(escaped(kind)),
        Value::Array(kinds) => Some(kinds.iter().map(|kind| escaped(text_of(kind))).collect::<Vec<_>>().join(" or ")),
        _ => None,
    }
}

fn range(schema: &Value, least: &str, most: &str, unit: &str) -> Option<String> {
    match (schema.get(least), schema.get(most)) {
        (Some(least), Some(most)) if least == most => Some(format!("of {least}{unit}")),
        (Some(least), Some(most)) => Some(format!("{least} to {most}{unit}")),
        (Some(least), None) => Some(format!("from {least}{unit}")),
        (None, Some(most)) => Some(format!("at most {most}{unit}")),
        (None, None) => None,
    }
}

/// A value as a reader writes it: strings without quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn strings(list: &Value) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().map(text_of)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_is_put_in_words() {
        for (schema, expected) in [
            (json!({"type": "integer", "minimum": 1, "maximum": 90}), "integer 1 to 90"),
            (json!({"type": ["number", "null"], "minimum": 0.0}), "number or null from 0.0"),
            (json!({"enum": ["a", 3]}), "<code>a</code>, <code>3</code>"),
            (json!({"anyOf": [{"const": "auto"}, {"type": "integer"}]}), "<code>auto</code> or integer"),
            (
                json!({"type": "array", "items": {"$ref": "#/components/schemas/Font"}}),
                "array of <a href=\"#schema-Font\">Font</a>",
            ),
            (json!({"type": "string", "minLength": 1, "maxLength": 5}), "string 1 to 5 characters"),
        ] {
            assert_eq!(type_of(&schema), expected, "{schema}");
        }
    }
}
