//! Real connections: bytes on a socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use longhand::http::{ListenerConfig, Timeouts, listen, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::http::harness::Site;

const SOON: Duration = Duration::from_secs(5);

struct Running {
    site: Arc<Site>,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

async fn start(config: ListenerConfig) -> Running {
    let site = Arc::new(Site::open());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let router = site.router.clone();
    let server = tokio::spawn(async move {
        serve(listener, router, config, async {
            stopped.await.unwrap();
        })
        .await;
    });
    Running { site, address, stop, server }
}

const TIMEOUTS: Timeouts = Timeouts { head: SOON, idle: SOON, write: SOON };
const CONFIG: ListenerConfig =
    ListenerConfig { listener: "test", connections: 100, timeouts: TIMEOUTS, notice: Duration::ZERO, drain: SOON };
const STATUS: &[u8] = b"GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n";

/// Sends bytes, and returns what comes back until the server closes.
async fn exchange(address: SocketAddr, sent: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // A server that answers early may close before all is sent.
    let _ = stream.write_all(sent).await;
    answer(&mut stream).await
}

async fn answer(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    tokio::time::timeout(SOON, stream.read_to_end(&mut answer)).await.expect("the server closes").unwrap();
    String::from_utf8(answer).unwrap()
}

fn generate(site: &Site, body: &str) -> Vec<u8> {
    let (key, length) = (&site.key, body.len());
    let head = format!(
        "POST /api/v1/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body.as_bytes()].concat()
}

#[tokio::test]
async fn a_request_in_flight_is_answered_and_then_the_server_ends() {
    let Running { site, address, stop, server } = start(CONFIG).await;
    let closed = site.renderer.gate.write().await;
    let request = generate(&site, r#"{"text":"a"}"#);
    let client = tokio::spawn(async move { exchange(address, &request).await });
    while site.renderer.calls.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.send(()).unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!server.is_finished(), "the server waits for the page");
    assert!(TcpStream::connect(address).await.is_err(), "nothing new is accepted");
    drop(closed);
    assert!(client.await.unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
    tokio::time::timeout(SOON, server).await.expect("the server ends").unwrap();
}

#[tokio::test]
async fn the_drain_ends_when_its_time_is_over() {
    let config = ListenerConfig { drain: Duration::from_millis(100), ..CONFIG };
    let Running { site, address, stop, server } = start(config).await;
    let _closed = site.renderer.gate.write().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&generate(&site, r#"{"text":"a"}"#)).await.unwrap();
    while site.renderer.calls.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    stop.send(()).unwrap();
    tokio::time::timeout(SOON, server).await.expect("the server ends").unwrap();
}

#[tokio::test]
async fn an_idle_connection_does_not_hold_up_the_end() {
    let Running { site: _site, address, stop, server } = start(CONFIG).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    assert!(status(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(1), server).await.expect("the server ends at once").unwrap();
}

#[tokio::test]
async fn a_silent_or_slow_client_loses_its_connection() {
    let timeouts = Timeouts { head: Duration::from_millis(100), ..TIMEOUTS };
    let running = start(ListenerConfig { timeouts, ..CONFIG }).await;
    let address = running.address;
    for sent in [&b""[..], b"P", b"GET /api/v1/status HTTP/1.1\r\nHost"] {
        let answer = exchange(address, sent).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }
}

/// The kernel's buffers have room for megabytes, which a slow client takes longer to read than a write may wait.
#[tokio::test]
async fn a_client_that_reads_slowly_but_steadily_gets_its_whole_answer() {
    const SIZE: usize = 8 << 20;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let timeouts = Timeouts { write: Duration::from_millis(200), ..TIMEOUTS };
    let router = axum::Router::new().route("/", axum::routing::get(async || vec![7; SIZE]));
    let config = ListenerConfig { timeouts, ..CONFIG };
    let server = tokio::spawn(async move { serve(listener, router, config, std::future::pending()).await });
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(64 << 10).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await.unwrap();
    let (mut read, mut some) = (0, vec![0; 64 << 10]);
    loop {
        match tokio::time::timeout(SOON, stream.read(&mut some)).await.expect("more, or the end").unwrap() {
            0 => break,
            count => read += count,
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(read > SIZE, "cut off after {read} bytes");
    server.abort();
}

/// One exchange on a connection that stays open; its whole answer.
async fn status(stream: &mut TcpStream) -> String {
    stream.write_all(STATUS).await.unwrap();
    let (mut answer, mut some) = (Vec::new(), [0; 4096]);
    // The body is the one JSON object with an object in it.
    while !answer.ends_with(b"}") {
        let count = tokio::time::timeout(SOON, stream.read(&mut some)).await.expect("an answer").unwrap();
        assert!(count > 0, "{}", String::from_utf8_lossy(&answer));
        answer.extend_from_slice(&some[..count]);
    }
    String::from_utf8(answer).unwrap()
}

#[tokio::test]
async fn a_head_is_bounded_from_its_first_byte_however_slowly_it_comes() {
    let timeouts = Timeouts { head: Duration::from_millis(300), ..TIMEOUTS };
    let running = start(ListenerConfig { timeouts, ..CONFIG }).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    // An earlier request on the connection buys no more time for this one.
    status(&mut stream).await;
    let asked_at = tokio::time::Instant::now();
    let mut sent = 0;
    for byte in STATUS.iter().cycle() {
        if stream.write_all(&[*byte]).await.is_err() {
            break;
        }
        sent += 1;
        assert!(sent < STATUS.len(), "the head was complete before the time was over");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!((Duration::from_millis(250)..SOON).contains(&asked_at.elapsed()), "{:?}", asked_at.elapsed());
}

#[tokio::test]
async fn an_idle_connection_may_wait_longer_than_a_head_and_not_for_ever() {
    let (head, idle) = (Duration::from_millis(100), Duration::from_millis(600));
    let running = start(ListenerConfig { timeouts: Timeouts { head, idle, ..TIMEOUTS }, ..CONFIG }).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    for _ in 0..2 {
        status(&mut stream).await;
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
    status(&mut stream).await;
    let asked_at = tokio::time::Instant::now();
    assert_eq!(answer(&mut stream).await, "", "the server closes");
    assert!((idle / 2..SOON).contains(&asked_at.elapsed()), "{:?}", asked_at.elapsed());
}

#[tokio::test]
async fn a_page_that_takes_its_time_outlasts_every_wait_for_the_peer() {
    let short = Duration::from_millis(100);
    let timeouts = Timeouts { head: short, idle: short, write: short };
    let running = start(ListenerConfig { timeouts, ..CONFIG }).await;
    let (site, address) = (&running.site, running.address);
    let closed = site.renderer.gate.write().await;
    let request = generate(site, r#"{"text":"a"}"#);
    let client = tokio::spawn(async move { exchange(address, &request).await });
    tokio::time::sleep(5 * short).await;
    drop(closed);
    assert!(client.await.unwrap().starts_with("HTTP/1.1 200 OK\r\n"));
}

#[tokio::test]
async fn a_client_that_does_not_take_its_answer_loses_its_connection() {
    let timeouts = Timeouts { write: Duration::from_millis(200), ..TIMEOUTS };
    let running = start(ListenerConfig { timeouts, connections: 1, ..CONFIG }).await;
    let (site, address) = (&running.site, running.address);
    // Far more than the system buffers on the way.
    site.renderer.does(|_| Ok(crate::http::harness::page(&vec![7; 64 << 20])));
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&generate(site, r#"{"text":"a"}"#)).await.unwrap();
    let freed = async {
        while !exchange(address, STATUS_AND_CLOSE).await.starts_with("HTTP/1.1 200 OK") {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(SOON, freed).await.expect("its place is free again");
    let mut arrived = Vec::new();
    // The connection was reset, or just ended.
    let _ = tokio::time::timeout(SOON, stream.read_to_end(&mut arrived)).await.expect("the server has closed");
    assert!(arrived.len() < 64 << 20, "{} bytes", arrived.len());
}

const STATUS_AND_CLOSE: &[u8] = b"GET /api/v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

#[tokio::test]
async fn a_connection_beyond_the_bound_is_told_to_come_back_and_finds_a_place_when_one_is_free() {
    let running = start(ListenerConfig { connections: 3, ..CONFIG }).await;
    let address = running.address;
    let mut held = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        status(&mut stream).await;
        held.push(stream);
    }
    for _ in 0..10 {
        let refused = exchange(address, STATUS_AND_CLOSE).await;
        assert!(refused.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), "{refused}");
        assert!(refused.contains("retry-after: 1\r\n") && refused.contains("SERVICE_OVERLOADED"), "{refused}");
        assert!(refused.contains("x-request-id: "), "{refused}");
    }
    for stream in &mut held {
        status(stream).await;
    }
    held.pop();
    let found = async {
        while !exchange(address, STATUS_AND_CLOSE).await.starts_with("HTTP/1.1 200 OK") {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(SOON, found).await.expect("there is a place again");
}

#[tokio::test]
async fn until_the_notice_is_over_callers_are_served_and_told_to_reconnect_elsewhere() {
    let notice = Duration::from_millis(500);
    let Running { site: _site, address, stop, server } = start(ListenerConfig { notice, ..CONFIG }).await;
    let mut open = TcpStream::connect(address).await.unwrap();
    assert!(!status(&mut open).await.contains("connection: close"));
    stop.send(()).unwrap();
    tokio::time::sleep(Duration::from_millis(100)).await;
    for stream in [&mut open, &mut TcpStream::connect(address).await.unwrap()] {
        let answer = status(stream).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("connection: close"), "{answer}");
    }
    assert!(!server.is_finished());
    tokio::time::timeout(SOON, server).await.expect("the server ends").unwrap();
    assert!(TcpStream::connect(address).await.is_err(), "nothing new is accepted");
}

#[tokio::test]
async fn a_caller_who_hangs_up_frees_the_reservation() {
    let running = start(CONFIG).await;
    let (site, address) = (&running.site, running.address);
    let closed = site.renderer.gate.write().await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&generate(site, r#"{"text":"a"}"#)).await.unwrap();
    while site.renderer.calls.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    drop(stream);
    tokio::time::sleep(Duration::from_millis(100)).await;
    drop(closed);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 0);
}

#[tokio::test]
async fn an_answer_given_before_the_body_was_read_arrives() {
    let running = start(CONFIG).await;
    let (site, address) = (&running.site, running.address);
    let large = generate(site, &" ".repeat(300 * 1024));
    for _ in 0..10 {
        let answer = exchange(address, &large).await;
        assert!(answer.starts_with("HTTP/1.1 413 ") && answer.contains("PAYLOAD_TOO_LARGE"), "{answer:?}");
    }
    let stranger = String::from_utf8(large).unwrap().replace("Authorization", "Anonymous");
    for _ in 0..10 {
        let answer = exchange(address, stranger.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 401 ") && answer.contains("INVALID_API_KEY"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_head_with_too_many_or_too_large_fields_is_refused() {
    let running = start(CONFIG).await;
    let many: Vec<String> = (0..200).map(|index| format!("x-{index}: y\r\n")).collect();
    let large = format!("x: {}\r\n", "y".repeat(200_000));
    for fields in [many.concat(), large] {
        let request = format!("GET /api/v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n");
        let answer = exchange(running.address, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    }
}

/// A client that sends a request for a page, ends its side, and waits for the answer.
async fn half_closed(address: SocketAddr, request: Vec<u8>) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&request).await.unwrap();
    stream.shutdown().await.unwrap();
    answer(&mut stream).await
}

#[tokio::test]
async fn a_client_that_ends_its_side_gets_its_answer_whole() {
    let running = start(CONFIG).await;
    let (site, address) = (&running.site, running.address);
    let answer = half_closed(address, STATUS.to_vec()).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with('}'), "{answer}");

    let closed = site.renderer.gate.write().await;
    let client = tokio::spawn(half_closed(address, generate(site, r#"{"text":"a"}"#)));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(site.renderer.calls.load(Ordering::SeqCst), 1, "it is waited upon");
    drop(closed);
    let answer = client.await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.ends_with('}'), "{answer}");
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 1);

    let large = generate(site, &" ".repeat(300 * 1024));
    let answer = half_closed(address, large).await;
    assert!(answer.starts_with("HTTP/1.1 413 "), "{answer}");
}

#[tokio::test]
async fn a_client_that_hangs_up_is_noticed_within_a_tenth_of_a_second() {
    let running = start(CONFIG).await;
    let (site, address) = (&running.site, running.address);
    let _closed = site.renderer.gate.write().await;
    let waits = || Arc::strong_count(&site.service);
    let before = waits();
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(&generate(site, r#"{"text":"a"}"#)).await.unwrap();
    while site.renderer.calls.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(waits() > before, "a handler is at work");
    drop(stream);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(waits(), before, "the handler has ended");
}

#[tokio::test]
async fn a_length_that_is_no_number_of_bytes_and_an_unknown_transfer_coding_are_refused() {
    let running = start(CONFIG).await;
    for (fields, status) in [
        ("Content-Length: 18446744073709551615", 431),
        ("Content-Length: 18446744073709551616", 400),
        ("Content-Length: -1", 400),
        ("Transfer-Encoding: gzip", 400),
        ("Transfer-Encoding: identity", 400),
    ] {
        let head = format!("POST /api/v1/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n\r\n");
        let answer = exchange(running.address, head.as_bytes()).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{fields}: {answer}");
    }
}

#[tokio::test]
async fn the_system_keeps_hundreds_of_connections_until_they_are_accepted() {
    let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = listener.local_addr().unwrap();
    let mut held = Vec::new();
    for number in 0..300 {
        let connected = tokio::time::timeout(SOON, TcpStream::connect(address)).await;
        held.push(connected.unwrap_or_else(|_| panic!("connection {number} is not kept")).unwrap());
    }
}
