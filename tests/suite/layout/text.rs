//! Any text: where words break, that nothing is lost, and that what the service says of a text that does not fit is so.

use longhand::catalogue::FontId;
use longhand::layout::{LayoutError, PageLayout, lay_out};
use longhand::spec::{Alignment, Effects, FontSize, Margins, Orientation, Overflow, PageFormat, PageSize, RenderSpec};
use longhand::units::{Degrees, Px};
use longhand::warning::WarningKind;
use proptest::prelude::*;

use super::effects::any_effects;
use super::pages::{CATALOGUE, LONG, any_spec, assert_inside, spec, texts};
use crate::sample;

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

fn lines(spec: &RenderSpec) -> Vec<String> {
    texts(&page(spec))
}

fn at(size: u32, spec: &RenderSpec) -> RenderSpec {
    RenderSpec { font_size: FontSize::Fixed(Px::new(f64::from(size))), ..spec.clone() }
}

/// A page whose text area is `width` px wide.
pub(crate) fn narrow(width: f64, text: &str) -> RenderSpec {
    let margin = Px::new(240.0);
    let margins = Margins { left: margin, right: Px::new(2240.0 - width), top: margin, bottom: margin };
    RenderSpec { margins, ..spec(text) }
}

#[test]
fn a_last_line_of_one_word_gets_another_where_that_costs_no_line() {
    let mut kept = 0;
    for number in [1, 2, 12, 41, 77] {
        for words in 12..40 {
            let text =
                LONG.split(' ').cycle().filter(|word| !word.is_empty()).take(words).collect::<Vec<_>>().join(" ");
            let lines = lines(&RenderSpec { font: FontId::new(number).unwrap(), ..narrow(1200.0, &text) });
            assert_eq!(lines.join(" "), text);
            let [.., above, last] = lines.as_slice() else { continue };
            let alone = |text: &str| page(&RenderSpec { font: FontId::new(number).unwrap(), ..narrow(1200.0, text) });
            // A line that could have taken the next word gave it away to keep the last one company.
            let first_word = last.split(' ').next().unwrap();
            if alone(&format!("{above} {first_word}")).lines.len() == 1 {
                assert_eq!(last.split(' ').count(), 2, "{lines:?}");
                kept += 1;
            }
            assert!(last.contains(' ') || above.split(' ').count() <= 3, "font {number}: {lines:?}");
        }
    }
    assert!(kept > 5, "only {kept} widows were met");
}

#[test]
fn a_widow_is_left_where_company_does_not_fit() {
    let mut met = 0;
    for width in (400..900).step_by(10) {
        let lines = lines(&narrow(f64::from(width), "go incomprehensibilities a"));
        if lines[0] == "go incomprehensibilities" {
            assert_eq!(lines[1], "a", "the first line would be all but empty");
            met += 1;
        }
    }
    assert!(met > 0);
}

#[test]
fn long_addresses_break_at_their_natural_points() {
    let url = "https://www.example.com/letters/handwritten/2026/november?customer=1234567890&language=en#second-page";
    let address = "bartholomew.montgomery-featherstonehaugh@correspondence.department.example.com";
    for (text, may_start) in [(url, "/?&=#.-"), (address, ".@-")] {
        for width in [600.0, 900.0, 1300.0] {
            let lines = lines(&narrow(width, text));
            assert!(lines.len() > 1);
            assert_eq!(lines.concat(), text);
            for pair in lines.windows(2) {
                let natural =
                    pair[1].starts_with(|first| may_start.contains(first)) || pair[0].ends_with(['/', '-', '?', ':']);
                assert!(natural, "{lines:?}");
            }
        }
    }
    let mail = lines(&narrow(900.0, "Please write to anna.smith@example.com"));
    assert!(
        mail.iter().any(|line| line.contains("anna.smith@example.com")),
        "what fits a line is not broken: {mail:?}"
    );
}

#[test]
fn spaces_that_do_not_break_do_not_break() {
    for space in ['\u{A0}', '\u{202F}', '\u{2007}'] {
        let text = format!("some words before 100{space}km");
        for width in (300..1000).step_by(20) {
            let lines = lines(&narrow(f64::from(width), &text));
            assert!(!lines.iter().any(|line| line.ends_with("100") || line.starts_with("km")), "{lines:?}");
        }
    }
}

#[test]
fn nothing_is_lost_between_lines_in_any_script() {
    let texts = [
        (87, "שלום לכולם, נפגשנו ב-12 בנובמבר ליד Café Noir. "),
        (90, "今日はとても良い天気ですね。「東京」へ行きました。 "),
        (83, "สวัสดีครับวันนี้อากาศดีมาก "),
        (81, "नमस्ते दुनिया, आप कैसे हैं? "),
        (82, "സ്വാഗതം സുഹൃത്തേ "),
        (89, "안녕하세요, 반갑습니다. "),
        (2, "Nguyễn Ầm thầm, Žluťoučký kůň, Straße. "),
        (1, "Привет, ґанок і їжак. "),
        (17, "Αγαπητή Ελένη, ευχαριστώ. "),
    ];
    for (number, text) in texts {
        let text = text.repeat(12);
        for font in [number, 1, 35] {
            let spec = RenderSpec { font: FontId::new(font).unwrap(), ..narrow(1000.0, &text) };
            let page = page(&spec);
            assert!(page.lines.len() > 2);
            assert_inside(&page, &spec);
            let count = |text: &str| text.chars().filter(|character| !character.is_whitespace()).count();
            assert_eq!(texts_of(&page), count(&text), "font {font}: {text}");
        }
    }
}

