//! Jobs of several instances that share a Redis and a bucket.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::live::bucket::{Bucket, SECRET};
use crate::live::fleet::Fleet;
use crate::live::jobs::{create_job, field, get, hashes, listener, until};
use crate::live::server::{CreatedKey, Server, request};

/// Rows of the job of which an instance is killed.
const ROWS: usize = 400;

fn many(form: &str) -> Value {
    let rows: Vec<Value> = (1..=ROWS).map(|number| json!({"name": format!("Ann {number}"), "gift": "tea"})).collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the {gift}.", "page_size": "card_96x135"});
    json!({"request": request, "rows": rows, "output": {"form": form, "name": "{row}"}})
}

/// A server without a store, which may be asked often.
fn start_alone(folder: &Path) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.env("LONGHAND_RATE_LIMITS", "jobs=10000");
    Server::start_by(command, folder, &[])
}

/// The variables of an instance.
fn prepare(bucket: &Bucket) -> impl Fn(&mut Command) {
    move |command: &mut Command| {
        bucket.given_to(command, SECRET);
        command.env("LONGHAND_NOTIFY_HOSTS", "127.0.0.1");
    }
}

fn start() -> (Fleet, Bucket) {
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::start(folder.path());
    let fleet = Fleet::start_by(folder, "20000", &[], prepare(&bucket));
    (fleet, bucket)
}

/// A job whose rows share a size, one of which cannot be made.
fn same_size() -> Value {
    let rows: Vec<Value> = (1..=30)
        .map(|number| json!({"name": "Ann ".repeat(number), "gift": if number == 7 { "" } else { "tea" }}))
        .collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the {gift}.", "page_size": "card_96x135"});
    json!({"request": request, "rows": rows, "same_size": true, "output": {"form": "files", "name": "{row}"}})
}

#[test]
fn a_job_of_two_instances_of_which_one_is_killed_has_the_files_that_one_server_makes() {
    let folder = tempfile::tempdir().unwrap();
    let alone = start_alone(folder.path());
    let expected = create_job(&alone, &alone.key, &many("zip"));
    until(&alone, &alone.key, &expected, |job| job["state"] == "completed");

    let (mut fleet, bucket) = start();
    let CreatedKey { id, key, .. } = fleet.create_key(Some(ROWS as u64 + 100));
    let path = create_job(&fleet.instances[0], &key, &many("zip"));
    until(&fleet.instances[1], &key, &path, |job| job["made"].as_u64().unwrap() >= ROWS as u64 / 3);
    fleet.instances[0].kill();
    assert!(
        get(&fleet.instances[1], &key, &path)["made"].as_u64().unwrap() < ROWS as u64,
        "it is killed in the middle"
    );
    let left = &fleet.instances[1];
    let done = until(left, &key, &path, |job| job["state"] != "running");
    assert_eq!(
        (&done["state"], &done["made"], &done["failed"]),
        (&json!("completed"), &json!(ROWS), &json!(0)),
        "{done}"
    );
    assert_eq!(hashes(left, &key, &path).len(), ROWS);
    assert_eq!(hashes(left, &key, &path), hashes(&alone, &alone.key, &expected));
    let number = |path: &str| path.rsplit_once('/').unwrap().1.to_owned();
    let of_one = fs::read(folder.path().join("keys/jobs").join(number(&expected)).join("result.zip")).unwrap();
    assert!(
        fs::read(bucket.object(&number(&path)).join("result.zip")).unwrap() == of_one,
        "the files of all rows differ"
    );
    fleet.is_used(&id, ROWS as u64);

    // The instance that was killed sends the charges that it had written down: none counts again.
    fleet.start_first_again(prepare(&bucket));
    let again = &fleet.instances[0];
    assert_eq!(get(again, &key, &path)["made"], ROWS);
    let file = again.send(&request("GET", &format!("{path}/files/001.png"), &key, ""));
    assert_eq!((file.status(), file.header("content-type")), (200, Some("image/png")));
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(fleet.used(&id), ROWS as u64);
    assert_eq!(again.send(&request("DELETE", &path, &key, "")).status(), 200);
    assert_eq!(fleet.instances[1].send(&request("GET", &path, &key, "")).status(), 404);
    assert!(!bucket.object(&number(&path)).join("result.zip").exists());
    fleet.end();
    assert_eq!(alone.terminate(), Some(0));
}

