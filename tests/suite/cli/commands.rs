//! The program itself: what its commands print and how they exit. Nothing here needs a GPU.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

use rstest::rstest;
use serde_json::Value;

/// The program in `folder`, without settings of the environment.
pub(crate) fn longhand(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(arguments).current_dir(folder);
    for name in ["LONGHAND_LISTEN", "LONGHAND_DATA_DIR", "LONGHAND_CONFIG", "LONGHAND_LOG"] {
        command.env_remove(name);
    }
    command
}

/// The command where there is no adapter: a loader without drivers finds none.
pub(crate) fn without_device(mut command: Command) -> Command {
    for name in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"] {
        command.env(name, "/nonexistent/driver.json");
    }
    command
}

/// Whether the command succeeds without an adapter, and what it prints on standard error.
pub(crate) fn run_without_device(folder: &Path, arguments: &[&str]) -> (bool, String) {
    let output = without_device(longhand(folder, arguments)).output().unwrap();
    (output.status.success(), stderr(&output))
}

fn run(arguments: &[&str]) -> Output {
    longhand(tempfile::tempdir().unwrap().path(), arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[rstest]
#[case::nothing(&[], "Usage")]
#[case::unknown_command(&["draw"], "draw")]
#[case::unknown_flag(&["serve", "--lisen", "127.0.0.1:1"], "--lisen")]
#[case::bad_address(&["serve", "--listen", "localhost"], "--listen")]
#[case::bad_seconds(&["serve", "--drain-seconds", "0"], "--drain-seconds")]
#[case::no_output(&["render", "text"], "--output")]
#[case::nothing_to_render(&["render", "-o", "x.png"], "TEXT")]
#[case::text_and_request(&["render", "text", "--request", "r.json", "-o", "x.png"], "--request")]
#[case::field_and_request(&["render", "--font-id", "2", "--request", "r.json", "-o", "x.png"], "--request")]
#[case::nameless_key(&["keys", "create", "--name", " "], "name")]
fn a_wrong_command_line_is_64_and_says_what_is_wrong(#[case] arguments: &[&str], #[case] named: &str) {
    let output = run(arguments);
    assert_eq!(code(&output), 64, "{}", stderr(&output));
    assert!(stderr(&output).contains(named), "{}", stderr(&output));
}

#[test]
fn help_and_version_are_answers() {
    for arguments in [&["--help"][..], &["--version"], &["render", "--help"], &["serve", "--help"]] {
        let output = run(arguments);
        assert_eq!(code(&output), 0);
        assert!(stdout(&output).contains("longhand"), "{}", stdout(&output));
    }
}

#[test]
fn a_bad_environment_variable_is_64_and_a_bad_file_65() {
    let folder = tempfile::tempdir().unwrap();
    let output = longhand(folder.path(), &["serve"]).env("LONGHAND_LISTEN", "nowhere").output().unwrap();
    assert_eq!(code(&output), 64);
    assert!(stderr(&output).contains("nowhere") && stderr(&output).contains("listen"), "{}", stderr(&output));

    let output =
        longhand(folder.path(), &["serve", "--print-config"]).env("LONGHAND_LISTN", "[::]:1").output().unwrap();
    assert_eq!(code(&output), 64);
    assert!(stderr(&output).contains("LONGHAND_LISTN"), "{}", stderr(&output));

    std::fs::write(folder.path().join("longhand.toml"), "lisen = \"127.0.0.1:1\"\n").unwrap();
    let output = longhand(folder.path(), &["serve"]).output().unwrap();
    assert_eq!(code(&output), 65);
    assert!(stderr(&output).contains("longhand.toml") && stderr(&output).contains("lisen"), "{}", stderr(&output));

    let output = longhand(folder.path(), &["serve", "--config", "missing.toml"]).output().unwrap();
    assert_eq!(code(&output), 74);
    assert!(stderr(&output).contains("missing.toml"), "{}", stderr(&output));
}

#[test]
fn an_address_with_a_password_is_masked_where_it_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (flag, variable) in [("--otlp-endpoint", "LONGHAND_OTLP_ENDPOINT"), ("--store", "LONGHAND_STORE")] {
        let address = "http://ada:s3cret@collector:4318/v1/traces";
        let by_flag = run(&["serve", flag, address]);
        let by_variable = longhand(folder.path(), &["serve"]).env(variable, address).output().unwrap();
        for output in [by_flag, by_variable] {
            let said = stderr(&output);
            assert_eq!(code(&output), 64, "{said}");
            assert!(said.contains(flag) && said.contains("://…@") && !said.contains("s3cret"), "{said}");
        }
    }
}

#[test]
fn an_empty_data_dir_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let by_flag = longhand(folder.path(), &["keys", "list", "--data-dir", ""]).output().unwrap();
    let by_variable =
        |command: &[&str]| longhand(folder.path(), command).env("LONGHAND_DATA_DIR", "").output().unwrap();
    let created = by_variable(&["keys", "create", "--name", "a"]);
    let (listed, served) = (by_variable(&["keys", "list"]), by_variable(&["serve", "--print-config"]));
    std::fs::write(folder.path().join("longhand.toml"), "data_dir = \"\"").unwrap();
    let by_file = longhand(folder.path(), &["serve", "--print-config"]).output().unwrap();
    for output in [by_flag, created, listed, served, by_file] {
        let said = stderr(&output).replace("--data-dir", "data_dir");
        assert!([64, 65].contains(&code(&output)) && said.contains("data_dir"), "{} {said}", code(&output));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was made");
}

#[test]
fn the_configuration_in_force_is_printed_as_a_file_and_nothing_is_started() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("longhand.toml"), "drain_seconds = 7\nheader_timeout_seconds = 8\n").unwrap();
    let mut command = longhand(folder.path(), &["serve", "--print-config", "--drain-seconds", "9"]);
    let output = command.env("LONGHAND_MAX_CONNECTIONS", "10").output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let printed: toml::Table = String::from_utf8(output.stdout).unwrap().parse().unwrap();
    let numbers = ["drain_seconds", "header_timeout_seconds", "max_connections", "body_timeout_seconds"];
    assert_eq!(numbers.map(|name| printed[name].as_integer().unwrap()), [9, 8, 10, 20]);
    assert_eq!(printed["admin_listen"].as_str(), Some("127.0.0.1:9090"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no store was made");
}

#[test]
fn violations_are_65_one_a_line_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["render", "", "--font-id=91", "--text-color=0,0", "-o", "page.png"];
    let output = longhand(folder.path(), &flags).output().unwrap();
    assert_eq!(code(&output), 65);
    let errors = stderr(&output);
    let fields: Vec<&str> = errors.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(fields, ["text", "font_id", "text_color"], "{errors}");
    assert!(!folder.path().join("page.png").exists());
}

