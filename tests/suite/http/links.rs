//! Links that show a page to people without a key.

use std::time::Duration;

use axum::body::Body;
use axum::http::{Method, Request};
use longhand::pipeline::PreviewMark;
use rstest::rstest;
use serde_json::{Value, json};

use crate::http::harness::{Answer, Settings, Site};

const HELLO: &str = r#"{"text": "Dear Ann", "page_size": "card_5x7", "overflow": "paginate", "page": 2}"#;
const SECOND: Duration = Duration::from_secs(1);
const A_DAY_BUT_A_SECOND: Duration = Duration::from_secs(86_399);

fn open() -> Site {
    Site::of(&Settings { makes_links: true, ..Settings::default() })
}

async fn link(site: &Site, query: &str) -> Value {
    let answer = site.post(&format!("/api/v1/links{query}"), HELLO).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// What somebody without a key sees of a link.
async fn show(site: &Site, link: &str, query: &str) -> Answer {
    let request = Request::get(format!("/api/v1/shared{query}")).header("authorization", format!("Bearer {link}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn whoever_has_a_link_sees_its_page_without_a_key() {
    let site = open();
    let made = link(&site, "").await;
    let text = made["link"].as_str().unwrap();
    assert_eq!((&made["path"], &made["ends_at"]), (&json!(format!("/shared#{text}")), &json!("2026-12-05T12:00:00Z")));
    let seed = site.renderer.latest.lock().as_ref().unwrap().seed;
    assert!(!text.contains("Ann") && text.len() < 300, "{text}");
    let shown = show(&site, text, "").await;
    assert_eq!((shown.status.as_u16(), shown.json()["pages"].as_u64()), (200, Some(1)), "{shown:?}");
    let spec = site.renderer.latest.lock().clone().unwrap();
    assert_eq!((spec.seed, spec.shown_page), (seed, 2), "everybody sees the same page");
    assert_eq!(show(&site, text, "?page=3").await.status, 200);
    assert_eq!(site.renderer.latest.lock().as_ref().unwrap().shown_page, 3);
    assert_eq!(*site.renderer.mark.lock(), Some(PreviewMark::Watermark), "as the previews of its sender");
    assert_eq!(site.get("/api/v1/usage").await.json()["used"], 0, "it costs nothing");
    let picture = Request::get("/api/v1/shared").header("authorization", format!("Bearer {text}"));
    let picture = site.send(picture.header("accept", "image/png").body(Body::empty()).unwrap()).await;
    assert_eq!(picture.header("content-type"), Some("image/png"));
    // The sender's previews pay for it.
    assert_eq!(picture.header("x-ratelimit-remaining"), Some("296"));
}

#[tokio::test]
async fn a_link_ends_with_its_days_and_with_its_key() {
    let site = open();
    let (short, long) = (link(&site, "?days=1").await, link(&site, "?days=90").await);
    let [short, long] = [&short, &long].map(|made| made["link"].as_str().unwrap());
    site.clock.advance(A_DAY_BUT_A_SECOND);
    assert_eq!(show(&site, short, "").await.status, 200);
    site.clock.advance(SECOND);
    let ended = show(&site, short, "").await;
    ended.refused(401, "INVALID_LINK");
    assert_eq!(ended.header("www-authenticate"), Some("Bearer"));
    assert_eq!(show(&site, long, "").await.status, 200);
    let keys = site.service.access().keys();
    keys.revoke(&keys.list().unwrap()[0].id).unwrap();
    site.clock.advance(SECOND);
    show(&site, long, "").await.refused(401, "INVALID_LINK");
}

#[tokio::test]
async fn a_link_is_no_key_and_a_key_is_no_link() {
    let site = open();
    let made = link(&site, "").await;
    let text = made["link"].as_str().unwrap();
    for (method, path) in
        [(Method::POST, "/api/v1/preview"), (Method::POST, "/api/v1/links"), (Method::GET, "/api/v1/usage")]
    {
        let request = Request::builder().method(method).uri(path).header("authorization", format!("Bearer {text}"));
        let request = request.header("content-type", "application/json").body(Body::from(HELLO)).unwrap();
        site.send(request).await.refused(401, "INVALID_KEY_FORMAT");
    }
    show(&site, &site.key, "").await.refused(401, "INVALID_LINK");
    show(&site, &text.replace("link_A", "link_B"), "").await.refused(401, "INVALID_LINK");
    let bare = Request::get("/api/v1/shared").body(Body::empty()).unwrap();
    site.send(bare).await.refused(401, "INVALID_API_KEY");
}

#[rstest]
#[case("/api/v1/links?days=0", HELLO, "days")]
#[case("/api/v1/links?days=91", HELLO, "days")]
#[case("/api/v1/links?days=a", HELLO, "days")]
#[case("/api/v1/links?day=3", HELLO, "day")]
#[case("/api/v1/links", r#"{"text": ""}"#, "text")]
#[tokio::test]
async fn what_is_wrong_is_told_before_there_is_a_link(
    #[case] path: &str,
    #[case] body: &'static str,
    #[case] field: &str,
) {
    let site = open();
    let refused = site.post(path, body).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(refused["details"][0]["field"], field, "{refused}");
}

#[tokio::test]
async fn a_page_that_cannot_be_made_has_no_link() {
    let site = open();
    site.renderer.does(|_| Err(longhand::pipeline::RenderError::DeviceUnavailable("no device".to_owned())));
    site.post("/api/v1/links", HELLO).await.refused(503, "SERVICE_UNAVAILABLE");
    site.renderer.does(|_| Ok(crate::http::harness::page(b"page")));
    let made = link(&site, "").await;
    let wrong = show(&site, made["link"].as_str().unwrap(), "?page=0").await.refused(422, "VALIDATION_ERROR");
    assert_eq!(wrong["details"][0]["field"], "page");
}

#[tokio::test]
async fn there_are_no_links_if_the_operator_does_not_allow_them() {
    let allowed = open();
    let made = link(&allowed, "").await;
    assert_eq!(allowed.get("/api/v1/usage").await.json()["makes_links"], true);
    let site = Site::open();
    assert_eq!(site.get("/api/v1/usage").await.json()["makes_links"], false);
    site.post("/api/v1/links", HELLO).await.refused(404, "NOT_FOUND");
    show(&site, made["link"].as_str().unwrap(), "").await.refused(404, "NOT_FOUND");
}
