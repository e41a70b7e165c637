//! Preflight: a request broken on purpose for each check, and what the report says of a file that is then made.

use std::sync::{Arc, LazyLock};

use axum::body::Body;
use axum::http::Method;
use longhand::catalogue::FontCatalogue;
use longhand::clock::Clock;
use longhand::encode::OutputProfiles;
use longhand::http::PreflightReport;
use longhand::layout::lay_out;
use longhand::pipeline::{Engine, RenderError, StageTimes};
use longhand::preflight::{PlacedText, Severity, findings};
use longhand::spec::{MailPiece, Margins, RenderSpec};
use longhand::units::Px;
use serde_json::{Value, json};

use super::rendered::{spec, try_render};
use crate::http::harness::{Answer, Site};

/// Makes files without pixels, and reports about any.
static ENGINE: LazyLock<Engine> = LazyLock::new(|| {
    let catalogue = Arc::new(FontCatalogue::load().unwrap());
    Engine::without_device(catalogue, OutputProfiles::load(None).unwrap(), Clock::system())
});

fn report_of(spec: &RenderSpec) -> Value {
    let preflight = ENGINE.preflight(spec, &mut StageTimes::default()).unwrap();
    serde_json::to_value(PreflightReport::of(&preflight)).unwrap()
}

fn report(request: &Value) -> Value {
    report_of(&spec(request))
}

/// The only finding of a check.
fn finding<'a>(report: &'a Value, check: &str) -> &'a Value {
    let all = report["findings"].as_array().unwrap();
    let found: Vec<&Value> = all.iter().filter(|finding| finding["check"] == check).collect();
    assert_eq!(found.len(), 1, "{check}: {report:#}");
    found[0]
}

/// A page for a press, in which nothing is wrong.
fn sound(members: &Value) -> Value {
    let mut request = json!({
        "text": "Hello Ann", "font_size": 80, "page_size": "postcard_us", "orientation": "landscape", "seed": 1,
        "margin_left": 60, "margin_top": 60, "output_format": "pdf", "pdf": {"standard": "pdfx1a"},
    });
    request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    request
}

#[test]
fn a_sound_page_has_no_finding() {
    let report = report(&sound(&json!({})));
    assert_eq!((&report["verdict"], &report["findings"]), (&json!("ok"), &json!([])), "{report:#}");
    assert_eq!(report["checked_against"], "pdfx1a");
    let file = &report["file"];
    assert_eq!((&file["conformance"], &file["output_condition"]), (&json!("PDF/X-1a:2001"), &json!("gracol_2013")));
    assert_eq!(
        (&file["color_space"], &file["writing"], &file["effective_dpi"]),
        (&json!("DeviceGray"), &json!("image"), &json!(300))
    );
    let trim = json!({"x": 0.0, "y": 0.0, "width": 152.4, "height": 101.6});
    let bleed = json!({"x": -3.175, "y": -3.175, "width": 158.75, "height": 107.95});
    assert_eq!((&file["boxes_mm"]["trim"], &file["boxes_mm"]["bleed"]), (&trim, &bleed));
    let ink = &file["pages"][0]["ink_box_mm"];
    assert!((ink["x"].as_f64().unwrap() - 5.08).abs() < 0.6, "{ink}");
}

