//! `longhand batch`: mail merge, here and through a service.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use rstest::rstest;
use serde_json::Value;

use crate::live::server::Server;

const PEOPLE: &str = "\u{FEFF}name,city\nAnn,Paris\n\"Bob, Jr.\",Rome\nZoë,\"K/öln\"\n";
const LETTER: &str = "Dear {name},\nhow is {city}?\n";

/// A folder with the files of a mail merge.
fn desk(people: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("people.csv"), people).unwrap();
    std::fs::write(folder.path().join("letter.txt"), LETTER).unwrap();
    folder
}

fn batch(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.arg("batch").args(arguments).current_dir(folder).env_remove("LONGHAND_KEY");
    command
}

/// A mail merge on the smallest paper.
fn merge(folder: &Path, arguments: &[&str]) -> Output {
    let flags = ["--csv", "people.csv", "--template", "letter.txt", "--page-size", "card_96x135"];
    batch(folder, &flags).args(arguments).output().unwrap()
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn report(folder: &Path, file: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn every_record_becomes_a_file_and_a_line_of_the_report() {
    let desk = desk(PEOPLE);
    let output = merge(desk.path(), &["-o", "cards/{row}-{name}.png", "--font-size", "60", "--jobs", "2"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let cards = desk.path().join("cards");
    assert_eq!(files(&cards), ["1-Ann.png", "2-Bob, Jr.png", "3-Zoë.png", "report.csv", "report.jsonl"]);
    let lines = report(&cards, "report.jsonl");
    assert_eq!(lines.iter().map(|line| line["row"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3]);
    for line in &lines {
        let file = desk.path().join(line["file"].as_str().unwrap());
        assert_eq!(line["bytes"].as_u64().unwrap(), std::fs::metadata(file).unwrap().len());
        assert!(line["seed"].is_u64() && line["error"].is_null() && line["warnings"].is_array(), "{line}");
    }

    let text = "Dear Zoë,\nhow is K/öln?";
    let seed = lines[2]["seed"].to_string();
    let flags = ["render", text, "--page-size", "card_96x135", "--font-size", "60", "-o", "same.png", "--seed", &seed];
    let render = Command::new(env!("CARGO_BIN_EXE_longhand")).args(flags).current_dir(desk.path()).output().unwrap();
    assert!(render.status.success(), "{}", stderr(&render));
    let same = std::fs::read(desk.path().join("same.png")).unwrap();
    assert_eq!(same, std::fs::read(cards.join("3-Zoë.png")).unwrap(), "a row is what render makes of it");
}

#[rstest]
#[case::missing(&["-o", "{row}-{nmae}.png"], 65, "{nmae}; the columns are name, city")]
#[case::unknown_ignored(&["-o", "{row}.png", "--ignore", "age"], 65, "--ignore: there is no column age")]
#[case::one_file_for_all(&["-o", "page.png"], 64, "only a .pdf holds all rows")]
#[case::same_file(&["-o", "{{x}}-{city}.png"], 65, "rows 1 and 4 would both become {x}-Paris.png")]
#[case::broken_pattern(&["-o", "{row.png"], 64, "not closed")]
#[case::no_key(&["-o", "{row}.png", "--server", "http://127.0.0.1:1"], 64, "--key")]
#[case::flag(&["-o", "{row}.png", "--font-id", "Caveat"], 65, "font_id:")]
#[case::flags_together(&["-o", "{row}.png", "--overflow", "paginate"], 65, "overflow:")]
#[case::format(&["-o", "{row}.jpg"], 64, "png, pdf or svg")]
#[case::skipping(&["-o", "{row}.png", "--skip-failed"], 64, "--skip-failed is for one PDF")]
#[case::one_size(&["-o", "{row}.png", "--same-size", "--font-size", "40"], 64, "--same-size")]
#[case::delimiter(&["-o", "{row}.png", "--delimiter", "tabs"], 64, "--delimiter")]
#[case::encoding(&["-o", "{row}.png", "--encoding", "windows"], 64, "windows-1252")]
#[case::no_rows(&["-o", "{row}.png", "--limit", "0"], 64, "--limit")]
#[case::report(&["-o", "{row}.png", "--report", "people.jsonl"], 65, "people.csv, the table beside")]
fn what_is_wrong_with_the_whole_is_found_before_anything_is_made(
    #[case] arguments: &[&str],
    #[case] expected: i32,
    #[case] said: &str,
) {
    let desk = desk(&format!("{PEOPLE}Dan,Paris\n"));
    let output = merge(desk.path(), arguments);
    assert_eq!(code(&output), expected, "{}", stderr(&output));
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    assert_eq!(files(desk.path()), ["letter.txt", "people.csv"]);
}

#[test]
fn bad_rows_do_not_stop_the_rest_and_are_tried_again() {
    let desk = tempfile::tempdir().unwrap();
    let good = r#"{"text":"good","page_size":"card_96x135"}"#;
    let lines = [good, "", r#"{"text":"","font_id":91}"#, "no json", &good.replace("good", "\\u10D0"), good].join("\n");
    std::fs::write(desk.path().join("jobs.jsonl"), &lines).unwrap();
    let run = || batch(desk.path(), &["--requests", "jobs.jsonl", "-o", "{row}.png"]).output().unwrap();
    let output = run();
    assert_eq!(code(&output), 65);
    assert!(stderr(&output).contains("2 of 5 rows made, 3 failed"), "{}", stderr(&output));
    let errors: Vec<String> =
        report(desk.path(), "report.jsonl").iter().map(|line| format!("{}: {}", line["row"], line["error"])).collect();
    assert_eq!(errors[0], "1: null");
    assert!(errors[1].contains("text:") && errors[1].contains("; font_id:"), "{errors:?}");
    assert!(errors[2].starts_with("4:") && errors[2].contains("column"), "{errors:?}");
    assert!(errors[3].contains("U+10D0"), "{errors:?}");
    assert_eq!(errors[4], "6: null");

    std::fs::write(desk.path().join("jobs.jsonl"), lines.replace("no json", good)).unwrap();
    let output = run();
    assert!(stderr(&output).contains("2 of 5 rows were done before"), "{}", stderr(&output));
    assert!(stderr(&output).contains("3 of 5 rows made, 2 failed"), "{}", stderr(&output));
}

#[test]
fn a_batch_that_was_stopped_goes_on_where_it_was() {
    let people = (1..=300).map(|number| format!("Ann{number},Paris\n")).collect::<Vec<_>>().concat();
    let desk = desk(&format!("name,city\n{people}"));
    let flags = ["--csv", "people.csv", "--template", "letter.txt", "-o", "out/{row}.png", "--jobs", "1"];
    let flags = [&flags[..], &["--page-size", "card_96x135", "--font-size", "30"]].concat();
    let mut process = batch(desk.path(), &flags).spawn().unwrap();
    let path = desk.path().join("out/report.jsonl");
    while std::fs::read_to_string(&path).unwrap_or_default().lines().count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(75));
    let first = report(desk.path(), "out/report.jsonl");
    assert!((3..300).contains(&first.len()), "{}", first.len());
    assert_eq!(files(&desk.path().join("out")).len(), first.len() + 2, "nothing half done is left");

    let output = batch(desk.path(), &flags).output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains(&format!("{} of 300 rows were done before", first.len())), "{}", stderr(&output));
    let second = report(desk.path(), "out/report.jsonl");
    assert_eq!((second.len(), &second[..first.len()]), (300, &first[..]), "done rows are left as they are");
}

#[test]
fn a_pdf_without_a_placeholder_holds_a_page_for_each_row() {
    let desk = desk(&PEOPLE.replace("Rome", "\u{10D0}"));
    let flags = ["-o", "all.pdf", "--pdf-preset", "lob", "--pdf-profile", "press"];
    let output = merge(desk.path(), &flags);
    assert_eq!(code(&output), 65, "{}", stderr(&output));
    assert!(stderr(&output).contains("all.pdf is not written") && stderr(&output).contains("--skip-failed"));
    assert_eq!(files(desk.path()), ["all.report.csv", "all.report.jsonl", "letter.txt", "people.csv"]);
    assert_eq!(report(desk.path(), "all.report.jsonl").len(), 1, "no other row was drawn in vain");

    let output = merge(desk.path(), &[&flags[..], &["--skip-failed"]].concat());
    assert_eq!(code(&output), 65, "{}", stderr(&output));
    let lines = report(desk.path(), "all.report.jsonl");
    let pages: Vec<Value> = lines.iter().map(|line| line["page"].clone()).collect();
    assert_eq!(pages, [Value::from(1), Value::Null, Value::from(2)]);
    assert_eq!(lines[0]["warnings"][0]["type"], "no_effect");
    let info = Command::new("pdfinfo").arg("all.pdf").current_dir(desk.path()).output().unwrap();
    let info = String::from_utf8(info.stdout).unwrap();
    assert!(info.lines().any(|line| line.split_whitespace().eq(["Pages:", "2"])), "{info}");
}

#[test]
fn a_list_is_a_job_of_the_service_that_goes_on_when_the_quota_is_raised() {
    let desk = desk(&format!("{PEOPLE},Oslo\n"));
    let site = tempfile::tempdir().unwrap();
    let server = Server::start(site.path());
    let address = format!("http://{}/", server.address);
    let key = server.create_key(Some(2));
    let run = |key: &str| merge(desk.path(), &["-o", "served/{name}.pdf", "--server", &address, "--key", key]);
    let output = run(&key.key);
    assert_eq!(code(&output), 69, "{}", stderr(&output));
    assert!(stderr(&output).contains("has paused: the monthly quota is used up"), "{}", stderr(&output));
    assert_eq!(server.used_this_month(&key.id), 2);
    assert_eq!(code(&run("lh_wrong")), 65);

    server.set_quota(&key.id, 10);
    // A running service knows it within a second.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let output = run(&key.key);
    assert_eq!(code(&output), 65, "a row has no name: {}", stderr(&output));
    assert!(stderr(&output).contains("row 4: {name} is empty"), "{}", stderr(&output));
    assert_eq!(server.used_this_month(&key.id), 3, "each row is charged once");
    let lines = report(desk.path(), "served/report.jsonl");
    assert_eq!(lines.len(), 4);
    for line in lines.iter().filter(|line| line["error"].is_null()) {
        let file = std::fs::read(desk.path().join(line["file"].as_str().unwrap())).unwrap();
        assert!(file.starts_with(b"%PDF") && line["bytes"] == file.len() && line["seed"].is_u64(), "{line}");
    }
    assert_eq!(files(&desk.path().join("served")).iter().filter(|name| name.contains(".zip")).count(), 0);
    // What is left is asked for alone.
    std::fs::remove_file(desk.path().join(lines[0]["file"].as_str().unwrap())).unwrap();
    let output = run(&key.key);
    assert!(stderr(&output).contains("2 of 4 rows were done before"), "{}", stderr(&output));
    assert_eq!(server.used_this_month(&key.id), 4);
}

#[test]
fn a_service_without_jobs_is_asked_for_the_pages_of_a_list_one_by_one() {
    let desk = desk("name,city\nAnn,Paris\n");
    let page = format!(r#"{{"image_base64":"{PNG}","seed":5,"calculated_font_size":60,"warnings":[]}}"#);
    let (address, service) = scripted(vec![
        answer("404 Not Found", "", r#"{"error":"NOT_FOUND","message":"this service makes no jobs"}"#),
        answer("200 OK", "Content-Type: application/json\r\n", &page),
    ]);
    let output = merge(desk.path(), &["-o", "{row}.png", "--server", &address, "--key", "lh_k"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("makes no jobs"), "{}", stderr(&output));
    let asked = service.join().unwrap();
    assert!(asked[0].starts_with("GET /api/v1/jobs ") && asked[1].starts_with("POST /api/v1/generate "), "{asked:?}");
}

/// A service that answers as told, one request after the other; returns its address and what it was asked.
pub(crate) fn scripted(answers: Vec<String>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let thread = std::thread::spawn(move || {
        let answer = |answer: String| {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            let mut piece = [0; 4096];
            let is_whole =
                |asked: &[u8]| asked.ends_with(b"}") || asked.starts_with(b"GET ") && asked.ends_with(b"\r\n\r\n");
            while !is_whole(&asked) {
                let length = stream.read(&mut piece).unwrap();
                asked.extend_from_slice(&piece[..length]);
            }
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8(asked).unwrap()
        };
        answers.into_iter().map(answer).collect()
    });
    (address, thread)
}

pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}Connection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

#[test]
fn a_service_that_asks_for_patience_gets_it_and_the_same_request() {
    let desk = tempfile::tempdir().unwrap();
    std::fs::write(desk.path().join("jobs.jsonl"), "{\"text\":\"x\"}\n").unwrap();
    let page = format!(
        r#"{{"image_base64":"{PNG}","seed":5,"calculated_font_size":60,
             "warnings":[{{"type":"no_effect","message":"m"}}]}}"#
    );
    let held = r#"{"error":"REQUEST_LIMIT_EXCEEDED","message":"m"}"#;
    let limited = r#"{"error":"RATE_LIMIT_EXCEEDED","message":"m","retry_after":1}"#;
    let busy = r#"{"error":"SERVICE_OVERLOADED","message":"m"}"#;
    let (address, service) = scripted(vec![
        answer("429 Too Many Requests", "Retry-After: 1\r\n", limited),
        answer("503 Service Unavailable", "Retry-After: 1\r\n", busy),
        answer("429 Too Many Requests", "Retry-After: 1\r\n", held),
        answer("200 OK", "Content-Type: application/json\r\n", &page),
    ]);
    let flags = ["--requests", "jobs.jsonl", "-o", "{row}.png", "--server", &address];
    let output = batch(desk.path(), &flags).env("LONGHAND_KEY", "lh_k").output().unwrap();
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(std::fs::read(desk.path().join("1.png")).unwrap().starts_with(b"\x89PNG"));
    let line = &report(desk.path(), "report.jsonl")[0];
    assert_eq!((&line["seed"], &line["warnings"][0]["type"]), (&Value::from(5), &Value::from("no_effect")));
    let asked = service.join().unwrap();
    assert!(asked[0].to_lowercase().contains("authorization: bearer lh_k"), "{}", asked[0]);
    let bodies: Vec<&str> = asked.iter().map(|request| request.split("\r\n\r\n").nth(1).unwrap()).collect();
    assert!(bodies[0].contains("\"seed\":"), "{bodies:?}");
    assert!(bodies.iter().all(|body| body == &bodies[0]), "{bodies:?}");
}

/// The start and the end of a PNG file.
const PNG: &str = "iVBORw0KGgoAAAAASUVORK5CYII=";

/// What `batch --server` says to a service that gives this answer, having written no file.
fn refused_by_batch(answer: String, file: &str) -> String {
    let desk = tempfile::tempdir().unwrap();
    std::fs::write(desk.path().join("jobs.jsonl"), "{\"text\":\"x\"}\n").unwrap();
    let (address, service) = scripted(vec![answer]);
    let flags = ["--requests", "jobs.jsonl", "-o", file, "--server", &address, "--key", "lh_k"];
    let output = batch(desk.path(), &flags).output().unwrap();
    assert_eq!(code(&output), 69, "{}", stderr(&output));
    assert_eq!(files(desk.path()), ["jobs.jsonl", "report.csv", "report.jsonl"]);
    assert_eq!(service.join().unwrap().len(), 1);
    stderr(&output)
}

#[test]
fn a_service_that_points_elsewhere_is_not_followed() {
    for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
        let elsewhere = "Location: https://elsewhere.example/api\r\n";
        let said = refused_by_batch(answer(status, elsewhere, ""), "{row}.png");
        assert!(said.contains("https://elsewhere.example/api, which is not followed"), "{said}");
        assert!(said.contains(&status[..3]) && said.contains("--server"), "{said}");
    }
}

#[test]
fn what_a_service_sends_is_written_only_if_it_is_what_was_asked_for() {
    let json = "Content-Type: application/json\r\n";
    let page = |image: &str| {
        let body = format!(r#"{{"image_base64":"{image}","seed":5,"calculated_font_size":null,"warnings":[]}}"#);
        answer("200 OK", json, &body)
    };
    let cut = &PNG[..16];
    for (answer, file, said) in [
        (page("cGFnZQ=="), "{row}.png", "is no PNG"),
        (page(cut), "{row}.png", "is no PNG"),
        (page(PNG), "{row}.pdf", "is no PDF"),
        (answer("200 OK", "Content-Type: application/pdf\r\n", "%PDF-1.3 %%EOF\n"), "{row}.png", "is no PNG"),
        (answer("200 OK", "Content-Type: application/pdf\r\n", "<html>"), "{row}.pdf", "is no PDF"),
    ] {
        let complaint = refused_by_batch(answer, file);
        assert!(complaint.contains(said), "{complaint}");
    }
}

#[test]
fn a_cell_that_makes_no_good_file_name_is_an_error_of_its_row() {
    let long = "Ж".repeat(50);
    let endless = "𝒜".repeat(80);
    let desk = desk(&format!("name,city\n{endless},Paris\nreport.jsonl,Rome\n{long},Köln\n"));
    let output = merge(desk.path(), &["-o", "./out/{name}"]);
    assert_eq!(code(&output), 65, "{}", stderr(&output));
    assert!(stderr(&output).contains("1 of 3 rows made, 2 failed"), "{}", stderr(&output));
    let out = desk.path().join("out");
    assert_eq!(files(&out), ["report.csv", "report.jsonl", &long]);
    let lines = report(&out, "report.jsonl");
    let error = |row: usize| lines[row].get("error").and_then(Value::as_str).unwrap_or_default().to_owned();
    assert!(error(0).contains("longer than 255 bytes") && error(1).contains("would be the report"), "{lines:?}");
    assert_eq!(error(2), "");
}

/// Pages a second of the same text, by so many threads of this process.
fn in_process(rows: usize, threads: usize) -> f64 {
    let catalogue = std::sync::Arc::new(longhand::catalogue::FontCatalogue::load().unwrap());
    let profiles = longhand::encode::OutputProfiles::load(None).unwrap();
    let clock = longhand::clock::Clock::system();
    let options = longhand::pipeline::PoolOptions { threads: 1, ..Default::default() };
    let pool = longhand::pipeline::RenderPool::start(options, catalogue, profiles, clock.clone()).unwrap();
    let spec = |number: usize| {
        let request = serde_json::json!({"text": dense(number), "font_size": 60, "line_height_multiplier": 1.2});
        longhand::spec::parse_value(&request, longhand::spec::Endpoint::Generate, || 1).unwrap()
    };
    let next = std::sync::atomic::AtomicUsize::new(0);
    let start = clock.monotonic();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                    if number >= rows {
                        return;
                    }
                    pool.generate_blocking(&spec(number)).unwrap();
                }
            });
        }
    });
    rows as f64 / clock.monotonic().duration_since(start).as_secs_f64()
}

