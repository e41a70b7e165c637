//! Traces of the running program, as a collector next door gets them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, sync_channel};

use serde_json::{Value, json};

use crate::live_admin::{ask, value};
use crate::live_server::{Server, request};
use crate::oracle;

const TEXT: &str = "Zanzibar";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
/// What a collector understands, read by its own types.
const READER: &str = "otlp_spans.py";

/// A collector that answers `status`: its endpoint, and the requests as (lines of the head, body).
fn collector(status: &'static str) -> (String, Receiver<(Vec<String>, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/v1/traces", listener.local_addr().unwrap());
    let (taken, requests) = sync_channel(100);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            if taken.send(read_request(&stream)).is_err() {
                return;
            }
            let answer = format!("HTTP/1.1 {status}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    (endpoint, requests)
}

fn read_request(stream: &TcpStream) -> (Vec<String>, String) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_ascii_lowercase());
    }
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap()];
    reader.read_exact(&mut body).unwrap();
    (head, String::from_utf8(body).unwrap())
}

/// Sends a request with a further header field, and returns the status of its answer.
fn send(server: &Server, key: &str, path: &str, body: &str, field: &str) -> u16 {
    let head = String::from_utf8(request("POST", path, key, body)).unwrap();
    server.send(head.replacen("Host: x", &format!("Host: x\r\n{field}"), 1).as_bytes()).status()
}

#[test]
fn every_exchange_is_a_span_of_its_callers_trace_and_never_quotes_what_was_written() {
    let (endpoint, requests) = collector("200 OK");
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--otlp-endpoint", &endpoint, "--log-format", "json"]);
    let visitor = server.create_key(None);
    let send = |path: &str, body: &str, field: &str| send(&server, &visitor.key, path, body, field);
    let page = format!(r#"{{"text":"{TEXT}","page_size":"a6","font_size":40}}"#);
    let unwritable = format!(r#"{{"text":"{TEXT}","font_id":91}}"#);
    let traceparent = |flags: &str| format!("traceparent: 00-{TRACE}-{PARENT}-{flags}");
    assert_eq!(send("/api/v1/generate", &page, &traceparent("01")), 200);
    assert_eq!(send("/api/v1/preview", &unwritable, "traceparent: nonsense"), 422);
    assert_eq!(send(&format!("/{TEXT}"), "{}", "X-Request-ID: third"), 404);
    assert_eq!(send("/api/v1/generate", &page, &traceparent("00")), 200, "one whose caller records nothing");
    let log = server.log();
    assert_eq!(server.terminate(), Some(0));

    let taken: Vec<(Vec<String>, String)> = requests.try_iter().collect();
    for (head, body) in &taken {
        assert_eq!(head[0], "post /v1/traces http/1.1");
        assert!(head.contains(&"content-type: application/json".to_owned()), "{head:?}");
        assert!(!body.contains(TEXT) && !body.contains(&visitor.key), "{body}");
    }
    let bodies: Vec<&String> = taken.iter().map(|(_, body)| body).collect();
    let told = oracle::ask(READER, &json!({"bodies": bodies}));
    assert_eq!(told["complaints"], json!([]));
    let [page, refused, missing] = &told["spans"].as_array().unwrap()[..] else { panic!("{told:#}") };
    assert_eq!((&page["trace"], &page["parent"], &page["kind"]), (&TRACE.into(), &PARENT.into(), &2.into()));
    assert_eq!((&page["name"], &page["status"]), (&"POST /api/v1/generate".into(), &0.into()));
    let of_page = &page["attributes"];
    assert_eq!((&of_page["service.name"], &of_page["http.response.status_code"]), (&"longhand".into(), &200.into()));
    assert_eq!(of_page["longhand.key_id"], visitor.id.as_str());
    let stages = ["body", "queue", "lay_out", "compose", "draw", "encode", "charge"];
    let sum: f64 = stages.iter().map(|stage| of_page[format!("longhand.stage.{stage}_ms")].as_f64().unwrap()).sum();
    let whole = page["nanoseconds"].as_f64().unwrap() / 1e6;
    assert!(sum > 0.0 && sum <= whole, "{sum} of {whole} ms");

    assert_eq!(refused["attributes"]["error.type"], "VALIDATION_ERROR");
    assert!(refused["trace"] != TRACE && refused["parent"] == "", "{refused}");
    assert_eq!((&missing["name"], &missing["attributes"]["http.route"]), (&"POST".into(), &Value::Null));
    assert_eq!(missing["attributes"]["longhand.request_id"], "third");
    let line = log.lines().find(|line| line.contains(TRACE)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(line).unwrap()["trace_id"], TRACE, "log and trace meet");
}

#[test]
fn what_no_collector_would_understand_is_noticed() {
    let span = json!({"traceId": TRACE, "spanId": PARENT, "name": "POST", "kind": 2, "startTimeUnixNano": "1",
        "endTimeUnixNano": "2", "attributes": [{"key": "a", "value": {"intValue": "1"}}]});
    let complaints = |member: &str, value: Value| {
        let mut span = span.clone();
        span[member] = value;
        let body = json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {}, "spans": [span]}]}]});
        oracle::ask(READER, &json!({"bodies": [body.to_string()]}))["complaints"].as_array().unwrap().len()
    };
    assert_eq!(complaints("name", "GET".into()), 0);
    for (member, wrong) in [
        ("traceId", json!("0af7")),
        ("spanId", json!("zzzzzzzzzzzzzzzz")),
        ("parentSpanId", json!("b7")),
        ("startTimeUnixNano", json!("soon")),
        ("status", json!({"code": "BAD"})),
        ("attributes", json!([{"key": "a", "value": {"stringValue": 1}}])),
        ("attribute", json!([])),
    ] {
        assert!(complaints(member, wrong) > 0, "{member}");
    }
}

#[test]
fn a_collector_that_is_away_or_refuses_costs_nothing_but_a_line_in_the_log() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (refusing, _requests) = collector("500 Broken");
    for endpoint in [format!("http://{nobody}/v1/traces"), refusing] {
        let folder = tempfile::tempdir().unwrap();
        let server = Server::start_with(folder.path(), &["--otlp-endpoint", &endpoint]);
        let dropped = || value(&ask(&server, "/metrics"), "longhand_spans_total", &[("outcome", "dropped")]);
        for round in 1..=2 {
            assert_eq!(server.exchange("GET", "/api/v1/status", "").1["status"], "ok");
            while (dropped() as usize) < round {
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
        }
        server.signal("TERM");
        assert_eq!(server.wait(), Some(0));
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!(log.matches("traces are not taken").count(), 1, "{log}");
    }
}
