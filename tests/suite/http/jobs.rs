//! Jobs in this process, with a renderer that tests control.

use std::collections::BTreeSet;
use std::io::{Cursor, Read as _};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use futures_util::future::join_all;
use longhand::access::{ApiKey, KeySettings};
use longhand::pipeline::{RenderError, RenderedFile};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::http::harness::{Answer, Settings, Site, Trickle, page};

/// A site that makes jobs while this is held.
pub(super) struct Worker {
    pub(super) site: Site,
    making: tokio::task::JoinHandle<()>,
}

impl Worker {
    fn of(settings: &Settings<'_>) -> Self {
        let site = Site::of(settings);
        // A page that tells its text and seed.
        site.renderer.does(|spec| Ok(RenderedFile { seed: spec.seed, ..page(written(spec).as_bytes()) }));
        let making = tokio::spawn(Arc::clone(&site.service).make_jobs());
        Self { site, making }
    }

    pub(super) fn open() -> Self {
        Self::of(&Settings::default())
    }

    pub(super) async fn post(&self, job: &Value) -> Answer {
        self.site.post("/api/v1/jobs", job.to_string()).await
    }

    /// Sends a job with its rows in a file.
    pub(super) async fn send_list(&self, job: &Value, file: &str, bytes: &[u8]) -> Answer {
        let part = |name: &str, file: &str| {
            format!("\r\n--x\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n")
        };
        let head = part("job", "") + &job.to_string() + &part("rows", file);
        let body = [head.as_bytes(), bytes, b"\r\n--x--\r\n"].concat();
        let request = self.site.request(Method::POST, "/api/v1/jobs");
        let request = request.header("content-type", "multipart/form-data; boundary=x");
        self.site.send(request.body(Body::from(body)).unwrap()).await
    }

    /// Creates a job, and returns its path.
    pub(super) async fn create(&self, job: &Value) -> String {
        let answer = self.post(job).await;
        assert_eq!(answer.status, 202, "{answer:?}");
        let path = answer.header("location").unwrap().to_owned();
        assert_eq!(path, format!("/api/v1/jobs/{}", answer.json()["id"].as_str().unwrap()));
        path
    }

    /// Waits until the job has this state, and returns it.
    pub(super) async fn is(&self, path: &str, state: &str) -> Value {
        self.becomes(path, |job| job["state"] == state).await
    }

