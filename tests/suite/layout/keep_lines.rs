//! `keep_lines`: given lines stay whole in a smaller size, and wrap only where that would be hard to read.

use longhand::layout::{LayoutError, PageLayout, lay_out};
use longhand::pipeline::dry_run;
use longhand::spec::{Endpoint, FontSize, RenderSpec, parse_value};
use longhand::units::Px;
use longhand::warning::{Warning, WarningKind};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};

use super::pages::{CATALOGUE, LONG, lay_out_pages, texts, warning};
use crate::pages::rendered::{render, with};

const ADDRESS: &str = "Ann Marsh\n14 Harbour Street\nDublin 4";
/// A line that has no room in the box at an x-height of 1.5 mm.
const ENDLESS: &str = "Ann Marsh\nThe Old Harbour Master's House Behind The Lighthouse, 14 Harbour Street\nDublin 4";

/// The specification of a request for a PDF, which may have several pages.
fn spec(request: &Value) -> RenderSpec {
    parse_value(&with(request, &json!({"output_format": "pdf"})), Endpoint::Generate, || 1).unwrap()
}

/// A page with a text area of 500 px by 600 px.
fn boxed(text: &str, more: &Value) -> Value {
    let area = json!({"text": text, "page_size": "a6", "margin_left": 400, "margin_right": 340, "margin_top": 500,
                      "margin_bottom": 648, "line_height_multiplier": 1.3, "font_size": 80, "seed": 3});
    with(&area, more)
}

fn page(request: &Value) -> PageLayout {
    lay_out(&spec(request), &CATALOGUE).unwrap_or_else(|error| panic!("{request}: {error}"))
}

fn kept(text: &str, more: &Value) -> PageLayout {
    page(&with(&boxed(text, more), &json!({"keep_lines": true})))
}

/// Height of an x on the page in mm.
fn x_height_mm(request: &Value, page: &PageLayout) -> f64 {
    let face = CATALOGUE.face(spec(request).font);
    face.x_height().get() / f64::from(face.units_per_em()) * page.font_size.get() / 300.0 * 25.4
}

fn kinds(warnings: &[Warning]) -> Vec<WarningKind> {
    warnings.iter().map(|warning| warning.kind).collect()
}

/// The request at a whole size, with lines that may wrap.
fn at_size(request: &Value, size: u32) -> RenderSpec {
    let font_size = FontSize::Fixed(Px::new(f64::from(size)));
    RenderSpec { font_size, keep_lines: false, ..spec(request) }
}

#[test]
fn an_address_in_a_box_keeps_its_lines_in_a_smaller_size() {
    let block = |more: &Value| {
        let block = json!({"text": ADDRESS, "x": 400, "y": 500, "width": 500, "height": 600});
        let page = json!({"page_size": "a6", "font_size": 80, "line_height_multiplier": 1.3, "seed": 3});
        with(&page, &json!({"blocks": [with(&block, more)]}))
    };
    let lines = |request: &Value| {
        let texts = spec(request).texts();
        super::pages::texts(&lay_out(&texts[0].spec, &CATALOGUE).unwrap())
    };
    assert_eq!(lines(&block(&json!({}))), ["Ann Marsh", "14 Harbour", "Street", "Dublin 4"]);
    let keeping = block(&json!({"keep_lines": true}));
    assert_eq!(lines(&keeping), ["Ann Marsh", "14 Harbour Street", "Dublin 4"]);
    let warnings = dry_run(&spec(&keeping), &CATALOGUE).unwrap().warnings;
    assert_eq!(kinds(&warnings), [WarningKind::FontShrunk]);
    assert_eq!(warnings[0].field, "blocks[0].font_size");
    let message = &warnings[0].message;
    let expected = "blocks[0].font_size: line 2 would wrap at font_size 80: \"14 Harbour Street\"; written at ";
    assert!(message.starts_with(expected), "{message}");
    // What the block leaves out it takes from the request.
    let inherited = with(&block(&json!({})), &json!({"keep_lines": true}));
    assert_eq!(lines(&inherited), lines(&keeping));
    let own = with(&block(&json!({"keep_lines": false})), &json!({"keep_lines": true}));
    assert_eq!(lines(&own), lines(&block(&json!({}))));
}

