//! What the running program logs, and what it never does.

use serde_json::Value;

use crate::live::server::{Server, request};

const TEXT: &str = "Zanzibar";

/// The lines of the log that answer this request.
fn answered(log: &str, id: &str) -> Vec<Value> {
    // Vulkan's loader writes to standard error too, and not in JSON.
    let lines = log.lines().filter(|line| line.starts_with('{'));
    let lines = lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")));
    lines.filter(|line: &Value| line["message"] == "answered" && line["span"]["request_id"] == id).collect()
}

#[test]
fn a_line_of_json_tells_who_asked_what_and_how_long_each_stage_took() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--log-format", "json"]);
    let visitor = server.create_key(None);
    let send = |id: &str, body: &str| {
        let head = String::from_utf8(request("POST", "/api/v1/generate", &visitor.key, body)).unwrap();
        server.send(head.replacen("Host: x", &format!("Host: x\r\nX-Request-ID: {id}"), 1).as_bytes()).status()
    };
    assert_eq!(send("first", &format!(r#"{{"text":"{TEXT}","page_size":"a6"}}"#)), 200);
    assert_eq!(send("second", &format!(r#"{{"text":"{TEXT}","font_id":91}}"#)), 422);
    let log = server.log();

    let [first] = &answered(&log, "first")[..] else { panic!("{log}") };
    assert_eq!(
        (&first["level"], &first["status"], &first["path"]),
        (&"INFO".into(), &200.into(), &"/api/v1/generate".into())
    );
    assert_eq!(first["key_id"], visitor.id);
    let stages = ["body_ms", "queue_ms", "lay_out_ms", "compose_ms", "draw_ms", "encode_ms", "charge_ms"];
    let times = stages.map(|stage| first[stage].as_f64().unwrap_or_else(|| panic!("{stage}: {first}")));
    let (sum, whole) = (times.iter().sum::<f64>(), first["duration_ms"].as_f64().unwrap());
    assert!(times.iter().all(|time| *time >= 0.0) && sum > 0.0 && sum <= whole, "{times:?} of {whole}");

    let [second] = &answered(&log, "second")[..] else { panic!("{log}") };
    assert_eq!((&second["status"], &second["key_id"]), (&422.into(), &visitor.id.as_str().into()));
    assert!(second["body_ms"].is_number() && second["draw_ms"].is_null(), "{second}");
}

#[test]
fn neither_texts_nor_keys_are_ever_logged_however_much_is() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["text", "json"] {
        let server = Server::start_with(folder.path(), &["--log", "trace", "--log-format", format]);
        for body in [
            format!(r#"{{"text":"{TEXT}","page_size":"a6"}}"#),
            format!(r#"{{"text":"{TEXT}","page_size":"{TEXT}"}}"#),
            format!(r#"{{"text":"{TEXT}"#),
            format!(r#"{{"text":"{TEXT} 漢","font_id":1}}"#),
            format!(r#"{{"text":"{}","page_size":"a6","font_size":400}}"#, TEXT.repeat(200)),
        ] {
            for path in ["/api/v1/generate", "/api/v1/preview"] {
                server.send(&request("POST", path, &server.key, &body));
            }
        }
        let id =
            server.send(&request("GET", "/api/v1/fonts", &server.key, "")).header("x-request-id").unwrap().to_owned();
        let (log, key) = (server.log(), server.key.clone());
        assert!(log.contains(&id), "something is logged");
        assert!(!log.contains(TEXT), "{log}");
        assert!(!log.contains(&key) && !log.contains(&key[10..30]), "{log}");
    }
}

#[test]
fn a_log_line_is_short_and_a_flood_of_strangers_is_counted_instead_of_logged() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--log-format", "json"]);
    let get = |method: &str, path: &str| {
        server.send(format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).status()
    };
    // As long as the HTTP library takes them.
    assert_eq!(get("GET", &format!("/{}", "x".repeat(30_000))), 404);
    assert_eq!(get(&"M".repeat(30_000), "/"), 405);
    let lines = |log: &str| log.lines().filter(|line| line.contains("\"answered\"")).count();
    let log = server.log();
    assert_eq!(lines(&log), 2, "{}", &log[..1000]);
    let longest = log.lines().filter(|line| line.starts_with('{')).map(str::len).max().unwrap();
    assert!((256..1024).contains(&longest), "{longest}");

    let clock = longhand::clock::Clock::system();
    let started = clock.monotonic();
    assert!((0..500).all(|_| get("GET", "/nowhere") == 404));
    let seconds = clock.monotonic().duration_since(started).as_secs() as usize + 2;
    std::thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(get("GET", "/nowhere"), 404);
    let log = server.log();
    assert!(lines(&log) <= 3 + 20 * seconds, "{} lines in {seconds} s", lines(&log));
    let left_out: u64 =
        log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()?["left_out"].as_u64()).sum();
    assert_eq!(left_out as usize, 503 - lines(&log), "each is logged or counted");
}
