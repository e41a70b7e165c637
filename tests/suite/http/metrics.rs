//! The names of routes in metrics.

use axum::http::Method;
use longhand::http::openapi;
use metrics_exporter_prometheus::PrometheusBuilder;
use rstest::rstest;

use crate::http::harness::Site;

/// The value of `endpoint` that counts a request.
async fn counted_as(method: Method, path: &str) -> String {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _recording = metrics::set_default_local_recorder(&recorder);
    let site = Site::open();
    site.send(site.request(method, path).body("{}".into()).unwrap()).await;
    let page = recorder.handle().render();
    let lines: Vec<&str> = page.lines().filter(|line| line.starts_with("longhand_requests_total{")).collect();
    let [only] = lines[..] else { panic!("{path}: {page}") };
    only.split('"').nth(1).unwrap().to_owned()
}

#[rstest]
#[case(Method::POST, "/api/v1/generate", "generate")]
#[case(Method::POST, "/api/v1/generate/pdf", "generate")]
#[case(Method::POST, "/api/v1/preview", "preview")]
#[case(Method::POST, "/api/v1/preflight", "preflight")]
#[case(Method::GET, "/api/v1/fonts", "fonts")]
#[case(Method::GET, "/api/v1/fonts/3/specimen.png", "specimen")]
#[case(Method::GET, "/api/v1/fonts/specimens.png?text=a", "specimens")]
#[case(Method::GET, "/api/v1/mail-pieces", "mail_pieces")]
#[case(Method::GET, "/api/v1/mail-pieces/lob_postcard_4x6_back.svg", "mail_piece")]
#[case(Method::GET, "/api/v1/usage", "usage")]
#[case(Method::DELETE, "/api/v1/usage", "usage")]
#[case(Method::GET, "/api/v1/status", "status")]
#[case(Method::GET, "/", "page")]
#[case(Method::GET, "/page/page.js", "page")]
#[case(Method::GET, "/page/none.js", "page")]
#[case(Method::GET, "/docs", "docs")]
#[case(Method::GET, "/docs/start.js", "docs")]
#[case(Method::GET, "/openapi.json", "openapi")]
#[case(Method::GET, "/made/up", "other")]
#[tokio::test]
async fn a_request_is_counted_by_the_name_of_its_route(
    #[case] method: Method,
    #[case] path: &str,
    #[case] endpoint: &str,
) {
    assert_eq!(counted_as(method, path).await, endpoint);
}

#[tokio::test]
async fn every_path_of_the_document_has_a_name() {
    for (path, operations) in openapi::document()["paths"].as_object().unwrap() {
        for method in operations.as_object().unwrap().keys() {
            let method = method.to_ascii_uppercase().parse().unwrap();
            let path = path.replace("{id}", "3").replace("{name}", "none");
            assert_ne!(counted_as(method, &path).await, "other", "{path}");
        }
    }
}
