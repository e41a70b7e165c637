//! The description of the interface: valid, complete, and the same everywhere it is found.

use std::process::Command;

use axum::body::Body;
use axum::http::Request;
use longhand::http::openapi;
use longhand::spec::{Endpoint, FieldDescription, FieldKind, OutputName, fields};
use serde_json::{Value, json};
use syn::visit::Visit;

use crate::http::harness::{Answer, Site};
use crate::oracle::{ask, number};

async fn get(path: &str) -> Answer {
    Site::open().send(Request::get(path).body(Body::empty()).unwrap()).await
}

fn schema(name: &str) -> &'static Value {
    &openapi::document()["components"]["schemas"][name]
}

#[test]
fn the_committed_copy_is_what_the_code_says() {
    let committed = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json")).unwrap();
    assert!(
        committed.trim_end() == openapi::text(),
        "docs/openapi.json is out of date; run: cargo run -- openapi > docs/openapi.json"
    );
}

#[test]
fn the_command_prints_the_document() {
    let output = Command::new(env!("CARGO_BIN_EXE_longhand")).arg("openapi").output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), openapi::text());
}

#[tokio::test]
async fn the_document_is_served_without_a_key() {
    let answer = get("/openapi.json").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(&answer.json(), openapi::document());
}

#[test]
fn the_document_is_valid_and_its_examples_keep_its_own_rules() {
    let facts = ask("openapi_facts.py", &json!({"document": openapi::document()}));
    assert_eq!((&facts["errors"], &facts["broken"]), (&json!([]), &json!([])));
    assert!(number(&facts, "examples") > 80.0, "{facts}");
}

#[test]
fn a_document_with_a_wrong_example_or_a_wrong_member_is_found_out() {
    let mut document = openapi::document().clone();
    document["components"]["schemas"]["GenerationRequest"]["properties"]["dpi"]["default"] = json!(301);
    document["paths"]["/api/v1/status"]["get"]["responses"] = json!([]);
    let facts = ask("openapi_facts.py", &json!({"document": document}));
    assert!(facts["broken"][0].as_str().unwrap().contains("301"), "{facts}");
    assert!(facts["errors"][0].is_string(), "{facts}");
}

#[test]
fn every_field_of_the_table_stands_there_with_its_constraints() {
    for (request, fields) in [
        ("GenerationRequest", fields()),
        ("PngRequest", Endpoint::GenerateFile(OutputName::Png).fields()),
        ("PdfRequest", fields()),
        ("SvgRequest", Endpoint::GenerateFile(OutputName::Svg).fields()),
        ("PreviewRequest", Endpoint::Preview.fields()),
    ] {
        assert_eq!(schema(request)["additionalProperties"], false);
        assert_eq!(schema(request)["required"], Value::Null);
        let contents = ["text", "blocks", "artwork", "sides"]
            .into_iter()
            .filter(|name| fields.iter().any(|field| field.name == *name));
        let contents: Vec<Value> = contents.map(|name| json!({"required": [name]})).collect();
        assert_eq!(schema(request)["allOf"][0], json!({"anyOf": contents}));
        described(schema(request), fields, request);
    }
}

