//! The end of the running program: nothing that was begun is left half done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use longhand::clock::Clock;

use crate::live::server::{Server, request, send};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

#[test]
fn ended_under_load_the_server_leaves_no_answer_broken_and_charges_what_it_gave() {
    const RUNS: usize = 20;
    const CLIENTS: usize = 12;
    let folder = tempfile::tempdir().unwrap();
    let mut given = 0;
    let mut visitor = None;
    for run in 0..RUNS {
        // Most end without notice, which is harder.
        let notice: &[&str] = if run % 5 == 0 { &["--unready-seconds", "1"] } else { &[] };
        let server = Server::start_with(folder.path(), notice);
        let visitor = visitor.get_or_insert_with(|| server.create_key(None));
        let (requested, address) = (request("POST", "/api/v1/generate", &visitor.key, PAGE), server.address.clone());
        let pages = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    loop {
                        let answer = send(&address, &requested);
                        match answer.status() {
                            200 => {
                                assert!(answer.json()["image_base64"].is_string());
                                pages.fetch_add(1, Ordering::SeqCst);
                            }
                            // Nothing was begun, and nobody listens any more.
                            0 => {
                                assert_eq!(answer.head.len() + answer.body.len(), 0, "{answer:?}");
                                assert!(std::net::TcpStream::connect(&address).is_err(), "a connection was dropped");
                                break;
                            }
                            // A minute with more than 500 pages.
                            status => assert_eq!(status, 429, "{answer:?}"),
                        }
                    }
                });
            }
            std::thread::sleep(Duration::from_millis(60 + 37 * (run as u64 % 7)));
            assert_eq!(server.terminate(), Some(0), "run {run}");
        });
        given += pages.into_inner();
    }
    assert!(given > RUNS, "{given} pages");
    let server = Server::start(folder.path());
    let used = server.used_this_month(&visitor.unwrap().id) as usize;
    println!("{given} pages arrived over {RUNS} ends, {used} are charged");
    assert_eq!(used, given, "what was charged arrived, and the other way round");
}

#[test]
fn from_the_first_signal_the_service_is_not_ready_and_a_second_ends_it_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start_with(folder.path(), &["--unready-seconds", "60"]);
    let ready = || send(&server.admin, &request("GET", "/readyz", "", ""));
    assert_eq!(ready().status(), 200);
    server.signal("TERM");
    let clock = Clock::system();
    let asked_at = clock.monotonic();
    while ready().status() == 200 {
        assert!(clock.monotonic() - asked_at < Duration::from_secs(1), "still ready");
    }
    assert_eq!(ready().json()["checks"]["draining"], "the service is shutting down");
    let page = server.send(&request("POST", "/api/v1/generate", &server.key, PAGE));
    assert_eq!(page.status(), 200, "who still comes is served");
    assert_eq!(server.send(&request("GET", "/api/v1/status", "", "")).json()["status"], "draining");
    assert!(server.is_alive());
    let told_at = clock.monotonic();
    assert_eq!(server.terminate(), Some(0));
    assert!(clock.monotonic() - told_at < Duration::from_secs(5), "it does not wait for its minute");
}
