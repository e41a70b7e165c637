//! `POST /api/v1/preview` for clients: free, limited on its own, never a PDF.

use axum::body::Body;
use axum::http::{Method, Request};
use longhand::pipeline::RenderError;
use serde_json::json;

use crate::http::harness::{Answer, Site, page};

const HELLO: &str = r#"{"text":"Hello"}"#;

async fn preview(site: &Site, body: &str) -> Answer {
    let request = site.request(Method::POST, "/api/v1/preview").header("content-type", "application/json");
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn the_answer_has_every_documented_field() {
    let site = Site::open();
    site.renderer.does(|_| Ok(page(b"picture")));
    let answer = preview(&site, HELLO).await;
    let mut body = answer.json();
    assert!(body["processing_time_ms"].take().is_number());
    let id = body["request_id"].take();
    assert_eq!(answer.header("x-request-id"), id.as_str());
    let expected = json!({
        "request_id": null, "image_base64": "cGljdHVyZQ==", "width": 20, "height": 10, "preview_width": 1200,
        "preview_height": 600, "page": 1, "pages": 1, "processing_time_ms": null, "calculated_font_size": 42, "seed": 7, "warnings": [],
    });
    assert_eq!(body, expected);
    assert_eq!((answer.header("cache-control"), answer.header("x-ratelimit-limit")), (Some("no-store"), Some("300")));
}

#[tokio::test]
async fn a_preview_needs_a_key_and_no_quota() {
    let site = Site::with_quota(0);
    let anonymous = Request::post("/api/v1/preview").body(Body::from(HELLO)).unwrap();
    site.send(anonymous).await.refused(401, "INVALID_API_KEY");
    site.generate(HELLO).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
    for _ in 0..3 {
        assert_eq!(preview(&site, HELLO).await.status, 200);
    }
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 0);
}

#[tokio::test]
async fn three_hundred_previews_a_minute_pass_whatever_becomes_of_them() {
    let site = Site::open();
    for number in 0..300 {
        let body = if number % 2 == 0 { HELLO } else { r#"{"text":""}"# };
        let answer = preview(&site, body).await;
        assert_eq!(answer.status, if number % 2 == 0 { 200 } else { 422 });
        assert_eq!(answer.header("x-ratelimit-remaining"), Some((299 - number).to_string().as_str()));
    }
    let answer = preview(&site, HELLO).await;
    let body = answer.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!((&body["endpoint"], &body["limit"]), (&json!("/preview"), &json!(300)));
    assert_eq!(answer.header("retry-after"), Some("60"));
    assert_eq!(site.generate(HELLO).await.status, 200, "endpoints are counted apart");
}

#[tokio::test]
async fn a_preview_of_a_pdf_is_a_picture_of_one_of_its_pages() {
    let site = Site::open();
    let answer = preview(&site, r#"{"text":"Hello","output_format":"pdf","overflow":"paginate"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/json")));
    let body = answer.json();
    assert_eq!((&body["page"], &body["pages"]), (&json!(1), &json!(1)));
}

#[tokio::test]
async fn a_failing_device_is_told_without_its_cause() {
    let site = Site::open();
    site.renderer.does(|_| Err(RenderError::Failed("secret cause".to_owned())));
    let answer = preview(&site, HELLO).await;
    let body = answer.refused(500, "GENERATION_ERROR");
    assert!(!body.to_string().contains("secret"), "{body}");
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"));
}