#[test]
fn each_check_finds_what_is_broken_on_purpose() {
    let lob = |more: Value| sound(&json!({"pdf": more}));
    for (request, check, severity, field) in [
        (sound(&json!({"font_size": 300, "text": "Hello Ann ".repeat(9)})), "text_overflow", "error", "text"),
        (sound(&json!({"text": "Hello \u{10D0}"})), "unsupported_character", "error", "text"),
        (lob(json!({"preset": "lob", "bleed_mm": 5})), "provider_refuses", "error", "pdf.bleed_mm"),
        (sound(&json!({"page_size": "card_5x7", "pdf": {"preset": "lob"}})), "provider_refuses", "error", "page_size"),
        (sound(&json!({"pdf": {"preset": "lob"}, "margin_left": 10})), "safe_area", "warning", "margin_left"),
        (lob(json!({"preset": "lob"})), "output_condition", "info", "pdf.icc_profile"),
        (sound(&json!({"font_id": 70, "font_size": 40})), "stroke_width", "warning", "font_size"),
        (sound(&json!({"font_size": 20})), "x_height", "warning", "font_size"),
        (sound(&json!({"text": "Hello Ж", "font_id": 43})), "font_substituted", "warning", "font_id"),
        (sound(&json!({"text": "Hello 😀"})), "characters_omitted", "warning", "text"),
        (sound(&json!({"text": "Dear {{name}}"})), "literal_placeholder", "warning", "text"),
        (sound(&json!({"text": "Ann &amp; Tom"})), "suspicious_value", "warning", "text"),
        (sound(&json!({"text": "Dear NoÃ«l"})), "suspicious_value", "warning", "text"),
        (sound(&json!({"text": "Thanks for {gift|your kindness}"})), "literal_placeholder", "warning", "text"),
        (sound(&json!({"text_color": [250, 250, 250]})), "invisible_ink", "warning", "text_color"),
        (lob(json!({"preset": "lob", "profile": "press"})), "no_effect", "info", "pdf.profile"),
        (json!({"text": "Hello", "mail_piece": "lob_letter"}), "mail_piece_unverified", "warning", "mail_piece"),
        (json!({"text": "Hello", "mail_piece": "din5008_b", "margin_top": 3}), "margins_raised", "info", "margin_top"),
        (
            sound(
                &json!({"text": "word ".repeat(1900), "font_size": 200, "overflow": "paginate", "margin_right": 1600}),
            ),
            "page_count",
            "error",
            "text",
        ),
    ] {
        let report = report(&request);
        let finding = finding(&report, check);
        assert_eq!((&finding["severity"], &finding["field"]), (&json!(severity), &json!(field)), "{finding:#}");
        let message = finding["message"].as_str().unwrap();
        assert!(message.len() > 15 && !finding["remedy"].as_str().unwrap().is_empty(), "{finding:#}");
        let rank = |name: &Value| ["error", "warning", "info"].iter().position(|known| name == known);
        assert_eq!(
            rank(&report["verdict"]),
            report["findings"].as_array().unwrap().iter().map(|found| rank(&found["severity"])).min().unwrap()
        );
    }
}

/// `/generate/svg` refuses these as well.
#[test]
fn fonts_and_characters_without_strokes_are_found() {
    let strokes = |text: &str, font: u16| {
        let request = json!({"text": text, "font_id": font, "output_format": "svg", "svg": {"paths": "strokes"}});
        report(&request)
    };
    let of_font = strokes("Hello", 35);
    assert_eq!((&of_font["verdict"], &of_font["file"]), (&json!("error"), &Value::Null));
    let found = finding(&of_font, "no_strokes");
    assert_eq!(found["field"], "font_id");
    assert!(found["message"].as_str().unwrap().starts_with("font 35 (Permanent Marker) has no strokes"), "{found}");
    assert_eq!(finding(&strokes("Hello 国", 1), "no_strokes")["field"], "text");
    assert_eq!(strokes("Hello", 1)["verdict"], "ok");
}

#[test]
fn figures_say_how_far_a_page_is_off() {
    let near = report(&sound(&json!({"pdf": {"preset": "lob"}, "margin_left": 10})));
    let near = finding(&near, "safe_area");
    assert_eq!((&near["required"], &near["unit"], &near["page"]), (&json!(3.175), &json!("mm"), &json!(1)));
    assert!((near["actual"].as_f64().unwrap() - 10.0 / 300.0 * 25.4).abs() < 1.0, "{near}");
    let fine = report(&sound(&json!({"font_id": 70, "font_size": 40})));
    let fine = finding(&fine, "stroke_width");
    assert_eq!((&fine["required"], &fine["unit"]), (&json!(0.25), &json!("pt")));
    assert!(fine["actual"].as_f64().unwrap() < 0.25);
}

