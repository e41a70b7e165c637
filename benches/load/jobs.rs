//! A large job: its rows per second and its memory, pages beside it, and the same job with the program killed again and
//! again, which must become the same files, each row charged once.

use std::time::Duration;

use serde_json::{Value, json};

use crate::Plan;
use crate::client::Client;
use crate::pace::{now, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server, charged};

/// Pages that are asked for, one after the other, beside the job and without it.
const PAGES: usize = 300;
const KILLS: u64 = 20;

/// Whether the job that was killed became the same files as the other, and each row was charged once.
pub(crate) fn run(plan: &Plan) -> bool {
    let rows = plan.number(20_000, 200);
    let kills = if plan.is_measuring() { KILLS } else { 2 };
    let folder = tempfile::tempdir().unwrap();
    let key = Keys::make(folder.path(), 1).next().to_owned();
    let mut server = Server::start(folder.path(), &["--rate-limits", "generate=100000,jobs=100000"]);
    let idle = server.vitals().resident_kib;
    let alone = page_times(&server, &key);
    let started = now();
    let undisturbed = create(&server, &key, rows);
    let beside = page_times(&server, &key);
    let (made, most) = finish(&server, &key, &undisturbed);
    let seconds = (now() - started).as_secs_f64();
    let pages = 2 * PAGES as u64;
    println!(
        "{made} rows in {seconds:.0} s: {:.0} rows/s with {PAGES} pages beside; {:+.0} MiB over idle; a page's p95 {:.0} ms beside \
         it, {:.0} ms without",
        made as f64 / seconds,
        (most.saturating_sub(idle)) as f64 / 1024.0,
        beside,
        alone,
    );
    let expected = hashes(&server, &key, &undisturbed);

    let killed = create(&server, &key, rows);
    for kill in 1..=kills {
        let wanted = kill * rows / (kills + 1);
        while state(&server, &key, &killed)["made"].as_u64().unwrap() < wanted {
            std::thread::sleep(Duration::from_millis(5));
        }
        server.kill();
        server = Server::start(folder.path(), &["--rate-limits", "generate=100000,jobs=100000"]);
    }
    finish(&server, &key, &killed);
    let found = hashes(&server, &key, &killed);
    let (is_same, stored) = (found == expected, charged(folder.path()));
    println!(
        "killed {kills} times: {} files, {}; {stored} charges for {} rows and {pages} pages",
        found.len(),
        if is_same { "the same bytes" } else { "OTHER BYTES" },
        2 * rows
    );
    is_same && found.len() as u64 == rows && stored == 2 * rows + pages
}

/// The 95th percentile of the times of pages that are asked for one after the other, in ms.
fn page_times(server: &Server, key: &str) -> f64 {
    let scene: Scene = scenes::named("envelope");
    let mut times: Vec<Duration> = runtime().block_on(async {
        let mut client = Client::new(&server.address);
        let mut times = Vec::new();
        for _ in 0..PAGES {
            let started = now();
            assert_eq!(client.ask(&scene, key).await.unwrap().status, 200);
            times.push(now() - started);
        }
        times
    });
    times.sort_unstable();
    times[times.len() * 95 / 100].as_secs_f64() * 1e3
}

/// Creates a job with this number of rows, and returns its path.
pub(crate) fn create(server: &Server, key: &str, rows: u64) -> String {
    let rows: Vec<Value> = (1..=rows).map(|row| json!({"name": format!("Ann {row}")})).collect();
    let request = json!({"text": "Dear {name},\n\nthank you for the flowers!", "page_size": "card_5x7", "font_id": 3});
    let job = json!({"request": request, "rows": rows, "output": {"form": "zip", "name": "{row}"}});
    let url = format!("http://{}/api/v1/jobs", server.address);
    let answer =
        ureq::post(url).header("authorization", format!("Bearer {key}")).header("content-type", "application/json");
    let answer = answer.send(job.to_string().as_bytes()).unwrap();
    answer.headers()["location"].to_str().unwrap().to_owned()
}

fn get(server: &Server, key: &str, path: &str) -> String {
    let url = format!("http://{}{path}", server.address);
    let mut answer = ureq::get(url).header("authorization", format!("Bearer {key}")).call().unwrap();
    answer.body_mut().with_config().limit(64 << 20).read_to_string().unwrap()
}

fn state(server: &Server, key: &str, job: &str) -> Value {
    serde_json::from_str(&get(server, key, job)).unwrap()
}

/// Deletes what is at a path: a job that has ended, with its files, or artwork.
pub(crate) fn delete(server: &Server, key: &str, path: &str) {
    let url = format!("http://{}{path}", server.address);
    ureq::delete(url).header("authorization", format!("Bearer {key}")).call().unwrap();
}

/// Waits for the end of a job. Returns its rows that were made, and the most memory that the program took, in KiB.
pub(crate) fn finish(server: &Server, key: &str, job: &str) -> (u64, u64) {
    let mut most = 0;
    loop {
        let state = state(server, key, job);
        most = most.max(server.vitals().resident_kib);
        if state["state"] != "running" {
            assert_eq!(state["state"], "completed", "{state}");
            return (state["made"].as_u64().unwrap(), most);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The hash of each row's file, in the order of the rows.
fn hashes(server: &Server, key: &str, job: &str) -> Vec<String> {
    let mut hashes = Vec::new();
    loop {
        let page = get(server, key, &format!("{job}/rows?state=made&limit=10000&after={}", hashes.len()));
        let rows = page.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let before = hashes.len();
        hashes.extend(rows.map(|row| row["sha256"].as_str().unwrap().to_owned()));
        if hashes.len() == before {
            return hashes;
        }
    }
}
