//! Bytes that no well-meant client sends, against the running program: each is refused or cut off, and the program
//! lives on in bounded memory.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use longhand::clock::Clock;

use crate::live::server::{RawAnswer, Server, request};

/// Status of a connection that closed without an answer.
const CLOSED: u16 = 0;
/// Statuses of what hyper itself refuses, without a body.
const BARE: &[u16] = &[400, 414, 431, CLOSED];
/// Statuses of what hyper cannot parse.
const NOT_HTTP: &[u16] = &[400, CLOSED];
const HELLO: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40}"#;
/// More memory than all of this may cost, KiB.
#[cfg(target_os = "linux")]
const MEMORY_KIB: u64 = 64 * 1024;

/// What is sent, and the statuses of which one must come back first.
#[derive(Clone)]
struct Attack {
    name: &'static str,
    bytes: Vec<u8>,
    answered: &'static [u16],
}

fn attack(name: &'static str, bytes: impl Into<Vec<u8>>, answered: &'static [u16]) -> Attack {
    Attack { name, bytes: bytes.into(), answered }
}

/// A generation request with these further fields, each with its line end, and this body.
fn generate(key: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /api/v1/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\n{fields}\r\n"
    );
    [head.as_bytes(), body].concat()
}

fn generate_all(key: &str, body: &[u8]) -> Vec<u8> {
    generate(key, &format!("Content-Length: {}\r\n", body.len()), body)
}

