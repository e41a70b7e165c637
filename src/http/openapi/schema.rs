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
        parts.values_mut().for_each(plain);
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
    parts.values_mut().for_each(plain);
    parts
}

/// Removes formats such as `uint32`: `minimum` and `maximum` say the same to every reader. Makes one `enum` of names that
/// have a description each, which generators of clients take for different types.
fn plain(schema: &mut Value) {
    let simplify = |schema: &mut Schema| {
        if schema.get("type").is_some_and(|kind| kind != "string") {
            schema.remove("format");
        }
        if let Some(names) = described_names(schema) {
            let meanings = schema.remove("oneOf");
            let meanings = meanings.iter().filter_map(Value::as_array).flatten().zip(&names);
            let meaning = |(one, name): (&Value, &Value)| Some(format!("{name}: {}", one["description"].as_str()?));
            let meanings: Vec<String> = meanings.filter_map(meaning).collect();
            let whole = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            let description = format!("{whole} {}", meanings.join(" ")).replace('"', "`");
            schema.insert("description".to_owned(), description.into());
            schema.insert("type".to_owned(), "string".into());
            schema.insert("enum".to_owned(), names.into());
        }
    };
    if let Ok(schema) = <&mut Schema>::try_from(schema) {
        schemars::transform::Transform::transform(&mut RecursiveTransform(simplify), schema);
    }
}

/// The names of an enumeration of which each has a description.
fn described_names(schema: &Schema) -> Option<Vec<Value>> {
    let one_of = schema.get("oneOf")?.as_array()?;
    one_of.iter().map(|one| one.get("const").filter(|name| name.is_string()).cloned()).collect()
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