#[test]
fn a_request_file_fails_with_the_same_words_as_the_flags() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.json"), r#"{"text":"","font_id":91,"text_color":[0,0]}"#).unwrap();
    let file = longhand(folder.path(), &["render", "--request", "r.json", "-o", "page.png"]).output().unwrap();
    let flags = ["render", "", "--font-id=91", "--text-color=0,0", "-o", "page.png"];
    let flags = longhand(folder.path(), &flags).output().unwrap();
    assert_eq!((code(&file), stderr(&file)), (65, stderr(&flags)));

    std::fs::write(folder.path().join("r.json"), "{").unwrap();
    let broken = longhand(folder.path(), &["render", "--request", "r.json", "-o", "page.png"]).output().unwrap();
    assert_eq!(code(&broken), 65);
    let missing = longhand(folder.path(), &["render", "--request", "none.json", "-o", "page.png"]).output().unwrap();
    assert_eq!(code(&missing), 74);
    assert!(stderr(&missing).contains("none.json"));
}

#[test]
fn the_fonts_are_a_table_for_people_and_json_for_programs() {
    let table = run(&["fonts"]);
    assert_eq!(code(&table), 0);
    assert_eq!(stdout(&table).lines().count(), 91);
    assert!(stdout(&table).lines().nth(1).unwrap().contains("Nothing You Could Do"), "lively hands come first");
    let json = run(&["fonts", "--json"]);
    let list: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((list["total"].as_u64(), list["fonts"].as_array().unwrap().len()), (Some(90), 90));
}

