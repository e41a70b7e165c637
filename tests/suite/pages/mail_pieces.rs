//! Mail pieces: what a request for one means, and no ink where a piece keeps clear, read from the pixels.

use axum::body::Body;
use axum::http::Method;
use longhand::http::mail_piece_guide;
use longhand::spec::{Endpoint, MailPiece, RequestError, parse_request};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use super::rendered::{Pictures, try_render};
use crate::http::harness::Site;
use crate::oracle::ask;

/// Field and type of every violation.
fn violations(members: &str) -> Vec<(String, &'static str)> {
    let body = format!(r#"{{"text":"x",{members}}}"#);
    match parse_request(body.as_bytes(), Endpoint::Generate, || 7) {
        Ok(_) => Vec::new(),
        Err(RequestError::Invalid(found)) => {
            found.iter().map(|violation| (violation.field(), violation.kind.name())).collect()
        }
        Err(RequestError::Malformed { message }) => panic!("{body}: {message}"),
    }
}

#[test]
fn a_mail_piece_sets_the_page_and_refuses_another() {
    let one = |field: &str, kind| [(field.to_owned(), kind)];
    let piece = r#""mail_piece":"lob_postcard_4x6_back""#;
    for agreeing in [
        r#""page_size":"postcard_us""#,
        r#""orientation":"landscape""#,
        r#""pdf":{"preset":"lob"}"#,
        r#""pdf":{"writing":"outlines"}"#,
        r#""pdf":null,"custom_page":null"#,
        // Generated clients send every default.
        r#""page_size":"a4","orientation":"portrait","pdf":{"preset":"generic"}"#,
    ] {
        assert_eq!(violations(&format!("{piece},{agreeing}")), [], "{agreeing}");
    }
    for (other, field) in [
        (r#""page_size":"a5""#, "page_size"),
        (r#""page_size":"custom","custom_page":{"width":100,"height":100}"#, "page_size"),
        (r#""custom_page":{"width":100,"height":100}"#, "custom_page"),
        (r#""pdf":{"preset":"click2mail"}"#, "pdf.preset"),
    ] {
        assert_eq!(violations(&format!("{piece},{other}")), one(field, "conflict"), "{other}");
    }
    for wrong in [r#""lob_postcard""#, "7", r#""""#, "{}"] {
        assert_eq!(violations(&format!(r#""mail_piece":{wrong}"#)), one("mail_piece", "literal_error"), "{wrong}");
    }
    let inside_the_zone = r#""margin_left":800,"margin_top":460,"margin_bottom":460"#;
    assert_eq!(violations(&format!("{piece},{inside_the_zone}")), one("mail_piece", "value_error"));
}

#[test]
fn a_mail_piece_is_the_page_that_its_parts_are() {
    let spec = |members: &str| {
        let body = format!(r#"{{"text":"x","output_format":"pdf",{members}}}"#);
        parse_request(body.as_bytes(), Endpoint::Generate, || 7).unwrap()
    };
    let piece = spec(r#""mail_piece":"lob_postcard_4x6_front""#);
    let named = spec(r#""page_size":"postcard_us","orientation":"landscape","pdf":{"preset":"lob"}"#);
    assert_eq!((piece.page, &piece.output, piece.margins), (named.page, &named.output, named.margins));
    let elsewhere = spec(r#""mail_piece":"lob_postcard_4x6_front","pdf":{"region":"eu"}"#);
    let own = spec(
        r#""page_size":"postcard_us","orientation":"landscape","pdf":{"preset":"lob","region":"eu","bleed_mm":3.175}"#,
    );
    assert_eq!(elsewhere.output, own.output, "the bleed is that of the piece, whatever the region");
}

/// A page for a piece, with any text, font and effects.
fn any_request(piece: &'static MailPiece) -> impl Strategy<Value = Value> {
    let text = prop_oneof![
        Just("Happy birthday! 12 fjords, jumpy quilts & big waves."),
        Just("Dear Ann,\n\nthank you for the flowers. They stand in the kitchen, where the sun is.\n\nYours\nTom"),
        Just("Ähre, Çà et là: Égypte\nÅngström ÖÜ gjpqy"),
    ];
    let margins = prop::array::uniform4(0_u16..90);
    let effects = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 0_u8..=60, 0_u8..=6, any::<bool>());
    (text, 1_u8..=90, margins, effects, any::<u32>()).prop_map(
        move |(
            text,
            font,
            [left, right, top, bottom],
            (turned, varied, indented, natural, alpha, sigma, center),
            seed,
        )| {
            json!({
                "text": text, "font_id": font, "mail_piece": piece.name, "max_auto_font_size": 90, "seed": seed,
                "margin_left": left, "margin_right": right, "margin_top": top, "margin_bottom": bottom,
                "line_height_multiplier": 1.1, "text_alignment": if center { "center" } else { "left" },
                "enable_word_rotation": turned, "word_rotation_range": 6, "enable_writer_variation": varied,
                "writer_variation_strength": 1.5, "enable_random_indentation": indented,
                "enable_natural_variation": natural, "natural_variation_alpha": alpha,
                "natural_variation_sigma": sigma,
            })
        },
    )
}

/// What the oracle needs to know of a piece: the safe box and the zones, in px.
fn kept_clear(piece: &MailPiece) -> (Value, Value) {
    let (trim, safe) = (piece.page.mm(), piece.safe);
    let px = |lengths: [longhand::units::Mm; 4]| json!(lengths.map(|length| length.to_px().get()));
    let zones = piece.zones.iter().map(|zone| px([zone.area.min.x, zone.area.min.y, zone.area.max.x, zone.area.max.y]));
    (px([safe, safe, trim.width - safe, trim.height - safe]), zones.collect())
}

#[test]
fn no_ink_lies_in_a_zone_or_outside_of_the_safe_area() {
    let mut runner = TestRunner::deterministic();
    let mut pictures = Pictures::new();
    let (mut requests, mut jobs) = (Vec::new(), Vec::new());
    for piece in MailPiece::all() {
        let request = any_request(piece).new_tree(&mut runner).unwrap().current();
        // Some hands cannot write the text, or not beside so many zones.
        let Some(file) = try_render(&request) else { continue };
        let (safe, zones) = kept_clear(piece);
        jobs.push(json!({"path": pictures.add_bytes(&file.bytes), "safe": safe, "zones": zones}));
        requests.push(request);
    }
    assert!(4 * jobs.len() >= 3 * MailPiece::all().len(), "{} pages", jobs.len());
    let facts = ask("mail_zones.py", &json!(jobs));
    for (request, facts) in requests.iter().zip(facts.as_array().unwrap()) {
        assert!(facts["inked"].as_u64().unwrap() > 100, "{request}: {facts}");
        assert_eq!(facts["outside"], 0, "{request}: {facts}");
        assert!(facts["in_zones"].as_array().unwrap().iter().all(|inked| inked == 0), "{request}: {facts}");
    }
}

#[test]
fn ink_that_should_not_be_there_is_found_out() {
    let page = json!({"text": "Happy birthday", "page_size": "postcard_us", "orientation": "landscape",
                      "font_size": 180, "margin_left": 10, "margin_top": 10, "margin_right": 10});
    let mut pictures = Pictures::new();
    let path = pictures.add(&page);
    let zone = json!([400, 60, 700, 200]);
    let facts = ask("mail_zones.py", &json!([{"path": path, "safe": [37.5, 37.5, 1762.5, 1162.5], "zones": [zone]}]));
    assert!(facts[0]["outside"].as_u64() > Some(0) && facts[0]["in_zones"][0].as_u64() > Some(0), "{facts}");
}

#[tokio::test]
async fn the_list_and_the_guides_are_those_of_the_table() {
    let site = Site::open();
    let get = async |path: &str| site.send(site.request(Method::GET, path).body(Body::empty()).unwrap()).await;
    let list = get("/api/v1/mail-pieces").await;
    assert_eq!((list.status.as_u16(), list.header("content-type")), (200, Some("application/json")));
    let list = list.json();
    assert_eq!(list["total"], MailPiece::all().len());
    let names: Vec<&str> =
        list["mail_pieces"].as_array().unwrap().iter().filter_map(|piece| piece["name"].as_str()).collect();
    assert_eq!(names, MailPiece::all().iter().map(|piece| piece.name.as_str()).collect::<Vec<_>>());
    let back = list["mail_pieces"].as_array().unwrap().iter().find(|piece| piece["name"] == "lob_postcard_4x6_back");
    let zone = json!([{"name": "address and postage", "x": 65.189, "y": 38.1, "width": 83.401, "height": 60.325}]);
    assert_eq!(back.unwrap()["zones"], zone);
    for piece in MailPiece::all() {
        let guide = get(&format!("/api/v1/mail-pieces/{}.svg", piece.name)).await;
        assert_eq!((guide.status.as_u16(), guide.header("content-type")), (200, Some("image/svg+xml")));
        assert_eq!(guide.body, mail_piece_guide(piece), "{}", piece.name);
    }
    for path in ["/api/v1/mail-pieces/lob.svg", "/api/v1/mail-pieces/lob_letter", "/api/v1/mail-pieces/%FF.svg"] {
        get(path).await.refused(404, "NOT_FOUND");
    }
}
