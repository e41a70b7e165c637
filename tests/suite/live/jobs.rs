//! Jobs of a running program: killed at any moment, and beside pages that somebody waits for.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::live::server::{CreatedKey, Server, request};
use crate::pdf::files::ask_of_files;

/// Rows of the job that is killed.
const ROWS: usize = 150;
/// How often the server is killed.
const KILLS: usize = 4;

fn job(form: &str) -> String {
    let rows: Vec<Value> = (1..=ROWS).map(|number| json!({"name": format!("Ann {number}"), "gift": "tea"})).collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the {gift}.", "page_size": "card_96x135"});
    json!({"request": request, "rows": rows, "output": {"form": form, "name": "{row}"}}).to_string()
}

fn get(server: &Server, key: &str, path: &str) -> Value {
    server.send(&request("GET", path, key, "")).json()
}

fn create(server: &Server, key: &str, form: &str) -> String {
    let answer = server.send(&request("POST", "/api/v1/jobs", key, &job(form)));
    assert_eq!(answer.status(), 202, "{answer:?}");
    answer.header("location").unwrap().to_owned()
}

fn until(server: &Server, key: &str, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1200 {
        let job = get(server, key, path);
        if is_so(&job) {
            return job;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("not within two minutes: {}", get(server, key, path));
}

/// The hash of each row's file.
fn hashes(server: &Server, key: &str, path: &str) -> BTreeMap<u64, String> {
    let answer = server.send(&request("GET", &format!("{path}/rows?state=made"), key, ""));
    let rows = answer.body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["row"].as_u64().unwrap(), row["sha256"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn a_server_that_is_killed_in_a_job_makes_the_same_files_and_charges_each_row_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let CreatedKey { id, key } = server.create_key(Some(2 * ROWS as u64));
    let undisturbed = create(&server, &key, "zip");
    until(&server, &key, &undisturbed, |job| job["state"] == "completed");
    assert_eq!(server.used_this_month(&id), ROWS as u64);

    let killed = create(&server, &key, "zip");
    for round in 1..=KILLS {
        let made = (round * ROWS / (KILLS + 1)) as u64;
        until(&server, &key, &killed, |job| job["made"].as_u64().unwrap() >= made);
        server.kill();
        server = Server::start(folder.path());
    }
    let done = until(&server, &key, &killed, |job| job["state"] == "completed");
    assert_eq!((&done["made"], &done["failed"]), (&json!(ROWS), &json!(0)));
    assert_eq!(hashes(&server, &key, &killed), hashes(&server, &key, &undisturbed));
    assert_eq!(hashes(&server, &key, &killed).len(), ROWS);
    assert_eq!(server.used_this_month(&id), 2 * ROWS as u64, "each row is charged once");
    let zip = |path: &str| {
        let number = path.rsplit_once('/').unwrap().1;
        std::fs::read(folder.path().join("keys/jobs").join(number).join("result.zip")).unwrap()
    };
    assert!(zip(&killed) == zip(&undisturbed), "the files of all rows differ");
    assert_eq!(server.terminate(), Some(0));
}

/// The result of a job of letters of one, two and one page.
fn printed(server: &Server, folder: &Path, output: &Value) -> (String, Vec<u8>) {
    let long = "A line of the letter.\n".repeat(40);
    let page = json!({
        "text": "Dear {name},\n{letter}", "page_size": "card_5x7", "font_size": 60, "overflow": "paginate",
        "pdf": {"standard": "pdfx1a", "bleed_mm": 3}
    });
    let rows =
        json!([{"name": "Ann", "letter": "Thanks"}, {"name": "Ben", "letter": long}, {"name": "Zoë", "letter": ""}]);
    let table = json!({"allow_empty": true});
    let job = json!({"request": page, "rows": rows, "output": output, "table": table});
    let answer = server.send(&request("POST", "/api/v1/jobs", &server.key, &job.to_string()));
    assert_eq!(answer.status(), 202, "{answer:?}");
    let path = answer.header("location").unwrap().to_owned();
    let done = until(server, &server.key, &path, |job| job["state"] != "running");
    assert_eq!((&done["state"], &done["made"]), (&json!("completed"), &json!(3)), "{done}");
    let number = path.rsplit_once('/').unwrap().1;
    let results = folder.join("keys/jobs").join(number).read_dir().unwrap();
    let result = results.map(|entry| entry.unwrap().path()).find(|path| path.file_stem().unwrap() == "result").unwrap();
    let ending = result.extension().unwrap().to_string_lossy().into_owned();
    (ending, std::fs::read(result).unwrap())
}

#[test]
fn rows_are_joined_into_pdfs_that_begin_on_odd_pages() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let (ending, any) = printed(&server, folder.path(), &json!({"form": "pdf"}));
    assert_eq!(ending, "pdf");
    let (_, odd) = printed(&server, folder.path(), &json!({"form": "pdf", "pdf": {"start_on": "odd"}}));
    let facts = ask_of_files(&[], [any, odd]);
    let pages = |facts: &Value| facts["pages"].as_u64().unwrap();
    let letters = pages(&facts[0]);
    assert!(letters >= 4, "{facts}");
    // One page, an empty one, two or three pages with what makes them even, and one page.
    assert_eq!(pages(&facts[1]), 2 + (letters - 2).next_multiple_of(2) + 1);
    for facts in facts.as_array().unwrap() {
        assert_eq!((&facts["broken"], &facts["same_boxes"]), (&json!([]), &json!(true)), "{facts}");
    }
    let two = json!({"form": "pdf", "pdf": {"rows_per_file": 2}});
    let (ending, archive) = printed(&server, folder.path(), &two);
    assert_eq!(ending, "zip");
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
    assert_eq!(names, ["1-2.pdf", "3-3.pdf"]);
    let mut last = Vec::new();
    std::io::Read::read_to_end(&mut archive.by_name("3-3.pdf").unwrap(), &mut last).unwrap();
    assert_eq!(pages(&ask_of_files(&[], [last])[0]), 1);
    assert_eq!(server.terminate(), Some(0));
}

#[test]
fn pages_are_made_while_a_job_runs() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let path = create(&server, &server.key, "files");
    until(&server, &server.key, &path, |job| job["made"].as_u64().unwrap() > 0);
    for _ in 0..5 {
        let body = r#"{"text":"a","page_size":"square_5x5"}"#;
        assert_eq!(server.send(&request("POST", "/api/v1/generate", &server.key, body)).status(), 200);
    }
    until(&server, &server.key, &path, |job| job["state"] == "completed");
    assert_eq!(server.terminate(), Some(0));
}
