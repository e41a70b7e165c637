//! `POST /api/v1/generate` with `output_format` `pdf`: the file as the body, the rest in the headers.

use std::pin::Pin;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::Method;
use axum::response::Response;
use longhand::pipeline::{FilePart, RenderError, RenderedFile};
use longhand::warning::{Warning, WarningKind};
use serde_json::json;
use tower::ServiceExt as _;

use crate::http::harness::{Site, page};

#[tokio::test]
async fn a_pdf_is_the_file_itself_with_its_name() {
    let site = Site::open();
    let file: Vec<u8> = (0..=255).cycle().take(70_001).collect();
    let bytes = file.clone();
    site.renderer.does(move |_| {
        let message = "“🙂” was left out".to_owned();
        let warnings = vec![Warning::new(WarningKind::CharactersOmitted, "text", message)];
        Ok(RenderedFile { warnings, ..page(&bytes) })
    });
    let answer = site.generate(r#"{"text":"Hi 🙂","output_format":"pdf","page_size":"A5","dpi":600}"#).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body, file);
    for (name, value) in [
        ("content-type", "application/pdf"),
        ("content-disposition", "inline; filename=\"handwriting_a5_600dpi.pdf\""),
        ("cache-control", "no-store"),
        ("content-length", "70001"),
        ("x-seed", "7"),
        ("x-calculated-font-size", "42"),
        ("x-ratelimit-remaining", "499"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert!(uuid::Uuid::try_parse(answer.header("x-request-id").unwrap()).is_ok());
    assert!(answer.header("x-process-time").is_some());
    let warnings: serde_json::Value = serde_json::from_str(answer.header("x-warnings").unwrap()).unwrap();
    assert_eq!(warnings, json!([{"type": "characters_omitted", "message": "“🙂” was left out", "field": "text"}]));
}

#[tokio::test]
async fn a_pdf_of_a_manual_size_names_none_and_no_warnings_are_an_empty_list() {
    let site = Site::open();
    site.renderer.does(|_| Ok(RenderedFile { calculated_font_size: None, ..page(b"%PDF") }));
    let answer = site.generate(r#"{"text":"Hi","font_size":60,"output_format":"pdf"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("x-calculated-font-size")), (200, None));
    assert_eq!(answer.header("x-warnings"), Some("[]"));
}

#[tokio::test]
async fn a_pdf_counts_toward_the_quota_and_an_error_is_json() {
    let site = Site::with_quota(1);
    site.renderer.does(|_| Err(RenderError::TooManyPages { needed: 201, most: 200 }));
    let body = r#"{"text":"Hi","output_format":"pdf"}"#;
    let refused = site.generate(body).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(
        (&refused["details"][0]["field"], &refused["details"][0]["type"]),
        (&json!("text"), &json!("text_overflow"))
    );
    site.renderer.does(|_| Ok(page(b"%PDF")));
    assert_eq!(site.generate(body).await.status, 200);
    site.generate(body).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
}

#[tokio::test]
async fn browsers_may_read_what_a_pdf_says_of_itself() {
    let site = Site::with(None, &["*"]);
    let request = axum::http::Request::get("/api/v1/status").header("origin", "https://a.example");
    let answer = site.send(request.body(axum::body::Body::empty()).unwrap()).await;
    let exposed = answer.header("access-control-expose-headers").unwrap().to_owned();
    for name in ["content-disposition", "x-seed", "x-calculated-font-size", "x-warnings"] {
        assert!(exposed.contains(name), "{name} in {exposed}");
    }
}

/// A request for a file of several pages, and what is answered before its body.
async fn file_of_parts(site: &Site, parts: Vec<FilePart>) -> Response {
    site.renderer.does(|_| Ok(page(b"%PDF first ")));
    *site.renderer.parts.lock() = parts;
    let body = json!({"text": "Hi", "font_size": 60, "output_format": "pdf", "overflow": "paginate"}).to_string();
    let request = site.request(Method::POST, "/api/v1/generate").header("content-type", "application/json");
    let request = request.header("host", "test.example").body(Body::from(body)).unwrap();
    site.router.clone().oneshot(request).await.unwrap()
}

async fn next_part(body: &mut Body) -> Option<Result<Bytes, axum::Error>> {
    let frame = std::future::poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
    Some(frame.map(|frame| frame.into_data().unwrap()))
}

/// Drops what the renderer holds of a file.
fn let_go(site: &Site) {
    site.renderer.sink.lock().take();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_several_pages_is_sent_part_by_part_and_charged_before_its_end() {
    let site = Site::with_quota(1);
    let large = vec![b'p'; 3 << 20];
    let response = file_of_parts(&site, vec![FilePart::Next(large.clone()), FilePart::End(b" end".to_vec())]).await;
    assert_eq!((response.status().as_u16(), response.body().size_hint().exact()), (200, None), "of unknown length");
    assert_eq!(response.headers()["x-calculated-font-size"], "42");
    let mut body = response.into_body();
    let mut received = Vec::new();
    while received.len() < 11 + large.len() {
        received.extend(next_part(&mut body).await.unwrap().unwrap());
    }
    site.generate(r#"{"text":"Hi"}"#).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
    assert_eq!(next_part(&mut body).await.unwrap().unwrap(), " end");
    assert!(next_part(&mut body).await.is_none());
    assert_eq!(received, [b"%PDF first ".as_slice(), &large].concat());
    site.generate(r#"{"text":"Hi"}"#).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_breaks_off_ends_in_an_error_and_costs_nothing() {
    let site = Site::with_quota(1);
    let response = file_of_parts(&site, vec![FilePart::Next(b"second".to_vec())]).await;
    let_go(&site);
    assert_eq!(response.status(), 200, "the first page was there");
    assert!(axum::body::to_bytes(response.into_body(), usize::MAX).await.is_err());
    assert_eq!(site.generate(r#"{"text":"Hi"}"#).await.status, 200, "the quota of one is unused");
}

/// A file of three parts whose client leaves after `taken` of them.
async fn left_after(taken: usize) -> Site {
    let site = Site::with_quota(1);
    let response = file_of_parts(&site, vec![FilePart::Next(b"second".to_vec())]).await;
    let sink = site.renderer.sink.lock().take().unwrap();
    let mut body = response.into_body();
    for _ in 0..taken {
        assert!(next_part(&mut body).await.unwrap().is_ok());
    }
    assert!(sink.is_wanted());
    drop(body);
    assert!(!sink.is_wanted(), "no further page is wanted");
    site
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_with_a_part_of_a_file_is_charged() {
    for taken in [1, 2] {
        let site = left_after(taken).await;
        for _ in 0..3 {
            site.generate(r#"{"text":"Hi"}"#).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_after_the_service_gave_the_file_up_is_not_charged() {
    let site = Site::with_quota(1);
    let response = file_of_parts(&site, vec![FilePart::Next(b"second".to_vec())]).await;
    let mut body = response.into_body();
    for _ in 0..2 {
        assert!(next_part(&mut body).await.unwrap().is_ok());
    }
    let_go(&site);
    // The thread that put the second part lets go of the sink as well.
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    drop(body);
    assert_eq!(site.generate(r#"{"text":"Hi"}"#).await.status, 200, "the quota of one is unused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_leaves_before_the_first_part_is_not_charged() {
    let site = left_after(0).await;
    assert_eq!(site.generate(r#"{"text":"Hi"}"#).await.status, 200, "the quota of one is unused");
}
