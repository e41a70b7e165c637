//! `POST /api/v1/generate` when all goes well, and the headers of every answer.

use axum::body::Body;
use axum::http::{Method, Request};
use base64::Engine as _;
use longhand::warning::{Warning, WarningKind};
use serde_json::json;

use crate::http::harness::{Answer, Site, page};

async fn named(site: &Site, id: Option<&str>) -> Answer {
    let request = site.request(Method::POST, "/api/v1/generate").header("content-type", "application/json");
    let request = id.into_iter().fold(request, |request, id| request.header("x-request-id", id));
    site.send(request.body(Body::from(r#"{"text":"Hello"}"#)).unwrap()).await
}

#[tokio::test]
async fn a_page_is_the_documented_object_and_is_not_cached() {
    let site = Site::open();
    let picture: Vec<u8> = (0..=255).cycle().take(100_001).collect();
    let bytes = picture.clone();
    site.renderer.does(move |_| {
        let message = "“🙂” was left out".to_owned();
        let warnings = vec![Warning::new(WarningKind::CharactersOmitted, "text", message)];
        Ok(longhand::pipeline::RenderedFile { warnings, ..page(&bytes) })
    });
    let answer = site.generate(r#"{"text":"Grüße 🙂\r\n"}"#).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("499"));

    let mut body = answer.json();
    let members = body.as_object_mut().unwrap();
    assert_eq!(members.remove("request_id").unwrap().as_str(), answer.header("x-request-id"));
    let image = members.remove("image_base64").unwrap();
    assert_eq!(base64::engine::general_purpose::STANDARD.decode(image.as_str().unwrap()).unwrap(), picture);
    assert!(members.remove("processing_time_ms").unwrap().is_number());
    let expected = json!({
        "width": 20, "height": 10, "calculated_font_size": 42, "characters_processed": 9, "seed": 7,
        "warnings": [{"type": "characters_omitted", "message": "“🙂” was left out", "field": "text"}],
    });
    assert_eq!(body, expected);
}

#[tokio::test]
async fn the_renderer_gets_what_the_caller_asked_for() {
    let site = Site::open();
    let answer = site.generate(r#"{"text":" a\nb ","font_id":7,"seed":4294967295}"#).await;
    assert_eq!(answer.status, 200);
    let spec = site.renderer.latest.lock().clone().unwrap();
    assert_eq!((spec.text.as_str(), spec.font.get(), spec.seed), (" a\nb ", 7, u32::MAX));
}

#[tokio::test]
async fn a_page_without_a_seed_gets_a_fresh_one_each_time() {
    let site = Site::open();
    let mut seeds = Vec::new();
    for _ in 0..4 {
        assert_eq!(site.generate(r#"{"text":"a","seed":null}"#).await.status, 200);
        seeds.push(site.renderer.latest.lock().as_ref().unwrap().seed);
    }
    seeds.sort_unstable();
    seeds.dedup();
    assert!(seeds.len() > 1, "four equal seeds have a chance of 2^-96");
}

#[tokio::test]
async fn the_body_has_the_callers_uuid_or_a_new_one() {
    let site = Site::open();
    let uuid = "0b5c6f1e-8a4d-4e0b-9a55-0c1d2e3f4a5b";
    let answer = named(&site, Some(uuid)).await;
    assert_eq!((answer.header("x-request-id"), answer.json()["request_id"].as_str()), (Some(uuid), Some(uuid)));

    let answer = named(&site, Some("my-app-17")).await;
    assert_eq!(answer.header("x-request-id"), Some("my-app-17"));
    assert!(uuid::Uuid::try_parse(answer.json()["request_id"].as_str().unwrap()).is_ok());

    for given in [None, Some("not allowed"), Some("")] {
        let answer = named(&site, given).await;
        let id = answer.header("x-request-id").unwrap();
        assert!(uuid::Uuid::try_parse(id).is_ok(), "{given:?} became {id}");
        assert_eq!(answer.json()["request_id"], id);
    }
}

#[tokio::test]
async fn the_process_time_is_in_seconds_with_three_decimals() {
    let site = Site::open();
    let clock = site.clock.clone();
    site.renderer.does(move |_| {
        clock.advance(std::time::Duration::from_micros(1_234_600));
        Ok(page(b"page"))
    });
    let answer = site.generate(r#"{"text":"a"}"#).await;
    assert_eq!(answer.header("x-process-time"), Some("1.235"));
    assert_eq!(answer.json()["processing_time_ms"], 1234.6);
    assert_eq!(site.get("/nowhere").await.header("x-process-time"), Some("0.000"));
}

#[tokio::test]
async fn browsers_are_let_in_only_from_the_configured_origins() {
    let preflight = |origin: &str| {
        let request = Request::options("/api/v1/generate").header("origin", origin);
        request.header("access-control-request-method", "POST").body(Body::empty()).unwrap()
    };
    let closed = Site::open().send(preflight("https://a.example")).await;
    assert_eq!(closed.header("access-control-allow-origin"), None);

    let site = Site::with(None, &["https://a.example"]);
    let answer = site.send(preflight("https://a.example")).await;
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://a.example"));
    assert!(answer.header("x-request-id").is_some());
    assert_eq!(site.send(preflight("https://b.example")).await.header("access-control-allow-origin"), None);

    let refused = Request::get("/api/v1/fonts").header("origin", "https://a.example").body(Body::empty()).unwrap();
    let refused = site.send(refused).await;
    refused.refused(401, "INVALID_API_KEY");
    assert_eq!(refused.header("access-control-allow-origin"), Some("https://a.example"), "errors can be read too");
    assert!(refused.header("access-control-expose-headers").unwrap().contains("x-request-id"));
}
