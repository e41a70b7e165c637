//! The admin listener: liveness always, readiness with reasons.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use longhand::http::{AdminListener, KeyMetrics};
use longhand::pipeline::RenderError;
use serde_json::{Value, json};

use crate::http::harness::{Site, page};
use crate::live::server::{RawAnswer, request, send};

struct Open {
    site: Site,
    door: AdminListener,
}

impl Open {
    fn new() -> Self {
        let site = Site::open();
        let (address, service) = (([127, 0, 0, 1], 0).into(), Arc::clone(&site.service));
        let door = AdminListener::open(address, service, None, KeyMetrics::default()).unwrap();
        Self { site, door }
    }

    fn get(&self, path: &str) -> RawAnswer {
        send(&self.door.address().to_string(), &request("GET", path, "none", ""))
    }

    /// What `/readyz` finds wrong, once it may look again.
    fn wrong(&self) -> Value {
        self.site.clock.advance(Duration::from_secs(3));
        let answer = self.get("/readyz");
        let body = answer.json();
        let mut checks = body["checks"].as_object().unwrap().clone();
        checks.retain(|_, finding| finding != "ok");
        let is_ready = checks.is_empty();
        assert_eq!((answer.status(), &body["ready"]), (if is_ready { 200 } else { 503 }, &json!(is_ready)), "{body}");
        Value::Object(checks)
    }
}

#[test]
fn a_service_that_can_make_a_page_and_write_its_store_is_ready() {
    let open = Open::new();
    let answer = open.get("/readyz");
    let checks = json!({"draining": "ok", "queue": "ok", "device": "ok", "store": "ok"});
    assert_eq!((answer.status(), answer.json()), (200, json!({"ready": true, "status": "ok", "checks": checks})));
    assert_eq!(open.site.renderer.calls.load(Ordering::SeqCst), 1, "a page was made");
}

#[test]
fn each_thing_that_is_wrong_is_told_and_forgotten_when_it_is_right_again() {
    let open = Open::new();
    assert_eq!(open.wrong(), json!({}));
    open.site.renderer.does(|_| Err(RenderError::DeviceUnavailable("unplugged".to_owned())));
    assert_eq!(open.wrong(), json!({"device": "the self-test failed: no device to draw on: unplugged"}));
    open.site.renderer.does(|_| Ok(page(b"page")));
    assert_eq!(open.wrong(), json!({}));

    open.site.renderer.depth.store(9, Ordering::SeqCst);
    assert_eq!(open.wrong(), json!({"queue": "9 megapixels wait, 10 may"}));
    open.site.renderer.depth.store(8, Ordering::SeqCst);
    assert_eq!(open.wrong(), json!({}));

    let other = rusqlite::Connection::open(open.site.folder.path().join("longhand.sqlite3")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(open.wrong(), json!({"store": "the store did not answer within 1 s"}));
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(open.wrong(), json!({}));

    open.site.service.access().shutdown();
    let closed = "the quota ledger is closed and charges nothing any more";
    assert_eq!(open.wrong(), json!({"store": closed}));
    open.site.service.start_draining();
    assert_eq!(open.wrong(), json!({"draining": "the service is shutting down"}));
}

#[cfg(unix)]
#[test]
fn a_store_that_is_deleted_or_replaced_underneath_is_noticed() {
    let open = Open::new();
    let path = open.site.folder.path().join("longhand.sqlite3");
    assert_eq!(open.wrong(), json!({}));
    let aside = path.with_extension("aside");
    std::fs::rename(&path, &aside).unwrap();
    let store = |wrong: &Value| wrong["store"].as_str().unwrap_or_default().to_owned();
    let gone = store(&open.wrong());
    assert!(gone.contains("was deleted or replaced") && gone.contains(path.to_str().unwrap()), "{gone}");
    std::fs::copy(&aside, &path).unwrap();
    assert_eq!(store(&open.wrong()), gone, "another file is not the same store");
    std::fs::rename(&aside, &path).unwrap();
    assert_eq!(open.wrong(), json!({}));
}

#[test]
fn a_self_test_that_hangs_is_given_up_and_never_holds_up_liveness() {
    let open = Open::new();
    let _closed = open.site.renderer.gate.try_write().unwrap();
    std::thread::scope(|scope| {
        let asking = scope.spawn(|| open.wrong());
        while open.site.renderer.calls.load(Ordering::SeqCst) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(open.get("/livez").status(), 200);
        assert!(!asking.is_finished(), "the self-test still waits");
        assert_eq!(asking.join().unwrap(), json!({"device": "the self-test took longer than 2 s"}));
    });
}

#[test]
fn the_self_test_is_not_repeated_while_its_finding_is_fresh_or_callers_pages_succeed() {
    let open = Open::new();
    let made = || open.site.renderer.calls.load(Ordering::SeqCst);
    (0..5).for_each(|_| assert_eq!(open.get("/readyz").status(), 200));
    assert_eq!(made(), 1);

    open.site.clock.advance(Duration::from_secs(60));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    assert_eq!(runtime.block_on(open.site.generate(r#"{"text":"Hello"}"#)).status, 200);
    assert_eq!((open.get("/readyz").status(), made()), (200, 2), "the client's page is proof enough");
}

#[test]
fn other_paths_and_methods_are_refused_in_the_form_of_all_errors() {
    let open = Open::new();
    let address = open.door.address().to_string();
    let answer = open.get("/api/v1/status");
    let body = answer.json();
    assert_eq!((answer.status(), &body["error"]), (404, &json!("NOT_FOUND")));
    assert_eq!(body["message"], "no such path; GET /livez, /readyz or /metrics");
    assert_eq!(answer.header("x-request-id"), body["request_id"].as_str());

    for path in ["/livez", "/readyz", "/metrics"] {
        let answer = open.get(path);
        let protected = ["x-content-type-options", "referrer-policy"].map(|name| answer.header(name));
        assert_eq!(protected, [Some("nosniff"), Some("no-referrer")], "{path}");
        let answer = send(&address, &request("POST", path, "none", ""));
        let body = answer.json();
        assert_eq!((answer.status(), &body["error"]), (405, &json!("METHOD_NOT_ALLOWED")), "{path}");
        assert_eq!(answer.header("allow"), Some("GET,HEAD"), "{path}");
    }
}
