//! Jobs of a running program: killed at any moment, and beside pages that somebody waits for.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};

use crate::live::server::{CreatedKey, Server, request};
use crate::oracle::ask;
use crate::pdf::files::ask_of_files;

/// Rows of the job that is killed.
const ROWS: usize = 150;
/// How often the server is killed.
const KILLS: usize = 4;

fn job(form: &str) -> Value {
    let rows: Vec<Value> = (1..=ROWS).map(|number| json!({"name": format!("Ann {number}"), "gift": "tea"})).collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the {gift}.", "page_size": "card_96x135"});
    json!({"request": request, "rows": rows, "output": {"form": form, "name": "{row}"}})
}

pub(crate) fn get(server: &Server, key: &str, path: &str) -> Value {
    server.send(&request("GET", path, key, "")).json()
}

fn create(server: &Server, key: &str, form: &str) -> String {
    create_job(server, key, &job(form))
}

/// Creates a job, and returns its path.
pub(crate) fn create_job(server: &Server, key: &str, job: &Value) -> String {
    let answer = server.send(&request("POST", "/api/v1/jobs", key, &job.to_string()));
    assert_eq!(answer.status(), 202, "{answer:?}");
    answer.header("location").unwrap().to_owned()
}

/// Waits until the job is so, and returns it.
pub(crate) fn until(server: &Server, key: &str, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..1200 {
        let job = get(server, key, path);
        if is_so(&job) {
            return job;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    panic!("not within two minutes: {}\n{}", get(server, key, path), server.log());
}

/// The hash of each row's file.
pub(crate) fn hashes(server: &Server, key: &str, path: &str) -> BTreeMap<u64, String> {
    let answer = server.send(&request("GET", &format!("{path}/rows?state=made"), key, ""));
    let rows = answer.body.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["row"].as_u64().unwrap(), row["sha256"].as_str().unwrap().to_owned())).collect()
}

#[test]
fn a_server_that_is_killed_in_a_job_makes_the_same_files_and_charges_each_row_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(Some(2 * ROWS as u64));
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

#[test]
fn rows_made_after_the_jobs_were_copied_and_before_the_charges_were_are_charged_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(Some(2 * ROWS as u64));
    let path = create(&server, &key, "zip");
    until(&server, &key, &path, |job| job["made"].as_u64().unwrap() >= 10);
    let (jobs, copy) = (folder.path().join("keys/jobs/jobs.sqlite3"), folder.path().join("copy.sqlite3"));
    let database = rusqlite::Connection::open(&jobs).unwrap();
    database.execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    drop(database);
    until(&server, &key, &path, |job| job["state"] == "completed");
    assert_eq!(server.terminate(), Some(0));

    std::fs::rename(&copy, &jobs).unwrap();
    server = Server::start(folder.path());
    assert_ne!(get(&server, &key, &path)["state"], "completed", "the copy was taken too late");
    until(&server, &key, &path, |job| job["state"] == "completed");
    assert_eq!(server.used_this_month(&id), ROWS as u64, "each row is charged once");
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
    let impose = json!({"sheet": "a3", "columns": 2, "rows": 2, "gap_mm": 6, "order": "cut_and_stack"});
    let on_sheets = json!({"form": "pdf", "pdf": {"impose": impose, "start_on": "odd"}});
    let (_, sheets) = printed(&server, folder.path(), &on_sheets);
    let facts = &ask_of_files(&[], [sheets])[0];
    let leaves = (letters - 2).div_ceil(2) + 2;
    assert_eq!((pages(facts), &facts["broken"]), (2 * leaves.div_ceil(4), &json!([])), "{facts}");
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

/// What came to a server that listens here, as head and body; it answers each call with the next of these statuses.
pub(crate) fn listener(answers: &'static [u16]) -> (String, JoinHandle<Vec<(String, String)>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    let calls = std::thread::spawn(move || {
        let call = |status: &u16| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut call = Vec::new();
            loop {
                let mut part = [0; 4096];
                let length = stream.read(&mut part).unwrap();
                call.extend_from_slice(&part[..length]);
                let text = String::from_utf8_lossy(&call).into_owned();
                let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                let wanted = field(head, "content-length").map_or(0, |length| length.parse().unwrap());
                if body.len() >= wanted {
                    write!(stream, "HTTP/1.1 {status} X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").unwrap();
                    break (head.to_owned(), body.to_owned());
                }
            }
        };
        answers.iter().map(call).collect()
    });
    (url, calls)
}

pub(crate) fn field<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let fields = head.lines().filter_map(|line| line.split_once(": "));
    fields.filter(|(held, _)| held.eq_ignore_ascii_case(name)).map(|(_, value)| value).next()
}

#[test]
fn the_end_of_a_job_is_told_until_it_is_heard_and_signed_for_the_owner_of_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--notify-hosts", "127.0.0.1,crm.example.org"]);
    let CreatedKey { key, webhook_secret, .. } = server.create_key(None);
    let (url, calls) = listener(&[500, 204]);
    let page = json!({"text": "Dear {name}", "page_size": "card_96x135"});
    let job = |url: &str| json!({"request": page, "rows": [{"name": "Ann"}], "notify": {"url": url}}).to_string();
    let refused = server.send(&request("POST", "/api/v1/jobs", &key, &job("https://elsewhere.example.org/")));
    assert_eq!(refused.status(), 422);
    assert_eq!(refused.json()["details"][0]["field"], "notify.url");
    let answer = server.send(&request("POST", "/api/v1/jobs", &key, &job(&url)));
    assert_eq!(answer.status(), 202, "{answer:?}");
    let path = answer.header("location").unwrap().to_owned();
    let calls = calls.join().unwrap();
    let headers = |head: &str| {
        ["webhook-id", "webhook-timestamp", "webhook-signature"].map(|name| field(head, name).unwrap().to_owned())
    };
    let [first, second] = [&calls[0], &calls[1]].map(|(head, _)| headers(head));
    assert_eq!(first[0], second[0], "one event has one id");
    assert_ne!(first[1], second[1]);
    let verified = |secret: &str, [id, time, signature]: &[String; 3], body: &str| {
        let headers = json!({"webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature});
        ask("verified_webhook.py", &json!({"secret": secret, "headers": headers, "body": body}))
    };
    let event = verified(&webhook_secret, &second, &calls[1].1);
    assert_eq!((&event["type"], &event["data"]["made"]), (&json!("job.completed"), &json!(1)), "{event}");
    let other = server.create_key(None).webhook_secret;
    assert!(verified(&other, &second, &calls[1].1)["refused"].is_string());
    let events = || get(&server, &key, &format!("{path}/events"))["events"].clone();
    let heard = (0..100).map(|_| events()).find(|events| {
        std::thread::sleep(Duration::from_millis(50));
        events[0]["delivered_at"].is_string()
    });
    let heard = heard.unwrap_or_else(|| panic!("{}", events()));
    assert_eq!((&heard[0]["id"], &heard[0]["attempts"]), (&json!(first[0]), &json!(2)));
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
