//! Schemathesis against the running service: what the description promises is what the service does.

use std::process::Command;

use longhand::http::openapi;
use serde_json::{Value, json};

use crate::live::server::Server;
use crate::oracle::{folder, python};

struct Site {
    server: Server,
    folder: tempfile::TempDir,
}

impl Site {
    fn open() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { server: Server::start_with(folder.path(), &["--client-links", "on", "--artwork", "keys"]), folder }
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

/// Conforming and nonconforming requests by example, by boundary value and at random, with a key and without.
/// The operations in groups that each stay below their rate limits, as filters, with the least number that is tested.
fn groups(phase: &str, mode: &str) -> Vec<(Vec<&'static str>, usize)> {
    const GET: [&str; 2] = ["--include-method", "GET"];
    const POST: [&str; 2] = ["--include-method", "POST"];
    // What has no body takes any request: there is nothing to get wrong at random.
    let has_get = (phase, mode) != ("fuzzing", "negative");
    let mut others = POST.to_vec();
    if has_get {
        others.extend(GET);
    }
    others.extend(["--exclude-path-regex", "/generate/|preflight|mail-pieces|/rows|/hands|/links|/shared|/artwork"]);
    let mut groups = vec![(others, 2), (vec!["--include-path", "/api/v1/preflight"], 1)];
    // They share the limit of previews.
    groups.push((vec!["--include-path-regex", "/links|/shared"], 1));
    let files = ["/api/v1/generate/png", "/api/v1/generate/pdf", "/api/v1/generate/svg"];
    groups.extend(files.map(|path| (vec!["--include-path", path], 1)));
    if has_get && phase != "examples" {
        groups.push((vec!["--include-path-regex", "mail-pieces"], 2));
    }
    if phase == "examples" {
        // A key may ask for few hands and pictures a minute.
        groups.push((vec!["--include-path-regex", "/hands|/artwork"], 7));
    }
    if phase == "coverage" {
        groups.push((vec!["--include-path-regex", "/rows"], 1));
    }
    groups
}

#[test]
fn the_service_does_what_its_description_promises() {
    let site = Site::open();
    for (phase, mode) in [
        ("examples", "positive"),
        ("coverage", "positive"),
        ("coverage", "negative"),
        ("fuzzing", "positive"),
        ("fuzzing", "negative"),
    ] {
        for (filters, tested) in groups(phase, mode) {
            let common = ["--phases", phase, "--mode", mode, "--max-examples", "40"];
            let arguments: Vec<&str> = common.into_iter().chain(filters).collect();
            // A key of its own for every run, so that no run uses up another's rate limit.
            let key = site.server.create_key(None).key;
            let (satisfied, report) = site.judge(&site.served(), &key, &arguments);
            assert!(satisfied, "{arguments:?}\n{report}");
            assert!(!report.contains("mostly returned 429"), "the rate limit hides what is behind it\n{report}");
            let count = report.lines().find_map(|line| line.trim().strip_prefix("Tested: ")).unwrap();
            assert!(count.parse::<usize>().unwrap() >= tested, "{arguments:?}\n{report}");
        }
    }
    let no_file = ["--exclude-path-regex", "/generate/"];
    // A key is refused by all paths that generate in the same way.
    let arguments =
        [["--phases", "examples,coverage,fuzzing", "--mode", "all", "--max-examples", "30"].as_slice(), &no_file];
    let arguments = arguments.concat();
    for key in [site.unknown_key().as_str(), "no-key-at-all"] {
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
