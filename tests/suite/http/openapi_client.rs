//! Clients that generators made from the description, used against the running service.

use rstest::rstest;
use serde_json::json;

use crate::live::server::Server;
use crate::oracle::ask;

#[rstest]
#[case::openapi_python_client("generated_client.py", "")]
#[case::openapi_typescript_with_openapi_fetch("typescript_clients.py", "openapi_fetch")]
#[case::hey_api_openapi_ts("typescript_clients.py", "hey_api")]
fn a_generated_client_works(#[case] script: &str, #[case] generator: &str) {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let target = folder.path().join("client");
    std::fs::create_dir(&target).unwrap();
    let seen = ask(
        script,
        &json!({
            "generator": generator,
            "document": concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json"),
            "address": format!("http://{}", server.address),
            "key": server.key,
            "folder": target,
        }),
    );
    let refusal = ["422", "font_id", "text"];
    let mut expected = json!({
        "page": [1134, 1594, 7, "89504e47"],
        "png": ["89504e47", "1134", "7"],
        "pdf": ["25504446", "outlines"],
        "svg": ["3c3f786d", "outlines"],
        "refusals": [refusal, refusal, refusal, refusal],
        "preview": 1200,
        "fonts": [90, "Nothing You Could Do"],
        "stranger": "INVALID_KEY_FORMAT",
        "specimen": [200, "89504e47"],
        "status": "ok",
    });
    if generator.is_empty() {
        expected["job"] = json!(["completed", 2, ["made", "made"], ["1-Ann.png", "2-Zoë.png"]]);
    }
    assert_eq!(seen, expected);
}
