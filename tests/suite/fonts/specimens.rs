//! What the fonts look like: the pictures of the service and the sheet of the command line.

use std::process::Command;

use axum::body::Body;
use axum::http::Request;
use longhand::pipeline::{RejectReason, RenderError};
use rstest::rstest;
use serde_json::json;

use crate::http::harness::Site;
use crate::live::server::Server;
use crate::oracle::ask;

fn path(id: &str) -> String {
    format!("/api/v1/fonts/{id}/specimen.png")
}

#[tokio::test]
async fn a_specimen_needs_a_key_counts_as_a_request_for_fonts_and_is_drawn_once() {
    let site = Site::with_quota(1);
    let anonymous = site.send(Request::get(path("7")).body(Body::empty()).unwrap()).await;
    anonymous.refused(401, "INVALID_API_KEY");
    for left in (0..100).rev() {
        let answer = site.get(&path("7")).await;
        assert_eq!((answer.status.as_u16(), &answer.body[..]), (200, &b"specimen 7"[..]));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(left.to_string().as_str()));
        assert_eq!(answer.header("content-type"), Some("image/png"));
        assert_eq!(answer.header("cache-control"), Some("private, max-age=86400"));
    }
    let body = site.get(&path("7")).await.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(body["endpoint"], json!("/fonts"));
    site.get("/api/v1/fonts").await.refused(429, "RATE_LIMIT_EXCEEDED");
    assert_eq!(site.renderer.calls.load(std::sync::atomic::Ordering::SeqCst), 1);
    assert_eq!(site.generate(r#"{"text":"x"}"#).await.status, 200, "the quota is untouched");
}

#[rstest]
#[tokio::test]
async fn a_number_that_is_no_font_is_not_found(#[values("0", "91", "07", "seven", "1.5", "-1")] id: &str) {
    Site::open().get(&path(id)).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_specimen_varies_if_it_is_asked_to() {
    let site = Site::open();
    for (query, body) in
        [("", "specimen 7"), ("?variation=true", "varied specimen 7"), ("?variation=false", "specimen 7")]
    {
        assert_eq!(site.get(&format!("{}{query}", path("7"))).await.body, body.as_bytes(), "{query}");
    }
    let refused = site.get(&format!("{}?variation=much", path("7"))).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(refused["details"][0]["field"], json!("variation"), "{refused}");
}

#[tokio::test]
async fn words_are_shown_in_all_fonts_within_the_limit_of_previews() {
    let site = Site::with_quota(1);
    let address = "/api/v1/fonts/specimens.png";
    site.send(Request::get(format!("{address}?text=x")).body(Body::empty()).unwrap())
        .await
        .refused(401, "INVALID_API_KEY");
    let answer = site.get(&format!("{address}?text=Gr%C3%BC%C3%9Fe+an%20Ann%2C&variation=true")).await;
    assert_eq!(answer.body, "varied specimens of Grüße an Ann,".as_bytes());
    assert_eq!((answer.header("content-type"), answer.header("x-ratelimit-limit")), (Some("image/png"), Some("300")));
    assert_eq!(answer.header("cache-control"), Some("private, max-age=86400"));
    let long = format!("text={}", "x".repeat(33));
    for (query, field) in [
        ("", "text"),
        ("text=+", "text"),
        (&long, "text"),
        ("text=a%0Ab", "text"),
        ("text=%F4%90%80%80", "text"),
        ("text=x&variation=much", "variation"),
    ] {
        let refused = site.get(&format!("{address}?{query}")).await.refused(422, "VALIDATION_ERROR");
        assert_eq!(refused["details"][0]["field"], json!(field), "{query}");
    }
    assert_eq!(site.generate(r#"{"text":"x"}"#).await.status, 200, "the quota is untouched");
}

#[tokio::test]
async fn a_failure_is_told_and_not_kept() {
    let site = Site::open();
    site.renderer.does(|_| Err(RenderError::Overloaded { retry_after_seconds: 2, reason: RejectReason::QueueFull }));
    let refused = site.get(&path("3")).await;
    refused.refused(503, "SERVICE_OVERLOADED");
    assert_eq!(refused.header("cache-control"), None);
    site.renderer.does(|_| Ok(crate::http::harness::page(b"")));
    assert_eq!(site.get(&path("3")).await.status, 200);
}

#[test]
fn the_service_draws_specimens_and_the_command_line_the_sheet() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let files = ["1", "2"].map(|id| folder.path().join(format!("{id}.png")));
    for (id, file) in ["1", "2"].iter().zip(&files) {
        let address = format!("http://{}{}", server.address, path(id));
        let bearer = format!("Authorization: Bearer {}", server.key);
        let curl = Command::new("curl").args(["-sSf", &address, "-H", &bearer, "-o"]).arg(file).status();
        assert!(curl.unwrap().success(), "{id}");
    }
    let facts = ask("png_facts.py", &json!(files));
    for facts in facts.as_array().unwrap() {
        assert_eq!((&facts["width"], &facts["height"]), (&json!(1200), &json!(300)), "{facts}");
        let ink = &facts["ink"];
        assert!(ink[0] == 24 || ink[1] == 24, "the ink fills the picture: {facts}");
    }
    assert_ne!(facts[0]["inked"], facts[1]["inked"]);

    let longhand = |file: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_longhand"));
        command.args(["fonts", "--specimen", file]).current_dir(folder.path()).output().unwrap()
    };
    assert_eq!(longhand("sheet.gif").status.code(), Some(64));
    for file in ["sheet.png", "sheet.pdf"] {
        let output = longhand(file);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let png = std::fs::read(folder.path().join("sheet.png")).unwrap();
    assert_eq!(png[16..24], [3508_u32.to_be_bytes(), 4961_u32.to_be_bytes()].concat());
    let info = Command::new("pdfinfo").arg("sheet.pdf").current_dir(folder.path()).output().unwrap();
    let info = String::from_utf8(info.stdout).unwrap();
    assert!(info.contains("(A3)") && info.contains("the ninety hands"), "{info}");
}