/// A page for `piece` that is laid out in other margins than the piece leaves.
fn outside_its_area(piece: &str, left: f64, top: f64) -> RenderSpec {
    let spec =
        spec(&json!({"text": "Hello Ann", "font_size": 100, "mail_piece": piece, "margin_left": 60, "margin_top": 60,
                            "margin_right": 60, "margin_bottom": 60}));
    let [left, top] = [left, top].map(Px::new);
    RenderSpec { margins: Margins { left, top, right: Px::ZERO, bottom: Px::ZERO }, ..spec }
}

#[test]
fn ink_in_a_reserved_zone_is_an_error_with_its_box() {
    let report = report_of(&outside_its_area("lob_postcard_4x6_back", 600.0, 600.0));
    let zone = finding(&report, "reserved_zone");
    assert_eq!((&zone["severity"], &report["verdict"]), (&json!("error"), &json!("error")));
    assert!(zone["message"].as_str().unwrap().contains("'address and postage'"), "{zone}");
    let (x, y) = (zone["box_mm"]["x"].as_f64().unwrap(), zone["box_mm"]["y"].as_f64().unwrap());
    assert!(x >= 65.189 && (50.0..60.0).contains(&y), "{zone}");
    let safe = report_of(&outside_its_area("lob_postcard_4x6_back", 5.0, 60.0));
    let safe = finding(&safe, "safe_area");
    assert_eq!((&safe["severity"], &safe["field"]), (&json!("error"), &json!("margin_left")));
}

#[test]
fn no_piece_has_an_error_with_text_that_it_places_itself() {
    let catalogue = FontCatalogue::load().unwrap();
    for piece in MailPiece::all() {
        for font in [3, 12, 35, 70] {
            let request = json!({
                "text": "Dear Ann,\n\nthank you for the flowers! They stand in the window.\n\nYours, Tom", "font_id": font,
                "mail_piece": piece.name, "margin_left": 0, "margin_right": 0, "margin_top": 0, "margin_bottom": 0,
                "line_height_multiplier": 1.2, "enable_writer_variation": true, "writer_variation_strength": 2,
                "enable_word_rotation": true, "word_rotation_range": 10, "enable_natural_variation": true,
                "enable_random_indentation": true, "seed": 3, "output_format": "pdf", "on_finding": "refuse",
            });
            let spec = spec(&request);
            let page = lay_out(&spec, &catalogue).unwrap();
            let text = PlacedText { page: 1, block: None, layout: &page };
            let found = findings(&spec, &[text], &page.warnings, &catalogue);
            let errors: Vec<_> = found.iter().filter(|finding| finding.severity == Severity::Error).collect();
            assert!(errors.is_empty(), "{} in font {font}: {errors:?}", piece.name);
        }
    }
}

#[test]
fn the_bytes_are_about_right_for_every_form_of_a_file() {
    let text = "The quick brown fox jumps over the lazy dog. ".repeat(3);
    let svg = |options: Value| json!({"output_format": "svg", "pdf": null, "text": text, "svg": options});
    let bent = |options: Value| {
        let mut members = svg(options);
        members["enable_writer_variation"] = json!(true);
        members["enable_natural_variation"] = json!(true);
        members
    };
    let mut off = Vec::new();
    for members in [
        json!({"pdf": {"standard": "pdfx1a", "writing": "outlines"}}),
        json!({"pdf": {"writing": "outlines"}, "overflow": "paginate", "text": text.repeat(12).trim()}),
        json!({"pdf": {"writing": "outlines"}, "text": text, "enable_writer_variation": true}),
        svg(json!({})),
        svg(json!({"glyphs": "shared"})),
        svg(json!({"paths": "welded"})),
        svg(json!({"paths": "strokes"})),
        bent(json!({})),
        bent(json!({"paths": "welded"})),
        json!({}),
        json!({"dpi": 600}),
        json!({"output_format": "png", "text": text}),
        json!({"pdf": null, "text": text}),
    ] {
        let request = sound(&members);
        let file = report(&request)["file"].clone();
        let bytes = file["bytes"].as_f64().unwrap();
        let made = try_render(&request).unwrap().bytes.len() as f64;
        assert_eq!(file["bytes_are_exact"], false, "preflight makes no file");
        off.push((members.to_string(), bytes / made, made));
    }
    println!("{off:#?}");
    assert!(off.iter().all(|(_, ratio, _)| (0.5..2.0).contains(ratio)), "{off:?}");
}

