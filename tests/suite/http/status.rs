//! `GET /api/v1/status` and `GET /api/v1/fonts`.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use longhand::pipeline::{DeviceHealth, RejectReason, RenderError};
use serde_json::json;

use crate::http::harness::{Answer, Site, page};

const HELLO: &str = r#"{"text":"Hello"}"#;

async fn status(site: &Site) -> Answer {
    site.send(Request::get("/api/v1/status").body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn the_status_needs_no_key_and_is_not_limited() {
    let site = Site::open();
    site.clock.advance(Duration::from_millis(7_900));
    let answer = status(&site).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("x-ratelimit-limit"), None);
    assert!(answer.header("x-request-id").is_some() && answer.header("x-process-time").is_some());
    let expected = json!({
        "status": "ok", "version": env!("CARGO_PKG_VERSION"), "uptime_seconds": 7,
        "gpu": {"name": "fake", "backend": "vulkan", "type": "cpu"}, "queue_depth": 3,
    });
    assert_eq!(answer.json(), expected);
}

#[tokio::test]
async fn several_devices_are_all_told_with_those_that_are_away() {
    let site = Site::open();
    *site.renderer.devices.lock() = vec!["fake", "broken"];
    let answer = status(&site).await.json();
    assert_eq!(answer["gpu"]["name"], "fake");
    let expected = json!([
        {"name": "fake", "backend": "vulkan", "type": "cpu", "status": "ok"},
        {"name": "broken", "backend": "vulkan", "type": "cpu", "status": "degraded"},
    ]);
    assert_eq!(answer["gpus"], expected);
}

#[tokio::test]
async fn the_status_is_degraded_from_a_lost_device_to_the_next_page() {
    let site = Site::open();
    site.renderer.does(|_| Err(RenderError::DeviceUnavailable(String::new())));
    site.generate(HELLO).await;
    assert_eq!(status(&site).await.json()["status"], "degraded");
    site.renderer.does(|_| Err(RenderError::Overloaded { retry_after_seconds: 1, reason: RejectReason::QueueFull }));
    site.generate(HELLO).await;
    assert_eq!(status(&site).await.json()["status"], "degraded", "overload says nothing of the device");
    site.renderer.does(|_| Ok(page(b"page")));
    site.generate(HELLO).await;
    assert_eq!(status(&site).await.json()["status"], "ok");
    *site.renderer.health.lock() = DeviceHealth::Away;
    assert_eq!(status(&site).await.json()["status"], "degraded", "pages are made, and not as they should be");
    site.service.start_draining();
    assert_eq!(status(&site).await.json()["status"], "draining");
}

#[tokio::test]
async fn the_fonts_are_ninety_records_with_the_lively_ones_first() {
    let answer = Site::open().get("/api/v1/fonts").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/json")));
    let body = answer.json();
    assert_eq!(body["total"], 90);
    let fonts = body["fonts"].as_array().unwrap();
    let ids = |of: &[serde_json::Value]| of.iter().map(|font| font["id"].as_u64().unwrap()).collect::<Vec<_>>();
    let lively = [4, 5, 6, 11, 24, 27, 28, 29, 30, 31, 35, 41];
    assert_eq!(ids(&fonts[..12]), lively);
    assert_eq!(ids(&fonts[12..]), (1..=90).filter(|id| !lively.contains(id)).collect::<Vec<_>>());
    assert!(fonts.iter().enumerate().all(|(place, font)| font["lively"] == (place < 12)));
    let mut members: Vec<&String> = fonts[0].as_object().unwrap().keys().collect();
    members.sort();
    let documented = [
        "alternates",
        "id",
        "kerning",
        "languages",
        "license",
        "lively",
        "name",
        "neatness",
        "scripts",
        "slant",
        "stroke_em",
        "strokes",
        "style",
        "word_gap_em",
        "x_height_em",
    ];
    assert_eq!(members, documented);
    let measures = |font: &serde_json::Value| {
        ["x_height_em", "word_gap_em", "stroke_em"].map(|name| (font[name].as_f64().unwrap() * 1000.0).round() as u32)
    };
    assert_eq!(measures(&fonts[12]), [355, 242, 59], "as fonts/metrics.tsv has them for Caveat");
    for font in fonts {
        assert!(measures(font).iter().all(|measure| (10..900).contains(measure)), "{font}");
    }
}
