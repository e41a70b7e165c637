//! The choice of GPUs of the running program.

use std::process::Command;

use crate::live::admin::{ask, value};
use crate::live::server::Server;

#[test]
fn a_gpu_that_is_not_there_is_69_and_those_there_are_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0", "--gpu", "0,radeon"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(69), "{errors}");
    assert!(errors.contains("there is no GPU \"radeon\"; 0 is "), "{errors}");
}

/// Two small pages that every pass draws together: a plain one; and one whose letters vary and whose drawn pixels are
/// displaced.
const EVERY_PASS: [&str; 2] = [
    r#"{"text": "Dear Ada", "page_size": "a6"}"#,
    r#"{"text": "Dear Ada", "page_size": "a6", "enable_writer_variation": true, "enable_natural_variation": true,
        "natural_variation_sigma": 1}"#,
];

#[test]
fn the_times_of_passes_are_in_the_metrics_if_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--gpu-timings", "on"]);
    let before = ask(&server, "/metrics");
    for body in EVERY_PASS {
        let (head, _) = server.exchange("POST", "/api/v1/generate", body);
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    }
    let page = ask(&server, "/metrics");
    for pass in ["bend", "accumulate", "resolve", "warp"] {
        let of_pass = |page: &str, name: &str| {
            let is_there = page.contains(&format!("longhand_gpu_pass_seconds_count{{pass=\"{pass}\"}}"));
            if is_there { value(page, &format!("longhand_gpu_pass_seconds_{name}"), &[("pass", pass)]) } else { 0.0 }
        };
        // The first pages, which warm the service up, may come in between.
        assert!(of_pass(&page, "count") > of_pass(&before, "count"), "{pass}: {page}");
        let mean = of_pass(&page, "sum") / of_pass(&page, "count");
        assert!(mean > 1e-7 && mean < 1.0, "{pass} takes {mean} s");
    }
    drop(server);
    let server = Server::start(folder.path());
    assert!(server.exchange("POST", "/api/v1/generate", EVERY_PASS[1]).0.starts_with("HTTP/1.1 200"));
    assert!(!ask(&server, "/metrics").contains("longhand_gpu_pass_seconds_count"));
}
