//! The store of the running program when the disk is full or accepts no writes, or the file is locked.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use longhand::clock::Clock;
use serde_json::json;

use crate::live::server::{CreatedKey, RawAnswer, Server, request};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

/// A fault of the store, until it ends.
trait Fault {
    fn begin(&mut self, server: &Server);
    fn end(&mut self, server: &Server);
}

/// The data directory on its own disk, which can be filled up.
struct FullDisk(PathBuf);

impl FullDisk {
    /// `None` if this process may not mount.
    fn mount(at: &Path) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", "size=512k,mode=0700", "tmpfs"]).arg(at).output();
        mounted.is_ok_and(|mounted| mounted.status.success()).then(|| Self(at.to_owned()))
    }
}

impl Fault for FullDisk {
    fn begin(&mut self, _: &Server) {
        let error = fs::write(self.0.join("ballast"), vec![0; 1 << 20]).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
    }

    fn end(&mut self, _: &Server) {
        fs::remove_file(self.0.join("ballast")).unwrap();
    }
}

impl Drop for FullDisk {
    fn drop(&mut self) {
        assert!(Command::new("umount").arg("--lazy").arg(&self.0).status().unwrap().success());
    }
}

/// The program can write no file, the log included: each write fails, as on a disk that the system has made read-only
/// after an error.
struct NoWrites;

impl NoWrites {
    fn limit(server: &Server, bytes: &str) {
        let process = server.id().to_string();
        let limited = Command::new("prlimit").args(["--pid", &process, &format!("--fsize={bytes}:unlimited")]).status();
        assert!(limited.unwrap().success());
    }
}

impl Fault for NoWrites {
    fn begin(&mut self, server: &Server) {
        Self::limit(server, "0");
    }

    fn end(&mut self, server: &Server) {
        Self::limit(server, "unlimited");
    }
}

/// Another process is in the middle of a write and does not continue.
struct Locked(rusqlite::Connection);

impl Fault for Locked {
    fn begin(&mut self, _: &Server) {
        self.0.execute_batch("BEGIN EXCLUSIVE").unwrap();
    }

    fn end(&mut self, _: &Server) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

/// Repeats a request until `is_wanted`, for ten seconds at most. Returns all answers.
fn ask_until(ask: impl Fn() -> RawAnswer, is_wanted: impl Fn(&RawAnswer) -> bool) -> Vec<RawAnswer> {
    let clock = Clock::system();
    let started = clock.monotonic();
    let mut answers = Vec::new();
    loop {
        answers.push(ask());
        let last = answers.last().unwrap();
        if is_wanted(last) {
            return answers;
        }
        assert!(clock.monotonic() - started < Duration::from_secs(10), "{last:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Checks the integrity of the store of `folder`, which no program has open.
fn check_integrity(folder: &Path) {
    let store = rusqlite::Connection::open(folder.join("keys/longhand.sqlite3")).unwrap();
    let verdict: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}

/// Keys with a quota are refused while the store accepts no writes; all other requests succeed. Afterwards every page
/// delivered is charged, also those delivered meanwhile.
fn only_keys_with_a_quota_wait_for_the_store(folder: &Path, server: Server, fault: &mut dyn Fault) {
    let (CreatedKey { id: limited_id, key: limited, .. }, CreatedKey { id: free_id, key: free, .. }) =
        (server.create_key(Some(100)), server.create_key(None));
    let generate = |key: &str| server.send(&request("POST", "/api/v1/generate", key, PAGE));
    let preview = |key: &str| server.send(&request("POST", "/api/v1/preview", key, PAGE));
    assert_eq!([generate(&limited).status(), generate(&free).status()], [200, 200]);

    fault.begin(&server);
    // The first page detects the fault. After that none is drawn in vain.
    let answers = ask_until(|| generate(&limited), |answer| answer.status() == 503);
    let given = 1 + answers.len() - 1;
    for _ in 0..3 {
        let refused = generate(&limited);
        assert_eq!((refused.status(), &refused.json()["error"]), (503, &json!("STORE_UNAVAILABLE")), "{refused:?}");
        assert!(refused.header("retry-after").is_some() && !refused.body.contains("SQLite"), "{refused:?}");
    }
    for key in [&limited, &free] {
        assert_eq!(preview(key).status(), 200, "previews go on");
    }
    for _ in 0..3 {
        assert_eq!(generate(&free).status(), 200, "a key without a quota goes on");
    }
    let readiness = crate::live::server::send(&server.admin, &request("GET", "/readyz", "", ""));
    assert_eq!((readiness.status(), &readiness.json()["ready"]), (503, &json!(false)), "{readiness:?}");

    fault.end(&server);
    ask_until(|| generate(&limited), |answer| answer.status() == 200);
    assert_eq!(server.used_this_month(&limited_id) as usize, given + 1, "what was refused is not charged");
    assert_eq!(server.used_this_month(&free_id), 4, "what was given meanwhile is charged");
    let log = server.log();
    assert!(!log.contains(&limited) && !log.contains(&free) && !log.contains(&server.key), "{log}");
    assert!(!log.contains("panic"), "{log}");
    assert_eq!(server.terminate(), Some(0));
    check_integrity(folder);
}

#[test]
fn a_full_disk_stops_keys_with_a_quota_alone_and_only_as_long_as_it_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut disk) = FullDisk::mount(&folder.path().join("keys")) else {
        println!("nothing can be mounted here: the next test alone shows what a disk does that takes nothing");
        return;
    };
    let server = Server::start(folder.path());
    only_keys_with_a_quota_wait_for_the_store(folder.path(), server, &mut disk);
}

#[test]
fn files_that_cannot_be_written_stop_keys_with_a_quota_alone_and_not_the_program() {
    let folder = tempfile::tempdir().unwrap();
    // Beyond the limit the system sends a signal too, which a failing disk does not.
    let mut command = Command::new("env");
    command.args(["--ignore-signal=XFSZ", env!("CARGO_BIN_EXE_longhand")]);
    let server = Server::start_by(command, folder.path(), &[]);
    only_keys_with_a_quota_wait_for_the_store(folder.path(), server, &mut NoWrites);
}

#[test]
fn a_locked_store_stops_keys_with_a_quota_alone_and_only_as_long_as_it_is_locked() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let other = rusqlite::Connection::open(folder.path().join("keys/longhand.sqlite3")).unwrap();
    only_keys_with_a_quota_wait_for_the_store(folder.path(), server, &mut Locked(other));
}