/// Seconds of processor time that this process and the children it waited for have used (proc(5), `stat`).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: u64 = fields[11..15].iter().map(|ticks| ticks.parse::<u64>().unwrap()).sum();
    ticks as f64 / 100.0
}

/// A page full of text, no two alike.
fn dense(number: usize) -> String {
    format!("{number}: {}", "it was the best of times, it was the worst of times, ".repeat(28))
}

/// Run by hand on an idle machine: `make test ARGS="-- --ignored keeps_cores"`.
#[test]
#[ignore = "it measures time, and other work on the machine would be measured with it"]
fn a_batch_keeps_cores_and_device_as_busy_as_the_pipeline_alone_does() {
    let rows = 200;
    let desk = tempfile::tempdir().unwrap();
    let people = (0..rows).map(|number| format!("\"{}\"\n", dense(number))).collect::<Vec<_>>().concat();
    std::fs::write(desk.path().join("people.csv"), format!("text\n{people}")).unwrap();
    std::fs::write(desk.path().join("letter.txt"), "{text}").unwrap();
    let clock = longhand::clock::Clock::system();
    let threads = longhand::pipeline::PoolOptions::default().threads;
    let mut ratios: Vec<f64> = (0..3)
        .map(|round| {
            let before = processor_seconds();
            let alone = in_process(rows, threads);
            let alone_worked = processor_seconds() - before;
            let name = format!("{round}/{{row}}.png");
            let flags = ["--csv", "people.csv", "--template", "letter.txt", "--font-size", "60", "-o", &name];
            let start = clock.monotonic();
            let output = batch(desk.path(), &flags).args(["--line-height-multiplier", "1.2"]).output().unwrap();
            let batch = rows as f64 / clock.monotonic().duration_since(start).as_secs_f64();
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            let worked = processor_seconds() - before - alone_worked;
            println!(
                "alone {alone:.1} pages/s and {alone_worked:.1} s of work, batch {batch:.1} pages/s and {worked:.1} s"
            );
            batch / alone
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    assert!(ratios[1] >= 0.9, "{ratios:?}");
}
