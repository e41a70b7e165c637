//! The automatic size: words stay whole, and long texts continue on further pages before writing becomes small.

use longhand::layout::{PageLayout, lay_out};
use longhand::spec::{Endpoint, FontSize, RenderSpec, parse_value};
use longhand::units::Px;
use longhand::warning::WarningKind;
use serde_json::{Value, json};

use super::pages::{CATALOGUE, LONG, lay_out_pages, texts, warning};

/// The specification of a request for a PDF, which may have several pages.
fn spec(request: &Value) -> RenderSpec {
    let mut request = request.clone();
    request["output_format"] = json!("pdf");
    parse_value(&request, Endpoint::Generate, || 1).unwrap()
}

fn at_size(spec: &RenderSpec, size: u32) -> RenderSpec {
    RenderSpec { font_size: FontSize::Fixed(Px::new(f64::from(size))), ..spec.clone() }
}

/// Height of an x on the page in mm.
fn x_height_mm(spec: &RenderSpec, page: &PageLayout) -> f64 {
    let face = CATALOGUE.face(spec.font);
    face.x_height().get() / f64::from(face.units_per_em()) * page.font_size.get() / 300.0 * 25.4
}

#[test]
fn the_automatic_size_is_the_largest_at_which_no_word_is_broken() {
    for (text, more) in [
        ("Congratulations!", json!({"page_size": "card_5x7"})),
        ("Congratulations!", json!({"page_size": "card_5x7", "font_id": 35})),
        ("Write to anna.lindstroem@longhandstationery.example today", json!({"page_size": "postcard_us"})),
        ("We wish you a wonderful Weihnachtsgewinnspielteilnahmebestätigung!", json!({"page_size": "card_5x7"})),
        ("Congratulations on your anniversary!", json!({"page_size": "card_5x7", "enable_word_rotation": true})),
    ] {
        let mut request = json!({"text": text});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let spec = spec(&request);
        let page = lay_out(&spec, &CATALOGUE).unwrap();
        let size = page.calculated_font_size.unwrap();
        assert_eq!(warning(&page, WarningKind::WordBroken), None, "{text}");
        let lines = texts(&page).join(" ");
        assert!(text.split(' ').all(|word| lines.contains(word)), "{lines}");
        // One px more, and a word is broken or the text does not fit.
        if size < 200 {
            let larger = lay_out(&at_size(&spec, size + 1), &CATALOGUE);
            let is_whole = larger.as_ref().is_ok_and(|page| warning(page, WarningKind::WordBroken).is_none());
            assert!(!is_whole, "{text} stays whole at {}", size + 1);
        }
    }
}

#[test]
fn a_word_that_breaks_at_a_fixed_size_is_named() {
    let spec = spec(&json!({"text": "Congratulations, dear Ann!", "page_size": "card_5x7", "font_size": 200}));
    let page = lay_out(&spec, &CATALOGUE).unwrap();
    let message = warning(&page, WarningKind::WordBroken).unwrap();
    assert_eq!(message, "\"Congratulations,\" is wider than a line at font_size 200 and was broken");
    // Each word once, however many lines it takes.
    let text = "Donaudampfschifffahrtsgesellschaft Congratulations!";
    let narrow = RenderSpec { text: text.to_owned(), ..spec };
    let page = lay_out(&at_size(&narrow, 180), &CATALOGUE).unwrap();
    let message = warning(&page, WarningKind::WordBroken).unwrap();
    assert!(
        message.starts_with("\"Donaudampfschifffahrtsgesellschaft\", \"Congratulations!\" are wider than a line"),
        "{message}"
    );
    let whole = lay_out(&at_size(&narrow, 40), &CATALOGUE).unwrap();
    assert_eq!(whole.warnings, []);
}

#[test]
fn a_word_that_no_size_keeps_whole_is_broken_at_the_largest_size_that_fits() {
    let text = "Llanfairpwllgwyngyll".repeat(12);
    let spec = spec(&json!({"text": text, "page_size": "postcard_us"}));
    let page = lay_out(&spec, &CATALOGUE).unwrap();
    let size = page.calculated_font_size.unwrap();
    assert!(size > 40, "{size}");
    assert!(warning(&page, WarningKind::WordBroken).unwrap().contains("\"Llanfairpwllgwyngyll"));
    assert_eq!(lay_out(&at_size(&spec, size), &CATALOGUE).unwrap().words, page.words);
    assert!(lay_out(&at_size(&spec, size + 1), &CATALOGUE).is_err());
}

#[test]
fn a_long_text_continues_on_further_pages_before_it_becomes_small() {
    for font in [1, 12, 35, 80] {
        let text = LONG.repeat(50);
        let request = json!({"text": text, "font_id": font, "overflow": "paginate"});
        let paginated = spec(&request);
        let pages = lay_out_pages(&paginated, &CATALOGUE).unwrap();
        assert!(pages.len() > 1, "font {font}");
        let x_height = x_height_mm(&paginated, &pages[0]);
        assert!((1.8..1.85).contains(&x_height), "font {font}: {x_height} mm");
        assert!(pages.iter().all(|page| page.warnings.is_empty()), "font {font}: {:?}", pages[0].warnings);
        assert!(pages.iter().all(|page| page.calculated_font_size == pages[0].calculated_font_size));
        let written: String = pages.iter().flat_map(texts).collect::<Vec<_>>().join(" ");
        assert_eq!(written.split_whitespace().count(), text.split_whitespace().count());
        // A short text is one page at the size it has without.
        let short = json!({"text": "Thank you so much!", "font_id": font, "overflow": "paginate"});
        let short = spec(&short);
        let plain = lay_out(&RenderSpec { overflow: longhand::spec::Overflow::Error, ..short.clone() }, &CATALOGUE);
        assert_eq!(lay_out_pages(&short, &CATALOGUE).unwrap(), [plain.unwrap()]);
    }
}

#[test]
fn the_largest_automatic_size_that_is_asked_for_is_never_exceeded() {
    let request = json!({"text": LONG.repeat(50), "overflow": "paginate", "max_auto_font_size": 20});
    let spec = spec(&request);
    let pages = lay_out_pages(&spec, &CATALOGUE).unwrap();
    assert_eq!(pages[0].calculated_font_size, Some(20));
    assert!(warning(&pages[0], WarningKind::SmallWriting).is_some());
}

#[test]
fn small_writing_is_told_with_its_x_height() {
    let small = spec(&json!({"text": LONG.repeat(50)}));
    let page = lay_out(&small, &CATALOGUE).unwrap();
    let x_height = x_height_mm(&small, &page);
    assert!(x_height < 1.5);
    let message = warning(&page, WarningKind::SmallWriting).unwrap();
    assert!(message.contains(&format!("has an x-height of {x_height:.1} mm")), "{message}");
    // A size that was asked for is no surprise.
    let asked = lay_out(&at_size(&small, page.calculated_font_size.unwrap()), &CATALOGUE).unwrap();
    assert_eq!(warning(&asked, WarningKind::SmallWriting), None);
    let readable = lay_out(&spec(&json!({"text": LONG})), &CATALOGUE).unwrap();
    assert_eq!(readable.warnings, []);
}
