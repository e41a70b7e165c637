//! Sheets with a front and a back: each page is the page that it would be alone.

use longhand::pipeline::{PreviewMark, StageTimes, dry_run};
use longhand::spec::{Endpoint, parse_value};
use longhand::units::Px;
use serde_json::{Value, json};

use crate::layout::pages::CATALOGUE;
use crate::oracle::ask;
use crate::pages::rendered::{engine, refuse, render, spec, with};

/// A card with words and a box on its front, in two inks, and a letter of two pages on its back.
fn sides() -> [Value; 2] {
    let block =
        json!({"text": "5 Hill Road", "x": 600, "y": 900, "width": 500, "height": 200, "text_color": [150, 20, 20]});
    [
        json!({"text": "Dear Ann", "seed": 3, "blocks": [block]}),
        json!({"text": "words and more words ".repeat(14).trim(), "font_size": 90, "overflow": "paginate", "seed": 4}),
    ]
}

fn shared(pdf: &Value) -> Value {
    json!({"page_size": "card_5x7", "output_format": "pdf", "font_id": 19, "pdf": pdf})
}

fn sheet(pdf: &Value) -> Value {
    with(&shared(pdf), &json!({"sides": sides()}))
}

/// Asserts that the pages of a sheet look as those of the requests for its sides alone.
fn assert_pages(sheet: &Value, alone: [&Value; 2], pages: usize) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, request: &Value| {
        let path = folder.path().join(name);
        std::fs::write(&path, render(request).bytes).unwrap();
        path
    };
    let alone = [write("front.pdf", alone[0]), write("back.pdf", alone[1])];
    let facts = ask("sheet_sides.py", &json!({"sheet": write("sheet.pdf", sheet), "alone": alone}));
    assert_eq!(facts, json!({"pages": pages, "differences": vec![0; pages]}), "{sheet}");
}

#[test]
fn each_side_is_the_page_that_it_would_be_alone() {
    for pdf in [json!({}), json!({"writing": "outlines"}), json!({"standard": "pdfx1a", "preset": "lob"})] {
        let [front, back] = sides().map(|side| with(&shared(&pdf), &side));
        assert_pages(&sheet(&pdf), [&front, &back], 3);
    }
}

#[test]
fn each_side_has_its_own_ink_and_pen() {
    let blue = json!({"text": "Dear Ann", "seed": 3, "pen": "ballpoint", "text_color": [20, 40, 150]});
    for (pdf, back) in [
        (json!({}), json!({"text": "Dear Ben", "seed": 4, "text_color": [150, 20, 20]})),
        (json!({"standard": "pdfx1a"}), json!({"text": "Dear Ben", "seed": 4, "pen": "pencil"})),
    ] {
        // A pencil for a press is drawn at 600 DPI, and so is the sheet.
        let dpi = json!({"dpi": if back["pen"].is_null() { 300 } else { 600 }});
        let [front_alone, back_alone] = [&blue, &back].map(|side| with(&with(&shared(&pdf), &dpi), side));
        let sheet = with(&shared(&pdf), &json!({"sides": [blue, back]}));
        assert_pages(&sheet, [&front_alone, &back_alone], 2);
        let report = engine().preflight(&spec(&sheet), &mut StageTimes::default()).unwrap();
        assert_eq!(report.file.unwrap().dpi.map(|dpi| json!(dpi.get())), Some(dpi["dpi"].clone()));
    }
}

#[test]
fn a_sheet_tells_of_both_sides() {
    let file = render(&sheet(&json!({})));
    assert_eq!((file.pages, file.blocks.len(), file.seed), (3, 1, 3));
    let emoji = with(&shared(&json!({})), &json!({"sides": [{"text": "Hi"}, {"text": "Hi \u{1F642}"}]}));
    let warnings = render(&emoji).warnings;
    assert_eq!(warnings.iter().map(|warning| warning.field.as_str()).collect::<Vec<_>>(), ["sides[1].text"]);
    let long = json!({"sides": [{"text": "Hi"}, {"text": "word ".repeat(900).trim(), "font_size": 90}]});
    let refused = refuse(&with(&shared(&json!({})), &long));
    assert!(refused.starts_with("sides[1].text: "), "{refused}");
}