fn described(schema: &Value, fields: &[FieldDescription], owner: &str) {
    assert_eq!(schema["properties"].as_object().unwrap().len(), fields.len(), "{owner}");
    for field in fields {
        let stands = &schema["properties"][field.name];
        let place = format!("{owner}.{}: {stands}", field.name);
        assert_eq!(stands["description"], field.meaning, "{place}");
        let default = match (owner, field.name) {
            ("PdfRequest", "output_format") => Some(json!("pdf")),
            ("SvgRequest", "output_format") => Some(json!("svg")),
            _ => field.default_json.clone(),
        };
        assert_eq!(stands.get("default"), default.as_ref(), "{place}");
        assert!(stands["examples"][0] != Value::Null, "{place}");
        match &field.kind {
            FieldKind::Integer { min, max } => {
                assert_eq!((&stands["minimum"], &stands["maximum"]), (&json!(min), &json!(max)), "{place}");
            }
            FieldKind::FontId => {
                let ranges = json!([{"minimum": 1, "maximum": 90}, {"minimum": 1001, "maximum": 1999}]);
                assert_eq!(stands["anyOf"], ranges, "{place}");
            }
            FieldKind::Number { min, max } => {
                assert_eq!((&stands["minimum"], &stands["maximum"]), (&json!(min), &json!(max)), "{place}");
            }
            FieldKind::Text { min_length, max_length } => {
                let lengths = (&stands["minLength"], &stands["maxLength"]);
                assert_eq!(lengths, (&json!(min_length), &json!(max_length)), "{place}");
            }
            FieldKind::OneOf(names) if field.nullable => {
                let with_null = names.iter().map(|name| json!(name)).chain([Value::Null]).collect::<Vec<_>>();
                assert_eq!(stands["enum"], json!(with_null), "{place}");
            }
            FieldKind::OneOf(names) if owner == "GenerationRequest" => {
                assert_eq!(stands["enum"], json!(names), "{place}");
            }
            FieldKind::OneOf(names) => assert!(json!(names).to_string().len() >= stands["enum"].to_string().len()),
            FieldKind::OneOfIntegers(numbers) => assert_eq!(stands["enum"], json!(numbers), "{place}"),
            FieldKind::FontSize { min, max } => {
                let size = &stands["anyOf"][0];
                assert_eq!((&size["minimum"], &size["maximum"]), (&json!(min), &json!(max)), "{place}");
            }
            FieldKind::Object(_) => {}
            FieldKind::List { most, .. } => assert_eq!(stands["maxItems"], json!(most), "{place}"),
            FieldKind::Ruling { names, .. } => assert_eq!(stands["anyOf"][0]["enum"], json!(names), "{place}"),
            FieldKind::Boolean if field.nullable => {
                assert_eq!(stands["type"], json!(["boolean", "null"]), "{place}");
            }
            FieldKind::Boolean => assert_eq!(stands["type"], "boolean", "{place}"),
            FieldKind::Color => assert_eq!((&stands["minItems"], &stands["maxItems"]), (&json!(3), &json!(3))),
        }
        assert_eq!(stands.get("x-unit"), field.unit.map(Value::from).as_ref(), "{place}");
        if let Some(object) = field.kind.object() {
            described(self::schema(object.schema), (object.members)(), "GenerationRequest");
        }
    }
}

/// The error codes in the source of the wire table.
#[derive(Default)]
struct Codes(Vec<String>);

impl Visit<'_> for Codes {
    fn visit_lit_str(&mut self, literal: &syn::LitStr) {
        let text = literal.value();
        if text.len() > 5 && text.chars().all(|character| character.is_ascii_uppercase() || character == '_') {
            self.0.push(text);
        }
    }
}

#[test]
fn every_error_of_the_wire_table_stands_there_with_an_example() {
    let source = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/errors/table.rs")).unwrap();
    let mut codes = Codes::default();
    codes.visit_file(&syn::parse_file(&source).unwrap());
    assert!(codes.0.len() >= 16, "{:?}", codes.0);
    let responses = openapi::document()["components"]["responses"].to_string();
    for code in codes.0 {
        assert!(responses.contains(&format!("\"error\":\"{code}\"")), "{code} has no example");
    }
}

#[test]
fn the_members_of_every_answer_are_those_that_the_code_writes() {
    for (path, method) in
        [("/api/v1/generate", "post"), ("/api/v1/preview", "post"), ("/api/v1/fonts", "get"), ("/api/v1/status", "get")]
    {
        let operation = &openapi::document()["paths"][path][method];
        let content = &operation["responses"]["200"]["content"]["application/json"];
        let name = content["schema"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
        let written: Vec<&String> = content["example"].as_object().unwrap().keys().collect();
        let promised: Vec<&String> = schema(name)["properties"].as_object().unwrap().keys().collect();
        assert_eq!(written, promised, "{name}");
    }
}

#[test]
fn what_lays_out_for_free_says_that_its_work_has_a_limit() {
    for (path, is_limited) in
        [("/api/v1/preview", true), ("/api/v1/preflight", true), ("/api/v1/jobs", true), ("/api/v1/generate", false)]
    {
        let answers = &openapi::document()["paths"][path]["post"]["responses"]["429"]["content"]["application/json"];
        assert_eq!(answers["examples"]["work_limit_exceeded"].is_object(), is_limited, "{path}: {answers}");
    }
}
