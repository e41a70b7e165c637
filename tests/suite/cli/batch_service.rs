//! `longhand batch --server` and a service, or a table, that means harm.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::cli::batch::{answer, scripted};

/// The command on one row, through the service at `address`.
fn batch(folder: &Path, address: &str) -> Command {
    std::fs::write(folder.join("jobs.jsonl"), "{\"text\":\"x\"}\n").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["batch", "--requests", "jobs.jsonl", "-o", "{row}.png", "--key", "lh_k", "--server", address]);
    command.current_dir(folder).env_remove("LONGHAND_CONFIG");
    command
}

/// An error of a service in JSON, with escape codes and line breaks in its message.
fn hostile(status: &str, headers: &str) -> String {
    let body = r#"{"error":"RATE_LIMIT_EXCEEDED","message":"\u001b[2Jslow\r\n\u009b31mdown","details":[]}"#;
    answer(status, headers, body)
}

#[test]
fn a_service_that_asks_to_wait_for_ever_is_asked_again_within_a_minute_and_the_user_is_told() {
    for status in ["429 Too Many Requests", "503 Service Unavailable"] {
        let folder = tempfile::tempdir().unwrap();
        let (address, service) = scripted(vec![hostile(status, "Retry-After: 18446744073709551615\r\n")]);
        let mut process = batch(folder.path(), &address).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stderr.take().unwrap()).read_line(&mut line).unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
        assert_eq!(service.join().unwrap().len(), 1);
        assert_eq!(
            line,
            "waiting for 60 s (it asks for 18446744073709551615 s): the service says: \\u{1b}[2Jslow; \\u{9b}31mdown\n"
        );
    }
}

#[test]
fn control_characters_of_services_and_tables_do_not_reach_the_terminal() {
    let is_shown = |said: &[u8]| {
        let said = std::str::from_utf8(said).unwrap();
        assert!(said.contains("\\u{1b}"), "{said:?}");
        assert!(!said.contains(|character: char| character.is_control() && character != '\n'), "{said:?}");
    };
    for status in ["401 Unauthorized", "422 Unprocessable Entity", "400 Bad Request"] {
        let folder = tempfile::tempdir().unwrap();
        let (address, service) = scripted(vec![hostile(status, "")]);
        is_shown(&batch(folder.path(), &address).output().unwrap().stderr);
        service.join().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    for (table, template, code) in
        [("na\u{1b}[2Jme\nAnn\n", "Dear", 0), ("name,\u{1b}x\nAnn,\n", "Dear {name} {\u{1b}x}", 65)]
    {
        std::fs::write(folder.path().join("people.csv"), table).unwrap();
        std::fs::write(folder.path().join("text.txt"), template).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.args(["batch", "--csv", "people.csv", "--template", "text.txt", "-o", "{row}.png", "--dry-run"]);
        let output = command.current_dir(folder.path()).env_remove("LONGHAND_CONFIG").output().unwrap();
        assert_eq!(output.status.code(), Some(code));
        is_shown(&output.stderr);
    }
}
