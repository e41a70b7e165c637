//! Ruled pages: baselines on rules, sizes that fit them, and rules that are drawn.

use longhand::catalogue::FontId;
use longhand::layout::{PageLayout, lay_out};
use longhand::spec::{Endpoint, FontSize, Overflow, RenderSpec, VerticalAlignment, parse_value};
use longhand::units::Px;
use longhand::warning::WarningKind;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::effects::any_effects;
use super::pages::{CATALOGUE, LONG, any_spec, assert_inside, lay_out_pages};
use crate::oracle::{ask, number};
use crate::pages::rendered::{Pictures, render, render_preview, spec};
use crate::pdf::files::ask_of_files;

fn page(request: &Value) -> PageLayout {
    lay_out(&spec(request), &CATALOGUE).unwrap()
}

/// The numbers of the rules on which lines stand; none may stand between two.
fn rules(page: &PageLayout, first: f64, pitch: f64) -> Vec<i64> {
    let number = |line: &longhand::layout::PlacedLine| {
        let number = (line.baseline.get() - first) / pitch;
        assert!((number - number.round()).abs() < 1e-6, "{number}");
        number.round() as i64
    };
    page.lines.iter().map(number).collect()
}

#[test]
fn every_line_stands_on_a_rule_and_paragraphs_skip_whole_ones() {
    let request =
        json!({"text": "a\nb\n\nc\n\n\nd", "font_size": 60, "ruling": {"pitch": 90.5, "first_baseline": 400}});
    assert_eq!(rules(&page(&request), 400.0, 90.5), [0, 1, 3, 6]);
    for (name, pitch) in [("us_college", 84.375), ("us_wide", 103.125), ("de_8mm", 8.0 / 25.4 * 300.0)] {
        let named = page(&json!({"text": LONG.repeat(4), "ruling": name, "enable_writer_variation": true, "seed": 3}));
        let numbers = rules(&named, 240.0 + 1.5 * pitch, pitch);
        assert!(
            numbers.len() > 1 && numbers.iter().enumerate().all(|(line, rule)| *rule == line as i64),
            "{numbers:?}"
        );
    }
}

#[test]
fn ink_that_has_no_room_above_the_first_rule_goes_to_the_next() {
    let request = |text: &str, first: f64| json!({"text": text, "font_size": 60, "ruling": {"pitch": 90, "first_baseline": first}});
    assert_eq!(rules(&page(&request("hold\nhold", 300.0)), 300.0, 90.0), [0, 1]);
    assert_eq!(rules(&page(&request("h\u{302}\u{301}\u{301}\u{301}old\nhold", 300.0)), 300.0, 90.0), [1, 2]);
    assert_eq!(rules(&page(&request("hold", 10.0)), 10.0, 90.0), [3]);
}

#[test]
fn ruled_text_is_aligned_by_whole_rules() {
    let request = |alignment: &str| {
        json!({"text": "one\ntwo", "font_size": 60, "vertical_alignment": alignment,
               "ruling": {"pitch": 90, "first_baseline": 330}})
    };
    let numbers = ["top", "center", "bottom"].map(|alignment| rules(&page(&request(alignment)), 330.0, 90.0));
    assert_eq!(numbers[0], [0, 1]);
    assert!((14..=17).contains(&numbers[1][0]), "{numbers:?}");
    // 3268 px is the lower end of the text area: the last rule is the 32nd below the first.
    assert_eq!(numbers[2], [31, 32]);
}

#[test]
fn every_page_of_a_text_has_the_same_rules() {
    let request = json!({"text": LONG.repeat(60), "font_size": 90, "overflow": "paginate", "output_format": "pdf",
                         "ruling": {"pitch": 100, "draw": true}});
    let pages = lay_out_pages(&spec(&request), &CATALOGUE).unwrap();
    assert!(pages.len() > 1);
    for page in &pages {
        assert_eq!(rules(page, 390.0, 100.0)[0], 0);
        assert_eq!(page.rules, pages[0].rules);
        assert_eq!(page.rules.as_ref().unwrap().heights.len(), 29);
    }
}

