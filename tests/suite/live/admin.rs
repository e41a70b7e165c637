//! The admin listener of the running program.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use longhand::clock::Clock;

use crate::live::server::{Server, request, send, send_together};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

pub(crate) fn ask(server: &Server, path: &str) -> String {
    let answer = send(&server.admin, &request("GET", path, "none", ""));
    assert_eq!(answer.status(), 200, "{answer:?}");
    answer.body
}

/// The values of a metric in all series that have these labels.
fn values(page: &str, name: &str, labels: &[(&str, &str)]) -> Vec<f64> {
    let lines = page.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let series = lines.map(|line| line.rsplit_once(' ').unwrap());
    let has = |series: &str| {
        let (held, rest) = series.split_once('{').unwrap_or((series, ""));
        held == name && labels.iter().all(|(label, value)| rest.contains(&format!("{label}=\"{value}\"")))
    };
    series.filter(|(series, _)| has(series)).map(|(_, value)| value.parse().unwrap()).collect()
}

/// The value of a metric with these labels, which must be there once.
pub(crate) fn value(page: &str, name: &str, labels: &[(&str, &str)]) -> f64 {
    let found = values(page, name, labels);
    let [only] = found[..] else { panic!("{name} {labels:?}: {found:?} in\n{page}") };
    only
}

#[test]
fn the_metrics_count_what_happened_and_pass_for_prometheus_own_format() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let visitor = server.create_key(Some(2));
    let generate = |key: &str, body: &str| server.send(&request("POST", "/api/v1/generate", key, body)).status();
    assert_eq!(generate(&visitor.key, PAGE), 200);
    assert_eq!(generate(&visitor.key, r#"{"text":""}"#), 422);
    assert_eq!(generate(&visitor.key, PAGE), 200);
    assert_eq!(generate(&visitor.key, PAGE), 429);
    assert_eq!(generate("nonsense", PAGE), 401);
    let preview = server.send(&request("POST", "/api/v1/preview", &visitor.key, PAGE));
    assert_eq!(preview.status(), 200);
    assert_eq!(server.send(&request("GET", "/made/up/by/a/client", "", "")).status(), 404);
    assert_eq!(ask(&server, "/readyz").matches("\"ok\"").count(), 5);

    let page = ask(&server, "/metrics");
    let count = |name: &str, labels: &[(&str, &str)]| value(&page, name, labels) as u64;
    for (status, expected) in [("200", 2), ("422", 1), ("429", 1), ("401", 1)] {
        assert_eq!(count("longhand_requests_total", &[("endpoint", "generate"), ("status", status)]), expected);
    }
    assert_eq!(count("longhand_requests_total", &[("endpoint", "other"), ("status", "404")]), 1);
    assert!(!page.contains("made/up"), "a client cannot make up labels");
    assert_eq!(count("longhand_errors_total", &[("endpoint", "generate"), ("code", "REQUEST_LIMIT_EXCEEDED")]), 1);
    assert_eq!(count("longhand_request_seconds_count", &[("endpoint", "generate")]), 5);
    assert_eq!(count("longhand_request_body_bytes_total", &[("endpoint", "preview")]), PAGE.len() as u64);
    let sent = count("longhand_response_body_bytes_total", &[("endpoint", "preview")]);
    assert_eq!(sent, preview.body.len() as u64);
    for (stage, expected) in [("body", 4), ("queue", 3), ("lay_out", 3), ("draw", 3), ("encode", 3), ("charge", 2)] {
        assert_eq!(count("longhand_stage_seconds_count", &[("stage", stage)]), expected, "{stage}");
    }
    for (event, expected) in [("reserved", 3), ("charged", 2), ("exhausted", 1)] {
        assert_eq!(count("longhand_quota_events_total", &[("event", event)]), expected, "{event}");
    }
    assert_eq!(count("longhand_rate_decisions_total", &[("endpoint", "generate"), ("decision", "allowed")]), 3);
    assert_eq!(count("longhand_authentications_total", &[("outcome", "accepted")]), 5);
    assert_eq!(count("longhand_authentications_total", &[("outcome", "malformed")]), 1);
    let key = [("key", visitor.id.as_str()), ("name", "visitor")];
    assert_eq!(count("longhand_key_charges_total", &key), 2);
    assert!(!page.contains(&visitor.key), "no secret is a label");
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    assert_eq!(count("longhand_build_info", &version), 1);
    // A software adapter is opened twice where there are two cores.
    let counts = |name: &str| values(&page, name, &[]).iter().map(|&value| value as u64).collect::<Vec<_>>();
    let losses = counts("longhand_gpu_losses_total");
    assert!(!losses.is_empty() && losses.iter().all(|&lost| lost == 0), "{losses:?}");
    assert_eq!(counts("longhand_gpu_generation"), vec![1; losses.len()]);
    for (name, expected) in [
        ("longhand_panics_total", 0),
        ("longhand_queue_depth", 0),
        ("longhand_queue_megapixels", 0),
        ("longhand_queue_megapixels_limit", 2048),
        ("longhand_queue_wait_seconds", 0),
        ("longhand_gpu_degraded", 0),
        ("longhand_ready", 1),
    ] {
        assert_eq!(count(name, &[]), expected, "{name}");
    }
    assert!(count("process_resident_memory_bytes", &[]) > 1 << 20);
    assert!(count("process_open_fds", &[]) > 3);

    for line in page.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let name = line.split(['{', ' ']).next().unwrap();
        let family = ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        assert!(page.contains(&format!("# HELP {name} ")) || page.contains(&format!("# HELP {family} ")), "{line}");
        assert!(page.contains(&format!("# TYPE {name} ")) || page.contains(&format!("# TYPE {family} ")), "{line}");
    }
}

