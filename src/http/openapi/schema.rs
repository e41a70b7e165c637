//! The parts of JSON Schema (draft 2020-12) that the document uses.

use serde_json::{Map, Value, json};

/// Named schemas, or other named parts of the document.
pub(super) type Parts = Map<String, Value>;

/// An object with these members in this order; all are required but the `optional`.
///
/// JSON objects have no order, so the names stand once more in `x-order`, for readers.
pub(super) fn object(description: &str, members: Vec<(&'static str, Value)>, optional: &[&str]) -> Value {
    let order: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    let required: Vec<&str> = order.iter().copied().filter(|name| !optional.contains(name)).collect();
    let properties: Parts = members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect();
    let mut object = json!({
        "type": "object",
        "description": description,
        "properties": properties,
        "x-order": order,
    });
    if !required.is_empty() {
        set(&mut object, "required", required);
    }
    object
}

/// A value of the JSON type `kind`.
pub(super) fn typed(kind: &str, description: &str) -> Value {
    json!({"type": kind, "description": description})
}

/// A whole number from 0 up.
pub(super) fn count(description: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": description})
}

/// One of these strings.
pub(super) fn one_of(names: &[&str], description: &str) -> Value {
    json!({"type": "string", "enum": names, "description": description})
}

/// A list of these.
pub(super) fn list(items: &Value, description: &str) -> Value {
    json!({"type": "array", "items": items, "description": description})
}

/// The schema of that name.
pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// `schema`, or null.
pub(super) fn or_null(mut schema: Value) -> Value {
    match schema.get("type").cloned() {
        Some(kind @ Value::String(_)) => {
            set(&mut schema, "type", vec![kind, Value::from("null")]);
            schema
        }
        _ => json!({"anyOf": [schema, {"type": "null"}]}),
    }
}

/// Sets one keyword of a schema.
pub(super) fn set(schema: &mut Value, keyword: &str, value: impl Into<Value>) {
    if let Value::Object(keywords) = schema {
        keywords.insert(keyword.to_owned(), value.into());
    }
}
