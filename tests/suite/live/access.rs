//! Keys, limits and quotas of the running program, under concurrency and sudden death.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use longhand::clock::Clock;
use serde_json::json;

use crate::live::server::{CreatedKey, RawAnswer, Server, places_left, request, send, send_together};

const PAGE: &str = r#"{"text":"a","page_size":"square_5x5","font_size":40,"seed":1}"#;

fn generate(key: &str, body: &str) -> Vec<u8> {
    request("POST", "/api/v1/generate", key, body)
}

fn count(answers: &[RawAnswer], status: u16) -> usize {
    answers.iter().filter(|answer| answer.status() == status).count()
}

#[test]
fn of_160_requests_at_once_exactly_100_lists_of_fonts_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let visitor = server.create_key(None);
    let answers = send_together(&server.address, &vec![request("GET", "/api/v1/fonts", &visitor.key, ""); 160]);
    assert_eq!((count(&answers, 200), count(&answers, 429)), (100, 60));
    for refused in answers.iter().filter(|answer| answer.status() == 429) {
        let body = refused.json();
        assert_eq!((&body["error"], &body["limit"]), (&json!("RATE_LIMIT_EXCEEDED"), &json!(100)));
        assert_eq!(body["endpoint"], "/fonts");
        let retry_after = body["retry_after"].as_u64().unwrap();
        assert!((1..=60).contains(&retry_after), "{body}");
        assert_eq!(refused.header("retry-after"), Some(retry_after.to_string().as_str()));
        assert_eq!(refused.header("x-ratelimit-remaining"), Some("0"));
        let reset: u64 = refused.header("x-ratelimit-reset").unwrap().parse().unwrap();
        let now = Clock::system().now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        assert!((now.saturating_sub(60)..=now + 61).contains(&reset), "{reset} at {now}");
    }
    let left = places_left(&answers, 200);
    assert_eq!(left, (0..100).collect::<Vec<_>>(), "each of those let in took one place");
    assert_eq!(server.send(&request("GET", "/api/v1/fonts", &server.key, "")).status(), 200, "keys are counted apart");
}

#[test]
fn of_a_thousand_requests_in_flight_exactly_the_quota_is_given_and_all_others_are_told() {
    // Fewer than may wait for a thread, so that quota alone decides.
    const QUOTA: usize = 150;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(Some(QUOTA as u64));
    let answers = send_together(&server.address, &vec![generate(&key, PAGE); 1000]);
    assert_eq!((count(&answers, 200), count(&answers, 429)), (QUOTA, 1000 - QUOTA));
    for refused in answers.iter().filter(|answer| answer.status() == 429) {
        let body = refused.json();
        // Those given are worked on while the others are refused: a place that is held is used.
        assert_eq!((&body["limit"], &body["used"]), (&json!(QUOTA), &json!(QUOTA)), "{body}");
        assert_eq!((&body["error"], &body["period"]), (&json!("REQUEST_LIMIT_EXCEEDED"), &json!("monthly")));
    }
    assert_eq!(server.used_this_month(&id), QUOTA as u64, "the store has what the ledger counted");
    assert_eq!(server.send(&generate(&key, PAGE)).json()["used"], json!(QUOTA));
}

#[test]
fn of_300_requests_at_once_exactly_as_many_pages_are_given_as_the_quota_allows() {
    const QUOTA: usize = 40;
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(Some(QUOTA as u64));
    // One in three fails, and holds a place in the quota until it has.
    let bodies = [r#"{"text":""}"#, PAGE, PAGE];
    let wave = |size: usize| {
        let requests: Vec<_> = bodies.iter().cycle().take(size).map(|body| generate(&key, body)).collect();
        let answers = send_together(&server.address, &requests);
        for (body, answer) in bodies.iter().cycle().zip(&answers) {
            match (answer.status(), *body == PAGE) {
                (200, true) | (422, false) => {}
                (429, _) => {
                    let body = answer.json();
                    assert_eq!((&body["error"], &body["limit"]), (&json!("REQUEST_LIMIT_EXCEEDED"), &json!(QUOTA)));
                    let is_held = body["message"].as_str().unwrap().contains("in progress");
                    assert_eq!(answer.header("retry-after").is_some(), is_held, "{answer:?}");
                }
                _ => panic!("{body}: {answer:?}"),
            }
        }
        count(&answers, 200)
    };
    let mut given = wave(300);
    // Where all were refused while failing ones held the last places, clients come again.
    for _ in 0..5 {
        assert!(given <= QUOTA, "{given}");
        if given < QUOTA {
            given += wave(60);
        }
    }
    assert_eq!(given, QUOTA);
    assert_eq!(wave(60), 0, "the quota is used up");
    assert_eq!(server.used_this_month(&id), QUOTA as u64);
}

#[test]
fn every_page_that_arrived_is_charged_though_the_server_is_killed_under_load() {
    const CLIENTS: usize = 16;
    let folder = tempfile::tempdir().unwrap();
    let mut server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(None);
    let (mut arrived_in_all, mut cut_off_in_all) = (0, 0);
    for arrivals_before_death in [1, 20, 60] {
        let (arrived, address) = (AtomicUsize::new(0), server.address.clone());
        let requested = generate(&key, PAGE);
        std::thread::scope(|scope| {
            for _ in 0..CLIENTS {
                scope.spawn(|| {
                    // Even the first line of a success counts as told.
                    while send(&address, &requested).status() == 200 {
                        arrived.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
            let clock = Clock::system();
            let started = clock.monotonic();
            while arrived.load(Ordering::SeqCst) < arrivals_before_death {
                assert!(server.is_alive() && clock.monotonic() - started < Duration::from_secs(60), "{}", server.log());
                std::thread::sleep(Duration::from_millis(1));
            }
            server.kill();
        });
        arrived_in_all += arrived.into_inner();
        cut_off_in_all += CLIENTS;
        server = Server::start(folder.path());
        let used = server.used_this_month(&id) as usize;
        println!("{arrived_in_all} pages arrived, {used} are charged");
        assert!(
            (arrived_in_all..=arrived_in_all + cut_off_in_all).contains(&used),
            "{arrived_in_all} pages arrived and at most {cut_off_in_all} were cut off, but {used} are charged"
        );
        assert_eq!(send(&server.address, &requested).status(), 200, "the server that starts again serves");
        arrived_in_all += 1;
    }
}

#[test]
fn keys_that_an_operator_creates_and_revokes_are_honoured_while_the_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let CreatedKey { id, key, .. } = server.create_key(None);
    // Not JSON: what counts is whether the key is let in.
    let probe = generate(&key, "{");
    assert_eq!(server.send(&probe).status(), 400, "a new key works at once");

    server.revoke_key(&id);
    let clock = Clock::system();
    let revoked_at = clock.monotonic();
    loop {
        let asked_after = clock.monotonic() - revoked_at;
        let answer = server.send(&probe);
        if answer.status() == 401 {
            assert_eq!(answer.json()["error"], "INVALID_API_KEY");
            break;
        }
        assert!(asked_after < Duration::from_secs(1), "still let in after {asked_after:?}: {answer:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.send(&generate(&server.key, PAGE)).status(), 200, "other keys go on");
}