#[test]
fn a_preview_shows_any_page_of_both_sides() {
    let preview = |request: &Value| {
        let spec = parse_value(request, Endpoint::Preview, || 1).unwrap();
        engine().preview(&spec, PreviewMark::Nothing, &mut StageTimes::default()).unwrap()
    };
    let [_, back] = sides();
    let alone = preview(&with(&with(&shared(&json!({})), &back), &json!({"page": 2})));
    let both = preview(&with(&sheet(&json!({})), &json!({"page": 3, "places": true})));
    assert_eq!((both.number, both.page.pages, alone.number), (3, 3, 2));
    assert_eq!(both.page.bytes, alone.page.bytes);
    assert!(!both.words.is_empty() && alone.words.is_empty());
    assert_eq!(preview(&with(&sheet(&json!({})), &json!({"page": 9}))).page.bytes, both.page.bytes);
}

#[test]
fn a_preview_tells_the_rules_that_no_file_shows() {
    let rules = |members: Value| {
        let request = with(&json!({"text": "Hi", "font_id": 19, "places": true, "ruling": "us_college"}), &members);
        let spec = parse_value(&request, Endpoint::Preview, || 1).unwrap();
        engine().preview(&spec, PreviewMark::Nothing, &mut StageTimes::default()).unwrap().hidden_rules
    };
    let on_letter = rules(json!({"page_size": "letter", "margin_top": 150})).unwrap();
    assert_eq!(on_letter.heights[0], Px::new(150.0 + 1.5 * 84.375));
    // A mail piece raises margins.
    let piece = json!({"mail_piece": "lob_postcard_4x6_front", "margin_left": 0, "margin_top": 0});
    let on_card = rules(piece.clone()).unwrap();
    assert!(on_card.left.get() >= 37.5 && on_card.heights[0].get() >= 37.5 + 84.375, "{on_card:?}");
    let drawn = with(&piece, &json!({"ruling": {"pitch": 80, "draw": true}}));
    assert_eq!((rules(drawn), rules(json!({"places": false}))), (None, None));
}

#[test]
fn preflight_finds_what_is_wrong_on_either_side() {
    let report = |sides: Value| {
        let request = with(&shared(&json!({})), &json!({"sides": sides}));
        engine().preflight(&spec(&request), &mut StageTimes::default()).unwrap()
    };
    let small = json!({"text": "Hi", "font_size": 12});
    let found = report(json!([{"text": "Hi", "font_size": 90}, small]));
    let file = found.file.unwrap();
    let told: Vec<_> = found.findings.iter().map(|found| (found.check, found.field.as_str(), found.page)).collect();
    let of_back = |check| (check, "sides[1].font_size", Some(2));
    assert_eq!((file.pages.len(), told), (2, vec![of_back("stroke_width"), of_back("x_height")]));
    let long = json!({"text": "word ".repeat(900).trim(), "font_size": 90});
    let refused = report(json!([{"text": "Hi"}, long]));
    assert_eq!((refused.file, refused.findings[0].field.as_str()), (None, "sides[1].text"));
}

#[test]
fn a_sheet_has_the_limits_of_a_page() {
    let many = |words: usize| json!({"text": "word ".repeat(words).trim(), "font_size": 150, "overflow": "paginate"});
    let alone = dry_run(&spec(&with(&shared(&json!({})), &many(1900))), &CATALOGUE).unwrap();
    assert!((101..=200).contains(&alone.pages), "{}", alone.pages);
    let both = dry_run(&spec(&with(&shared(&json!({})), &json!({"sides": [many(1900), many(1900)]}))), &CATALOGUE);
    let refused = both.unwrap_err().to_string();
    assert!(refused.contains(&(2 * alone.pages).to_string()) && refused.contains("200"), "{refused}");
}
