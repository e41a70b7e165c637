//! Rows of jobs: what is asked of them, what is refused, the size that they share, and those of a deleted job.

use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use longhand::pipeline::{RenderError, RenderedFile};
use longhand::spec::FontSize;
use serde_json::{Value, json};

use super::harness::{Answer, page};
use super::jobs::{Worker, job, names};

#[tokio::test]
async fn what_no_row_can_be_made_with_is_refused_at_once() {
    let worker = Worker::open();
    let refused = async |job: Value| worker.post(&job).await.refused(422, "VALIDATION_ERROR");
    let field = |body: &Value| body["details"][0]["field"].as_str().unwrap().to_owned();
    let with = |pointer: &str, value: Value| {
        let mut job = job(&names(2));
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        job.pointer_mut(parent).unwrap()[name] = value;
        job
    };
    let sheets = |other: Value| {
        let mut impose = json!({"sheet": "a4", "columns": 2, "rows": 2});
        impose.as_object_mut().unwrap().extend(other.as_object().unwrap().clone());
        json!({"form": "pdf", "pdf": {"impose": impose}})
    };
    let pdf_of = |format: &str| {
        let mut job = with("/output", json!({"form": "pdf"}));
        job["request"]["output_format"] = format.into();
        job
    };
    for (job, expected) in [
        (with("/request/text", json!("Dear {nmae}")), "rows"),
        (with("/request/text", json!("Dear {name")), "request.text"),
        (with("/request/font_id", json!(91)), "request.font_id"),
        (with("/request/sise", json!(1)), "request.sise"),
        (with("/output/name", json!("x")), "output.name"),
        (with("/output/form", json!("paper")), "output.form"),
        (with("/output/name", json!("../{row}")), "output.name"),
        (with("/output/name", json!("a/{row}")), "output.name"),
        (with("/output/name", json!(".{row}")), "output.name"),
        (with("/output/pdf", json!({})), "output.pdf"),
        (with("/output", json!({"form": "pdf", "pdf": {"rows_per_file": 0}})), "output.pdf.rows_per_file"),
        (pdf_of("svg"), "request.output_format"),
        (with("/output", sheets(json!({"columns": 0}))), "output.pdf.impose.columns"),
        (with("/output", sheets(json!({"gap_mm": 51}))), "output.pdf.impose.gap_mm"),
        (with("/output", sheets(json!({"rows": 9}))), "output.pdf.impose"),
        (
            {
                let mut job = with("/same_size", json!(true));
                job["request"]["font_size"] = json!(40);
                job
            },
            "same_size",
        ),
        (with("/table", json!({"ignore": ["age"]})), "table.ignore"),
        (with("/rows", json!([])), "rows"),
        (with("/rows", json!([{"name": ["a"]}])), "rows"),
        (with("/priorty", json!("low")), "priorty"),
    ] {
        let body = refused(job.clone()).await;
        assert_eq!(field(&body), expected, "{job}: {body}");
    }
    worker
        .site
        .renderer
        .does(|_| Err(RenderError::TooCostly { field: "text".to_owned(), message: "too much".to_owned() }));
    assert_eq!(field(&refused(job(&names(2))).await), "request.text", "the first row cannot be laid out");
    assert_eq!(worker.get_unlimited("/api/v1/jobs").await.json()["jobs"], json!([]));
}