#[test]
fn the_automatic_size_fits_the_pitch() {
    let size = |font: u16, pitch: f64| {
        page(&json!({"text": "Dear Ada", "font_id": font, "ruling": {"pitch": pitch}})).calculated_font_size.unwrap()
    };
    for font in 1..=90 {
        let size = f64::from(size(font, 84.375));
        let face = CATALOGUE.face(FontId::new(font).unwrap());
        let edge = |letter: char, side: fn(longhand::geometry::Rect<longhand::units::FontUnits>) -> f64| {
            side(face.ink(face.glyph_for(letter).unwrap()).unwrap()) * size / f64::from(face.units_per_em())
        };
        assert!(edge('H', |ink| ink.max.y.get()) < 1.15 * 84.375, "font {font} at {size}");
        assert!(edge('d', |ink| ink.max.y.get()) > 0.45 * 84.375, "font {font} at {size}");
    }
    assert!(size(3, 168.75) >= 2 * size(3, 84.375) - 1);
    assert_eq!(size(3, 400.0), 200, "max_auto_font_size holds");
}

#[test]
fn fields_that_the_ruling_overrules_are_told() {
    let told = |request: &Value| {
        let warnings = page(request).warnings;
        warnings.into_iter().map(|warning| (warning.kind, warning.message)).collect::<Vec<_>>()
    };
    let given = json!({"text": "a", "font_size": 60, "line_height_multiplier": 1.5, "line_break_spacing": 30});
    assert_eq!(told(&given), []);
    let mut ruled = given.clone();
    ruled["ruling"] = json!("us_wide");
    let warnings = told(&ruled);
    assert!(warnings.iter().all(|(kind, _)| *kind == WarningKind::NoEffect), "{warnings:?}");
    assert!(warnings[0].1.starts_with("line_height_multiplier:") && warnings[1].1.starts_with("line_break_spacing:"));
    ruled["line_break_spacing"] = Value::Null;
    assert_eq!(told(&ruled).len(), 1);
}

#[test]
fn violations_name_the_member() {
    for (ruling, field, kind) in [
        (json!("us_colege"), "ruling", "literal_error"),
        (json!(84), "ruling", "model_type"),
        (json!({}), "ruling.pitch", "missing"),
        (json!({"pitch": 19.9}), "ruling.pitch", "greater_than_equal"),
        (json!({"pitch": 501}), "ruling.pitch", "less_than_equal"),
        (json!({"pitch": 90, "first_baseline": -1}), "ruling.first_baseline", "greater_than_equal"),
        (json!({"pitch": 90, "draw": "yes"}), "ruling.draw", "bool_type"),
        (json!({"pitch": 90, "color": [1, 2, 256]}), "ruling.color.2", "less_than_equal"),
        (json!({"pitch": 90, "colour": [1, 2, 3]}), "ruling.colour", "extra_forbidden"),
    ] {
        let request = json!({"text": "a", "ruling": ruling});
        let violations = parse_value(&request, Endpoint::Generate, || 1).unwrap_err();
        let found: Vec<(String, &str)> =
            violations.iter().map(|violation| (violation.field(), violation.kind.name())).collect();
        assert_eq!(found, [(field.to_owned(), kind)], "{request}");
    }
    let without_room = json!({"text": "a", "font_size": 60, "ruling": {"pitch": 90, "first_baseline": 3400}});
    let error = lay_out(&spec(&without_room), &CATALOGUE).unwrap_err();
    assert!(matches!(error, longhand::layout::LayoutError::TextOverflow { characters_that_fit: 0, .. }), "{error}");
}