#[test]
fn liveness_is_answered_at_once_while_the_api_has_more_than_it_can_do() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let heavy = r#"{"text":"words and words and words","page_size":"a3","dpi":600,"font_size":200,"seed":1}"#;
    let load = vec![request("POST", "/api/v1/generate", &server.key, heavy); 300];
    let clock = Clock::system();
    std::thread::scope(|scope| {
        let answers = scope.spawn(|| send_together(&server.address, &load));
        let mut waits = Vec::new();
        while !answers.is_finished() {
            let asked_at = clock.monotonic();
            assert_eq!(ask(&server, "/livez"), "ok\n");
            waits.push(clock.monotonic().duration_since(asked_at));
            std::thread::sleep(Duration::from_millis(20));
        }
        let answers = answers.join().unwrap();
        assert!(answers.iter().all(|answer| [200, 503].contains(&answer.status())), "{answers:?}");
        waits.sort_unstable();
        let (median, longest) = (waits[waits.len() / 2], waits[waits.len() - 1]);
        println!("{} questions under load: median {median:?}, longest {longest:?}", waits.len());
        // The clients of this test are 300 threads on the same cores.
        assert!(longest < Duration::from_secs(2), "{longest:?}");
        assert!(median < Duration::from_millis(100), "{median:?}");
    });
}

#[test]
fn connections_beyond_the_bound_are_told_so_and_operators_are_answered_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(folder.path(), &["--max-connections", "20"]);
    let held: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            stream.write_all(b"GET").unwrap();
            stream
        })
        .collect();
    let status = request("GET", "/api/v1/status", "", "");
    for answer in send_together(&server.address, &vec![status.clone(); 40]) {
        assert_eq!((answer.status(), answer.header("retry-after")), (503, Some("1")), "{answer:?}");
        assert_eq!(answer.json()["error"], "SERVICE_OVERLOADED");
    }
    assert_eq!(ask(&server, "/livez"), "ok\n");
    assert_eq!(ask(&server, "/readyz").matches("\"ok\"").count(), 5);
    let page = ask(&server, "/metrics");
    assert_eq!(value(&page, "longhand_connections", &[("listener", "api")]) as u64, 20);
    assert_eq!(value(&page, "longhand_sheds_total", &[("reason", "connections")]) as u64, 40);
    drop(held);
    let clock = Clock::system();
    let freed_at = clock.monotonic();
    while server.send(&status).status() != 200 {
        assert!(clock.monotonic() - freed_at < Duration::from_secs(5), "there is a place again");
    }
}

#[test]
fn a_second_service_goes_without_operators_unless_it_was_told_their_address() {
    let folder = tempfile::tempdir().unwrap();
    let serve = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "keys"]).args(arguments);
        command.current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    };
    // Where the port is not free to be held here, somebody else holds it.
    let _held = TcpListener::bind("127.0.0.1:9090");
    let mut second = serve(&[]).spawn().unwrap();
    let line = BufReader::new(second.stdout.take().unwrap()).lines().next().unwrap().unwrap();
    second.kill().unwrap();
    second.wait().unwrap();
    assert!(line.contains("listens on http://127.0.0.1:"), "{line}");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let told = serve(&["--admin-listen", &address]).output().unwrap();
    assert_eq!(told.status.code(), Some(74));
    assert!(String::from_utf8_lossy(&told.stderr).contains(&address));
}
