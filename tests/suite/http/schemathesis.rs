//! Schemathesis against the running service: what the description promises is what the service does.

use std::process::Command;

use longhand::access::{HIGHEST_RATE, LimitedEndpoint};
use longhand::http::openapi;
use serde_json::{Value, json};

use crate::live::server::Server;
use crate::oracle::{folder, python};
use crate::sample;

struct Site {
    server: Server,
    folder: tempfile::TempDir,
}

impl Site {
    /// With limits that no run reaches.
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let limits = LimitedEndpoint::ALL.map(|endpoint| format!("{}={HIGHEST_RATE}", endpoint.name())).join(",");
        let arguments = ["--client-links", "on", "--artwork", "keys", "--rate-limits", &limits];
        Self { server: Server::start_with(folder.path(), &arguments), folder }
    }

    /// A key that is right in every character, and unknown to the server.
    fn unknown_key(&self) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.args(["keys", "create", "--name", "unknown", "--json", "--data-dir", "elsewhere"]);
        let output = command.current_dir(self.folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let created: Value = serde_json::from_slice(&output.stdout).unwrap();
        created["key"].as_str().unwrap().to_owned()
    }

    /// Runs schemathesis on the description at `schema`; whether it is satisfied, and its report.
    fn judge(&self, schema: &str, key: &str, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(python())
            .args(["-m", "schemathesis.cli", "--config-file"])
            .arg(folder().join("schemathesis.toml"))
            .args(["run", schema, "--url", &format!("http://{}", self.server.address)])
            .args(["--header", &format!("Authorization: Bearer {key}"), "--checks", "all", "--seed", "1"])
            .args(["--generation-database", "none", "--no-shrink", "--no-color"])
            // How fast and how easily requests are found is no matter of the service.
            .args(["--suppress-health-check", "all"])
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .expect("`make test` prepares schemathesis");
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.success(), report + &String::from_utf8_lossy(&output.stderr))
    }

    fn served(&self) -> String {
        format!("http://{}/openapi.json", self.server.address)
    }
}

/// Conforming and nonconforming requests by example, by boundary value and at random.
const ALL: [&str; 4] = ["--phases", "examples,coverage,fuzzing", "--mode", "all"];

#[test]
fn the_service_does_what_its_description_promises() {
    let site = Site::open();
    let arguments = [ALL.as_slice(), &["--max-examples", sample::either("5", "40")]].concat();
    let (satisfied, report) = site.judge(&site.served(), &site.server.key, &arguments);
    assert!(satisfied, "{report}");
    assert!(!report.contains("mostly returned 429"), "a limit hides what is behind it\n{report}");
    let told = |name: &str| report.lines().find_map(|line| line.trim().strip_prefix(name)).unwrap().to_owned();
    let tested = told("Tested: ");
    assert_eq!(told("Selected: "), format!("{tested}/{tested}"), "{report}");
    // A key is refused by all paths that generate in the same way.
    let arguments =
        [ALL.as_slice(), &["--max-examples", sample::either("2", "10"), "--exclude-path-regex", "/generate/"]].concat();
    for key in sample::every(2, [site.unknown_key().as_str(), "no-key-at-all"]) {
        let (satisfied, report) = site.judge(&site.served(), key, &arguments);
        assert!(satisfied, "{key}\n{report}");
    }
}

#[test]
fn a_false_promise_is_found_out() {
    let site = Site::open();
    let mut document = openapi::document().clone();
    document["components"]["schemas"]["Status"]["properties"]["status"]["enum"] = json!(["splendid"]);
    let file = site.folder.path().join("false.json");
    std::fs::write(&file, document.to_string()).unwrap();
    let arguments = ["--phases", "coverage", "--include-path", "/api/v1/status"];
    let (satisfied, report) = site.judge(file.to_str().unwrap(), &site.unknown_key(), &arguments);
    assert!(!satisfied && report.contains("splendid"), "{report}");
}