/// Texts, and what changes the widths or the room of their lines.
#[rstest]
#[case(ADDRESS, json!({}))]
#[case(ADDRESS, json!({"font_id": 3, "enable_writer_variation": true}))]
#[case(ADDRESS, json!({"enable_word_rotation": true, "word_rotation_range": 8}))]
#[case(ADDRESS, json!({"enable_random_indentation": true, "indentation_range": 60}))]
#[case(ADDRESS, json!({"word_spacing": 30, "text_alignment": "center", "vertical_alignment": "bottom"}))]
#[case(ADDRESS, json!({"ruling": {"pitch": 90}}))]
#[case(ADDRESS, json!({"overflow": "shrink"}))]
#[case(ADDRESS, json!({"overflow": "clip"}))]
#[case(ADDRESS, json!({"overflow": "paginate"}))]
#[case("שלום רב\nרחוב הרצל 14 דירה 3\nתל אביב", json!({"font_id": 87}))]
#[case("Anna Müller\nСадовая улица 14, 3\n東京都", json!({}))]
fn the_size_is_the_largest_at_which_no_line_wraps(#[case] text: &str, #[case] more: Value) {
    let request = boxed(text, &more);
    let page = kept(text, &more);
    assert_eq!(texts(&page).len(), text.lines().count(), "{:?}", texts(&page));
    let size = page.font_size.get() as u32;
    assert!(size < 80, "{size}");
    assert!(warning(&page, WarningKind::FontShrunk).is_some());
    let again = lay_out(&at_size(&request, size), &CATALOGUE).unwrap();
    assert_eq!(again.lines, page.lines, "the page at that size");
    let larger = lay_out_pages(&at_size(&request, size + 1), &CATALOGUE);
    let lines = larger.map_or(usize::MAX, |pages| pages.iter().map(|page| page.lines.len()).sum());
    assert!(lines > text.lines().count(), "{} px would do", size + 1);
}

#[test]
fn a_line_too_long_for_small_writing_wraps_and_is_told() {
    for more in [json!({}), json!({"overflow": "clip"}), json!({"font_size": "auto"})] {
        let more = with(&json!({"font_size": 50}), &more);
        let request = boxed(ENDLESS, &more);
        let (page, free) = (kept(ENDLESS, &more), page(&request));
        assert_eq!((&page.lines, &page.words), (&free.lines, &free.words), "{more}: as without keep_lines");
        let message = warning(&page, WarningKind::LineWrapped).unwrap();
        assert!(message.starts_with("line 2 had to wrap: \"The Old Harbour Master's House"), "{message}");
        assert!(message.ends_with("no size with an x-height of 1.5 mm or more keeps all lines"), "{message}");
        assert!(!kinds(&free.warnings).contains(&WarningKind::LineWrapped));
    }
}

#[test]
fn a_line_that_cannot_be_kept_does_not_give_up_the_others() {
    let text = "Frau Dr. Maximiliane Leopoldine von Hohenstaufen-Wartenberg-Burladingen\n\
                c/o Gesellschaft für Straßenbau mbH\n72393 Burladingen-Salmendingen\nGermany";
    for more in [json!({"font_size": 80}), json!({"font_size": "auto"}), json!({"font_size": 80, "overflow": "clip"})] {
        let page = kept(text, &with(&more, &json!({"font_id": 12, "margin_left": 100, "margin_right": 100})));
        let lines = texts(&page);
        let given: Vec<&str> = text.lines().collect();
        assert_eq!(lines.get(lines.len() - 3..).unwrap(), given.get(1..).unwrap(), "{more}");
        let told = page.warnings.iter().filter(|warning| warning.kind == WarningKind::LineWrapped);
        let told: Vec<&str> = told.map(|warning| warning.message.as_str()).collect();
        assert!(told.len() == 1 && told[0].starts_with("line 1 had to wrap"), "{more}: {told:?}");
    }
}