#[test]
fn instances_answer_for_the_jobs_of_each_other_and_each_event_is_told_once() {
    let (fleet, bucket) = start();
    let [one, two] = &fleet.instances;
    let CreatedKey { id, key, .. } = fleet.create_key(Some(20));
    let (url, calls) = listener(&[204, 204]);
    let rows: Vec<Value> = (1..=40).map(|number| json!({"name": format!("Ann {number}")})).collect();
    let request_of_rows = json!({"text": "Dear {name}", "page_size": "card_96x135"});
    let wanted = json!({"request": request_of_rows, "rows": rows, "notify": {"url": url}});
    let path = create_job(one, &key, &wanted);
    let paused = until(two, &key, &path, |job| job["state"] == "paused" && job["made"] == 20);
    assert_eq!(paused["reason"], "quota");
    fleet.is_used(&id, 20);
    let waiting = two.send(&request("GET", &format!("{path}/rows?state=waiting&cells=true"), &key, ""));
    assert_eq!(waiting.body.lines().count(), 20);
    assert!(waiting.body.contains(r#""cells":{"name":"Ann "#), "{}", waiting.body);
    fleet.keys(&["set", &id, "--monthly-quota", "100"]);
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(two.send(&request("POST", &format!("{path}/resume"), &key, "")).status(), 200);
    until(one, &key, &path, |job| job["state"] == "completed");
    fleet.is_used(&id, 40);
    let calls = calls.join().unwrap();
    let told = calls.iter().map(|(_, body)| serde_json::from_str::<Value>(body).unwrap()["type"].clone());
    assert_eq!(told.collect::<Vec<_>>(), [json!("job.paused"), json!("job.completed")]);
    assert_ne!(field(&calls[0].0, "webhook-id"), field(&calls[1].0, "webhook-id"));
    let events = until(two, &key, &format!("{path}/events"), |told| told["events"][1]["delivered_at"].is_string());
    assert_eq!(
        (&events["events"][0]["attempts"], &events["events"][1]["attempts"]),
        (&json!(1), &json!(1)),
        "{events}"
    );

    // A record of the list that is left out keeps its number.
    let list = "name\nAnn\n\" \"\nBob\n";
    let part = |name: &str, file: &str, body: &str| {
        let head = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"");
        format!("--x\r\n{head}\r\n\r\n{body}\r\n")
    };
    let definition = json!({"request": request_of_rows}).to_string();
    let body = part("job", "", &definition) + &part("rows", "list.csv", list) + "--x--\r\n";
    let sent = String::from_utf8(request("POST", "/api/v1/jobs", &key, &body)).unwrap();
    let created = one.send(sent.replace("application/json", "multipart/form-data; boundary=x").as_bytes());
    assert_eq!(created.status(), 202, "{}", created.body);
    let path = created.header("location").unwrap().to_owned();
    until(two, &key, &path, |job| job["state"] == "completed");
    for kind in ["", "?state=made", "?cells=true"] {
        let rows = two.send(&request("GET", &format!("{path}/rows{kind}"), &key, ""));
        let numbers = rows.body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["row"].clone());
        assert_eq!(numbers.collect::<Vec<_>>(), [1, 3], "{kind}");
    }
    fleet.is_used(&id, 42);

    // The size that all rows share is found by both.
    let folder = tempfile::tempdir().unwrap();
    let alone = start_alone(folder.path());
    let of_one = create_job(&alone, &alone.key, &same_size());
    let expected = until(&alone, &alone.key, &of_one, |job| job["state"] == "completed");
    let path = create_job(two, &key, &same_size());
    let done = until(one, &key, &path, |job| job["state"] == "completed");
    for member in ["made", "failed", "warned", "kinds", "pages", "bytes", "notes", "columns"] {
        assert_eq!(done[member], expected[member], "{member}");
    }
    assert_eq!(hashes(one, &key, &path), hashes(&alone, &alone.key, &of_one));
    let failed = get(two, &key, &format!("{path}/rows?state=failed"));
    assert_eq!((&failed["row"], &failed["state"]), (&json!(7), &json!("failed")));

    // Cancelled by one, a job stops on both.
    let path = create_job(one, &key, &many("files"));
    until(two, &key, &path, |job| job["made"].as_u64().unwrap() > 5);
    assert_eq!(two.send(&request("DELETE", &path, &key, "")).json()["state"], "cancelled");
    std::thread::sleep(Duration::from_secs(1));
    let made = get(one, &key, &path)["made"].clone();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(get(one, &key, &path)["made"], made);
    let listed = get(one, &key, "/api/v1/jobs");
    assert_eq!(listed["jobs"].as_array().unwrap().len(), 4);
    assert_eq!(alone.terminate(), Some(0));
    drop(bucket);
    fleet.end();
}
