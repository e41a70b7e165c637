//! The rules that concern a request as a whole: defaults, combinations of fields, unknown and repeated names, and
//! that all violations are reported at once.

#![expect(clippy::panic, reason = "a shared step of these tests fails the test it is part of")]

use crate::pages::sizes::CONTRACT;
use longhand::catalogue::FontId;
use longhand::spec::{
    self, Alignment, Effects, Endpoint, FontSize, GenerationKind, Kerning, Margins, OnFinding, Orientation,
    OutputFormat, Overflow, PageFormat, PageSize, PenUse, PngFormat, RenderSpec, RequestError, Rgb, VerticalAlignment,
    Violation,
};
use longhand::units::{Dpi, Px};
use serde_json::{Value, json};

fn parse(body: &Value, endpoint: Endpoint) -> Result<RenderSpec, RequestError> {
    spec::parse_request(body.to_string().as_bytes(), endpoint, || 7)
}

fn violations(body: &Value, endpoint: Endpoint) -> Vec<Violation> {
    match parse(body, endpoint) {
        Ok(_) => Vec::new(),
        Err(RequestError::Invalid(violations)) => violations.iter().cloned().collect(),
        Err(malformed) => panic!("{body}: {malformed}"),
    }
}

fn generate(body: &Value) -> Vec<(String, &'static str)> {
    kinds(body, Endpoint::Generate)
}

fn preview(body: &Value) -> Vec<(String, &'static str)> {
    kinds(body, Endpoint::Preview)
}

fn kinds(body: &Value, endpoint: Endpoint) -> Vec<(String, &'static str)> {
    violations(body, endpoint).iter().map(|violation| (violation.field(), violation.kind.name())).collect()
}

fn one(field: &str, kind: &'static str) -> [(String, &'static str); 1] {
    [(field.to_owned(), kind)]
}

#[test]
fn a_string_of_another_type_is_told_the_value_that_was_meant() {
    for (field, given, meant) in [
        ("font_id", "Caveat", "1 (Caveat)"),
        ("font_id", "patrick hand", "2 (Patrick Hand)"),
        ("font_id", "3", "3 (Dancing Script)"),
        ("text_color", "#1a2b3c", "[26, 43, 60]"),
        ("text_color", "rgb(26, 43, 60)", "[26, 43, 60]"),
        ("page_size", "4x6", "'postcard_us'"),
        ("page_size", "5×7", "'card_5x7'"),
        ("font_size", "60", "60"),
        ("font_size", "Auto", "'auto'"),
        ("margin_left", "100", "100"),
        ("dpi", "600", "600"),
        ("line_height_multiplier", "1,5", "1.5"),
        ("kerning", "False", "false"),
        ("seed", "7", "7"),
    ] {
        let found = violations(&json!({"text": "x", field: given}), Endpoint::Generate);
        assert_eq!(found.len(), 1, "{field}");
        let message = &found[0].message;
        assert!(message.ends_with(&format!("; did you mean {meant}?")), "{field}: {message}");
    }
    for (field, given) in [("font_id", "zzz"), ("margin_left", "9999"), ("text_color", "#12"), ("dpi", "72")] {
        let found = violations(&json!({"text": "x", field: given}), Endpoint::Generate);
        assert!(!found[0].message.contains("did you mean"), "{}", found[0].message);
    }
}

