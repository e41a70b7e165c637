//! `Accept`: a page as JSON, or as the file itself with the other fields in headers.

use axum::body::Body;
use axum::http::Method;
use longhand::geometry::{Point, Rect};
use longhand::pipeline::{PlacedBlock, RenderedFile};
use longhand::units::Px;
use longhand::warning::{Warning, WarningKind};

use crate::http::harness::{Answer, Site, page};

async fn ask(site: &Site, path: &str, accept: &str, body: &str) -> Answer {
    let request = site.request(Method::POST, path).header("content-type", "application/json").header("accept", accept);
    site.send(request.body(Body::from(body.to_owned())).unwrap()).await
}

#[tokio::test]
async fn a_picture_that_is_accepted_is_the_body_and_its_fields_are_headers() {
    let site = Site::open();
    site.renderer.does(|_| {
        let warnings = vec![Warning::new(WarningKind::LineWrapped, "text", "a line")];
        let ink = Rect { min: Point::new(Px::new(1.0), Px::new(2.0)), max: Point::new(Px::new(11.26), Px::new(5.0)) };
        let blocks = vec![PlacedBlock { calculated_font_size: Some(30), ink: Some(ink) }];
        Ok(RenderedFile { warnings, blocks, ..page(b"picture") })
    });
    let answer = ask(&site, "/api/v1/generate", "image/png", r#"{"text":"Hello","page_size":"a6"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.body.as_ref()), (200, b"picture".as_slice()));
    for (name, value) in [
        ("content-type", "image/png"),
        ("content-disposition", "inline; filename=\"handwriting_a6_300dpi.png\""),
        ("cache-control", "no-store"),
        ("x-seed", "7"),
        ("x-calculated-font-size", "42"),
        ("x-width", "20"),
        ("x-height", "10"),
        ("x-characters-processed", "5"),
        ("x-warnings", r#"[{"type":"line_wrapped","message":"a line","field":"text"}]"#),
        ("x-blocks", r#"[{"calculated_font_size":30,"ink_box":{"x":1.0,"y":2.0,"width":10.3,"height":3.0}}]"#),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    let answer = ask(&site, "/api/v1/preview", "image/png", r#"{"text":"Hello"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.body.as_ref()), (200, b"picture".as_slice()));
    for (name, value) in [
        ("content-type", "image/png"),
        ("x-preview-width", "1200"),
        ("x-preview-height", "600"),
        ("x-width", "20"),
        ("x-seed", "7"),
    ] {
        assert_eq!(answer.header(name), Some(value), "{name}");
    }
    assert_eq!(answer.header("x-characters-processed"), None);
    site.renderer.does(|_| Ok(page(b"picture")));
    let answer = ask(&site, "/api/v1/generate", "image/png", r#"{"text":"Hello"}"#).await;
    assert_eq!(answer.header("x-blocks"), None, "a page without blocks");
}

#[tokio::test]
async fn an_answer_is_what_it_always_was_unless_a_picture_is_preferred() {
    let site = Site::open();
    for path in ["/api/v1/generate", "/api/v1/preview"] {
        for accept in ["*/*", "application/json", "application/json, image/png;q=0.9", "text/html"] {
            let answer = ask(&site, path, accept, r#"{"text":"Hello"}"#).await;
            assert_eq!(answer.header("content-type"), Some("application/json"), "{accept}");
            assert!(answer.json()["image_base64"].is_string(), "{accept}");
        }
    }
    for accept in ["*/*", "application/pdf", "application/json", "application/pdf, image/png"] {
        let answer = ask(&site, "/api/v1/generate", accept, r#"{"text":"Hello","output_format":"pdf"}"#).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some("application/pdf")), "{accept}");
        assert_eq!((answer.header("x-width"), answer.header("x-characters-processed")), (Some("20"), Some("5")));
    }
}

#[tokio::test]
async fn a_path_of_its_own_answers_the_file_whatever_is_accepted() {
    let site = Site::with_quota(100);
    for (path, media_type, wrong, accepts) in [
        ("/api/v1/generate/png", "image/png", "pdf", ["*/*", "application/json", "image/png"]),
        ("/api/v1/generate/pdf", "application/pdf", "png", ["*/*", "application/json", "application/pdf"]),
        ("/api/v1/generate/svg", "image/svg+xml", "png", ["*/*", "application/json", "image/svg+xml"]),
    ] {
        let format = path.rsplit('/').next().unwrap();
        for accept in accepts {
            for body in [r#"{"text":"Hello"}"#.to_owned(), format!(r#"{{"text":"Hello","output_format":"{format}"}}"#)]
            {
                let answer = ask(&site, path, accept, &body).await;
                assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, Some(media_type)), "{path}");
                assert_eq!((answer.header("x-width"), answer.header("x-seed")), (Some("20"), Some("7")), "{path}");
                assert_eq!(answer.header("x-ratelimit-limit"), Some("500"), "{path}");
            }
        }
        let answer = ask(&site, path, "*/*", &format!(r#"{{"text":"Hello","output_format":"{wrong}"}}"#)).await;
        let refused = answer.refused(422, "VALIDATION_ERROR");
        let detail = &refused["details"][0];
        assert_eq!(detail["field"], "output_format", "{refused}");
        let message = detail["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("'{format}'")) && message.contains(&format!("/generate/{wrong}")),
            "{message}"
        );
    }
    ask(&site, "/api/v1/generate/png", "application/pdf", r#"{"text":"Hello"}"#).await.refused(406, "NOT_ACCEPTABLE");
    ask(&site, "/api/v1/generate/pdf", "image/png", r#"{"text":"Hello"}"#).await.refused(406, "NOT_ACCEPTABLE");
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 18);
}

#[tokio::test]
async fn only_the_pdf_has_more_pages() {
    let site = Site::open();
    let body = r#"{"text":"Hello","overflow":"paginate"}"#;
    assert_eq!(ask(&site, "/api/v1/generate/pdf", "*/*", body).await.status, 200);
    let refused = ask(&site, "/api/v1/generate/png", "*/*", body).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(refused["details"][0]["field"], "overflow", "{refused}");
}

#[tokio::test]
async fn a_file_that_the_request_does_not_make_is_refused_and_costs_nothing() {
    let site = Site::with_quota(1);
    for (accept, body, wanted) in [
        ("image/png", r#"{"text":"Hello","output_format":"pdf"}"#, "application/pdf"),
        ("application/pdf", r#"{"text":"Hello"}"#, "application/json or image/png"),
    ] {
        let answer = ask(&site, "/api/v1/generate", accept, body).await;
        let body = answer.refused(406, "NOT_ACCEPTABLE");
        assert!(body["message"].as_str().unwrap().contains(wanted), "{body}");
    }
    ask(&site, "/api/v1/preview", "application/pdf", r#"{"text":"Hello"}"#).await.refused(406, "NOT_ACCEPTABLE");
    assert_eq!(ask(&site, "/api/v1/generate", "image/png", r#"{"text":"Hello"}"#).await.status, 200);
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 1);
}