#[test]
fn kept_lines_have_an_x_height_of_a_millimetre_and_a_half() {
    let mut least = f64::INFINITY;
    for letters in 20..120 {
        let line: String = "il il ".chars().cycle().take(letters).collect();
        let text = format!("a\n{line}\nb");
        let request = boxed(&text, &json!({"keep_lines": true, "margin_top": 100, "margin_bottom": 100}));
        let page = page(&request);
        if page.lines.len() == 3 {
            least = least.min(x_height_mm(&request, &page));
        } else {
            assert!(warning(&page, WarningKind::LineWrapped).is_some());
        }
    }
    assert!((1.5..1.6).contains(&least), "{least}");
}

#[test]
fn an_automatic_size_keeps_lines_too() {
    let auto = json!({"font_size": "auto"});
    let (free, page) = (page(&boxed(ADDRESS, &auto)), kept(ADDRESS, &auto));
    assert_eq!(texts(&page), ADDRESS.lines().collect::<Vec<_>>());
    assert!(texts(&free).len() > 3 && free.font_size > page.font_size);
    assert_eq!(page.calculated_font_size, Some(page.font_size.get() as u32));
    assert_eq!(kinds(&page.warnings), []);
    // On further pages, if need be.
    let poem = vec!["The lamp of the harbour"; 60].join("\n");
    let request = boxed(&poem, &json!({"font_size": "auto", "overflow": "paginate", "keep_lines": true}));
    let pages = lay_out_pages(&spec(&request), &CATALOGUE).unwrap();
    assert!(pages.len() > 1);
    assert_eq!(pages.iter().flat_map(texts).collect::<Vec<_>>(), poem.lines().collect::<Vec<_>>());
}

#[test]
fn an_address_keeps_its_lines_unless_the_request_says_otherwise() {
    let address = |more: &Value| with(&boxed(ADDRESS, &json!({"generation_type": "address"})), more);
    let by_default = page(&address(&json!({})));
    assert_eq!(texts(&by_default), ADDRESS.lines().collect::<Vec<_>>());
    assert_eq!(by_default, page(&address(&json!({"keep_lines": null}))));
    assert_eq!(by_default, page(&address(&json!({"keep_lines": true}))));
    let wrapping = page(&address(&json!({"keep_lines": false})));
    assert_eq!(wrapping.lines, page(&boxed(ADDRESS, &json!({}))).lines);
    let message = warning(&wrapping, WarningKind::LineWrapped).unwrap();
    assert_eq!(message, "line 2 of the address had to wrap: \"14 Harbour Street\"");
    // Of all blocks as well.
    let block = json!({"text": ADDRESS, "x": 400, "y": 500, "width": 500, "height": 600});
    assert!(spec(&address(&json!({"blocks": [block]}))).blocks[0].keep_lines);
}

#[test]
fn lines_that_do_not_wrap_leave_the_decision_to_overflow() {
    // Eight short lines are too high for the box, and fit at a smaller size.
    let text = ["Ann"; 8].join("\n");
    let of = |overflow: &str| boxed(&text, &json!({"keep_lines": true, "overflow": overflow}));
    let error = lay_out(&spec(&of("error")), &CATALOGUE).unwrap_err();
    assert!(matches!(error, LayoutError::TextOverflow { largest_size_that_fits: Some(50..80), .. }), "{error}");
    assert_eq!(lay_out_pages(&spec(&of("paginate")), &CATALOGUE).unwrap().len(), 2);
    for overflow in ["shrink", "clip"] {
        let page = page(&of(overflow));
        assert_eq!(texts(&page), vec!["Ann"; 8], "{overflow}");
        let message = warning(&page, WarningKind::FontShrunk).unwrap();
        assert!(message.starts_with("the text does not fit at font_size 80; written at "), "{message}");
    }
    // A line that wraps, in a text that is too high: nothing is cut at the smaller size.
    let page = kept(&format!("{text}\n14 Harbour Street"), &json!({"overflow": "clip"}));
    assert_eq!(kinds(&page.warnings), [WarningKind::FontShrunk]);
    assert_eq!(page.lines.len(), 9);
}

