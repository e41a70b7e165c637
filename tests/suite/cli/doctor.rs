//! What `longhand doctor` finds, and what it finds wrong.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Exit code, findings and remarks.
fn doctor(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> (Option<i32>, Vec<Value>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.args(["doctor", "--json", "--admin-listen", "127.0.0.1:0"]).args(arguments);
    let output = command.envs(environment.iter().copied()).current_dir(folder).output().unwrap();
    let remarks = String::from_utf8_lossy(&output.stderr).into_owned();
    let findings = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {remarks}"));
    (output.status.code(), findings, remarks)
}

/// The only finding of a check: how bad, and what.
fn of<'a>(findings: &'a [Value], check: &str) -> (&'a str, &'a str) {
    let found: Vec<&Value> = findings.iter().filter(|finding| finding["check"] == check).collect();
    let [only] = found[..] else { panic!("{check}: {findings:?}") };
    (only["verdict"].as_str().unwrap(), only["found"].as_str().unwrap())
}

#[test]
fn a_machine_that_can_serve_passes_and_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let (code, findings, _) = doctor(folder.path(), &["--listen", "127.0.0.1:0"], &[]);
    assert_eq!(code, Some(0), "{findings:?}");
    assert!(findings.iter().any(|finding| finding["check"] == "adapter"), "{findings:?}");
    let (verdict, page) = of(&findings, "page");
    assert!(verdict != "fail" && page.starts_with("90 fonts; an A5 page in ") && page.contains("draw "), "{page}");
    let (verdict, readback) = of(&findings, "readback");
    let speed: f64 = readback.split_once(" MiB a second").unwrap().0.parse().unwrap();
    assert!(verdict == "ok" && (1.0..1e6).contains(&speed), "{readback}");
    let (verdict, store) = of(&findings, "store");
    assert!(verdict == "note" && store.starts_with("none in data yet"), "{store}");
    assert!(!folder.path().join("data").exists(), "looking makes nothing");
    assert_eq!(of(&findings, "listen"), ("ok", "127.0.0.1:0 is free"));
    assert_eq!(of(&findings, "profiles"), ("ok", "for each printing condition of PDF/X, bundled"));

    let (code, findings, _) = doctor(folder.path(), &["--listen", "127.0.0.1:0", "--icc-dir", "."], &[]);
    let (verdict, profiles) = of(&findings, "profiles");
    assert!(code == Some(69) && verdict == "fail" && profiles.contains("no output profile"), "{profiles}");
}

#[test]
fn a_misspelled_setting_of_the_environment_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let misspelled = [("LONGHAND_LISTN", "127.0.0.1:8080")];
    let (code, findings, _) = doctor(folder.path(), &["--listen", "127.0.0.1:0"], &misspelled);
    let (verdict, found) = of(&findings, "configuration");
    assert!(code == Some(69) && verdict == "fail" && found.contains("LONGHAND_LISTN"), "{found}");
}

/// Neither of these variables is set on a machine without a desktop. The first turns off the layer that Mesa adds.
#[test]
fn without_a_desktop_standard_error_has_the_remarks_of_the_program_alone() {
    let folder = tempfile::tempdir().unwrap();
    let remarks = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.args(arguments).current_dir(folder.path()).env_remove("NODEVICE_SELECT").env_remove("XDG_RUNTIME_DIR");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(remarks(&["doctor", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"]), "");
    assert_eq!(remarks(&["render", "Hi", "-o", "page.png", "--seed", "1"]).lines().count(), 1);
}

#[test]
fn the_devices_that_are_configured_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    let (_, findings, _) = doctor(folder.path(), &["--gpu", "0", "--gpu", "0"], &[]);
    let (_, page) = of(&findings, "page");
    assert!(page.contains("pages are drawn on ") && page.contains(" and "), "{page}");
    let (code, findings, _) = doctor(folder.path(), &["--gpu", "radeon"], &[]);
    let (verdict, page) = of(&findings, "page");
    assert!(code == Some(69) && verdict == "fail", "{page}");
    assert!(page.contains("there is no GPU \"radeon\"; 0 is "), "those there are: {page}");
}

#[test]
fn what_keeps_the_service_from_running_is_69_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/longhand.sqlite3"), "no store at all, but long enough to be read").unwrap();
    let missing = folder.path().join("no-driver.json");
    let environment = ["VK_DRIVER_FILES", "VK_ICD_FILENAMES"].map(|name| (name, missing.to_str().unwrap()));
    let address = taken.local_addr().unwrap().to_string();
    let arguments = ["--listen", &address, "--max-connections", "4000000000"];
    let (code, findings, remarks) = doctor(folder.path(), &arguments, &environment);

    assert_eq!(code, Some(69), "{findings:?}");
    let (verdict, drivers) = of(&findings, "drivers");
    assert!(verdict == "fail" && drivers.contains("no-driver.json"), "{drivers}");
    let (verdict, page) = of(&findings, "page");
    assert!(verdict == "fail" && page.contains("apt-get install"), "{page}");
    assert_eq!(of(&findings, "store").0, "fail");
    assert_eq!((of(&findings, "listen").0, of(&findings, "open files").0), ("note", "note"));
    assert!(remarks.contains("4 checks failed"), "{remarks}");
}
