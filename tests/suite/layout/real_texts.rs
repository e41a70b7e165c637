//! Texts as people paste and type them: spaces that do not break, rows of signs, indents, forms of ideographs, and
//! paragraphs from right to left.

use longhand::catalogue::FontId;
use longhand::layout::{PageLayout, lay_out};
use longhand::pipeline::dry_run;
use longhand::spec::{Alignment, Endpoint, FontSize, RenderSpec, parse_value};
use longhand::units::Px;
use longhand::warning::WarningKind;
use serde_json::{Value, json};

use super::pages::{CATALOGUE, spec, texts};
use super::text::narrow;
use crate::pages::rendered::with;

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

fn lines(spec: &RenderSpec) -> Vec<String> {
    texts(&page(spec))
}

fn kinds(page: &PageLayout) -> Vec<WarningKind> {
    page.warnings.iter().map(|warning| warning.kind).collect()
}

/// The page of a request.
fn of_request(members: &Value) -> PageLayout {
    page(&parse_value(members, Endpoint::Generate, || 1).unwrap())
}

#[test]
fn a_no_break_space_breaks_before_a_word_does() {
    let text = "Weihnachtsessen\u{A0}Neujahrskonzert";
    let lines = lines(&narrow(500.0, text));
    assert_eq!(lines, ["Weihnachtsessen", "Neujahrskonzert"]);
}

#[test]
fn a_text_with_no_break_spaces_in_place_of_spaces_breaks_like_any_other() {
    let text = "Dear Ann, thank you for the lovely evening at the lake, we hope to see you again soon";
    let pasted = text.replace(' ', "\u{A0}");
    for width in [500.0, 900.0, 1400.0] {
        let broken = |text: &str| lines(&narrow(width, text));
        assert_eq!(broken(&pasted).join(" ").replace('\u{A0}', " "), text);
        assert_eq!(broken(&pasted).len(), broken(text).len());
    }
}

#[test]
fn every_visible_space_gets_the_word_gap_of_the_font() {
    // A font whose space alone would let words run together.
    let font = CATALOGUE.faces().max_by(|a, b| a.word_gap_em().total_cmp(&b.word_gap_em())).unwrap();
    let gap = font.word_gap_em() * 60.0;
    assert!(gap > 5.0);
    for space in "\u{2002}\u{2003}\u{2004}\u{2005}\u{2009}\u{202F}\u{205F}".chars() {
        let page = page(&RenderSpec { font: font.id(), ..spec(&format!("nn{space}nn")) });
        let [first, second] = page.words.as_slice() else { panic!("{:?}", page.words) };
        let [end, start] = [first.pivot.x + first.width / 2.0, second.pivot.x - second.width / 2.0];
        assert!((start - end).get() >= gap, "U+{:04X}", u32::from(space));
    }
}

#[test]
fn a_row_of_one_sign_is_cut_to_its_line_and_does_not_set_the_size() {
    for sign in ["_", "-", ".", "–", "=", "*"] {
        let text = format!("Name: {}\nDate: 7 May", sign.repeat(300));
        let page = page(&narrow(1400.0, &text));
        let lines = texts(&page);
        assert_eq!(lines.len(), 2, "{lines:?}");
        let kept = lines[0].strip_prefix("Name: ").unwrap();
        assert!(kept.len() < 300 * sign.len() && kept.chars().count() >= 5 && kept.replace(sign, "").is_empty());
        assert_eq!((kinds(&page), lines[1].as_str()), (vec![WarningKind::RowCut], "Date: 7 May"));
    }
    let size = |text: &str| {
        of_request(&json!({"text": text, "page_size": "a6", "max_auto_font_size": 80})).calculated_font_size.unwrap()
    };
    assert_eq!(size(&format!("I come with {}\npeople", "_".repeat(200))), size("I come with\npeople"));
}