#[test]
fn text_alone_gives_the_defaults_of_the_contract() {
    let margin = Px::new(240.0);
    let expected = RenderSpec {
        back: None,
        created: None,
        text: "x".to_owned(),
        font: FontId::new(1).unwrap(),
        font_size: FontSize::Auto { max: 200 },
        kind: GenerationKind::Standard,
        page: PageFormat { size: PageSize::A4, orientation: Orientation::Portrait },
        output: OutputFormat::Png,
        unused_preset: None,
        unused_parameters: Vec::new(),
        unused_options: None,
        dpi: Dpi::Dpi300,
        line_height: 2.0,
        paragraph_spacing: None,
        ruling: None,
        margins: Margins { left: margin, right: margin, top: margin, bottom: margin },
        word_spacing: Px::ZERO,
        alignment: Alignment::Start,
        vertical_alignment: VerticalAlignment::Top,
        kerning: Kerning::Pairs,
        ink: Rgb([0, 0, 0]),
        effects: Effects {
            word_rotation: None,
            natural_variation: None,
            random_indentation: None,
            ink_flow: None,
            writer_variation: None,
            pen: PenUse::default(),
        },
        overflow: Overflow::Error,
        keep_lines: false,
        seed: 7,
        blocks: Vec::new(),
        artwork: Vec::new(),
        mail_piece: None,
        on_finding: OnFinding::Report,
        shown_page: 1,
        tells_places: false,
        paper: None,
        png_format: PngFormat::Rgba,
        region: None,
    };
    for endpoint in [Endpoint::Generate, Endpoint::Preview] {
        assert_eq!(parse(&json!({"text": "x"}), endpoint), Ok(expected.clone()));
        let nulls = json!({"text": "x", "max_auto_font_size": null, "pdf": null, "line_break_spacing": null,
                           "text_color": null, "seed": null, "keep_lines": null});
        assert_eq!(parse(&nulls, endpoint), Ok(expected.clone()));
    }
}

#[test]
fn every_given_value_arrives() {
    let body = json!({
        "text": "a\r\nb ", "font_id": 90, "font_size": 61.0, "max_auto_font_size": 20, "generation_type": "address",
        "page_size": "A6", "orientation": "landscape", "output_format": "png", "dpi": 600,
        "line_height_multiplier": 1, "line_break_spacing": 3, "margin_left": 1, "margin_right": 2, "margin_top": 3,
        "margin_bottom": 4, "word_spacing": 5, "word_rotation_range": 6.5, "natural_variation_alpha": 7,
        "natural_variation_sigma": 8, "indentation_range": 9, "ink_flow_intensity": 0.5, "writer_variation_strength": 1.5, "text_alignment": "center",
        "vertical_alignment": "bottom",
        "kerning": false, "text_color": [10, 11.0, 12], "seed": 4_294_967_295_u32, "overflow": "shrink",
        "keep_lines": false
    });
    let expected = RenderSpec {
        back: None,
        created: None,
        text: "a\r\nb ".to_owned(),
        font: FontId::new(90).unwrap(),
        font_size: FontSize::Fixed(Px::new(61.0)),
        kind: GenerationKind::Address,
        page: PageFormat { size: PageSize::A6, orientation: Orientation::Landscape },
        output: OutputFormat::Png,
        unused_preset: None,
        unused_parameters: vec![
            ("word_rotation_range", "enable_word_rotation"),
            ("natural_variation_alpha", "enable_natural_variation"),
            ("natural_variation_sigma", "enable_natural_variation"),
            ("indentation_range", "enable_random_indentation"),
            ("ink_flow_intensity", "enable_ink_flow"),
            ("writer_variation_strength", "enable_writer_variation"),
        ],
        unused_options: None,
        dpi: Dpi::Dpi600,
        line_height: 1.0,
        paragraph_spacing: Some(Px::new(3.0)),
        ruling: None,
        margins: Margins { left: Px::new(1.0), right: Px::new(2.0), top: Px::new(3.0), bottom: Px::new(4.0) },
        word_spacing: Px::new(5.0),
        alignment: Alignment::Center,
        vertical_alignment: VerticalAlignment::Bottom,
        kerning: Kerning::Off,
        ink: Rgb([10, 11, 12]),
        effects: Effects::default(),
        overflow: Overflow::Shrink,
        keep_lines: false,
        seed: u32::MAX,
        blocks: Vec::new(),
        artwork: Vec::new(),
        mail_piece: None,
        on_finding: OnFinding::Report,
        shown_page: 1,
        tells_places: false,
        paper: None,
        png_format: PngFormat::Rgba,
        region: None,
    };
    assert_eq!(parse(&body, Endpoint::Generate), Ok(expected));
}

