//! A client generated from the description, used against the running service.

use serde_json::json;

use crate::live_server::Server;
use crate::oracle::ask;

#[test]
fn a_generated_python_client_works() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let seen = ask(
        "generated_client.py",
        &json!({
            "document": concat!(env!("CARGO_MANIFEST_DIR"), "/docs/openapi.json"),
            "address": format!("http://{}", server.address),
            "key": server.key,
            "folder": folder.path(),
        }),
    );
    let expected = json!({
        "page": [1134, 1594, 7, "89504e47"],
        "preview": 1200,
        "invalid": [422, ["font_id", "text"]],
        "fonts": [90, "Caveat"],
        "stranger": "INVALID_KEY_FORMAT",
        "specimen": [200, "89504e47"],
        "status": "ok",
    });
    assert_eq!(seen, expected);
}
