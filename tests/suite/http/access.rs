//! Authentication, quota and rate limit and their order.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use longhand::access::{ApiKey, KeySettings};
use longhand::http::PreviewWatermark;
use longhand::pipeline::{PreviewMark, RejectReason, RenderError, RenderedFile};
use serde_json::json;

use crate::http::errors::Announced;
use crate::http::harness::{Answer, NOW, Settings, Site, Trickle, page};

const HELLO: &str = r#"{"text":"Hello"}"#;

fn with_authorization(value: Option<&str>) -> Request<Body> {
    let request = Request::post("/api/v1/generate").header("content-type", "application/json");
    let request = value.into_iter().fold(request, |request, value| request.header("authorization", value));
    request.body(Body::from(HELLO)).unwrap()
}

#[tokio::test]
async fn a_key_is_missing_malformed_or_unknown_and_the_answer_says_which() {
    let site = Site::open();
    let unknown = format!("Bearer {}", ApiKey::generate().unwrap().reveal());
    let (kept, last) = site.key.split_at(site.key.len() - 1);
    let damaged = format!("Bearer {kept}{}", if last == "x" { "y" } else { "x" });
    for (authorization, code, message) in [
        (None, "INVALID_API_KEY", "missing API key; send Authorization: Bearer <key>"),
        (Some("Basic dXNlcjpwYXNz"), "INVALID_API_KEY", "missing API key; send Authorization: Bearer <key>"),
        (Some("Bearer sk_123"), "INVALID_KEY_FORMAT", "invalid API key format"),
        (Some(damaged.as_str()), "INVALID_KEY_FORMAT", "invalid API key format"),
        (Some(unknown.as_str()), "INVALID_API_KEY", "invalid or inactive API key"),
    ] {
        let answer = site.send(with_authorization(authorization)).await;
        assert_eq!(answer.refused(401, code)["message"], message, "{authorization:?}");
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
        assert_eq!(answer.header("x-ratelimit-limit"), None, "the rate limit was not reached");
    }
}

#[tokio::test]
async fn the_scheme_is_case_insensitive() {
    let site = Site::open();
    let answer = site.send(with_authorization(Some(&format!("bEARER {}", site.key)))).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn a_revoked_key_is_refused_within_a_second() {
    let site = Site::open();
    let keys = site.service.access().keys();
    keys.revoke(&keys.list().unwrap()[0].id).unwrap();
    site.clock.advance(Duration::from_secs(1));
    site.generate(HELLO).await.refused(401, "INVALID_API_KEY");
}

#[tokio::test]
async fn a_body_is_not_read_before_its_sender_is_admitted() {
    let site = Site::open();
    let body = Trickle::of([Bytes::from_static(HELLO.as_bytes())]);
    let asked = body.asked();
    let request = Request::post("/api/v1/generate").header("content-type", "application/json");
    site.send(request.body(Body::new(body)).unwrap()).await.refused(401, "INVALID_API_KEY");
    assert!(!asked.load(Ordering::SeqCst));
}

#[tokio::test]
async fn authentication_comes_before_everything_that_is_wrong_with_the_body() {
    let site = Site::open();
    let request = Request::post("/api/v1/generate").header("content-type", "text/plain");
    site.send(request.body(Body::from("not JSON")).unwrap()).await.refused(401, "INVALID_API_KEY");
}

#[tokio::test]
async fn quota_is_checked_before_the_rate_limit() {
    let site = Site::with_quota(1);
    assert_eq!(site.generate(HELLO).await.status, 200);
    for _ in 0..3 {
        let answer = site.generate(HELLO).await;
        let body = answer.refused(429, "REQUEST_LIMIT_EXCEEDED");
        assert_eq!((&body["limit"], &body["used"], &body["period"]), (&json!(1), &json!(1), &json!("monthly")));
        assert_eq!(body["reset_at"], "2026-12-01T00:00:00Z");
        for absent in ["retry-after", "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] {
            assert_eq!(answer.header(absent), None, "{absent}");
        }
    }
}

#[tokio::test]
async fn a_last_place_that_is_only_held_is_worth_a_retry() {
    let site = Site::with_quota(1);
    let closed = site.renderer.gate.write().await;
    let mut holder = std::pin::pin!(site.generate(HELLO));
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut holder).await.is_err());
    let answer = site.generate(HELLO).await;
    let body = answer.refused(429, "REQUEST_LIMIT_EXCEEDED");
    assert!(body["message"].as_str().unwrap().contains("in progress (1)"), "{body}");
    assert_eq!((&body["used"], answer.header("retry-after")), (&json!(1), Some("1")));

    drop(closed);
    assert_eq!(holder.await.status, 200);
    let answer = site.generate(HELLO).await;
    let body = answer.refused(429, "REQUEST_LIMIT_EXCEEDED");
    assert!(body["message"].as_str().unwrap().contains("is used up"), "{body}");
    assert_eq!(answer.header("retry-after"), None);
}