#[test]
fn a_row_of_signs_with_spaces_is_one_line() {
    for sign in ["*", "-", "_", "•"] {
        let text = format!("Menu\n{}\nSoup", [sign; 60].join(" "));
        let page = page(&narrow(900.0, &text));
        let lines = texts(&page);
        assert!(lines.len() == 3 && lines[1].len() > 9 && lines[2] == "Soup", "{lines:?}");
        assert_eq!(kinds(&page), [WarningKind::RowCut]);
    }
    let size = |text: &str| of_request(&json!({"text": text, "page_size": "a6"})).calculated_font_size.unwrap();
    assert_eq!(size(&format!("Menu\n{}\nSoup", ["-"; 60].join(" "))), size("Menu\n- - - - -\nSoup"));
    assert_eq!(kinds(&page(&narrow(900.0, "a - b - c - d - e - f - g - h - i - j - k - l - m - n - o - p"))), []);
}

#[test]
fn every_row_that_is_cut_is_named() {
    let text = format!("Name {0}\nDate ____\nSigned {0}", "_".repeat(120));
    let page = page(&narrow(900.0, &text));
    assert!(page.warnings[0].message.starts_with("lines 1, 3: "), "{:?}", page.warnings);
}

#[test]
fn what_follows_a_row_stays_on_its_line() {
    let row = "_".repeat(60);
    for (text, sign, cut) in [
        (format!("[{row}]"), '_', "[]"),
        (format!("Dear {row},"), '_', "Dear ,"),
        (format!("Name: {row} Date: {row}"), '_', "Name:  Date: "),
        (format!("owe ${row}, by {row}."), '_', "owe $, by ."),
        (format!("Soup {} 1250", ".".repeat(300)), '.', "Soup  1250"),
        (format!("שם {row} תאריך"), '_', "תאריך  שם"),
    ] {
        let page = page(&narrow(1400.0, &text));
        let kept = texts(&page).concat();
        assert!(page.lines.len() == 1 && kinds(&page).contains(&WarningKind::RowCut), "{kept}");
        let rows = kept.split(|other| other != sign).map(str::len).filter(|length| *length > 0);
        let rows: Vec<usize> = rows.collect();
        assert!(rows.iter().all(|length| *length >= 10 && *length == rows[0]), "{kept}");
        assert_eq!(kept.replace(sign, ""), cut);
    }
    // A line that no row would leave room on wraps as it did.
    let page = page(&narrow(
        1400.0,
        "I, ____________________, give my word that I have read this and agree to all of it, and more",
    ));
    assert!(page.lines.len() > 1 && kinds(&page).is_empty(), "{:?}", page.lines);
}

#[test]
fn a_borrowed_sign_does_not_reach_into_the_figure_after_it() {
    for (font, text) in [(4, "₩100"), (4, "₦150"), (8, "₦150"), (8, "₹199"), (4, "√16")] {
        let page = page(&RenderSpec { font: FontId::new(font).unwrap(), ..spec(text) });
        let inks: Vec<_> = page.words.iter().flat_map(|word| &word.glyphs).map(|glyph| glyph.ink).collect();
        assert!(inks[0].max.x < inks[1].min.x, "{font} {text}: {inks:?}");
    }
}

#[test]
fn two_odd_words_are_written_in_one_other_hand() {
    let page = page(&RenderSpec {
        font: FontId::new(4).unwrap(),
        ..spec("Dear Nguyễn Đức, thank you for the visit to us")
    });
    assert_eq!(kinds(&page), [WarningKind::FontSubstituted], "{:?}", page.warnings);
}

#[test]
fn ornaments_without_a_look_alike_are_left_out() {
    let page = page(&spec("Loading ███ 80 %"));
    assert_eq!(kinds(&page), [WarningKind::CharactersOmitted], "{:?}", page.warnings);
}