/// Characters of all lines, spaces left out.
fn texts_of(page: &PageLayout) -> usize {
    texts(page).concat().chars().filter(|character| !character.is_whitespace()).count()
}

#[test]
fn automatic_size_is_the_largest_with_and_without_effects() {
    let text = LONG.repeat(7);
    let effects = Effects {
        word_rotation: Some(Degrees::new(6.0)),
        random_indentation: Some(Px::new(60.0)),
        ..Effects::default()
    };
    for font in sample::every(3, FontId::bundled()) {
        for (effects, alignment) in [(Effects::default(), Alignment::Left), (effects, Alignment::Center)] {
            let auto = RenderSpec { font, font_size: FontSize::Auto { max: 200 }, effects, alignment, ..spec(&text) };
            let chosen = page(&auto).calculated_font_size.unwrap();
            let fits = |size: u32| lay_out(&at(size, &auto), &CATALOGUE).is_ok();
            assert!(fits(chosen), "font {}: {chosen} does not fit", font.get());
            // All larger ones, not only the next: what fits need not fit at every smaller size.
            for size in chosen + 1..=200 {
                assert!(!fits(size), "font {}: {size} fits as well as {chosen}", font.get());
            }
        }
    }
}

/// Whether a text does not fit. Then the part that is said to fit must do so alone.
fn overflows(spec: &RenderSpec) -> bool {
    let Err(LayoutError::TextOverflow { characters_that_fit, .. }) = lay_out(spec, &CATALOGUE) else { return false };
    let part = RenderSpec { text: spec.text.chars().take(characters_that_fit).collect(), ..spec.clone() };
    assert!(lay_out(&part, &CATALOGUE).is_ok(), "{:?} does not fit: {spec:?}", part.text);
    true
}

#[test]
fn a_part_of_a_word_is_said_to_fit_in_the_font_that_writes_it_alone() {
    // Font 43 lacks the accent, so font 73 writes the whole word; a part without it is in font 43.
    let mut over = 0;
    for text in ["qb\u{E31}", "mwm\u{E31}", "WWW\u{E31}", "dv\u{E31}or"] {
        for size in 150..400 {
            let mut spec = RenderSpec { font: FontId::new(43).unwrap(), ..at(size, &narrow(168.0, text)) };
            spec.margins.bottom = spec.page.px().height - Px::new(940.0);
            over += usize::from(overflows(&spec));
        }
    }
    assert!(over > 100, "{over} are too large");
}

#[test]
fn a_part_of_a_bidirectional_text_is_said_to_fit_in_its_own_order() {
    let text = "\naad(a\u{202E}(00(אa\n0\n\u{2069}\u{202C}\u{202E}jakq 0א(a(a";
    let margins = Margins { left: Px::new(10.0), right: Px::new(10.0), top: Px::new(67.0), bottom: Px::new(67.0) };
    let page = PageFormat { size: PageSize::A6, orientation: Orientation::Portrait };
    let effects = Effects { word_rotation: Some(Degrees::new(4.95)), ..Effects::default() };
    let written =
        RenderSpec { font: FontId::new(42).unwrap(), line_height: 1.06, margins, page, effects, ..spec(text) };
    let over = (380..400).filter(|size| overflows(&at(*size, &written))).count();
    assert!(over > 10, "{over} are too large");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_said_to_fit_fits_when_it_is_sent_back(spec in any_spec(), effects in any_effects(), long: bool) {
        let text = if long { format!("{} {}", spec.text, LONG.repeat(20)) } else { spec.text.clone() };
        let spec = RenderSpec { text, effects, overflow: Overflow::Error, ..spec };
        if let Err(LayoutError::TextOverflow { characters_that_fit, largest_size_that_fits }) = lay_out(&spec, &CATALOGUE) {
            let tried = match spec.font_size {
                FontSize::Fixed(size) => size.get() as u32,
                FontSize::Auto { .. } => 12,
            };
            let prefix: String = spec.text.chars().take(characters_that_fit).collect();
            let shorter = RenderSpec { text: prefix, ..at(tried, &spec) };
            prop_assert!(lay_out(&shorter, &CATALOGUE).is_ok(), "{} characters do not fit: {:?}", characters_that_fit, spec);
            match largest_size_that_fits {
                Some(size) => {
                    prop_assert!(lay_out(&at(size, &spec), &CATALOGUE).is_ok(), "{size} does not fit: {spec:?}");
                    for larger in [size + 1, size + 2, size + 7, tried] {
                        let fits = larger <= tried && lay_out(&at(larger, &spec), &CATALOGUE).is_ok();
                        prop_assert!(!fits, "{larger} fits: {spec:?}");
                    }
                }
                None => prop_assert!(lay_out(&at(12, &spec), &CATALOGUE).is_err(), "12 fits: {spec:?}"),
            }
        }
    }

    #[test]
    fn substitutions_and_omissions_are_told(text in "[a-zА-яぁ-ん가-나ก-ฮ😀-😎 ]{1,60}", number in 1_u16..=90) {
        let spec = RenderSpec { font: FontId::new(number).unwrap(), ..spec(&text) };
        let page = page(&spec);
        let told = |kind| page.warnings.iter().any(|warning| warning.kind == kind);
        prop_assert_eq!(told(WarningKind::FontSubstituted), page.glyphs().any(|glyph| glyph.font != spec.font));
        let drawn = |character: char| CATALOGUE.faces().any(|face| face.has(character));
        prop_assert_eq!(told(WarningKind::CharactersOmitted), text.contains(|c| c > '\u{1F000}' && !drawn(c)));
    }
}