#[tokio::test]
async fn the_rate_limit_is_checked_before_the_body_and_stamped_on_every_answer() {
    let site = Site::open();
    let bad = || site.request(Method::POST, "/api/v1/generate").body(Body::from("x")).unwrap();
    for sent in 1..=500 {
        let answer = site.send(bad()).await;
        answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        assert_eq!(answer.header("x-ratelimit-limit"), Some("500"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some((500 - sent).to_string().as_str()));
        assert_eq!(answer.header("x-ratelimit-reset"), Some((NOW + 60).to_string().as_str()));
    }
    site.clock.advance(Duration::from_secs(15));
    let answer = site.send(bad()).await;
    let body = answer.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(
        (&body["limit"], &body["endpoint"], &body["retry_after"]),
        (&json!(500), &json!("/generate"), &json!(45))
    );
    assert_eq!(answer.header("retry-after"), Some("45"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("0"));
    assert_eq!(answer.header("x-ratelimit-reset"), Some((NOW + 60).to_string().as_str()));
    assert_eq!(site.get("/api/v1/fonts").await.status, 200, "endpoints are counted apart");
    site.clock.advance(Duration::from_secs(45));
    assert_eq!(site.generate(HELLO).await.status, 200);
}

#[tokio::test]
async fn the_allowance_stands_on_every_answer_after_the_check_even_after_a_panic() {
    type Behaviour = fn() -> Result<RenderedFile, RenderError>;
    let behaviours: [(&str, u16, Behaviour); 5] = [
        ("a page", 200, || Ok(page(b"page"))),
        ("a failure", 500, || Err(RenderError::Failed("no ink".to_owned()))),
        ("a panic", 500, || panic!("the pen broke")),
        ("overload", 503, || Err(RenderError::Overloaded { retry_after_seconds: 1, reason: RejectReason::QueueFull })),
        ("no device", 503, || Err(RenderError::DeviceUnavailable("unplugged".to_owned()))),
    ];
    let site = Site::open();
    for (path, limit) in [("/api/v1/generate", 500), ("/api/v1/preview", 300)] {
        let mut left = limit;
        let mut check = |answer: &Answer, status: u16, why: &str| {
            left -= 1;
            assert_eq!(answer.status.as_u16(), status, "{why}");
            assert_eq!(answer.header("x-ratelimit-limit"), Some(limit.to_string().as_str()), "{why}");
            assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()), "{why}");
            assert_eq!(answer.header("x-ratelimit-reset"), Some((NOW + 60).to_string().as_str()), "{why}");
        };
        for (why, status, behaviour) in behaviours {
            site.renderer.does(move |_| behaviour());
            check(&site.post(path, HELLO).await, status, why);
        }
        for (body, status) in [("{", 400), (r#"{"text":""}"#, 422)] {
            check(&site.post(path, body).await, status, body);
        }
        check(&site.post(path, Body::new(Announced(10))).await, 500, "a panic while the body is read");
    }
}

#[tokio::test]
async fn only_successes_are_charged() {
    let site = Site::with_quota(2);
    let failures: [fn(String) -> RenderError; 2] = [RenderError::Failed, RenderError::DeviceUnavailable];
    for failure in failures {
        site.renderer.does(move |_| Err(failure("no ink".to_owned())));
        assert!(site.generate(HELLO).await.status.is_server_error());
    }
    site.renderer.does(|_| panic!("the pen broke"));
    assert_eq!(site.generate(HELLO).await.status, 500);
    assert_eq!(site.generate(r#"{"text":""}"#).await.status, 422);
    assert_eq!(site.generate("{").await.status, 400);
    assert_eq!(site.get("/api/v1/fonts").await.status, 200);
    assert_eq!(used(&site), 0);

    site.renderer.does(|_| Ok(page(b"page")));
    assert_eq!(site.generate(HELLO).await.status, 200);
    assert_eq!(used(&site), 1, "a charge is stored before the answer is given");
    assert_eq!(site.generate(HELLO).await.status, 200);
    site.generate(HELLO).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
    assert_eq!(used(&site), 2);
}

fn used(site: &Site) -> u64 {
    site.service.access().keys().list().unwrap()[0].used_this_month
}

#[tokio::test]
async fn a_caller_who_hangs_up_is_not_charged() {
    let site = Site::with_quota(1);
    let closed = site.renderer.gate.write().await;
    let waiting = tokio::time::timeout(Duration::from_millis(100), site.generate(HELLO)).await;
    assert!(waiting.is_err(), "the page cannot be ready");
    assert_eq!(site.renderer.calls.load(Ordering::SeqCst), 1, "it was being rendered");
    drop(closed);
    assert_eq!(site.generate(HELLO).await.status, 200, "the place was given back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn at_the_edge_exactly_as_many_succeed_as_the_quota_allows() {
    let site = Arc::new(Site::with_quota(3));
    let requests = (0..20).map(|_| {
        let site = Arc::clone(&site);
        tokio::spawn(async move { site.generate(HELLO).await.status.as_u16() })
    });
    let mut statuses = Vec::new();
    for request in requests.collect::<Vec<_>>() {
        statuses.push(request.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [vec![200; 3], vec![429; 17]].concat());
}

#[tokio::test]
async fn fonts_need_a_key_and_have_their_own_limit() {
    let site = Site::with_quota(1);
    let anonymous = Request::get("/api/v1/fonts").body(Body::empty()).unwrap();
    site.send(anonymous).await.refused(401, "INVALID_API_KEY");
    for sent in 1..=100 {
        let answer = site.get("/api/v1/fonts").await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("x-ratelimit-limit"), Some("100"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some((100 - sent).to_string().as_str()));
    }
    let body = site.get("/api/v1/fonts").await.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!((&body["endpoint"], &body["retry_after"]), (&json!("/fonts"), &json!(60)));
}

#[tokio::test]
async fn a_key_is_told_what_it_used_of_its_quota() {
    let site = Site::with_quota(3);
    let usage = async || site.get("/api/v1/usage").await;
    let expected = |used: u64| {
        json!({"limit": 3, "used": used, "remaining": 3 - used, "period": "monthly",
               "reset_at": "2026-12-01T00:00:00Z", "preview_watermark": true, "makes_hands": false, "makes_links": false, "keeps_artwork": false,
               "rate_limits": {"generate": 500, "preview": 300, "fonts": 100, "usage": 100, "jobs": 300, "job_files": 6000, "hands": 60, "artwork": 60}})
    };
    assert_eq!(usage().await.json(), expected(0));
    assert_eq!(site.generate(HELLO).await.status, 200);
    let answer = usage().await;
    assert_eq!((answer.json(), answer.header("x-ratelimit-limit")), (expected(1), Some("100")));

    let closed = site.renderer.gate.write().await;
    let mut held = std::pin::pin!(site.generate(HELLO));
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut held).await.is_err());
    assert_eq!(usage().await.json(), expected(2), "a page in progress counts, as it does for the quota");
    drop(closed);
    assert_eq!(held.await.status, 200);
    assert_eq!(usage().await.json(), expected(2));

    let anonymous = Request::get("/api/v1/usage").body(Body::empty()).unwrap();
    site.send(anonymous).await.refused(401, "INVALID_API_KEY");
    for _ in 0..96 {
        assert_eq!(usage().await.status, 200);
    }
    let refused = usage().await;
    assert_eq!(refused.refused(429, "RATE_LIMIT_EXCEEDED")["endpoint"], "/usage");
    assert_eq!(site.generate(HELLO).await.status, 200, "asking costs nothing");
}

#[tokio::test]
async fn a_key_without_a_quota_is_told_what_it_used() {
    let site = Site::open();
    assert_eq!(site.generate(HELLO).await.status, 200);
    let expected = json!({"limit": null, "used": 1, "remaining": null, "period": "monthly",
                          "reset_at": "2026-12-01T00:00:00Z", "preview_watermark": true, "makes_hands": false, "makes_links": false, "keeps_artwork": false,
                          "rate_limits": {"generate": 500, "preview": 300, "fonts": 100, "usage": 100, "jobs": 300, "job_files": 6000, "hands": 60, "artwork": 60}});
    assert_eq!(site.get("/api/v1/usage").await.json(), expected);
}

#[tokio::test]
async fn limits_are_those_of_the_key_then_of_the_operator_then_of_the_contract() {
    let site = Site::of(&Settings {
        rate_limits: "generate=2,preview=7".parse().unwrap(),
        key_limits: "generate=3".parse().unwrap(),
        ..Settings::default()
    });
    let told = async || site.get("/api/v1/usage").await.json()["rate_limits"].clone();
    assert_eq!(
        told().await,
        json!({"generate": 3, "preview": 7, "fonts": 100, "usage": 100, "jobs": 300, "job_files": 6000, "hands": 60, "artwork": 60})
    );
    for left in ["2", "1", "0"] {
        let answer = site.generate(HELLO).await;
        assert_eq!((answer.status.as_u16(), answer.header("x-ratelimit-limit")), (200, Some("3")));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left));
    }
    let refused = site.generate(HELLO).await;
    let body = refused.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!((&body["limit"], refused.header("x-ratelimit-limit")), (&json!(3), Some("3")));
    assert!(body["message"].as_str().unwrap().contains("more than 3 requests"), "{body}");

    // A running service knows other limits within half a second.
    let keys = site.service.access().keys();
    let id = keys.list().unwrap()[0].id.clone();
    for (limits, expected) in [("generate=5", 5), ("default", 2)] {
        let rate_limits = Some(limits.parse().unwrap());
        keys.set(&id, KeySettings { rate_limits, ..KeySettings::default() }).unwrap();
        site.clock.advance(Duration::from_secs(1));
        assert_eq!(told().await["generate"], expected);
    }
}

#[tokio::test]
async fn previews_are_marked_as_the_operator_says() {
    use PreviewMark::{Nothing, Watermark};
    for (preview_watermark, without_quota, with_quota) in [
        (PreviewWatermark::On, Watermark, Watermark),
        (PreviewWatermark::Quota, Nothing, Watermark),
        (PreviewWatermark::Off, Nothing, Nothing),
    ] {
        for (monthly_quota, expected) in [(None, without_quota), (Some(5), with_quota)] {
            let site = Site::of(&Settings { monthly_quota, preview_watermark, ..Settings::default() });
            assert_eq!(site.post("/api/v1/preview", HELLO).await.status, 200);
            assert_eq!(*site.renderer.mark.lock(), Some(expected), "{preview_watermark:?} {monthly_quota:?}");
            let told = site.get("/api/v1/usage").await.json();
            assert_eq!(told["preview_watermark"], expected == Watermark);
        }
    }
}

#[tokio::test]
async fn pages_made_without_a_quota_count_when_the_key_gets_one_again() {
    let site = Site::with_quota(5);
    let keys = site.service.access().keys();
    let id = keys.list().unwrap()[0].id.clone();
    let set = |quota| {
        keys.set_quota(&id, quota).unwrap();
        site.clock.advance(Duration::from_secs(1));
    };
    assert_eq!(site.generate(HELLO).await.status, 200);
    set(None);
    for _ in 0..4 {
        assert_eq!(site.generate(HELLO).await.status, 200);
    }
    set(Some(6));
    assert_eq!(site.get("/api/v1/usage").await.json()["used"], 5);
    assert_eq!(site.generate(HELLO).await.status, 200);
    site.generate(HELLO).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
}