    /// Waits until the job is so, and returns it.
    async fn becomes(&self, path: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..2400 {
            let job = self.get_unlimited(path).await.json();
            if is_so(&job) {
                return job;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("it did not come to this: {}", self.get_unlimited(path).await.json());
    }

    /// A request in a window of its own: the clock stands still otherwise.
    pub(super) async fn get_unlimited(&self, path: &str) -> Answer {
        self.site.clock.advance(Duration::from_secs(1));
        self.site.get(path).await
    }

    pub(super) async fn rows(&self, path: &str) -> Vec<Value> {
        let answer = self.get_unlimited(&format!("{path}/rows")).await;
        assert_eq!(answer.header("content-type"), Some("application/jsonl"));
        let text = std::str::from_utf8(&answer.body).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    pub(super) async fn used(&self) -> Value {
        self.get_unlimited("/api/v1/usage").await.json()["used"].clone()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.making.abort();
    }
}

fn written(spec: &longhand::spec::RenderSpec) -> String {
    format!("{} {}", spec.text, spec.seed)
}

pub(super) fn names(count: usize) -> Vec<Value> {
    (1..=count).map(|number| json!({"name": format!("Ann{number}")})).collect()
}

pub(super) fn job(rows: &[Value]) -> Value {
    json!({"request": {"text": "Dear {name}"}, "rows": rows, "output": {"name": "{row}-{name}"}})
}

#[tokio::test]
async fn every_row_becomes_a_file_of_its_name_and_is_charged_once() {
    let worker = Worker::open();
    let path = worker.create(&job(&names(30))).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!([&done["rows"], &done["made"], &done["failed"]], [&json!(30), &json!(30), &json!(0)]);
    assert_eq!(worker.used().await, 30);
    let rows = worker.rows(&path).await;
    assert_eq!(rows.len(), 30);
    let mut bytes = 0;
    for (number, row) in (1..).zip(&rows) {
        assert_eq!((&row["row"], &row["state"]), (&json!(number), &json!("made")));
        assert_eq!(row["name"], format!("{number:02}-Ann{number}.png"));
        let file = worker.get_unlimited(&format!("{path}/files/{}", row["name"].as_str().unwrap())).await;
        assert_eq!((file.status.as_u16(), file.header("content-type")), (200, Some("image/png")));
        assert_eq!(file.body, format!("Dear Ann{number} {}", row["seed"]).as_bytes());
        assert_eq!(row["sha256"], hex::encode(Sha256::digest(&file.body)));
        bytes += file.body.len();
    }
    assert_eq!(done["bytes"], bytes);
    let seeds: BTreeSet<u64> = rows.iter().map(|row| row["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds.len(), 30, "each row has a seed of its own");
    // The same rows become the same files.
    let again = worker.create(&job(&names(30))).await;
    worker.is(&again, "completed").await;
    assert_eq!(worker.rows(&again).await, rows);
    let listed = worker.get_unlimited("/api/v1/jobs").await.json();
    assert_eq!(listed["jobs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_zip_has_all_files_in_their_order_and_is_sent_in_ranges() {
    let worker = Worker::open();
    let mut asked = job(&names(12));
    asked["output"]["form"] = json!("zip");
    let path = worker.create(&asked).await;
    worker.is(&path, "completed").await;
    let whole = worker.get_unlimited(&format!("{path}/result")).await;
    assert_eq!(whole.header("content-type"), Some("application/zip"));
    let mut archive = zip::ZipArchive::new(Cursor::new(whole.body.to_vec())).unwrap();
    assert_eq!(archive.len(), 12);
    for (at, row) in worker.rows(&path).await.iter().enumerate() {
        let mut entry = archive.by_index(at).unwrap();
        assert_eq!(row["name"], entry.name().unwrap().as_ref());
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        assert_eq!(row["sha256"], hex::encode(Sha256::digest(&bytes)));
    }
    let part = worker.site.request(Method::GET, &format!("{path}/result")).header("range", "bytes=2-9");
    let part = worker.site.send(part.body(Body::empty()).unwrap()).await;
    assert_eq!((part.status.as_u16(), &part.body[..]), (206, &whole.body[2..10]));
    let of_pages = worker.site.request(Method::GET, &format!("{path}/result")).header("range", "pages=1-2");
    let of_pages = worker.site.send(of_pages.body(Body::empty()).unwrap()).await;
    assert_eq!((of_pages.status.as_u16(), of_pages.body), (200, whole.body), "a unit that nobody knows is ignored");
}

#[tokio::test]
async fn a_row_that_fails_says_why_and_does_not_stop_the_others() {
    let worker = Worker::open();
    worker.site.renderer.does(|spec| match spec.text.as_str() {
        "Dear Ann2" => Err(RenderError::TooCostly { field: "text".to_owned(), message: "too much".to_owned() }),
        _ => Ok(page(b"page")),
    });
    let mut rows = names(4);
    rows[3]["name"] = json!("");
    let path = worker.create(&job(&rows)).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!((&done["made"], &done["failed"]), (&json!(2), &json!(2)));
    assert_eq!((&done["kinds"]["too_costly"], &done["kinds"]["row"]), (&json!(1), &json!(1)));
    let failed = worker.get_unlimited(&format!("{path}/rows?state=failed")).await;
    let failed = std::str::from_utf8(&failed.body).unwrap();
    assert_eq!(failed.lines().count(), 2);
    assert!(failed.contains("text: too much") && failed.contains("table.allow_empty"), "{failed}");
    assert_eq!(worker.used().await, 2, "only what was made is charged");
    let after = worker.get_unlimited(&format!("{path}/rows?after=3&limit=5")).await;
    assert_eq!(String::from_utf8_lossy(&after.body).lines().count(), 1);
}

#[tokio::test]
async fn a_row_at_which_the_program_panics_fails_alone_and_free_of_charge() {
    let worker = Worker::open();
    worker.site.renderer.does(|spec| match spec.text.as_str() {
        "Dear Ann2" => panic!("a fault of the program"),
        _ => Ok(page(b"page")),
    });
    let path = worker.create(&job(&names(4))).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!((&done["made"], &done["failed"], &done["kinds"]["fault"]), (&json!(3), &json!(1), &json!(1)));
    assert_eq!(worker.used().await, 3);
}

#[tokio::test]
async fn a_job_that_would_pass_the_quota_pauses_and_is_resumed() {
    let worker = Worker::of(&Settings { monthly_quota: Some(5), ..Settings::default() });
    let path = worker.create(&job(&names(9))).await;
    // Rows in progress are finished after the first one that found no quota.
    let paused = worker.becomes(&path, |job| job["state"] == "paused" && job["made"] == 5).await;
    assert_eq!(paused["reason"], "quota");
    assert!(paused["message"].as_str().unwrap().contains("quota"));
    let keys = worker.site.service.access().keys();
    let id = keys.list().unwrap()[0].id.clone();
    keys.set(&id, KeySettings { monthly_quota: Some(Some(20)), ..KeySettings::default() }).unwrap();
    worker.site.clock.advance(Duration::from_secs(1));
    assert_eq!(worker.site.post(&format!("{path}/resume"), "").await.status, 200);
    let done = worker.is(&path, "completed").await;
    assert_eq!((&done["made"], worker.used().await), (&json!(9), json!(9)));
}

#[tokio::test]
async fn a_job_pauses_when_its_key_is_revoked_or_there_is_no_room() {
    let worker = Worker::of(&Settings { most_bytes: Some(60), ..Settings::default() });
    let path = worker.create(&job(&names(9))).await;
    worker.is(&path, "paused").await;
    // Rows in progress are finished, and marked, after the first one that found no room.
    tokio::time::sleep(Duration::from_millis(500)).await;
    let paused = worker.is(&path, "paused").await;
    let bytes = paused["bytes"].as_u64().unwrap();
    assert!(paused["reason"] == "space" && (1..=60).contains(&bytes), "{paused}");
    assert_eq!(worker.used().await, paused["made"], "what could not be written is not charged");

    let full = Worker::of(&Settings { keep_free: u64::MAX, ..Settings::default() });
    let path = full.create(&job(&names(3))).await;
    let paused = full.is(&path, "paused").await;
    assert_eq!((&paused["reason"], &paused["made"], full.used().await), (&json!("disk"), &json!(0), json!(0)));

    let revoked = Worker::open();
    let id = revoked.site.service.access().keys().list().unwrap()[0].id.clone();
    let path = revoked.create(&job(&names(2000))).await;
    revoked.site.service.access().keys().revoke(&id).unwrap();
    revoked.site.clock.advance(Duration::from_secs(1));
    // Its key cannot ask any more.
    let key = longhand::access::KeyId::from(id.as_str());
    let jobs = revoked.site.service.jobs().unwrap();
    let number = path.rsplit_once('/').unwrap().1;
    let mut job = jobs.get(&key, number).unwrap();
    for _ in 0..400 {
        if job.reason.is_some() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
        job = jobs.get(&key, number).unwrap();
    }
    assert_eq!(job.reason, Some(longhand::jobs::PauseReason::Key));
    assert!(job.made < 2000);
}

#[tokio::test]
async fn a_dry_run_lays_out_and_makes_and_charges_nothing() {
    let worker = Worker::open();
    let mut asked = job(&names(3));
    asked["dry_run"] = json!(true);
    let path = worker.create(&asked).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!((&done["made"], &done["bytes"], &done["dry_run"]), (&json!(3), &json!(0), &json!(true)));
    assert_eq!(worker.used().await, 0);
    let row = &worker.rows(&path).await[0];
    assert_eq!((&row["name"], &row["calculated_font_size"]), (&Value::Null, &json!(42)));
    worker.get_unlimited(&format!("{path}/result")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_job_belongs_to_its_key() {
    let mut worker = Worker::open();
    let path = worker.create(&job(&names(2))).await;
    worker.is(&path, "completed").await;
    let other = worker.site.service.access().keys().create("other", None).unwrap().key;
    worker.site.key = ApiKey::reveal(&other).to_owned();
    for part in ["", "/rows", "/result", "/files/1-Ann1.png"] {
        worker.get_unlimited(&format!("{path}{part}")).await.refused(404, "NOT_FOUND");
    }
    worker.site.post(&format!("{path}/resume"), "").await.refused(404, "NOT_FOUND");
    assert_eq!(worker.get_unlimited("/api/v1/jobs").await.json()["jobs"], json!([]));
    worker.site.get("/api/v1/jobs/%ff").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_cancelled_job_keeps_what_is_made_until_it_expires() {
    let worker = Worker::open();
    let path = worker.create(&job(&names(500))).await;
    while worker.rows(&path).await.iter().all(|row| row["state"] != "made") {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let request = worker.site.request(Method::DELETE, &path).body(Body::empty()).unwrap();
    let cancelled = worker.site.send(request).await.json();
    assert_eq!(cancelled["state"], "cancelled");
    let rows = worker.rows(&path).await;
    let name = rows.iter().find_map(|row| row["name"].as_str()).unwrap();
    // The rows are all the last ones of their page where as many were asked for.
    let two = worker.get_unlimited(&format!("{path}/rows?limit=2")).await;
    assert_eq!(two.header("link").unwrap(), format!("<{path}/rows?after=2&limit=2>; rel=\"next\""));
    assert_eq!(worker.get_unlimited(&format!("{path}/files/{name}")).await.status, 200);
    assert_eq!(worker.site.post(&format!("{path}/resume"), "").await.json()["state"], "cancelled");
    // A week later nothing of it is left.
    worker.site.clock.advance(Duration::from_secs(8 * 24 * 3600));
    let next = worker.create(&job(&names(1))).await;
    worker.is(&next, "completed").await;
    worker.get_unlimited(&path).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn names_that_are_one_on_some_systems_are_refused_and_a_job_that_has_ended_is_deleted() {
    let worker = Worker::open();
    let named = |rows: [&str; 2]| {
        let mut job = job(&rows.map(|name| json!({"name": name})));
        job["output"]["name"] = "{name}".into();
        job
    };
    for rows in [["Ann", "ann"], ["Zo\u{eb}", "Zoe\u{308}"]] {
        assert_eq!(worker.post(&named(rows)).await.status, 422, "{rows:?}");
    }
    let path = worker.create(&named(["Ann", "Ben"])).await;
    worker.is(&path, "completed").await;
    let delete = || worker.site.request(Method::DELETE, &path).body(Body::empty()).unwrap();
    assert_eq!(worker.site.send(delete()).await.json()["state"], "completed");
    worker.get_unlimited(&path).await.refused(404, "NOT_FOUND");
    worker.get_unlimited(&format!("{path}/files/Ann.png")).await.refused(404, "NOT_FOUND");
    assert_eq!(worker.used().await, json!(2));
}

#[tokio::test]
async fn a_job_that_is_sent_again_with_its_idempotency_key_is_one_job() {
    let worker = Worker::open();
    let send = async |body: String| {
        let request = worker.site.request(Method::POST, "/api/v1/jobs").header("content-type", "application/json");
        worker.site.send(request.header("idempotency-key", "once").body(Body::from(body)).unwrap()).await
    };
    let first = send(job(&names(3)).to_string()).await;
    let again = send(job(&names(3)).to_string()).await;
    assert_eq!((first.status.as_u16(), again.status.as_u16()), (202, 202));
    assert_eq!(first.header("location"), again.header("location"));
    assert_eq!((first.header("idempotency-replayed"), again.header("idempotency-replayed")), (None, Some("true")));
    send(job(&names(2)).to_string()).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    worker.is(first.header("location").unwrap(), "completed").await;
    assert_eq!(worker.used().await, 3);
}

#[tokio::test]
async fn jobs_of_two_keys_take_turns() {
    let mut worker = Worker::open();
    let large = worker.create(&job(&names(400))).await;
    let first = worker.site.key.clone();
    worker.site.key = worker.site.service.access().keys().create("other", None).unwrap().key.reveal().to_owned();
    let small = worker.create(&job(&names(5))).await;
    worker.is(&small, "completed").await;
    worker.site.key = first;
    assert_eq!(worker.get_unlimited(&large).await.json()["state"], "running", "the small one did not wait for it");
    worker.is(&large, "completed").await;
    assert!(worker.site.renderer.calls.load(Ordering::SeqCst) >= 405);
}

#[tokio::test]
async fn few_new_jobs_of_a_key_arrive_at_once() {
    let worker = Worker::open();
    let send = |body: Body| {
        let request = worker.site.request(Method::POST, "/api/v1/jobs").header("content-type", "application/json");
        worker.site.send(request.body(body).unwrap())
    };
    let stalled: Vec<Trickle> = (0..8).map(|_| Trickle::stalled()).collect();
    let asked: Vec<_> = stalled.iter().map(Trickle::asked).collect();
    let mut waiting = join_all(stalled.into_iter().map(|body| send(Body::new(body))));
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut waiting).await.is_err());
    assert!(asked.iter().all(|asked| asked.load(Ordering::SeqCst)), "eight are read");
    let refused = worker.post(&json!({})).await;
    refused.refused(503, "SERVICE_OVERLOADED");
    assert_eq!(refused.header("retry-after"), Some("2"));
    drop(waiting);
    worker.post(&json!({})).await.refused(422, "VALIDATION_ERROR");
}
