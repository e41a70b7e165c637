//! The API reference at `/docs`.

use std::io::Read as _;

use axum::body::Body;
use axum::http::Request;
use flate2::read::GzDecoder;
use longhand::http::openapi;
use longhand::spec::fields;
use rstest::rstest;
use serde_json::json;

use crate::http::harness::Site;
use crate::live::server::Server;
use crate::oracle::ask;

#[rstest]
#[case("/docs", "text/html; charset=utf-8")]
#[case("/docs/start.js", "text/javascript; charset=utf-8")]
#[case("/docs/swagger-ui-bundle.js", "text/javascript; charset=utf-8")]
#[case("/docs/swagger-ui.css", "text/css; charset=utf-8")]
#[tokio::test]
async fn every_part_is_served_without_a_key(#[case] path: &str, #[case] content_type: &str) {
    let answer = Site::open().send(Request::get(path).body(Body::empty()).unwrap()).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some(content_type)));
    let policy = answer.header("content-security-policy").unwrap_or_default();
    assert!(path != "/docs" || policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
}

#[tokio::test]
async fn a_second_visit_loads_no_file_again_and_the_first_loads_them_compressed() {
    let site = Site::open();
    let get = async |path: &str, headers: &[(&str, &str)]| {
        let request = headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        site.send(request.body(Body::empty()).unwrap()).await
    };
    let mut loaded = 0;
    for path in ["/docs", "/docs/start.js", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/openapi.json"] {
        let plain = get(path, &[]).await;
        let first = get(path, &[("accept-encoding", "gzip, br")]).await;
        assert_eq!((first.header("content-encoding"), first.header("vary")), (Some("gzip"), Some("accept-encoding")));
        let mut unpacked = Vec::new();
        GzDecoder::new(&first.body[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!((plain.header("content-encoding"), plain.body.as_ref()), (None, unpacked.as_slice()), "{path}");
        loaded += first.body.len();

        let tag = first.header("etag").unwrap();
        assert_eq!(plain.header("etag"), Some(tag));
        let second = get(path, &[("if-none-match", tag), ("accept-encoding", "gzip")]).await;
        assert_eq!((second.status.as_u16(), second.body.len(), second.header("etag")), (304, 0, Some(tag)), "{path}");
        assert_eq!(get(path, &[("if-none-match", "\"0-0\"")]).await.status, 200);
    }
    assert!(loaded < 650_000, "{loaded} bytes");
}

#[tokio::test]
async fn other_files_are_not_found() {
    for path in ["/docs/mod.rs", "/docs/swagger-ui-bundle.js.map", "/docs/%ff"] {
        let answer = Site::open().send(Request::get(path).body(Body::empty()).unwrap()).await;
        answer.refused(404, "NOT_FOUND");
    }
}

#[test]
fn the_reference_works_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(folder.path());
    let shots = std::env::var_os("LONGHAND_SCREENSHOTS").map(std::path::PathBuf::from);
    let place = shots.unwrap_or_else(|| folder.path().to_owned());
    let address = format!("http://{}", server.address);
    let seen = ask("reference_ui.py", &json!({"address": address, "folder": place}));

    assert_eq!(seen["complaints"], json!([]), "the page breaks neither itself nor its content policy");
    assert_eq!(seen["outside"], json!([]), "it needs nothing from elsewhere");
    let operations = seen["operations"].to_string();
    for path in openapi::document()["paths"].as_object().unwrap().keys() {
        // The page allows line breaks after slashes.
        assert!(operations.replace('\u{200b}', "").contains(path.as_str()), "{path}: {operations}");
    }
    for field in fields() {
        assert!(seen["fields"].as_str().unwrap().contains(field.name), "{}: {seen}", field.name);
    }
    assert_eq!(seen["answer"].as_str().unwrap().lines().next(), Some("200"), "{seen}");
    assert!(seen["dark"] != "rgba(0, 0, 0, 0)" && seen["dark"] != "rgb(255, 255, 255)", "{seen}");
    assert_eq!(seen["phone_too_wide"], 0, "{seen}");
}
