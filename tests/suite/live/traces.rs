//! Traces of the running program, as a collector next door gets them.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use longhand::clock::Clock;
use serde_json::{Value, json};

use crate::live::admin::{ask, value};
use crate::live::server::{Server, request};
use crate::oracle;

const TEXT: &str = "Zanzibar";
const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";
/// What a collector understands, read by its own types.
const READER: &str = "otlp_spans.py";

/// A request to the collector: the lines of its head, and its body.
type CollectorRequest = (Vec<String>, Vec<u8>);

/// A collector that answers `status`: its endpoint, and the requests.
fn collector(status: &'static str) -> (String, Receiver<CollectorRequest>) {
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

fn read_request(stream: &TcpStream) -> CollectorRequest {
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
    (head, body)
}

/// Sends a request with a further header field, and returns the status of its answer.
fn send(server: &Server, key: &str, path: &str, body: &str, field: &str) -> u16 {
    let head = String::from_utf8(request("POST", path, key, body)).unwrap();
    server.send(head.replacen("Host: x", &format!("Host: x\r\n{field}"), 1).as_bytes()).status()
}

/// Starts the program with a short wait between batches, and with these variables.
fn start(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
    command.env("OTEL_BSP_SCHEDULE_DELAY", "200").envs(variables.iter().copied());
    Server::start_by(command, folder, arguments)
}

/// What the reader makes of these bodies.
fn read<'a>(bodies: impl Iterator<Item = &'a Vec<u8>>) -> Value {
    let bodies: Vec<String> = bodies.map(|body| STANDARD.encode(body)).collect();
    oracle::ask(READER, &json!({"bodies": bodies}))
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn every_request_is_a_span_of_its_clients_trace_and_never_quotes_the_text() {
    let (endpoint, requests) = collector("200 OK");
    let folder = tempfile::tempdir().unwrap();
    let server = start(folder.path(), &["--otlp-endpoint", &endpoint, "--log-format", "json"], &[]);
    let visitor = server.create_key(None);
    let send = |path: &str, body: &str, field: &str| send(&server, &visitor.key, path, body, field);
    let page = format!(r#"{{"text":"{TEXT}","page_size":"a6","font_size":40}}"#);
    let unwritable = format!(r#"{{"text":"{TEXT}","font_id":91}}"#);
    let traceparent = |flags: &str| format!("traceparent: 00-{TRACE}-{PARENT}-{flags}");
    assert_eq!(send("/api/v1/generate", &page, &traceparent("01")), 200);
    assert_eq!(send("/api/v1/preview", &unwritable, "traceparent: nonsense"), 422);
    assert_eq!(send(&format!("/{TEXT}"), "{}", "X-Request-ID: third"), 404);
    assert_eq!(send("/api/v1/generate", &page, &traceparent("00")), 200, "a request that its client does not record");
    let log = server.log();
    assert_eq!(server.terminate(), Some(0));

    let taken: Vec<CollectorRequest> = requests.try_iter().collect();
    for (head, body) in &taken {
        assert_eq!(head[0], "post /v1/traces http/1.1");
        assert!(head.contains(&"content-type: application/x-protobuf".to_owned()), "{head:?}");
        assert!(!contains(body, TEXT) && !contains(body, &visitor.key), "{body:?}");
    }
    let told = read(taken.iter().map(|(_, body)| body));
    assert_eq!(told["complaints"], json!([]));
    let spans = told["spans"].as_array().unwrap();
    let of_requests: Vec<&Value> = spans.iter().filter(|span| span["kind"] == 2).collect();
    let [page, refused, missing] = of_requests[..] else { panic!("{told:#}") };
    assert_eq!((&page["trace"], &page["parent"]), (&TRACE.into(), &PARENT.into()));
    assert_eq!((&page["name"], &page["status"]), (&"POST /api/v1/generate".into(), &0.into()));
    let of_page = &page["attributes"];
    assert_eq!((&of_page["service.name"], &of_page["http.response.status_code"]), (&"longhand".into(), &200.into()));
    assert_eq!(of_page["longhand.key_id"], visitor.id.as_str());

    let stages: Vec<&Value> = spans.iter().filter(|span| span["parent"] == page["id"]).collect();
    let names: Vec<&str> = stages.iter().map(|stage| stage["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["body", "queue", "lay_out", "compose", "draw", "encode", "charge"]);
    let mut last_end = page["start"].as_u64().unwrap();
    for stage in stages {
        assert_eq!(stage["trace"], TRACE);
        let (start, end) = (stage["start"].as_u64().unwrap(), stage["end"].as_u64().unwrap());
        assert!(last_end <= start && start <= end, "stages follow each other: {told:#}");
        last_end = end;
    }
    assert!(last_end <= page["end"].as_u64().unwrap(), "{told:#}");

    assert_eq!(refused["attributes"]["error.type"], "VALIDATION_ERROR");
    assert!(refused["trace"] != TRACE && refused["parent"] == "", "{refused}");
    assert_eq!((&missing["name"], &missing["attributes"]["http.route"]), (&"POST".into(), &Value::Null));
    assert_eq!(missing["attributes"]["longhand.request_id"], "third");
    let line = log.lines().find(|line| line.contains(TRACE)).unwrap();
    assert_eq!(serde_json::from_str::<Value>(line).unwrap()["trace_id"], TRACE, "log and trace meet");
}

#[test]
fn the_standard_variables_configure_traces() {
    let (endpoint, requests) = collector("200 OK");
    let base = endpoint.strip_suffix("/v1/traces").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", base),
        ("OTEL_EXPORTER_OTLP_HEADERS", "api-token=s3cret"),
        ("OTEL_SERVICE_NAME", "letters"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test"),
    ];
    let server = start(folder.path(), &[], &variables);
    assert_eq!(server.exchange("GET", "/api/v1/status", "").1["status"], "ok");
    assert_eq!(server.terminate(), Some(0));
    let (head, body) = requests.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(head.contains(&"api-token: s3cret".to_owned()), "{head:?}");
    let attributes = read([body].iter())["spans"][0]["attributes"].clone();
    assert_eq!((&attributes["service.name"], &attributes["http.route"]), (&"letters".into(), &"/api/v1/status".into()));
    assert_eq!(attributes["deployment.environment.name"], "test");

    for off in [("OTEL_TRACES_SAMPLER", "always_off"), ("OTEL_SDK_DISABLED", "true")] {
        let server = start(folder.path(), &["--otlp-endpoint", &endpoint], &[off]);
        assert_eq!(server.exchange("GET", "/api/v1/status", "").1["status"], "ok");
        assert_eq!(server.terminate(), Some(0));
        assert!(requests.try_recv().is_err(), "{off:?}");
    }
}

#[test]
fn what_no_collector_would_understand_is_noticed() {
    // A field of bytes: number and wire type, length, content.
    let field = |number: u8, content: &[u8]| [&[number << 3 | 2, content.len() as u8], content].concat();
    let complaints = |span: Vec<Vec<u8>>| {
        let body = field(1, &field(2, &field(2, &span.concat())));
        read([body].iter())["complaints"].as_array().unwrap().len()
    };
    assert_eq!(complaints(vec![field(1, &[1; 16]), field(2, &[1; 8])]), 0);
    assert_eq!(complaints(vec![field(1, &[1; 2]), field(2, &[1; 8])]), 1, "a short trace id");
    assert_eq!(complaints(vec![field(1, &[1; 16]), field(2, &[1; 8]), field(4, &[1; 4])]), 1, "a short parent id");
    // `start_time_unix_nano` is a fixed 64-bit number in field 7; there is no end.
    let start = [&[7 << 3 | 1][..], &[1; 8]].concat();
    assert_eq!(complaints(vec![field(1, &[1; 16]), field(2, &[1; 8]), start]), 1, "an end before the start");
    assert_eq!(read([vec![0xff; 8]].iter())["complaints"].as_array().unwrap().len(), 1, "no message");
}

#[test]
fn a_collector_that_is_away_or_refuses_costs_nothing_but_a_line_in_the_log() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let (refusing, _requests) = collector("500 Broken");
    for endpoint in [format!("http://{nobody}/v1/traces"), refusing] {
        let folder = tempfile::tempdir().unwrap();
        let server = start(folder.path(), &["--otlp-endpoint", &endpoint], &[]);
        let dropped = || value(&ask(&server, "/metrics"), "longhand_spans_total", &[("outcome", "dropped")]);
        for round in 1..=2 {
            assert_eq!(server.exchange("GET", "/api/v1/status", "").1["status"], "ok");
            while (dropped() as usize) < round {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
        server.signal("TERM");
        assert_eq!(server.wait(), Some(0));
        let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
        assert_eq!(log.matches("the collector does not accept traces").count(), 1, "{log}");
    }
}

#[test]
fn a_collector_that_never_answers_delays_no_request() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/v1/traces", silent.local_addr().unwrap());
    let folder = tempfile::tempdir().unwrap();
    // A full queue after few requests.
    let small = [("OTEL_BSP_MAX_QUEUE_SIZE", "10"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "5")];
    let server = start(folder.path(), &["--otlp-endpoint", &endpoint], &small);
    let clock = Clock::system();
    for _ in 0..100 {
        let started = clock.monotonic();
        assert_eq!(server.exchange("GET", "/api/v1/status", "").1["status"], "ok");
        let took = clock.monotonic().duration_since(started);
        assert!(took < Duration::from_secs(2), "a request took {took:?}");
    }
    assert!(silent.accept().is_ok(), "the collector was asked");
    let stopping = clock.monotonic();
    assert_eq!(server.terminate(), Some(0));
    let took = clock.monotonic().duration_since(stopping);
    assert!(took < Duration::from_secs(8), "the end took {took:?}");
}