/// Bodies that are no JSON that we take.
fn bodies(key: &str) -> Vec<Attack> {
    let deep = |open: &str, depth: usize| open.repeat(depth).into_bytes();
    let nested = format!(r#"{{"text":"a","pdf":{}{}}}"#, "[".repeat(60_000), "]".repeat(60_000));
    let many = format!(r#"{{"text":"a","text_color":[{}1]}}"#, "[],".repeat(80_000));
    let names = (0..15_000).map(|number| format!(r#""n{number}":{{}},"#)).collect::<Vec<_>>().concat();
    let cases: [(&'static str, Vec<u8>, &'static [u16]); 19] = [
        ("100,000 open brackets", deep("[", 100_000), &[400]),
        ("40,000 open objects", deep("{\"a\":", 40_000), &[400]),
        ("deep nesting that closes", nested.into_bytes(), &[400]),
        ("80,000 colours", many.into_bytes(), &[422]),
        ("15,000 unknown fields", format!("{{{names}\"text\":\"a\"}}").into_bytes(), &[422]),
        ("a number beyond all range", br#"{"text":"a","dpi":1e400}"#.to_vec(), &[400]),
        ("a number of 200,000 digits", format!(r#"{{"text":"a","dpi":{}}}"#, "9".repeat(200_000)).into(), &[400, 422]),
        ("a fraction of 200,000 digits", format!(r#"{{"text":"a","dpi":0.{}}}"#, "3".repeat(200_000)).into(), &[422]),
        ("a lone high surrogate", br#"{"text":"\ud83d"}"#.to_vec(), &[400]),
        ("a lone low surrogate", br#"{"text":"\ude00 "}"#.to_vec(), &[400]),
        ("a byte order mark", b"\xEF\xBB\xBF{\"text\":\"a\"}".to_vec(), &[400]),
        ("UTF-16", "{\"text\":\"a\"}".encode_utf16().flat_map(u16::to_le_bytes).collect(), &[400]),
        ("a byte that is no UTF-8", b"{\"text\":\"\xFF\"}".to_vec(), &[400]),
        ("an overlong encoding", b"{\"text\":\"\xC0\xAF\"}".to_vec(), &[400]),
        ("an encoded surrogate", b"{\"text\":\"\xED\xA0\x80\"}".to_vec(), &[400]),
        ("a name given twice", br#"{"text":"a","text":"b"}"#.to_vec(), &[400]),
        ("a name given twice, once escaped", br#"{"text":"a","te\u0078t":"b"}"#.to_vec(), &[400]),
        ("NaN", br#"{"text":"a","ink_flow_intensity":NaN}"#.to_vec(), &[400]),
        ("250,000 characters of text", format!(r#"{{"text":"{}"}}"#, "a".repeat(250_000)).into(), &[422]),
    ];
    cases.map(|(name, body, answered)| attack(name, generate_all(key, &body), answered)).into()
}

/// Bodies whose frame is wrong, whatever is inside.
fn frames(key: &str) -> Vec<Attack> {
    let framed = |name, fields: &str, body: &[u8], answered| attack(name, generate(key, fields, body), answered);
    let chunked = "Transfer-Encoding: chunked\r\n";
    let gzip = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00";
    vec![
        framed("a gigabyte announced", "Content-Length: 1073741824\r\n", b"{", &[413]),
        framed("all bytes there are announced", "Content-Length: 18446744073709551615\r\n", b"{", BARE),
        framed("more bytes than there are", "Content-Length: 18446744073709551616\r\n", b"{", BARE),
        framed("a negative length", "Content-Length: -1\r\n", b"{}", NOT_HTTP),
        framed("a signed length", "Content-Length: +2\r\n", b"{}", NOT_HTTP),
        framed("two lengths", "Content-Length: 2\r\nContent-Length: 3\r\n", b"{} ", NOT_HTTP),
        framed("a chunk size beyond all range", chunked, b"fffffffffffffffff\r\n", NOT_HTTP),
        framed("a chunk size that is none", chunked, b"zz\r\n{}\r\n0\r\n\r\n", NOT_HTTP),
        framed("an extension of a chunk without end", chunked, &[b"2;", &vec![b'a'; 100_000][..]].concat(), NOT_HTTP),
        framed("another transfer coding", "Transfer-Encoding: gzip\r\n", gzip, NOT_HTTP),
        framed("a compressed body", "Content-Encoding: gzip\r\nContent-Length: 20\r\n", gzip, &[415]),
        framed("two types", "Content-Type: text/plain\r\nContent-Length: 2\r\n", b"{}", &[415]),
    ]
}

/// Heads that are no HTTP/1.1 or far too large.
fn heads() -> Vec<Attack> {
    let status = |fields: &str| format!("GET /api/v1/status HTTP/1.1\r\n{fields}Connection: close\r\n\r\n");
    let megabyte = "x".repeat(1024 * 1024);
    vec![
        attack("a header field of a megabyte", status(&format!("Host: x\r\nX: {megabyte}\r\n")), &[431, CLOSED]),
        attack("10,000 header fields", status(&format!("Host: x\r\n{}", "X: y\r\n".repeat(10_000))), &[431, CLOSED]),
        attack("a request line of a megabyte", format!("GET /{megabyte} HTTP/1.1\r\n\r\n"), &[414, 431, CLOSED]),
        attack("a method of a megabyte", format!("{megabyte} / HTTP/1.1\r\n\r\n"), &[400, 414, 431, CLOSED]),
        attack("an unprintable field name", status("Host: x\r\nA\0B: c\r\n"), NOT_HTTP),
        attack("space before a colon", status("Host: x\r\nA : c\r\n"), NOT_HTTP),
        attack("a folded field", status("Host: x\r\nA: b\r\n c\r\n"), NOT_HTTP),
        attack("a bare carriage return", status("Host: x\r\nA: b\rc\r\n"), NOT_HTTP),
        attack("a NUL in a value", status("Host: x\r\nX-Request-ID: a\0b\r\n"), NOT_HTTP),
        attack("HTTP/0.9", "GET /api/v1/status\r\n\r\n", NOT_HTTP),
        attack("HTTP/3.7", "GET / HTTP/3.7\r\nHost: x\r\n\r\n", NOT_HTTP),
        attack("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", NOT_HTTP),
        attack("a TLS handshake", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".repeat(20), NOT_HTTP),
        attack("a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\nConnection: close\r\n\r\n", &[400, 404, 405]),
        attack("the path out", "GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &[404]),
        attack("an escaped NUL", "GET /api/v1/%00 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &[404]),
        attack("a target that is no URI", "GET \\\\x\\y HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", &[400, 404]),
        attack(
            "noise",
            (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>(),
            NOT_HTTP,
        ),
    ]
}

#[test]
fn hostile_bytes_are_refused_and_the_server_lives_in_bounded_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start_with(folder.path(), &["--header-timeout-seconds=1", "--body-timeout-seconds=1"]);
    assert_eq!(server.send(&generate_all(&server.key, HELLO.as_bytes())).status(), 200);
    #[cfg(target_os = "linux")]
    let before = server.peak_memory_kib();

    let attacks = [bodies(&server.key), frames(&server.key), heads()].concat();
    assert!(attacks.len() >= 49, "{}", attacks.len());
    let mut taken = Vec::new();
    for Attack { name, bytes, answered } in &attacks {
        let answer = server.send(bytes);
        if !answered.contains(&answer.status()) {
            taken.push(format!("{name}: {answered:?}, not {answer:?}"));
        }
        if answer.body.is_empty() {
            assert!(BARE.contains(&answer.status()), "{name}: {answer:?}");
        } else {
            let body = answer.json();
            assert!(body["error"].is_string() && body["message"].is_string(), "{name}: {answer:?}");
            assert_eq!(answer.header("x-request-id"), body["request_id"].as_str(), "{name}: {answer:?}");
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"), "{name}: {answer:?}");
            assert_eq!(answer.header("referrer-policy"), Some("no-referrer"), "{name}: {answer:?}");
        }
        assert!(server.is_alive(), "{name}");
        let (head, _) = server.exchange("GET", "/api/v1/status", "");
        assert!(head.starts_with("HTTP/1.1 200 OK"), "after {name}: {head}");
    }
    assert!(taken.is_empty(), "{taken:#?}");
    old_versions_and_pipelines(&server);
    endless_and_slow_senders(&server);
    silent_crowd(&server);

    assert!(!server.log().contains("panicked"), "{}", server.log());
    assert_eq!(server.send(&generate_all(&server.key, HELLO.as_bytes())).status(), 200);
    #[cfg(target_os = "linux")]
    {
        let grown = server.peak_memory_kib() - before;
        println!("{} attacks cost {grown} KiB", attacks.len());
        assert!(grown < MEMORY_KIB, "{grown} KiB more than before");
    }
    assert_eq!(server.terminate(), Some(0));
}

fn old_versions_and_pipelines(server: &Server) {
    let old = server.send(b"GET /api/v1/status HTTP/1.0\r\n\r\n");
    assert_eq!(old.status(), 200, "HTTP/1.0 needs no Host: {old:?}");

    let status = "GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n";
    let piped = server.send(format!("{status}{status}\0garbage\r\n\r\n").as_bytes());
    let statuses = statuses_in(&piped);
    assert_eq!(statuses[..2], [200, 200], "{piped:?}");
    assert!(statuses[2..].iter().all(|status| *status == 400), "{piped:?}");

    // Two frames at once (RFC 9112, section 6.1): read by one of them, the rest is never a request of its own.
    let smuggled = "0\r\n\r\nGET /api/v1/fonts HTTP/1.1\r\nHost: x\r\n\r\n";
    let fields = format!("Content-Length: {}\r\nTransfer-Encoding: chunked\r\n", smuggled.len());
    let answer = server.send(&generate(&server.key, &fields, smuggled.as_bytes()));
    assert_eq!(statuses_in(&answer).len(), 1, "{answer:?}");
    assert_eq!(answer.status(), 400, "{answer:?}");
}

fn statuses_in(answer: &RawAnswer) -> Vec<u16> {
    let all = format!("{}{}", answer.head, answer.body);
    all.split("HTTP/1.1 ").skip(1).map(|rest| rest[..3].parse().unwrap()).collect()
}

/// Sends `head` and then `piece` again and again, `pause` apart, until the server answers or closes; returns the
/// answer, the time it took and what was sent.
fn drip(server: &Server, head: &[u8], piece: &[u8], pause: Duration) -> (String, Duration, usize) {
    const MOST_BYTES: usize = 64 * 1024 * 1024;
    let clock = Clock::system();
    let started = clock.monotonic();
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream.write_all(head).unwrap();
    let mut sent = 0;
    while sent < MOST_BYTES && clock.monotonic() - started < Duration::from_secs(15) && stream.write_all(piece).is_ok()
    {
        sent += piece.len();
        std::thread::sleep(pause);
    }
    let mut answer = Vec::new();
    // A reset ends the reading; what came before it stands.
    let _ = stream.read_to_end(&mut answer);
    (String::from_utf8_lossy(&answer).into_owned(), clock.monotonic() - started, sent)
}

fn endless_and_slow_senders(server: &Server) {
    let chunked = generate(&server.key, "Transfer-Encoding: chunked\r\n", b"");
    let chunk = [b"10000\r\n", &vec![b' '; 0x10000][..], b"\r\n"].concat();
    let (answer, _, sent) = drip(server, &chunked, &chunk, Duration::ZERO);
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 413 "), "an endless body: {answer:?}");
    println!("{sent} bytes of an endless body were taken before {:?}", answer.lines().next());
    assert!(sent < 32 * 1024 * 1024, "{sent} bytes of an endless body were taken");

    let slow = generate(&server.key, "Content-Length: 1000\r\n", b"");
    let (answer, took, _) = drip(server, &slow, b" ", Duration::from_millis(100));
    assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("REQUEST_TIMEOUT"), "a slow body: {answer:?}");
    assert!(took < Duration::from_secs(10), "a slow body took {took:?}");

    let (answer, took, _) = drip(server, b"GET /api/v1/status HTTP/1.1\r\nX: ", b"y", Duration::from_millis(100));
    assert!(!answer.contains(" 200 "), "a slow head: {answer:?}");
    assert!(took < Duration::from_secs(10), "a slow head took {took:?}");
}

/// Connections that say nothing keep nobody from being served.
fn silent_crowd(server: &Server) {
    let crowd: Vec<_> = (0..200).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    let page = server.send(&request("POST", "/api/v1/generate", &server.key, HELLO));
    assert_eq!(page.status(), 200, "{page:?}");
    for mut silent in crowd {
        silent.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut said = Vec::new();
        silent.read_to_end(&mut said).expect("a silent connection is closed");
        assert!(!said.starts_with(b"HTTP/1.1 2"), "{said:?}");
    }
}