/// A ruled page with its rules drawn, of any format.
fn drawn(more: &Value) -> Value {
    let mut request = json!({"text": "Dear Ada,\njolly good", "page_size": "a6", "font_id": 3, "seed": 5,
                             "text_color": [20, 30, 120],
                             "ruling": {"pitch": 100, "first_baseline": 340, "draw": true, "color": [180, 200, 230]}});
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn drawn_rules_lie_under_the_writing_in_png() {
    let mut pictures = Pictures::new();
    for (dpi, scale) in [(300, 1), (600, 2)] {
        let ruled = pictures.add(&drawn(&json!({"dpi": dpi})));
        let mut plain = drawn(&json!({"dpi": dpi}));
        plain["ruling"]["draw"] = json!(false);
        let plain = pictures.add(&plain);
        let facts = ask("ruled_page.py", &json!({"ruled": ruled, "plain": plain, "color": [180, 200, 230]}));
        assert_eq!(facts["same_elsewhere"], json!(true), "{facts}");
        assert_eq!(facts["mixed_as_alpha"], json!(true), "{facts}");
        let rows: Vec<u64> = facts["rows"].as_array().unwrap().iter().map(|row| row.as_u64().unwrap()).collect();
        let expected: Vec<u64> =
            (0..12).flat_map(|rule| (0..2 * scale).map(move |row| (339 + 100 * rule) * scale + row)).collect();
        assert_eq!(rows, expected, "{facts}");
        assert_eq!(facts["columns"], json!([240 * scale, 1000 * scale]), "{facts}");
    }
}

#[test]
fn drawn_rules_are_shown_by_other_programs_as_our_picture_has_them() {
    let mut pictures = Pictures::new();
    let page = drawn(&json!({"output_format": "pdf", "dpi": 300}));
    let mut files = Vec::new();
    for writing in ["image", "outlines"] {
        for standard in ["pdf", "pdfx1a"] {
            let mut request = page.clone();
            request["pdf"] = json!({"writing": writing, "standard": standard});
            files.push(render(&request).bytes);
        }
    }
    let facts = ask_of_files(&[], files.iter().cloned());
    for (facts, number) in facts.as_array().unwrap().iter().zip(0..) {
        let broken: &Value = &facts["broken"];
        assert!(number % 2 == 0 || *broken == json!([]), "{facts}");
        assert_eq!(facts["image"].is_null(), number > 1, "{facts}");
    }
    let jobs: Vec<Value> = [(0, 300), (2, 600)]
        .map(|(at, dpi): (usize, u32)| {
            let picture = pictures.add(&drawn(&json!({"dpi": dpi})));
            json!({"path": pictures.add_bytes(&files[at]), "png": picture, "dpi": dpi, "origin": [0, 0]})
        })
        .to_vec();
    for answer in ask("vector_renderers.py", &json!(jobs)).as_array().unwrap() {
        assert_eq!(answer["qpdf"], "", "{answer}");
        let shown = answer["shown"].as_object().unwrap();
        assert_eq!(shown.len(), 4);
        for (renderer, shown) in shown {
            // Where ink and rule meet, edges of the image are mixed with white instead of the rule.
            assert!(number(shown, "ink") <= 6.0, "{renderer}: {answer}");
        }
    }
}

#[test]
fn a_preview_shows_drawn_rules_too() {
    let request = drawn(&json!({"region": {"x": 200, "y": 300, "width": 300, "height": 200}}));
    let mut pictures = Pictures::new();
    let preview = pictures.add_bytes(&render_preview(&request).page.bytes);
    let facts = ask("ruled_page.py", &json!({"ruled": preview, "plain": preview, "color": [180, 200, 230]}));
    // 1200 px show 300: the rules at 340 and 440 are 8 px thick, and begin at the left margin.
    assert_eq!(facts["rows"], json!([156, 157, 158, 159, 160, 161, 162, 163, 556, 557, 558, 559, 560, 561, 562, 563]));
    assert_eq!(facts["columns"], json!([160, 1200]), "{facts}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ruled_ink_never_leaves_the_margins(
        spec in any_spec(), effects in any_effects(), seed: u32, pitch in 20.0_f64..300.0, first in 0.0_f64..900.0,
    ) {
        let ruled = spec_with_ruling(pitch, first);
        let spec = RenderSpec { effects, seed, ruling: ruled.ruling, ..spec };
        let sized = RenderSpec { font_size: FontSize::Auto { max: 200 }, ..spec.clone() };
        for spec in [spec, sized] {
            if let Ok(page) = lay_out(&spec, &CATALOGUE) {
                assert_inside(&page, &spec);
                rules(&page, first, pitch);
            }
        }
    }
}

fn spec_with_ruling(pitch: f64, first_baseline: f64) -> RenderSpec {
    let ruled = spec(&json!({"text": "a", "ruling": {"pitch": pitch, "first_baseline": first_baseline}}));
    RenderSpec {
        overflow: Overflow::Clip,
        vertical_alignment: VerticalAlignment::Top,
        font_size: FontSize::Fixed(Px::new(60.0)),
        ..ruled
    }
}
