//! Requests with an `Idempotency-Key`: one page and one charge, however often they are sent.

use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::Method;
use longhand::pipeline::{RenderError, RenderedFile};
use serde_json::Value;

use crate::http::harness::{Answer, Site, page};

const HELLO: &str = r#"{"text":"Hello"}"#;

/// A site whose pages tell the seed that they were made from.
fn open(monthly_quota: Option<u64>) -> Site {
    let site = Site::with(monthly_quota, &[]);
    site.renderer.does(|spec| Ok(RenderedFile { seed: spec.seed, ..page(b"page") }));
    site
}

async fn send(site: &Site, path: &str, key: &str, body: &str) -> Answer {
    let request = site.request(Method::POST, path).header("content-type", "application/json");
    site.send(request.header("idempotency-key", key).body(Body::from(body.to_owned())).unwrap()).await
}

async fn used(site: &Site) -> Value {
    site.get("/api/v1/usage").await.json()["used"].clone()
}

#[tokio::test]
async fn a_request_that_is_sent_again_is_the_same_page_and_charged_once() {
    for path in ["/api/v1/generate", "/api/v1/generate/pdf"] {
        let site = open(Some(1));
        let seed = |answer: &Answer| match answer.header("x-seed") {
            Some(seed) => seed.to_owned(),
            None => answer.json()["seed"].to_string(),
        };
        let first = send(&site, path, "once", HELLO).await;
        assert_eq!((first.status.as_u16(), first.header("idempotency-replayed")), (200, None));
        for _ in 0..2 {
            // The quota is used up, but not needed.
            let again = send(&site, path, "once", HELLO).await;
            assert_eq!((again.status.as_u16(), again.header("idempotency-replayed")), (200, Some("true")));
            assert_eq!(seed(&again), seed(&first), "{path}");
        }
        assert_eq!(used(&site).await, 1);
        send(&site, path, "another", HELLO).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
    }
}

#[tokio::test]
async fn a_key_belongs_to_one_body_and_path_and_one_client() {
    let mut site = open(None);
    let first = send(&site, "/api/v1/generate", "once", HELLO).await;
    assert_eq!(first.status, 200);
    send(&site, "/api/v1/generate", "once", r#"{"text":"Hallo"}"#).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    send(&site, "/api/v1/generate/pdf", "once", HELLO).await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    assert_eq!(used(&site).await, 1);

    site.key = site.service.access().keys().create("other", None).unwrap().key.reveal().to_owned();
    let answer = send(&site, "/api/v1/generate", "once", HELLO).await;
    assert_eq!((answer.status.as_u16(), answer.header("idempotency-replayed")), (200, None));
}

#[tokio::test]
async fn a_request_in_progress_is_not_begun_again() {
    let site = open(Some(1));
    let closed = site.renderer.gate.write().await;
    let mut first = std::pin::pin!(send(&site, "/api/v1/generate", "once", HELLO));
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut first).await.is_err());
    let refused = send(&site, "/api/v1/generate", "once", HELLO).await;
    refused.refused(409, "REQUEST_IN_PROGRESS");
    assert_eq!((refused.header("retry-after"), refused.header("x-ratelimit-limit")), (Some("1"), Some("500")));
    send(&site, "/api/v1/generate", "once", "{\"text\":\"x\"}").await.refused(422, "IDEMPOTENCY_KEY_REUSED");
    drop(closed);
    assert_eq!(first.await.status, 200);
    assert_eq!(send(&site, "/api/v1/generate", "once", HELLO).await.header("idempotency-replayed"), Some("true"));
    assert_eq!(site.renderer.calls.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn what_failed_or_was_abandoned_may_be_sent_again() {
    let site = open(Some(1));
    send(&site, "/api/v1/generate", "once", r#"{"text":5}"#).await.refused(422, "VALIDATION_ERROR");
    site.renderer.does(|_| Err(RenderError::Failed("once".to_owned())));
    send(&site, "/api/v1/generate", "once", HELLO).await.refused(500, "GENERATION_ERROR");
    site.renderer.does(|spec| Ok(RenderedFile { seed: spec.seed, ..page(b"page") }));
    {
        let _closed = site.renderer.gate.write().await;
        let hung_up = send(&site, "/api/v1/generate", "once", HELLO);
        assert!(tokio::time::timeout(Duration::from_millis(50), hung_up).await.is_err());
    }
    let answer = send(&site, "/api/v1/generate", "once", HELLO).await;
    assert_eq!((answer.status.as_u16(), answer.header("idempotency-replayed")), (200, None));
    assert_eq!(used(&site).await, 1);
}

#[tokio::test]
async fn an_answer_is_kept_for_a_day() {
    let site = open(None);
    let replayed = async || {
        let answer = send(&site, "/api/v1/generate", "once", HELLO).await;
        assert_eq!(answer.status, 200);
        answer.header("idempotency-replayed").is_some()
    };
    assert!(!replayed().await);
    site.clock.advance(Duration::from_secs(24 * 3600 - 1));
    assert!(replayed().await);
    site.clock.advance(Duration::from_secs(1));
    assert!(!replayed().await, "a day is over");
    assert!(replayed().await);
    assert_eq!(used(&site).await, 2);
}

#[tokio::test]
async fn a_malformed_key_is_refused_and_other_routes_do_not_read_it() {
    let site = open(None);
    for key in ["", "two words", &"k".repeat(256)] {
        let body = send(&site, "/api/v1/generate", key, HELLO).await.refused(400, "INVALID_REQUEST");
        assert!(body["message"].as_str().unwrap().contains("Idempotency-Key"), "{body}");
    }
    assert_eq!(send(&site, "/api/v1/preview", "", HELLO).await.status, 200);
}