#[test]
fn a_row_with_spaces_within_a_line_is_cut() {
    let page = page(&narrow(1400.0, &format!("Soup {}12", ". ".repeat(80))));
    let kept = texts(&page).concat();
    assert!(page.lines.len() == 1 && kinds(&page) == [WarningKind::RowCut], "{kept}");
    assert!(kept.starts_with("Soup. ") && kept.ends_with("12") || kept.starts_with("Soup .") && kept.ends_with("12"));
}

#[test]
fn a_line_to_write_on_that_would_be_short_is_a_line_of_its_own() {
    for signs in [20, 28, 40] {
        let text = format!("Name of the pupil: {}", "_".repeat(signs));
        for width in [420, 450, 500, 550, 600, 700] {
            let lines = texts(&page(&narrow(f64::from(width), &text)));
            let rows = lines.iter().map(|line| line.matches('_').count()).filter(|row| *row > 0);
            let rows: Vec<usize> = rows.collect();
            assert!(rows.len() == 1 && rows[0] >= 8, "{width}: {lines:?}");
        }
    }
}

#[test]
fn a_row_within_a_line_does_not_set_the_size() {
    let size = |text: &str| of_request(&json!({"text": text, "page_size": "a6"})).calculated_font_size.unwrap();
    let row = "_".repeat(40);
    for (long, short) in [
        (format!("[{row}]\nthank you"), "[_____]\nthank you"),
        (format!("Dear {row},\nthank you"), "Dear __________,\nthank you"),
        (format!("Soup {} 12", ".".repeat(80)), "Soup ..... 12"),
    ] {
        assert!(size(&long) >= size(short), "{long}");
    }
}

#[test]
fn a_row_that_fits_a_line_is_whole() {
    let text = format!("Name: {}", "_".repeat(20));
    let page = page(&RenderSpec { font_size: FontSize::Fixed(Px::new(40.0)), ..spec(&text) });
    assert_eq!((texts(&page), kinds(&page)), (vec![text], vec![]));
}

#[test]
fn indents_tabs_and_rows_of_spaces_are_told() {
    let page = page(&spec("Roses are red,\n    violets are blue,\nsugar\tis sweet"));
    assert_eq!(kinds(&page), [WarningKind::SpacesCollapsed]);
    assert!(page.warnings[0].message.starts_with("lines 2, 3: "), "{:?}", page.warnings);
    assert_eq!(kinds(&self::page(&spec("    Dear Ann,\n    thank you.  Soon!"))), []);
}

#[test]
fn a_form_of_an_ideograph_stays_where_the_font_has_it() {
    let face = CATALOGUE.face(FontId::new(90).unwrap());
    let forms: Vec<char> = ('\u{F900}'..='\u{FAD9}').filter(|form| face.has(*form)).collect();
    assert!(forms.len() > 30, "{forms:?}");
    for form in forms {
        let name = format!("大{form}様");
        assert_eq!(lines(&RenderSpec { font: face.id(), ..spec(&name) }), [name]);
    }
    let lacking = page(&RenderSpec { font: face.id(), ..spec("\u{F902}") });
    assert_eq!((texts(&lacking), kinds(&lacking)), (vec!["車".to_owned()], vec![WarningKind::CharactersReplaced]));
    // U+212B is the letter Å, and the fonts have it under both codes or under one.
    assert!(["\u{212B}", "Å"].contains(&lines(&spec("\u{212B}"))[0].as_str()));
}

