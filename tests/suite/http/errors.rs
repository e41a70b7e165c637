//! Every error on the wire.

use axum::body::{Body, Bytes};
use axum::http::{Method, Request};
use longhand::layout::{LayoutError, UnsupportedCharacter};
use longhand::pipeline::{RejectReason, RenderError};
use rstest::rstest;
use serde_json::json;

use crate::http::harness::{Site, Trickle, page};

const HELLO: &str = r#"{"text":"Hello"}"#;
const LIMIT: usize = 256 * 1024;

#[rstest]
#[case("/page")]
#[case("/api/v1")]
#[case("/api/v1/generate/")]
#[case("/api/v1/generate/jpg")]
#[case("/api/v1/previews")]
#[case("/api/v2/status")]
#[tokio::test]
async fn an_unknown_path_is_not_found(#[case] path: &str) {
    let site = Site::open();
    for method in [Method::GET, Method::POST] {
        let request = Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        site.send(request).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_path_that_is_no_utf_8_is_not_found() {
    let site = Site::open();
    for path in ["/%ff", "/page/%ff", "/page/%C3%28", "/api/v1/%ff", "/api/v1/fonts/%ff/specimen.png"] {
        site.get(path).await.refused(404, "NOT_FOUND");
    }
}

#[rstest]
#[case(Method::GET, "/api/v1/generate", &["POST"])]
#[case(Method::GET, "/api/v1/generate/pdf", &["POST"])]
#[case(Method::DELETE, "/api/v1/fonts", &["GET", "HEAD"])]
#[case(Method::POST, "/api/v1/status", &["GET", "HEAD"])]
#[tokio::test]
async fn another_method_is_refused_and_the_allowed_ones_are_named(
    #[case] method: Method,
    #[case] path: &str,
    #[case] allowed: &[&str],
) {
    let answer = Site::open().send(Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await;
    answer.refused(405, "METHOD_NOT_ALLOWED");
    let mut named: Vec<&str> = answer.header("allow").unwrap().split(',').map(str::trim).collect();
    named.sort_unstable();
    assert_eq!(named, allowed);
}

#[tokio::test]
async fn a_body_above_the_limit_is_refused_whether_announced_or_streamed() {
    let site = Site::open();
    let answer = site.generate(vec![b' '; LIMIT + 1]).await;
    answer.refused(413, "PAYLOAD_TOO_LARGE");
    assert_eq!(answer.header("x-ratelimit-remaining"), Some("499"));

    let pieces = (0..5).map(|_| Bytes::from(vec![b' '; LIMIT / 4]));
    site.generate(Body::new(Trickle::of(pieces))).await.refused(413, "PAYLOAD_TOO_LARGE");
}

#[tokio::test]
async fn an_announced_oversize_is_refused_unread() {
    let site = Site::open();
    let body = Body::new(Announced(LIMIT as u64 + 1));
    site.generate(body).await.refused(413, "PAYLOAD_TOO_LARGE");
}

/// A body that says how long it will be and panics when it is read.
pub(crate) struct Announced(pub(crate) u64);

impl axum::body::HttpBody for Announced {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        panic!("the body was read")
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        hyper::body::SizeHint::with_exact(self.0)
    }
}

#[tokio::test]
async fn a_body_at_the_limit_is_read() {
    let body = format!("{HELLO}{}", " ".repeat(LIMIT - HELLO.len()));
    assert_eq!(Site::open().generate(body).await.status, 200);
}

#[rstest]
#[case(None)]
#[case(Some("text/plain"))]
#[case(Some("application/x-www-form-urlencoded"))]
#[case(Some("application/vnd.api+json"))]
#[tokio::test]
async fn another_content_type_is_refused(#[case] content_type: Option<&str>) {
    let site = Site::open();
    let request = site.request(Method::POST, "/api/v1/generate");
    let request = content_type.into_iter().fold(request, |request, value| request.header("content-type", value));
    let answer = site.send(request.body(Body::from(HELLO)).unwrap()).await;
    answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
}

#[tokio::test]
async fn two_content_types_are_none() {
    let site = Site::open();
    let request = site.request(Method::POST, "/api/v1/generate").header("content-type", "application/json");
    let request = request.header("content-type", "text/plain").body(Body::from(HELLO)).unwrap();
    site.send(request).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
}

#[rstest]
#[case("gzip", 415)]
#[case("identity, br", 415)]
#[case("", 415)]
#[case("Identity", 200)]
#[tokio::test]
async fn a_compressed_body_is_refused_with_what_would_be_right(#[case] coding: &str, #[case] status: u16) {
    let site = Site::open();
    let request = site.request(Method::POST, "/api/v1/generate").header("content-type", "application/json");
    let request = request.header("content-encoding", coding).body(Body::from(HELLO)).unwrap();
    let answer = site.send(request).await;
    assert_eq!(answer.status, status);
    if status == 415 {
        let body = answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
        assert!(body["message"].as_str().unwrap().contains("Content-Encoding"), "{body}");
        assert_eq!(answer.header("accept-encoding"), Some("identity"));
    }
}

#[tokio::test]
async fn parameters_of_the_content_type_are_allowed() {
    let site = Site::open();
    let request = site.request(Method::POST, "/api/v1/generate");
    let request = request.header("content-type", "application/json; charset=utf-8").body(Body::from(HELLO)).unwrap();
    assert_eq!(site.send(request).await.status, 200);
}

#[tokio::test]
async fn a_body_that_does_not_arrive_is_not_waited_for() {
    Site::open().generate(Body::new(Trickle::stalled())).await.refused(408, "REQUEST_TIMEOUT");
}

#[rstest]
#[case::empty(b"")]
#[case::syntax(b"{\"text\":")]
#[case::trailing(b"{\"text\":\"a\"} x")]
#[case::not_utf8(b"{\"text\":\"\xff\"}")]
#[tokio::test]
async fn what_is_not_json_is_a_bad_request(#[case] body: &'static [u8]) {
    Site::open().generate(body).await.refused(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn violations_come_all_at_once_and_in_both_documented_shapes() {
    let answer = Site::open().generate(r#"{"font_id":91,"text_color":[0,256,0],"pdf":{"bleed_mm":21}}"#).await;
    let body = answer.refused(422, "VALIDATION_ERROR");
    let details = body["details"].as_array().unwrap();
    let fields: Vec<&str> = details.iter().map(|detail| detail["field"].as_str().unwrap()).collect();
    assert_eq!(fields, ["text", "font_id", "pdf.bleed_mm", "text_color.1"]);
    let located = body["detail"].as_array().unwrap();
    let locations: Vec<_> = located.iter().map(|detail| detail["loc"].clone()).collect();
    assert_eq!(
        locations,
        [
            json!(["body", "text"]),
            json!(["body", "font_id"]),
            json!(["body", "pdf", "bleed_mm"]),
            json!(["body", "text_color", 1])
        ]
    );
    for (detail, located) in details.iter().zip(located) {
        assert_eq!((&detail["message"], &detail["type"]), (&located["msg"], &located["type"]));
        assert!(detail["message"].as_str().is_some_and(|message| !message.is_empty()), "{detail}");
    }
    assert_eq!((&details[0]["type"], &details[1]["type"]), (&json!("missing"), &json!("less_than_equal")));
}

#[tokio::test]
async fn text_that_cannot_be_laid_out_is_a_violation_of_the_text() {
    let site = Site::open();
    let errors: [MakeError; 2] = [text_overflow, unsupported_character];
    for (error, kind) in errors.into_iter().zip(["text_overflow", "unsupported_character"]) {
        let message = error().to_string();
        site.renderer.does(move |_| Err(RenderError::Layout(error())));
        let body = site.generate(HELLO).await.refused(422, "VALIDATION_ERROR");
        assert_eq!(body["details"], json!([{"field": "text", "message": message, "type": kind}]));
        assert_eq!(body["detail"], json!([{"loc": ["body", "text"], "msg": message, "type": kind}]));
    }
}

type MakeError = fn() -> LayoutError;

fn text_overflow() -> LayoutError {
    LayoutError::TextOverflow { characters_that_fit: 3, largest_size_that_fits: Some(20) }
}

fn unsupported_character() -> LayoutError {
    LayoutError::UnsupportedCharacters(vec![UnsupportedCharacter { character: '漢', position: 0 }])
}

#[tokio::test]
async fn a_failure_shows_the_request_id_and_never_the_cause() {
    let site = Site::open();
    site.renderer.does(|_| Err(RenderError::Failed("SECRET driver path".to_owned())));
    let answer = site.generate(HELLO).await;
    let body = answer.refused(500, "GENERATION_ERROR");
    assert_eq!(body["message"], "the page could not be generated; quote the request_id when you report this");
    assert!(!String::from_utf8_lossy(&answer.body).contains("SECRET"));
}

#[tokio::test]
async fn a_panic_is_a_failed_request_and_not_a_failed_process() {
    let site = Site::open();
    site.renderer.does(|_| panic!("SECRET text"));
    let answer = site.generate(HELLO).await;
    answer.refused(500, "GENERATION_ERROR");
    assert!(!String::from_utf8_lossy(&answer.body).contains("SECRET"));
    site.renderer.does(|_| Ok(page(b"page")));
    assert_eq!(site.generate(HELLO).await.status, 200);
}

#[tokio::test]
async fn overload_and_a_missing_device_are_503_with_a_time_to_retry() {
    let site = Site::open();
    site.renderer.does(|_| Err(RenderError::Overloaded { retry_after_seconds: 9, reason: RejectReason::TooLate }));
    let answer = site.generate(HELLO).await;
    answer.refused(503, "SERVICE_OVERLOADED");
    assert_eq!(answer.header("retry-after"), Some("9"));

    let failures: [fn(String) -> RenderError; 2] = [RenderError::DeviceUnavailable, RenderError::Undrawn];
    for failure in failures {
        site.renderer.does(move |_| Err(failure("SECRET".to_owned())));
        let answer = site.generate(HELLO).await;
        answer.refused(503, "SERVICE_UNAVAILABLE");
        assert_eq!(answer.header("retry-after"), Some("5"));
        assert!(!String::from_utf8_lossy(&answer.body).contains("SECRET"));
    }
}

#[tokio::test]
async fn a_callers_request_id_stands_in_header_and_error_body() {
    let site = Site::open();
    let request = Request::get("/nowhere").header("x-request-id", "shop-17:a.b_c").body(Body::empty()).unwrap();
    let answer = site.send(request).await;
    assert_eq!(answer.refused(404, "NOT_FOUND")["request_id"], "shop-17:a.b_c");
}
