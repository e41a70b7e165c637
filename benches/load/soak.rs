//! A long time under mixed load, with a job, artwork and a picture of no sheet in each round: memory, open files and threads
//! must not grow.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::Plan;
use crate::jobs;
use crate::pace::{Target, capacity, now, open_loop, runtime};
use crate::scenes::{self, Scene};
use crate::server::{Keys, Server, Vitals};
use crate::tally::Tally;

/// Part of the capacity that is asked.
const LOAD: f64 = 0.6;
/// Time between two looks.
const ROUND: Duration = Duration::from_secs(10);
/// Rows of the job of a round.
const ROWS: u64 = 20;
/// Growth of resident memory over the second half, MiB an hour: beyond that, something leaks.
const MOST_GROWTH: f64 = 40.0;

/// Whether nothing grows.
pub(crate) fn run(plan: &Plan) -> bool {
    let (seconds, round) = (plan.number(900, 2), plan.duration(ROUND));
    let folder = tempfile::tempdir().unwrap();
    let keys = Arc::new(Keys::make(folder.path(), 1000));
    let fonts = folder.path().join("fonts");
    std::fs::create_dir(&fonts).unwrap();
    let fonts = fonts.to_str().unwrap();
    let server = Server::start(folder.path(), &["--hands", "keys", "--artwork", "keys", "--fonts-dir", fonts]);
    let key = keys.next().to_owned();
    let target = Target { address: server.address.clone(), keys };
    // All but the pages that would keep all others waiting.
    let mixed: Vec<Scene> = scenes::all().into_iter().filter(|scene| scene.name != "A3-600-10k").collect();
    let runtime = runtime();
    let (capacity, _) = capacity(&runtime, &target, &mixed, 4, round);

    let mut looks: Vec<(f64, Vitals)> = Vec::new();
    let mut all = Tally::default();
    let started = now();
    while now() - started < Duration::from_secs(seconds) {
        let job = jobs::create(&server, &key, ROWS);
        refuse_picture(&server, &key);
        use_artwork(&server, &key);
        all.merge(runtime.block_on(open_loop(&target, &mixed, capacity * LOAD, round)));
        assert_eq!(jobs::finish(&server, &key, &job).0, ROWS);
        jobs::delete(&server, &key, &job);
        looks.push(((now() - started).as_secs_f64(), server.vitals()));
    }
    println!("{:.1} pages/s of {capacity:.1} for {seconds} s: {all}", capacity * LOAD);
    println!("beside them {} jobs of {ROWS} rows, and as many pieces of artwork and pictures of no sheet", looks.len());
    for (at, vitals) in looks.iter().step_by((looks.len() / 8).max(1)) {
        let Vitals { resident_kib, files, threads, .. } = vitals;
        println!("after {at:.0} s: {} MB, {files} files, {threads} threads", resident_kib / 1024);
    }
    let second_half = &looks[looks.len() / 2..];
    let growth = slope(second_half.iter().map(|(at, vitals)| (*at, vitals.resident_kib as f64 / 1024.0))) * 3600.0;
    let (first, last) = (second_half[0].1, second_half[second_half.len() - 1].1);
    println!(
        "over the second half: {growth:.1} MiB an hour, {} → {} files, {} → {} threads; peak {} MB",
        first.files,
        last.files,
        first.threads,
        last.threads,
        last.peak_kib / 1024
    );
    all.others_than(&[200]).is_empty()
        && all.broken == 0
        && growth <= MOST_GROWTH
        && last.files <= first.files + 16
        && last.threads <= first.threads + 2
}

/// A request of the API with a key, whose answer is told whatever its status is.
fn post(server: &Server, key: &str, path: &str, media_type: &str, body: &[u8]) -> ureq::http::Response<ureq::Body> {
    let request = ureq::post(format!("http://{}{path}", server.address)).content_type(media_type);
    let request = request.header("authorization", format!("Bearer {key}"));
    request.config().http_status_as_error(false).build().send(body).unwrap()
}

/// A small page.
fn picture(server: &Server, key: &str) -> Vec<u8> {
    let page = br#"{"text":"no sheet","page_size":"card_5x7"}"#;
    post(server, key, "/api/v1/generate/png", "application/json", page).body_mut().read_to_vec().unwrap()
}

/// Sends the picture of a page that is no sheet, which the process that reads it must refuse.
fn refuse_picture(server: &Server, key: &str) {
    let start = b"--b\r\nContent-Disposition: form-data; name=\"pictures\"; filename=\"page.png\"\r\n\r\n";
    let body = [start.as_slice(), &picture(server, key), b"\r\n--b--\r\n"].concat();
    let answer = post(server, key, "/api/v1/hands/read", "multipart/form-data; boundary=b", &body);
    assert!([200, 422].contains(&answer.status().as_u16()), "it is told what is wrong: {answer:?}");
}

/// Keeps a picture and a drawing as artwork, lays them under the two sides of a PDF, and deletes them.
fn use_artwork(server: &Server, key: &str) {
    let drawing = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="9" fill="#fdd"/></svg>"##;
    let ids = [picture(server, key).as_slice(), drawing].map(|file| {
        let mut kept = post(server, key, "/api/v1/artwork", "application/octet-stream", file);
        let kept: Value = serde_json::from_str(&kept.body_mut().read_to_string().unwrap()).unwrap();
        kept["id"].as_str().unwrap().to_owned()
    });
    let sides = ids.each_ref().map(|id| json!({"text": "Dear Ann", "artwork": [{"id": id}]}));
    let request = json!({"page_size": "card_5x7", "output_format": "pdf", "sides": sides}).to_string();
    let answer = post(server, key, "/api/v1/generate/pdf", "application/json", request.as_bytes());
    assert_eq!(answer.status(), 200, "{:?}", answer.into_body().read_to_string());
    for id in ids {
        jobs::delete(server, key, &format!("/api/v1/artwork/{id}"));
    }
}

/// The slope of the straight line that fits the points best (least squares).
fn slope(points: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let number = points.clone().count() as f64;
    let (x_mean, y_mean) =
        points.clone().fold((0.0, 0.0), |(x, y), point| (x + point.0 / number, y + point.1 / number));
    let (covariance, variance) = points.fold((0.0, 0.0), |(covariance, variance), (x, y)| {
        (covariance + (x - x_mean) * (y - y_mean), variance + (x - x_mean).powi(2))
    });
    if variance > 0.0 { covariance / variance } else { 0.0 }
}
