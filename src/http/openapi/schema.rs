//! The parts of JSON Schema (draft 2020-12) that the document uses.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// Named schemas, or other named parts of the document.
pub(super) type Parts = Map<String, Value>;

/// Collects the schemas of Rust types, with the types that they refer to.
pub(super) struct Schemas {
    generator: SchemaGenerator,
    named: Parts,
}

impl Schemas {
    /// No schemas yet.
    pub(super) fn new() -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.definitions_path = "/components/schemas".into();
        });
        Self { generator: settings.into_generator(), named: Parts::new() }
    }

    /// The schema of `T` itself.
    pub(super) fn of<T: JsonSchema>(&mut self) -> Value {
        T::json_schema(&mut self.generator).to_value()
    }

    /// Adds the schema of `T`, by its own name.
    pub(super) fn add<T: JsonSchema>(&mut self) {
        self.generator.subschema_for::<T>();
    }

    /// Adds a schema by name.
    pub(super) fn insert(&mut self, name: &str, schema: Value) {
        self.named.insert(name.to_owned(), schema);
    }

    /// All schemas by name.
    pub(super) fn into_parts(mut self) -> Parts {
        let mut parts = self.generator.take_definitions(false);
        // A type that is read and answered is described as it is read: with members that may be left out.
        parts.extend(self.named);
        parts.values_mut().for_each(without_rust_formats);
        parts
    }
}

/// The schema of a type that is read, and of those that it refers to, by name.
pub(super) fn request_schemas<T: JsonSchema>() -> Parts {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
    });
    let mut generator = settings.into_generator();
    generator.subschema_for::<T>();
    let mut parts = generator.take_definitions(false);
    parts.values_mut().for_each(without_rust_formats);
    parts
}

/// Removes formats such as `uint32`: `minimum` and `maximum` say the same to every reader.
fn without_rust_formats(schema: &mut Value) {
    let remove = |schema: &mut Schema| {
        if schema.get("type").is_some_and(|kind| kind != "string") {
            schema.remove("format");
        }
    };
    if let Ok(schema) = <&mut Schema>::try_from(schema) {
        schemars::transform::Transform::transform(&mut RecursiveTransform(remove), schema);
    }
}

/// The schema of that name.
pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// `schema`, or null.
pub(super) fn or_null(mut schema: Value) -> Value {
    if let Some(Value::Array(allowed)) = schema.get_mut("enum") {
        allowed.push(Value::Null);
    }
    if let Some(kind @ Value::String(_)) = schema.get("type").cloned() {
        schema["type"] = vec![kind, Value::from("null")].into();
    } else if let Some(Value::Array(alternatives)) = schema.get_mut("anyOf") {
        alternatives.push(json!({"type": "null"}));
    } else {
        schema = json!({"anyOf": [schema, {"type": "null"}]});
    }
    schema
}
