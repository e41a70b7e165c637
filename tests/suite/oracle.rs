//! Runs the oracles of `tests/oracles`: independent programs that say what a picture should be, or what is in it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Feeds `job` to the oracle `script` and returns its answer. An oracle that cannot run is a failed test.
pub(crate) fn ask(script: &str, job: &Value) -> Value {
    let mut oracle = Command::new(python())
        .arg(folder().join(script))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{} does not start ({error}); `make test` prepares it", python().display()));
    oracle.stdin.take().unwrap().write_all(job.to_string().as_bytes()).unwrap();
    let output = oracle.wait_with_output().unwrap();
    assert!(output.status.success(), "{script} failed; its message stands above");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A number of an oracle's answer.
pub(crate) fn number(figures: &Value, name: &str) -> f64 {
    figures[name].as_f64().unwrap_or_else(|| panic!("no number {name:?} in {figures}"))
}

/// The file of the font of that number.
pub(crate) fn font_file(id: u16) -> PathBuf {
    root().join("fonts/ttf").join(format!("{}.ttf", font_slug(id)))
}

/// The short name of the font of that number, from `fonts/catalog.tsv`.
pub(crate) fn font_slug(id: u16) -> String {
    let table = std::fs::read_to_string(root().join("fonts/catalog.tsv")).unwrap();
    let row = table.lines().find(|row| row.split('\t').next() == Some(&id.to_string())).unwrap();
    row.split('\t').nth(1).unwrap().to_owned()
}

/// The interpreter of the oracles' environment.
pub(crate) fn python() -> PathBuf {
    std::env::var_os("LONGHAND_ORACLE_PYTHON").map_or_else(|| root().join(".venv/bin/python"), PathBuf::from)
}

/// Node, in the same environment.
pub(crate) fn node() -> PathBuf {
    python().with_file_name("node")
}

/// Where the oracles are.
pub(crate) fn folder() -> PathBuf {
    root().join("tests/oracles")
}

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