#[test]
fn a_row_to_write_on_is_cut_and_does_not_wrap() {
    let page = kept("Name ______________________\nDate ____", &json!({}));
    assert_eq!(page.font_size, Px::new(80.0));
    assert_eq!(kinds(&page.warnings), [WarningKind::RowCut]);
}

#[test]
fn a_page_without_the_field_keeps_its_bytes() {
    for more in [json!({}), json!({"font_size": "auto"}), json!({"enable_writer_variation": true})] {
        let request = with(&boxed(ADDRESS, &more), &json!({"output_format": "png"}));
        let plain = render(&request).bytes;
        for given in [json!({"keep_lines": null}), json!({"keep_lines": false})] {
            assert!(render(&with(&request, &given)).bytes == plain, "{more} {given}");
        }
        assert!(render(&with(&request, &json!({"keep_lines": true}))).bytes != plain, "{more}");
        // Lines that have room are not touched.
        let short = with(&request, &json!({"text": "Ann\nTom", "font_size": 80}));
        assert!(render(&with(&short, &json!({"keep_lines": true}))).bytes == render(&short).bytes, "{more}");
    }
}

#[test]
fn a_long_text_is_searched_in_bounded_work() {
    let short_lines = vec!["a b c d e f"; 800].join("\n");
    for text in [LONG.repeat(9), "word ".repeat(1900), "a\n".repeat(4900), short_lines] {
        for size in [json!("auto"), json!(400)] {
            for overflow in ["clip", "paginate", "shrink"] {
                let more = json!({"text": text, "font_size": size, "overflow": overflow, "max_auto_font_size": 400,
                                  "keep_lines": true, "output_format": "pdf", "enable_word_rotation": true});
                let found = dry_run(&parse_value(&more, Endpoint::Generate, || 1).unwrap(), &CATALOGUE);
                let told = found.map(|_| ()).map_err(|error| error.to_string());
                let is_bounded = told.as_ref().err().is_none_or(|error| !error.contains("layout"));
                assert!(is_bounded, "{size} {overflow} {:?}: {told:?}", text.get(..20));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn no_kept_line_wraps_without_a_warning(
        words in prop::collection::vec("[A-Za-z]{1,9}( [a-z]{1,9}){0,3}", 1..5),
        font in 1_u16..=90,
        size in 20_u16..=200,
        overflow in prop_oneof![Just("error"), Just("shrink"), Just("clip"), Just("paginate")],
        effects in prop_oneof![
            Just(json!({})),
            Just(json!({"enable_writer_variation": true})),
            Just(json!({"enable_word_rotation": true, "enable_random_indentation": true})),
        ],
    ) {
        let more = json!({"font_id": font, "font_size": size, "overflow": overflow, "keep_lines": true});
        let request = with(&boxed(&words.join("\n"), &more), &effects);
        if let Ok(pages) = lay_out_pages(&spec(&request), &CATALOGUE) {
            let lines: usize = pages.iter().map(|page| page.lines.len()).sum();
            let warnings = kinds(&pages[0].warnings);
            let told = [WarningKind::LineWrapped, WarningKind::TextClipped].iter().any(|kind| warnings.contains(kind));
            prop_assert!(lines == words.len() || told, "{request}: {lines} lines, {warnings:?}");
            let is_smaller = pages[0].font_size < Px::new(f64::from(size));
            prop_assert_eq!(is_smaller, warnings.contains(&WarningKind::FontShrunk), "{}", request);
        }
    }
}