#[test]
fn a_request_that_refuses_findings_is_refused_for_errors_alone() {
    let refused = |members: Value| {
        let request = sound(&members);
        let mut pdf = request["pdf"].clone();
        pdf["writing"] = json!("outlines");
        let mut request = request;
        request["pdf"] = pdf;
        ENGINE.generate(&spec(&request), &mut StageTimes::default())
    };
    let lob = json!({"preset": "lob"});
    assert!(refused(json!({"pdf": lob, "page_size": "card_5x7"})).is_ok(), "findings are only reported by default");
    assert!(refused(json!({"pdf": lob, "margin_left": 10, "on_finding": "refuse"})).is_ok(), "a warning is no error");
    let error = refused(json!({"pdf": lob, "page_size": "card_5x7", "on_finding": "refuse"})).unwrap_err();
    let RenderError::Findings(found) = error else { panic!("{error}") };
    assert_eq!((found.len(), found[0].check), (1, "provider_refuses"));
}

async fn post(site: &Site, path: &str, body: &Value) -> Answer {
    let request = site.request(Method::POST, path).header("content-type", "application/json");
    site.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn preflight_is_free_and_takes_the_body_of_a_page() {
    let site = Site::with_quota(0);
    let request = sound(&json!({"pdf": {"preset": "lob"}, "page_size": "card_5x7", "seed": 5, "on_finding": "refuse"}));
    let answer = post(&site, "/api/v1/preflight", &request).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("no-store")));
    assert_eq!(answer.header("x-ratelimit-limit"), Some("300"), "the limit of previews");
    assert_eq!((&answer.json()["verdict"], &answer.json()["seed"]), (&json!("error"), &json!(5)));
    assert_eq!(answer.json(), report(&request));
    let overflow = sound(&json!({"font_size": 400, "text": "Hello Ann and Bob and Carl"}));
    let answer = post(&site, "/api/v1/preflight", &overflow).await;
    assert_eq!((answer.status.as_u16(), &answer.json()["file"]), (200, &Value::Null));
    post(&site, "/api/v1/preflight", &json!({"text": "x", "font_id": 91})).await.refused(422, "VALIDATION_ERROR");
    post(&site, "/api/v1/preflight", &json!({"text": "x", "region": null})).await.refused(422, "VALIDATION_ERROR");
    post(&site, "/api/v1/generate", &request).await.refused(429, "REQUEST_LIMIT_EXCEEDED");
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 0);
}

#[tokio::test]
async fn a_refused_page_is_a_422_that_names_the_field_and_costs_nothing() {
    let site = Site::with_quota(10);
    site.renderer.does(|spec| ENGINE.generate(spec, &mut StageTimes::default()));
    let request = sound(&json!({
        "pdf": {"preset": "lob", "bleed_mm": 5, "writing": "outlines"}, "on_finding": "refuse",
    }));
    let body = post(&site, "/api/v1/generate", &request).await.refused(422, "VALIDATION_ERROR");
    assert_eq!(
        (&body["details"][0]["field"], &body["details"][0]["type"]),
        (&json!("pdf.bleed_mm"), &json!("preflight"))
    );
    assert_eq!(site.service.access().keys().list().unwrap()[0].used_this_month, 0);
}
