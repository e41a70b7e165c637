//! Pictures that clients upload: kept for one key, named in its requests, and refused in words.

use axum::body::Body;
use axum::http::Method;
use longhand::access::Keys;
use serde_json::{Value, json};

use crate::http::harness::{Answer, Settings, Site};
use crate::pages::artwork::gallery;

fn open() -> Site {
    Site::of(&Settings { keeps_artwork: true, ..Settings::default() })
}

async fn upload(site: &Site, media_type: &str, bytes: Vec<u8>) -> Answer {
    let request = site.request(Method::POST, "/api/v1/artwork").header("content-type", media_type);
    site.send(request.body(Body::from(bytes)).unwrap()).await
}

async fn delete(site: &Site, id: &str) -> Answer {
    let request = site.request(Method::DELETE, &format!("/api/v1/artwork/{id}"));
    site.send(request.body(Body::empty()).unwrap()).await
}

fn picture(name: &str) -> Vec<u8> {
    std::fs::read(gallery().file(name)).unwrap()
}

/// What a field of a refused request was told.
fn told(answer: &Answer, field: &str) -> String {
    let body = answer.refused(422, "VALIDATION_ERROR");
    assert_eq!(body["details"][0]["field"], field, "{body}");
    body["details"][0]["message"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_service_keeps_no_artwork_unless_its_operator_allows_it() {
    let site = Site::open();
    let said = site.get("/api/v1/artwork").await.refused(404, "NOT_FOUND");
    assert!(said["message"].as_str().unwrap().contains("artwork = \"keys\""), "{said}");
    upload(&site, "image/png", picture("logo.png")).await.refused(404, "NOT_FOUND");
    delete(&site, "a").await.refused(404, "NOT_FOUND");
    assert_eq!(site.get("/api/v1/usage").await.json()["keeps_artwork"], false);
    assert_eq!(open().get("/api/v1/usage").await.json()["keeps_artwork"], true);
}

#[tokio::test]
async fn a_picture_is_uploaded_once_listed_and_deleted() {
    let site = open();
    let kept = upload(&site, "image/jpeg", picture("turned.jpg")).await.json();
    let expected = json!({"id": kept["id"], "kind": "jpeg", "bytes": picture("turned.jpg").len(), "width": 900,
                          "height": 1200, "is_opaque": true});
    assert_eq!(kept, expected, "upright");
    assert_eq!(upload(&site, "application/octet-stream", picture("turned.jpg")).await.json(), kept);
    let logo = upload(&site, "image/png; charset=binary", picture("logo.png")).await.json();
    assert_eq!((&logo["kind"], &logo["is_opaque"]), (&json!("png"), &json!(false)));
    let list = site.get("/api/v1/artwork").await.json();
    assert_eq!((list["artwork"].as_array().unwrap().len(), &list["most"]), (2, &json!(100)));
    let id = kept["id"].as_str().unwrap();
    assert_eq!(delete(&site, id).await.json(), kept);
    delete(&site, id).await.refused(404, "NOT_FOUND");
    assert_eq!(site.get("/api/v1/artwork").await.json()["artwork"], json!([logo]));
}

#[tokio::test]
async fn a_request_may_name_the_pictures_of_its_own_key_alone() {
    let site = open();
    let kept = upload(&site, "image/png", picture("logo.png")).await.json();
    let request = json!({"text": "x", "artwork": [{"id": kept["id"], "x_mm": 10, "width_mm": 30}]});
    assert_eq!(site.post("/api/v1/generate", request.to_string()).await.status.as_u16(), 200);
    let spec = site.renderer.latest.lock().clone().unwrap();
    assert_eq!(spec.artwork[0].artwork.id().to_string(), kept["id"].as_str().unwrap());
    assert_eq!(spec.artwork[0].artwork.bytes().unwrap(), picture("logo.png"));

    let key = Keys::open_in(site.folder.path(), site.clock.clone()).unwrap().create("other", None).unwrap();
    let other = Site { key: key.key.reveal().to_owned(), ..site };
    let unknown = told(&other.post("/api/v1/generate", request.to_string()).await, "artwork[0].id");
    let mut nobody = request.clone();
    nobody["artwork"][0]["id"] = json!("0".repeat(64));
    let never = told(&other.post("/api/v1/generate", nobody.to_string()).await, "artwork[0].id");
    assert_eq!(unknown, never, "nobody learns which pictures others have");
    assert!(unknown.contains("GET /api/v1/artwork"), "{unknown}");
    delete(&other, kept["id"].as_str().unwrap()).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn what_is_no_picture_is_refused_in_words() {
    let site = open();
    let broken = picture("photo.jpg")[..2000].to_vec();
    for (bytes, said) in [
        (b"GIF89a".to_vec(), "PNG, JPEG, SVG or PDF"),
        (Vec::new(), "PNG, JPEG, SVG or PDF"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>a</text></svg>".to_vec(), "convert it to paths"),
        (deep_svg(), "too much time or memory"),
        (wide_filter(), "too much time or memory"),
        (b"%PDF-1.7 and nothing".to_vec(), "cannot be read"),
        (picture("cmyk.jpg"), "RGB"),
        (broken, "cannot be read"),
        (wide_png(), "40 million"),
    ] {
        let message = told(&upload(&site, "image/png", bytes).await, "artwork");
        assert!(message.contains(said), "{message}");
    }
    upload(&site, "text/plain", picture("logo.png")).await.refused(415, "UNSUPPORTED_MEDIA_TYPE");
    upload(&site, "image/png", vec![0; (20 << 20) + 1]).await.refused(413, "PAYLOAD_TOO_LARGE");
    assert_eq!(site.get("/api/v1/artwork").await.json()["artwork"], json!([]));
}

/// An SVG whose groups lie within one another so often that no stack has room for them.
fn deep_svg() -> Vec<u8> {
    let levels = 200_000;
    let (open, close) = ("<g>".repeat(levels), "</g>".repeat(levels));
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{open}<rect width='9' height='9'/>{close}</svg>"
    )
    .into_bytes()
}

/// An SVG with many filters of the largest size, one on another.
fn wide_filter() -> Vec<u8> {
    let filter = "<filter id='f' x='-10000' y='-10000' width='30000' height='30000' filterUnits='userSpaceOnUse'>\
                  <feTurbulence baseFrequency='0.01' numOctaves='10'/></filter>";
    let shapes = "<rect width='9' height='9' filter='url(#f)'/>".repeat(400);
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{filter}{shapes}</svg>").into_bytes()
}

#[tokio::test]
async fn a_drawing_is_kept_with_its_own_size_and_shown() {
    let site = open();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg' width='40mm' height='10mm'><rect width='90' height='9'/></svg>";
    let kept = upload(&site, "image/svg+xml", svg.to_vec()).await.json();
    let expected = json!({"id": kept["id"], "kind": "svg", "bytes": svg.len(), "width": 2400, "height": 600,
                          "is_opaque": false, "width_mm": 40.0, "height_mm": 10.0});
    assert_eq!(kept, expected);
    assert_eq!(upload(&site, "application/pdf", svg.to_vec()).await.json(), kept, "the file itself tells its kind");
    let request = json!({"text": "x", "artwork": [{"id": kept["id"], "x_mm": 10}]});
    assert_eq!(site.post("/api/v1/generate", request.to_string()).await.status.as_u16(), 200);
    let spec = site.renderer.latest.lock().clone().unwrap();
    let artwork = &spec.artwork[0].artwork;
    assert!(artwork.pixels().is_ok() && artwork.page().unwrap().starts_with(b"%PDF-1.7"));
    assert_eq!(delete(&site, kept["id"].as_str().unwrap()).await.json(), kept);
    assert!(artwork.pixels().is_err() && artwork.page().is_err());
}

/// The beginning of a PNG that says it has 100,000 × 100,000 pixels.
fn wide_png() -> Vec<u8> {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, 100_000, 100_000);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_chunk(png::chunk::IDAT, &[0; 8]).unwrap();
    png
}

#[tokio::test]
async fn a_key_has_one_upload_at_a_time() {
    let site = open();
    let (one, other) = tokio::join!(
        upload(&site, "image/png", picture("logo.png")),
        upload(&site, "image/png", picture("small.png")),
    );
    let statuses = [one.status.as_u16(), other.status.as_u16()];
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
    let value: Value = site.get("/api/v1/artwork").await.json();
    assert_eq!(value["artwork"].as_array().unwrap().len(), 1);
}