#[test]
fn a_fresh_seed_is_drawn_only_where_none_is_given() {
    let seed = |body: &str, fresh: u32| {
        spec::parse_request(body.as_bytes(), Endpoint::Generate, || fresh).map(|valid| valid.seed)
    };
    assert_eq!(seed(r#"{"text":"x"}"#, 11), Ok(11));
    assert_eq!(seed(r#"{"text":"x","seed":null}"#, 12), Ok(12));
    assert_eq!(seed(r#"{"text":"x","seed":0}"#, 13), Ok(0));
    let unasked = spec::parse_request(br#"{"text":"","seed":null}"#, Endpoint::Generate, || panic!("not asked for"));
    assert!(unasked.is_err());
}

#[test]
fn an_address_has_at_most_5_lines() {
    let address = |text: &str| generate(&json!({"text": text, "generation_type": "address", "font_size": 60}));
    for text in ["a", "a\nb\nc\nd\ne", "a\r\nb\r\nc\r\nd\r\ne", "a\rb\rc\rd\re", "a\nb\nc\nd\ne\n", "a\n\n\n\nb"] {
        assert_eq!(address(text), [], "{text:?}");
    }
    for text in ["a\nb\nc\nd\ne\nf", "a\r\nb\r\nc\r\nd\r\ne\r\nf", "a\rb\rc\rd\re\rf", "a\n\n\n\n\nb", "\n\n\n\n\na"] {
        assert_eq!(address(text), one("text", "value_error"), "{text:?}");
    }
    assert_eq!(generate(&json!({"text": "a\nb\nc\nd\ne\nf"})), [], "standard text has any number of lines");
}

#[test]
fn an_address_has_at_most_250_characters_with_its_line_breaks() {
    let address = |text: String| generate(&json!({"text": text, "generation_type": "address", "font_size": 60}));
    assert_eq!(address("ä".repeat(250)), []);
    assert_eq!(address("ä".repeat(251)), one("text", "string_too_long"));
    assert_eq!(address(format!("{}\n{}", "a".repeat(124), "b".repeat(125))), []);
    assert_eq!(address(format!("{}\r\n{}", "a".repeat(124), "b".repeat(125))), one("text", "string_too_long"));
    let both = address("a\n".repeat(126));
    assert_eq!(both, [("text".to_owned(), "value_error"), ("text".to_owned(), "string_too_long")]);
    assert_eq!(generate(&json!({"text": "a".repeat(251)})), []);
}

#[test]
fn an_address_needs_a_manual_font_size() {
    let address = |size: Value| {
        generate(&json!({"text": "a", "generation_type": "address", "font_size": size, "max_auto_font_size": 50}))
    };
    for size in [12, 400] {
        assert_eq!(address(json!(size)), []);
    }
    assert_eq!(address(json!("auto")), one("font_size", "value_error"));
    assert_eq!(address(json!(11)), one("font_size", "greater_than_equal"));
    assert_eq!(generate(&json!({"text": "a", "generation_type": "address"})), one("font_size", "value_error"));
    assert_eq!(preview(&json!({"text": "a", "generation_type": "address"})), one("font_size", "value_error"));
}

#[test]
fn a_preview_takes_the_request_of_a_page_in_any_format() {
    for format in ["png", "pdf", "svg"] {
        assert_eq!(preview(&json!({"text": "x", "output_format": format})), []);
        assert_eq!(preview(&json!({"text": "x", "output_format": format, "overflow": "paginate", "page": 2})), []);
    }
    assert_eq!(preview(&json!({"text": "x", "page": 0})), one("page", "greater_than_equal"));
    assert_eq!(generate(&json!({"text": "x", "page": 1})), one("page", "extra_forbidden"));
    assert_eq!(generate(&json!({"text": "x", "output_format": "pdf"})), []);
    assert_eq!(preview(&json!({"text": "x", "output_format": "gif"})), one("output_format", "literal_error"));
}

#[test]
fn only_a_pdf_has_more_pages() {
    let body = |format: &str| json!({"text": "x", "output_format": format, "overflow": "paginate"});
    assert_eq!(generate(&body("pdf")), []);
    assert_eq!(generate(&body("png")), one("overflow", "value_error"));
    assert_eq!(generate(&json!({"text": "x", "overflow": "paginate"})), one("overflow", "value_error"));
    assert_eq!(generate(&body("gif")), one("output_format", "literal_error"));
    assert_eq!(preview(&body("png")), [], "it shows one of them");
}

#[test]
fn margins_leave_a_text_area_on_every_page() {
    for (page, width, height) in CONTRACT {
        for (orientation, width, height) in [("portrait", width, height), ("landscape", height, width)] {
            // The margins that are not named are 240 px.
            let with = |margin: &str, px: u32| {
                kinds(
                    &json!({"text": "x", "page_size": page, "orientation": orientation, "dpi": 600, margin: px}),
                    Endpoint::Generate,
                )
            };
            let axes = [("margin_left", "margin_right", width), ("margin_top", "margin_bottom", height)];
            for (first, second, extent) in axes {
                let both = [(first.to_owned(), "value_error"), (second.to_owned(), "value_error")];
                for margin in [first, second] {
                    assert_eq!(with(margin, extent - 241), [], "{page} {orientation} {margin}");
                    assert_eq!(with(margin, extent - 240), both, "{page} {orientation} {margin}");
                    assert_eq!(with(margin, 5000), both, "{page} {orientation} {margin}");
                }
            }
        }
    }
}

#[test]
fn margins_of_an_unknown_page_are_not_measured() {
    let body = json!({"text": "x", "page_size": "a7", "margin_left": 5000});
    assert_eq!(generate(&body), one("page_size", "literal_error"));
    let body = json!({"text": "x", "margin_left": 5001, "margin_right": 5000});
    assert_eq!(generate(&body), one("margin_left", "less_than_equal"));
}

#[test]
fn an_unknown_field_is_refused_with_the_name_that_was_meant() {
    for (name, hint) in [
        ("fontSize", "did you mean 'font_size'?"),
        ("txt", "did you mean 'text'?"),
        ("page_sze", "did you mean 'page_size'?"),
        ("TEXT_COLOR", "did you mean 'text_color'?"),
        ("bleed_mm", "it is a member of 'pdf': 'pdf.bleed_mm'"),
        ("qqqqqqqq", "the known fields are text, preset, font_id"),
    ] {
        let found = violations(&json!({"text": "x", name: 1}), Endpoint::Generate);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert_eq!((found[0].field().as_str(), found[0].kind.name()), (name, "extra_forbidden"));
        assert!(found[0].message.contains(hint), "{name}: {}", found[0].message);
    }
    let found = violations(&json!({"text": "x", "pdf": {"bleed": 3}}), Endpoint::Generate);
    assert_eq!((found[0].field().as_str(), found[0].kind.name()), ("pdf.bleed", "extra_forbidden"));
    assert!(found[0].message.contains("did you mean 'bleed_mm'?"), "{}", found[0].message);
}

#[test]
fn a_body_that_is_no_object_is_one_violation_of_the_body() {
    for body in [json!(null), json!(true), json!(1), json!("text"), json!([]), json!([{"text": "x"}])] {
        assert_eq!(kinds(&body, Endpoint::Generate), one("body", "model_type"), "{body}");
    }
}

#[test]
fn everything_wrong_is_told_at_once() {
    let body = json!({
        "font_id": 91, "font_size": "12", "generation_type": "address", "page_size": "a44", "dpi": 72,
        "text_color": [0, 256, null], "enable_ink_flow": 1, "pdf": {"bleed_mm": -1, "colour": "red"},
        "margin_top": 2000, "margin_bottom": 2000, "overflow": "paginate", "fnt_id": 3, "kerning": null
    });
    let expected = [
        ("text", "missing"),
        ("font_id", "less_than_equal"),
        ("font_size", "literal_error"),
        ("page_size", "literal_error"),
        ("pdf.bleed_mm", "greater_than_equal"),
        ("pdf.colour", "extra_forbidden"),
        ("dpi", "literal_error"),
        ("enable_ink_flow", "bool_type"),
        ("kerning", "bool_type"),
        ("text_color.1", "less_than_equal"),
        ("text_color.2", "int_type"),
        ("overflow", "value_error"),
        ("fnt_id", "extra_forbidden"),
    ];
    assert_eq!(generate(&body), expected.map(|(field, kind)| (field.to_owned(), kind)));
}

#[test]
fn effect_parameters_are_checked_though_their_flag_is_off() {
    let body = json!({"text": "x", "word_rotation_range": 11, "natural_variation_alpha": -1,
                      "natural_variation_sigma": 11, "indentation_range": 101, "ink_flow_intensity": 3.5});
    assert_eq!(generate(&body).len(), 5);
}

#[test]
fn messages_stay_short_whatever_was_sent() {
    let huge = "ä".repeat(60_000);
    let many: serde_json::Map<String, Value> = (0..5_000).map(|n| (format!("{n}{huge:.100}"), json!(1))).collect();
    for body in [
        json!({"text": "x", "page_size": huge, "dpi": huge, "font_size": huge, "seed": huge, "kerning": huge}),
        json!({"text": "x", "text_color": vec!["y"; 50_000]}),
        json!({"text": "x", &huge: 1, "pdf": {&huge: 1}}),
        json!({"text": "x", "pdf": &many}),
        Value::Object(many),
        json!(huge),
    ] {
        let found = violations(&body, Endpoint::Generate);
        assert!(!found.is_empty() && found.len() < 60, "{}", found.len());
        for violation in found {
            assert!(violation.message.chars().count() < 700, "{}", violation.message);
            assert!(violation.field().chars().count() < 60, "{}", violation.field());
        }
    }
}

#[test]
fn a_repeated_name_makes_the_body_malformed() {
    for body in [r#"{"text":"x","text":"y"}"#, r#"{"text":"x","pdf":{"region":"us","region":"eu"}}"#] {
        match spec::parse_request(body.as_bytes(), Endpoint::Generate, || 7) {
            Err(RequestError::Malformed { message }) => {
                assert!(message.contains("is given twice at line 1"), "{message}");
            }
            other => panic!("{body}: {other:?}"),
        }
    }
}

#[test]
fn a_region_is_inside_the_page_and_names_the_side_that_is_not() {
    let region = |x: i64, y: i64, width: i64, height: i64| {
        let region = json!({"x": x, "y": y, "width": width, "height": height});
        json!({"text": "a", "page_size": "a6", "region": region})
    };
    assert_eq!(preview(&region(0, 0, 1240, 1748)), []);
    assert_eq!(preview(&region(1040, 1548, 200, 200)), []);
    assert_eq!(preview(&region(0, 0, 199, 200)), one("region.width", "greater_than_equal"));
    assert_eq!(preview(&region(0, 0, 200, 199)), one("region.height", "greater_than_equal"));
    assert_eq!(preview(&region(600, 0, 641, 200)), one("region.width", "less_than_equal"));
    assert_eq!(preview(&region(0, 1000, 200, 749)), one("region.height", "less_than_equal"));
    assert_eq!(preview(&region(1041, 0, 200, 200)), one("region.x", "less_than_equal"));
    assert_eq!(preview(&region(0, 1549, 200, 200)), one("region.y", "less_than_equal"));
    assert_eq!(preview(&region(-1, 0, 200, 200)), one("region.x", "greater_than_equal"));
    let landscape = json!({"text": "a", "page_size": "a6", "orientation": "landscape",
                           "region": {"x": 1300, "y": 0, "width": 448, "height": 1240}});
    assert_eq!(preview(&landscape), []);
    assert_eq!(preview(&json!({"text": "a", "region": null})), []);
    assert_eq!(preview(&json!({"text": "a", "region": "eu"})), one("region", "model_type"));
    assert_eq!(
        preview(&json!({"text": "a", "region": {"x": 0, "y": 0, "width": 300}})),
        one("region.height", "missing")
    );
    let message = parse(&region(600, 0, 641, 200), Endpoint::Preview).unwrap_err().to_string();
    assert!(
        message.contains("x + width should be at most what the page is wide: 600 + 641 = 1241 px on 1240 px"),
        "{message}"
    );
}

#[test]
fn only_a_preview_has_a_region() {
    let request = json!({"text": "a", "region": {"x": 0, "y": 0, "width": 300, "height": 300}});
    let message = parse(&request, Endpoint::Generate).unwrap_err().to_string();
    assert!(message.contains("it is a member of 'pdf': 'pdf.region'"), "{message}");
}
