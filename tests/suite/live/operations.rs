//! The service as `docs/operations.md` has it run: behind a proxy, upgraded, backed up and restored.

use serde_json::{Value, json};

use crate::live::server::Server;
use crate::oracle;

/// Fails with the first check of an oracle's answer that does not hold, or if there are fewer checks than `least`.
fn all_hold(found: &Value, least: usize) {
    let mut checks = 0;
    for (subject, of_subject) in found.as_object().unwrap() {
        for (check, complaint) in of_subject.as_object().unwrap() {
            assert_eq!(complaint, "", "{subject}: {check}");
            checks += 1;
        }
    }
    assert!(checks >= least, "only {checks} checks were made");
}

#[test]
fn nginx_and_caddy_pass_on_pages_jobs_and_errors_and_log_no_texts() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let job = json!({"root": env!("CARGO_MANIFEST_DIR"), "address": server.address, "key": server.key});
    all_hold(&oracle::ask("proxy_facts.py", &job), 40);
}

#[test]
fn no_request_fails_behind_nginx_and_caddy_while_a_fleet_is_replaced() {
    let job = json!({"root": env!("CARGO_MANIFEST_DIR"), "program": env!("CARGO_BIN_EXE_longhand")});
    all_hold(&oracle::ask("proxy_facts.py", &job), 6);
}

#[test]
fn keys_backup_restore_upgrade_and_a_new_redis_work_as_the_pages_say() {
    let job = json!({"root": env!("CARGO_MANIFEST_DIR"), "program": env!("CARGO_BIN_EXE_longhand")});
    all_hold(&oracle::ask("operations_facts.py", &job), 25);
}