#[test]
fn paragraphs_from_right_to_left_begin_at_the_right() {
    let text = "Dear Noa,\nשלום לכולם\nsee you soon";
    let ends = |alignment: Alignment| {
        let page = page(&RenderSpec { alignment, ..spec(text) });
        let edges = page.lines.iter().map(|line| {
            let words = &page.words[line.words.clone()];
            let boxes = words.iter().flat_map(|word| &word.glyphs).map(|glyph| glyph.ink);
            boxes.fold([f64::MAX, f64::MIN], |[left, right], ink| {
                [left.min(ink.min.x.get()), right.max(ink.max.x.get())]
            })
        });
        edges.collect::<Vec<[f64; 2]>>()
    };
    let (start, left, right) = (ends(Alignment::Start), ends(Alignment::Left), ends(Alignment::Right));
    assert_eq!([start[0], start[1], start[2]], [left[0], right[1], left[2]]);
    let of = |members: Value| {
        let mut request = json!({"text": "שלום", "font_id": 87, "font_size": 60});
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        of_request(&request).words[0].pivot.x
    };
    let by_default = of(json!({}));
    assert_eq!(by_default, of(json!({"text_alignment": "start"})));
    assert_eq!(by_default, of(json!({"text_alignment": "right"})));
    assert_ne!(by_default, of(json!({"text_alignment": "left"})));
}

#[test]
fn a_line_without_letters_begins_where_the_line_before_it_does() {
    let address = |text: &str| page(&RenderSpec { font: FontId::new(86).unwrap(), ..spec(text) });
    let right = |page: &PageLayout, line: usize| {
        let words = page.words[page.lines[line].words.clone()].iter();
        words.flat_map(|word| &word.glyphs).map(|glyph| glyph.ink.max.x.get()).fold(f64::MIN, f64::max)
    };
    let hebrew = address("יעקב חדד\n+972-3-555-1234\nהרצל 12");
    assert!((right(&hebrew, 0) - right(&hebrew, 1)).abs() < 3.0, "both end at the right margin");
    let english = address("Ann Lee\n+972-3-555-1234");
    assert!(right(&english, 1) < right(&hebrew, 1) - 300.0);
}

#[test]
fn narrow_spaces_are_seen() {
    let gap = |space: char| {
        let page = page(&RenderSpec { font: FontId::new(20).unwrap(), ..spec(&format!("nn{space}nn")) });
        let [first, second] = page.words.as_slice() else { panic!("{space:?}: {:?}", page.words) };
        ((second.pivot.x - second.width / 2.0) - (first.pivot.x + first.width / 2.0)).get()
    };
    for narrow in ['\u{2006}', '\u{2009}', '\u{200A}', '\u{202F}'] {
        assert!(gap(narrow) > 0.59 * gap(' '), "{narrow:?}");
    }
}

#[test]
fn rows_are_laid_out_within_the_budget_of_work() {
    let long = ["_", ".", "-"].map(|sign| format!("I come with {}\n", sign.repeat(1000))).concat();
    let short = format!("{}\n\n", "_".repeat(30)).repeat(5);
    let cheque = format!(
        "Pay to the order of {} ${}\n{} Dollars\nFor {} Signature {}",
        "_".repeat(30),
        "_".repeat(10),
        "_".repeat(45),
        "_".repeat(20),
        "_".repeat(28)
    );
    let letter =
        format!("{} {}", "Thank you for the lovely afternoon in the garden last Sunday. ".repeat(30), "_".repeat(200));
    for text in [long, short, cheque, letter] {
        for font in [1, 9, 12, 30] {
            for more in [json!({}), json!({"enable_writer_variation": true, "enable_word_rotation": true})] {
                let request = with(&json!({"text": text, "page_size": "a6", "font_id": font}), &more);
                let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
                let made = dry_run(&spec, &CATALOGUE).unwrap_or_else(|error| panic!("{font} {text}: {error}"));
                assert!(made.warnings.iter().any(|warning| warning.kind == WarningKind::RowCut), "{font} {text}");
            }
        }
    }
}

#[test]
fn a_date_to_fill_in_is_one_word() {
    for (text, word) in [
        ("on the trip of ____/____/______.", "____/____/______."),
        ("call ___-___-____ soon", "___-___-____"),
        ("call (__) __-___ soon", "(__) __-___"),
    ] {
        for width in [500, 600, 700, 800] {
            let lines = texts(&page(&narrow(f64::from(width), text)));
            assert!(lines.iter().any(|line| line.contains(word)), "{width}: {lines:?}");
        }
    }
}