#[test]
fn the_fonts_of_a_language_are_those_that_write_its_words() {
    let table = run(&["fonts", "--language", "JA-jp"]);
    let rows = stdout(&table);
    let yomogi = rows.lines().nth(1).unwrap();
    assert!(rows.lines().count() == 2 && yomogi.contains("Yomogi") && yomogi.ends_with(" %"), "{rows}");
    let listed = |language| {
        let list: Value = serde_json::from_str(&stdout(&run(&["fonts", "--language", language, "--json"]))).unwrap();
        list["fonts"].as_array().unwrap().iter().map(|font| font["id"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let hungarian = listed("hu");
    assert!(hungarian.starts_with(&[4, 5, 6]) && hungarian.contains(&8), "{hungarian:?}");
    assert!(hungarian.iter().position(|id| *id == 8) > hungarian.iter().position(|id| *id == 80), "8 lacks ő and ű");
    let none = run(&["fonts", "--language", "zh"]);
    assert_eq!(code(&none), 64);
    assert!(stderr(&none).contains("--language zh") && stderr(&none).contains("vi"), "{}", stderr(&none));
}

#[test]
fn keys_are_kept_where_the_configuration_says() {
    let folder = tempfile::tempdir().unwrap();
    let create = ["keys", "create", "--name", "shop", "--json"];
    let in_default = longhand(folder.path(), &create).output().unwrap();
    assert_eq!(code(&in_default), 0, "{}", stderr(&in_default));
    assert!(folder.path().join("data").is_dir());

    std::fs::write(folder.path().join("longhand.toml"), "data_dir = \"from-file\"\n").unwrap();
    assert_eq!(code(&longhand(folder.path(), &create).output().unwrap()), 0);
    assert!(folder.path().join("from-file").is_dir());

    let by_environment = longhand(folder.path(), &create).env("LONGHAND_DATA_DIR", "from-env").output().unwrap();
    assert_eq!(code(&by_environment), 0);
    assert!(folder.path().join("from-env").is_dir());

    let mut by_flag = longhand(folder.path(), &[&create[..], &["--data-dir", "from-flag"]].concat());
    assert_eq!(code(&by_flag.env("LONGHAND_DATA_DIR", "not-used").output().unwrap()), 0);
    assert!(folder.path().join("from-flag").is_dir() && !folder.path().join("not-used").exists());

    let unknown = longhand(folder.path(), &["keys", "revoke", "nobody"]).output().unwrap();
    assert_eq!(code(&unknown), 65);
}

#[test]
fn keys_are_kept_in_the_store_that_a_server_with_the_same_flags_uses() {
    // Nothing listens there, and no name is resolved.
    let away = "redis+unix:///nonexistent/longhand.sock";
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["create", "--name", "shop"][..], &["list"], &["revoke", "shop"], &["set-quota", "shop", "1"]] {
        let arguments = [&["keys"], arguments, &["--data-dir", "keys"]].concat();
        let output = longhand(folder.path(), &arguments).env("LONGHAND_STORE", away).output().unwrap();
        assert!(code(&output) != 0 && stderr(&output).contains("shared store"), "{}", stderr(&output));
        assert!(!folder.path().join("keys").exists());
    }
}

#[cfg(target_os = "linux")]
#[rstest]
#[case::render(&["render", "Hello", "-o", "page.png"])]
#[case::serve(&["serve", "--listen", "127.0.0.1:0"])]
#[case::demo(&["demo", "--listen", "127.0.0.1:0"])]
fn without_an_adapter_it_is_69_and_says_what_to_install(#[case] arguments: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let output = without_device(longhand(folder.path(), arguments)).output().unwrap();
    assert_eq!(code(&output), 69, "{}", stderr(&output));
    let said = stderr(&output);
    let last = said.trim_end().lines().last().unwrap();
    assert!(last.contains("`apt-get install libvulkan1 mesa-vulkan-drivers`"), "one line says it: {said}");
    assert!(!folder.path().join("page.png").exists());
}

/// A server on this machine that answers one connection with these bytes.
fn answering(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 512];
        let length = stream.read(&mut request).unwrap();
        assert!(request[..length].starts_with(b"GET /api/v1/status HTTP/1.1\r\n"));
        stream.write_all(answer.as_bytes()).unwrap();
    });
    address
}

#[rstest]
#[case::well("HTTP/1.1 200 OK\r\n\r\n{\"status\":\"ok\"}", 0)]
#[case::degraded("HTTP/1.1 200 OK\r\n\r\n{\"status\":\"degraded\"}", 69)]
#[case::refusing("HTTP/1.1 503 Service Unavailable\r\n\r\n{}", 69)]
#[case::another_server("HTTP/1.1 200 OK\r\n\r\n<html>", 69)]
#[case::silent("", 69)]
fn health_is_the_servers_own_word(#[case] answer: &'static str, #[case] expected: i32) {
    let output = run(&["health", "--listen", &answering(answer)]);
    assert_eq!(code(&output), expected, "{}", stderr(&output));
}

#[test]
fn a_server_that_is_not_there_is_not_healthy() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let output = run(&["health", "--listen", &free]);
    assert_eq!(code(&output), 69);
    assert!(stderr(&output).contains(&free));
}
