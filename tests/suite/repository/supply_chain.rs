//! What the program is made of: told in the form of `CycloneDX`, under licences that `deny.toml` allows.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::oracle;

/// The document of `scripts/sbom.py`.
fn bill() -> Value {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(oracle::python()).arg(root.join("scripts/sbom.py")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// What is wrong with the document by its schema, and by the licences of `deny.toml`.
fn complaints(bill: &Value) -> (Value, Value) {
    let rules: toml::Table = include_str!("../../../deny.toml").parse().unwrap();
    let facts = oracle::ask("material_facts.py", &json!({"bill": bill, "allowed": rules["licenses"]["allow"]}));
    let libraries = &facts["components"]["library"];
    assert!(libraries.as_u64().unwrap() > 200 && facts["components"]["file"].as_u64().unwrap() > 90, "{facts}");
    (facts["schema"].clone(), facts["licences"].clone())
}

#[test]
fn the_bill_of_materials_is_valid_and_every_package_is_under_a_licence_that_is_allowed() {
    let mut bill = bill();
    assert_eq!(complaints(&bill), (json!([]), json!([])));

    bill["components"][0]["licenses"] = json!([{"expression": "MIT AND GPL-3.0-only"}]);
    bill["components"][1]["licenses"] = json!([{"expression": "GPL-3.0-only OR MIT"}]);
    bill["components"][2]["licenses"] = json!([{"expression": "MIT WITH Everything"}]);
    bill["components"][3]["hashes"][0]["content"] = json!("none");
    let (schema, licences) = complaints(&bill);
    assert_eq!((schema.as_array().unwrap().len(), licences.as_array().unwrap().len()), (1, 2), "{schema}\n{licences}");
}
