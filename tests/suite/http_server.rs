//! Real connections: bytes on a socket.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use longhand::http::{Patience, serve};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::http_harness::Site;

const SOON: Duration = Duration::from_secs(5);

struct Running {
    site: Arc<Site>,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<()>,
}

async fn start(patience: Patience) -> Running {
    let site = Arc::new(Site::open());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let router = site.router.clone();
    let server = tokio::spawn(async move {
        serve(listener, router, patience, async {
            stopped.await.unwrap();
        })
        .await;
    });
    Running { site, address, stop, server }
}

const PATIENT: Patience = Patience { head: SOON, drain: SOON };

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
    let Running { site, address, stop, server } = start(PATIENT).await;
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
    let patience = Patience { drain: Duration::from_millis(100), ..PATIENT };
    let Running { site, address, stop, server } = start(patience).await;
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
    let Running { site: _site, address, stop, server } = start(PATIENT).await;
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /api/v1/status HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    let mut first = [0; 15];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first, b"HTTP/1.1 200 OK");
    stop.send(()).unwrap();
    tokio::time::timeout(Duration::from_secs(1), server).await.expect("the server ends at once").unwrap();
}

#[tokio::test]
async fn a_silent_or_slow_client_loses_its_connection() {
    let running = start(Patience { head: Duration::from_millis(100), ..PATIENT }).await;
    let address = running.address;
    for sent in [&b""[..], b"P", b"GET /api/v1/status HTTP/1.1\r\nHost"] {
        let answer = exchange(address, sent).await;
        assert!(!answer.contains("200 OK"), "{answer}");
    }
}

#[tokio::test]
async fn a_caller_who_hangs_up_frees_the_reservation() {
    let running = start(PATIENT).await;
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
    let running = start(PATIENT).await;
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
async fn too_many_header_fields_are_refused_in_our_own_form() {
    let running = start(PATIENT).await;
    let address = running.address;
    let fields: Vec<String> = (0..200).map(|index| format!("x-{index}: y\r\n")).collect();
    let fields = fields.concat();
    let request = format!("GET /api/v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{fields}\r\n");
    let answer = exchange(address, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 431 ") && answer.contains("HEADERS_TOO_LARGE"), "{answer}");
}
