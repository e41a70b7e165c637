//! A charged request survives `kill -9`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::env;
use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use longhand::access::{Access, Keys};
use longhand::clock::Clock;

/// If this variable is set, the test below charges in the directory that it names until it is killed.
const VICTIM: &str = "LONGHAND_TEST_CHARGE_UNTIL_KILLED_IN";
const TASKS: usize = 8;
const CHARGED: &str = "charged.";

#[test]
fn a_charged_request_survives_kill_9() {
    if let Some(data_dir) = env::var_os(VICTIM) {
        charge_until_killed(Path::new(&data_dir));
    }
    for acknowledged_before_death in [1, 50, 500] {
        let folder = tempfile::tempdir().unwrap();
        let acknowledged = kill_after(folder.path().as_os_str(), acknowledged_before_death);
        assert!(acknowledged >= acknowledged_before_death);
        // A new server may start at once: the lock ended with its process.
        let access = Access::open_local(folder.path(), Clock::system()).unwrap();
        let used = access.keys().list().unwrap()[0].used_this_month as usize;
        assert!(
            (acknowledged..=acknowledged + TASKS).contains(&used),
            "{acknowledged} charges were acknowledged and at most {TASKS} in progress, but {used} are stored"
        );
    }
}

/// Runs a victim and kills it after `lines` acknowledged charges. Returns how many it acknowledged in all.
fn kill_after(data_dir: &OsStr, lines: usize) -> usize {
    let mut victim = Command::new(env::current_exe().unwrap())
        .args(["access::durability::a_charged_request_survives_kill_9", "--exact", "--nocapture"])
        .env(VICTIM, data_dir)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let output = BufReader::new(victim.stdout.take().unwrap());
    let mut acknowledged = 0;
    for line in output.lines() {
        if line.unwrap() == CHARGED {
            acknowledged += 1;
        }
        if acknowledged == lines {
            victim.kill().unwrap();
        }
    }
    assert!(!victim.wait().unwrap().success(), "the victim ended by itself");
    acknowledged
}

/// Charges from several tasks, each writing a line after each charge.
fn charge_until_killed(data_dir: &Path) -> ! {
    let store = Keys::open_in(data_dir, Clock::system()).unwrap();
    let created = store.create("victim", None).unwrap();
    let access = Arc::new(Access::open_local(data_dir, Clock::system()).unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = runtime.block_on(access.authenticate(&created.key)).unwrap();
    for _ in 0..TASKS {
        let (access, client) = (Arc::clone(&access), client.clone());
        runtime.spawn(async move {
            loop {
                access.reserve(&client).await.unwrap().charge().await.unwrap();
                let mut stdout = io::stdout().lock();
                // The harness may have left a line unfinished. The victim continues without a reader.
                let _ = writeln!(stdout, "\n{CHARGED}").and_then(|()| stdout.flush());
            }
        });
    }
    loop {
        std::thread::park();
    }
}