async fn lines(worker: &Worker, path: &str) -> Vec<Value> {
    let answer = worker.get_unlimited(path).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    std::str::from_utf8(&answer.body).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn rows_are_asked_for_by_their_kind_and_with_their_cells() {
    let worker = Worker::open();
    let table = [
        json!({"name": "Ann", "gift": "tea"}),
        json!({"name": "", "gift": "milk"}),
        json!({"name": "NULL", "gift": 7}),
    ];
    let path = worker.create(&job(&table)).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!((&done["columns"], &done["warned"]), (&json!(["gift", "name"]), &json!(1)));
    let of_kind = async |query: &str| lines(&worker, &format!("{path}/rows?{query}")).await;
    let numbers = |rows: &[Value]| rows.iter().map(|row| row["row"].as_u64().unwrap()).collect::<Vec<_>>();
    for (kind, expected) in [("made", [1, 3].as_slice()), ("failed", &[2]), ("warned", &[3]), ("waiting", &[])] {
        assert_eq!(numbers(&of_kind(&format!("state={kind}")).await), expected, "{kind}");
    }
    assert!(of_kind("").await.iter().all(|row| row.get("cells").is_none()));
    let cells: Vec<Value> = of_kind("cells=true").await.iter().map(|row| row["cells"].clone()).collect();
    let expected =
        [["tea", "Ann"], ["milk", ""], ["7", "NULL"]].map(|[gift, name]| json!({"gift": gift, "name": name}));
    assert_eq!(cells, expected);
    let link = worker.get_unlimited(&format!("{path}/rows?state=made&cells=true&limit=1")).await;
    let next = format!("<{path}/rows?state=made&cells=true&after=1&limit=1>; rel=\"next\"");
    assert_eq!(link.header("link"), Some(next.as_str()));
}

#[tokio::test]
async fn a_part_that_a_file_does_not_have_is_refused_with_its_length() {
    let worker = Worker::open();
    let path = worker.create(&job(&names(1))).await;
    worker.is(&path, "completed").await;
    let name = lines(&worker, &format!("{path}/rows")).await[0]["name"].as_str().unwrap().to_owned();
    let file = format!("{path}/files/{name}");
    let length = worker.get_unlimited(&file).await.body.len();
    let request = worker.site.request(Method::GET, &file).header("range", "bytes=99999-").body(Body::empty());
    let answer: Answer = worker.site.send(request.unwrap()).await;
    assert_eq!(answer.header("content-range"), Some(format!("bytes */{length}").as_str()));
    answer.refused(416, "RANGE_NOT_SATISFIABLE");
}

#[tokio::test]
async fn a_list_of_uncertain_encoding_is_refused_with_its_readings() {
    let worker = Worker::open();
    let send = async |table: Value| {
        let job = json!({"request": {"text": "Dear {name}"}, "table": table});
        worker.send_list(&job, "a.csv", b"name\nGy\xF5r\n").await
    };
    let refused = send(json!({})).await.refused(422, "VALIDATION_ERROR");
    let detail = &refused["details"][0];
    assert_eq!((&detail["field"], &detail["type"]), (&json!("rows"), &json!("uncertain_encoding")));
    let reading = json!({"encoding": "windows-1250", "sample": "Gy\u{151}r"});
    assert!(detail["readings"].as_array().unwrap().contains(&reading), "{detail}");
    assert_eq!(send(json!({"encoding": "windows-1250"})).await.status, 202);
}

#[tokio::test]
async fn all_rows_have_the_size_at_which_every_row_fits() {
    let worker = Worker::open();
    // The more letters, the smaller; at 20 px the lines of a row break so that it fits at 18 px alone.
    worker.site.renderer.does(|spec| {
        let calculated_font_size = match spec.font_size {
            FontSize::Auto { max } => {
                let size = (200 / u32::try_from(spec.text.len()).unwrap()).min(max);
                Some(if size == 20 && spec.text.ends_with("Bob") { 18 } else { size })
            }
            FontSize::Fixed(_) => None,
        };
        let bytes = format!("{} {:?}", spec.text, spec.font_size);
        Ok(RenderedFile { seed: spec.seed, calculated_font_size, ..page(bytes.as_bytes()) })
    });
    let table = ["Al", "Bob", "AlxBa", ""].map(|name| json!({"name": name}));
    let mut wanted = job(&table);
    wanted["same_size"] = json!(true);
    let path = worker.create(&wanted).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!([&done["made"], &done["failed"], &done["pages"]], [&json!(3), &json!(1), &json!(3)]);
    let notes = done["notes"].as_array().unwrap();
    assert!(notes.contains(&json!("all rows are written in 18 px, which row 2 needs")), "{notes:?}");
    assert_eq!(worker.used().await, 3);
    for row in lines(&worker, &format!("{path}/rows?state=made")).await {
        assert_eq!(row["calculated_font_size"], 18);
        let file = worker.get_unlimited(&format!("{path}/files/{}", row["name"].as_str().unwrap())).await;
        assert!(String::from_utf8_lossy(&file.body).contains("Fixed(Px(18"), "{row}");
    }
}

#[tokio::test]
async fn rows_without_an_automatic_size_need_none_to_share() {
    let worker = Worker::open();
    worker.site.renderer.does(|_| Ok(RenderedFile { calculated_font_size: None, ..page(b"page") }));
    let mut wanted = job(&names(3));
    wanted["same_size"] = json!(true);
    let path = worker.create(&wanted).await;
    let done = worker.is(&path, "completed").await;
    assert_eq!([&done["made"], &done["failed"]], [&json!(3), &json!(0)]);
    assert_eq!(worker.used().await, 3);
}

#[tokio::test]
async fn rows_in_progress_of_a_job_that_is_deleted_are_not_charged() {
    let worker = Worker::open();
    let path = worker.create(&job(&names(500))).await;
    let gate = worker.site.renderer.gate.write().await;
    // Rows before the gate are charged now, the next ones wait at it.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let used = worker.used().await.as_u64().unwrap();
    let delete = || worker.site.request(Method::DELETE, &path).body(Body::empty()).unwrap();
    assert_eq!(worker.site.send(delete()).await.json()["state"], "cancelled");
    assert_eq!(worker.site.send(delete()).await.status, 200);
    drop(gate);
    // A row that is begun after them ends after them.
    let next = worker.create(&job(&names(1))).await;
    worker.is(&next, "completed").await;
    assert_eq!(worker.used().await, json!(used + 1));
    worker.get_unlimited(&path).await.refused(404, "NOT_FOUND");
}
