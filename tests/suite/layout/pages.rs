//! Pages laid out: where lines stand, what fits, and what is said of what does not.

use std::sync::LazyLock;

use longhand::catalogue::{FontCatalogue, FontId};
use longhand::layout::{LayoutError, PageLayout, PlacedGlyph, PlacedWord, lay_out, lay_out_pages_within};
use longhand::spec::{
    Alignment, Endpoint, FontSize, GenerationKind, Kerning, Margins, Orientation, Overflow, PageFormat, PageSize,
    RenderSpec, VerticalAlignment, parse_value,
};
use longhand::units::{Degrees, Px};
use longhand::warning::WarningKind;
use longhand::work::WorkMeter;
use proptest::prelude::*;
use serde_json::json;

use super::effects::turned_extent;

pub(crate) static CATALOGUE: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());

/// The pages of a text, with unlimited work.
pub(crate) fn lay_out_pages(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<Vec<PageLayout>, LayoutError> {
    lay_out_pages_within(spec, catalogue, &WorkMeter::default())
}

/// A text with all defaults of the contract, at 60 px.
pub(crate) fn spec(text: &str) -> RenderSpec {
    // The layout is asked for texts, too, that no request may have.
    let defaults = parse_value(&json!({"text": "x", "font_size": 60}), Endpoint::Generate, || 1).unwrap();
    RenderSpec { text: text.to_owned(), ..defaults }
}

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

fn baselines(text: &str) -> Vec<f64> {
    page(&spec(text)).lines.iter().map(|line| line.baseline.get()).collect()
}

/// Text of the lines, their runs joined.
pub(crate) fn texts(page: &PageLayout) -> Vec<String> {
    page.lines.iter().map(|line| line.runs.iter().map(|run| run.text.as_str()).collect()).collect()
}

/// Left, top, right and bottom of all ink.
pub(crate) fn ink(page: &PageLayout) -> [f64; 4] {
    extent(page.glyphs())
}

pub(crate) fn extent<'a>(glyphs: impl Iterator<Item = &'a PlacedGlyph>) -> [f64; 4] {
    glyphs.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |[left, top, right, bottom], glyph| {
        let ink = glyph.ink;
        [left.min(ink.min.x.get()), top.min(ink.min.y.get()), right.max(ink.max.x.get()), bottom.max(ink.max.y.get())]
    })
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

/// The message of the page's warning of this kind.
pub(crate) fn warning(page: &PageLayout, kind: WarningKind) -> Option<&str> {
    page.warnings.iter().find(|warning| warning.kind == kind).map(|warning| warning.message.as_str())
}

fn font(number: u16) -> FontId {
    FontId::new(number).unwrap()
}

pub(crate) const LONG: &str =
    "The quick brown fox jumps over the lazy dog, and nobody saw it but the old cat by the fire. ";

#[test]
fn lines_are_one_pitch_apart_and_paragraphs_half_a_pitch_more() {
    let lines = baselines("a\nb\n\nc\n\n\nd\n\n\n\ne");
    let steps: Vec<f64> = lines.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for (step, expected) in steps.iter().zip([120.0, 180.0, 300.0, 420.0]) {
        assert!(near(*step, expected), "{steps:?}");
    }
    assert_eq!(steps.len(), 4);
}

#[test]
fn paragraph_spacing_is_added_to_the_pitch() {
    let wide = RenderSpec { paragraph_spacing: Some(Px::new(500.0)), line_height: 1.5, ..spec("a\n\nb\nc") };
    let lines: Vec<f64> = page(&wide).lines.iter().map(|line| line.baseline.get()).collect();
    assert!(near(lines[1] - lines[0], 590.0) && near(lines[2] - lines[1], 90.0), "{lines:?}");
}

#[test]
fn the_first_baseline_is_one_ink_ascent_below_the_margin() {
    for number in 1..=90 {
        let face = CATALOGUE.face(font(number));
        let ascent = face.ink_ascent().to_px(Px::new(60.0), face.units_per_em());
        let low = page(&RenderSpec { font: font(number), ..spec("a") });
        assert!(near(low.lines[0].baseline.get(), 240.0 + ascent.get()), "font {number}");
    }
}

#[test]
fn accents_above_the_margin_move_the_whole_text_down() {
    let plain = page(&spec("hold\nhold"));
    let stacked = page(&spec("h\u{302}\u{301}\u{301}\u{301}old\nhold"));
    assert!(near(ink(&stacked)[1], 240.0), "{:?}", ink(&stacked));
    let down = stacked.lines[0].baseline - plain.lines[0].baseline;
    assert!(down.get() > 1.0);
    assert!(near((stacked.lines[1].baseline - plain.lines[1].baseline).get(), down.get()));
}

#[test]
fn a_line_whose_ink_would_leave_the_left_margin_starts_further_right() {
    let page = page(&RenderSpec { font: font(64), ..spec("jam\nnow") });
    let lines: Vec<[f64; 4]> = page
        .lines
        .iter()
        .map(|line| extent(page.words[line.words.clone()].iter().flat_map(|word| &word.glyphs)))
        .collect();
    assert!(near(lines[0][0], 240.0), "j reaches 0.46 em to the left: {lines:?}");
    assert!(near(page.lines[1].runs[0].origin.x.get(), 240.0));
    assert!(page.lines[0].runs[0].origin.x.get() > 240.0 + 20.0);
}

#[test]
fn centred_ink_is_centred_line_by_line() {
    let page = page(&RenderSpec { alignment: Alignment::Center, ..spec("jolly\na much longer line\nto") });
    for line in &page.lines {
        let [left, _, right, _] = extent(page.words[line.words.clone()].iter().flat_map(|word| &word.glyphs));
        assert!(near(left + right, 2480.0), "{left} {right}");
    }
}

#[test]
fn a_line_is_as_long_as_fits() {
    let text = LONG.repeat(8);
    let page = page(&spec(&text));
    let lines = texts(&page);
    assert_eq!(lines.join(" "), text.trim_end());
    for pair in lines.windows(2) {
        let next = pair[1].split(' ').next().unwrap();
        let longer = format!("{} {next}", pair[0]);
        let alone = lay_out(&spec(&longer), &CATALOGUE).unwrap();
        assert_eq!(alone.lines.len(), 2, "{longer:?} fits one line");
    }
}

#[test]
fn spaces_at_a_wrap_hang() {
    let text = LONG.repeat(3);
    assert!(texts(&page(&spec(&text))).iter().all(|line| !line.starts_with(' ') && !line.ends_with(' ')));
}

#[test]
fn word_spacing_widens_every_space() {
    let origins = |spacing: f64, text: &str| -> Vec<f64> {
        let page = page(&RenderSpec { word_spacing: Px::new(spacing), ..spec(text) });
        page.glyphs().map(|glyph| glyph.origin.x.get()).collect()
    };
    for text in ["n n n", "n\u{A0}n\u{A0}n"] {
        let (close, wide) = (origins(0.0, text), origins(100.0, text));
        for (index, (close, wide)) in close.iter().zip(&wide).enumerate() {
            assert!(near(wide - close, 100.0 * index as f64), "{text:?}");
        }
    }
}

#[test]
fn kerning_off_spaces_pairs_by_their_advances_alone() {
    // GPOS kerning (1), and fonts with nothing but the old kern table (35, 41, 49).
    let mut kerned = 0;
    for number in [1, 35, 41, 49] {
        let face = CATALOGUE.face(font(number));
        let width = |text: &str, kerning| {
            let page = page(&RenderSpec {
                font: font(number),
                kerning,
                font_size: FontSize::Fixed(Px::new(100.0)),
                ..spec(text)
            });
            let glyphs: Vec<_> = page.glyphs().copied().collect();
            (glyphs[glyphs.len() - 1].origin.x - glyphs[0].origin.x).get()
        };
        for pair in ["AV", "To", "VA", "Ty", "LT", "P."] {
            let off = width(pair, Kerning::Off);
            kerned += usize::from(!near(width(pair, Kerning::Pairs), off));
            let first = pair.chars().next().unwrap();
            // Between two of the same letter in a row no pair is left either: "AA" gives the bare advance.
            let bare = width(&format!("{first}{first}"), Kerning::Off);
            if number != 1 {
                assert!(near(off, bare), "font {} {pair}", face.slug());
            }
        }
    }
    assert!(kerned >= 6, "only {kerned} pairs are kerned at all");
}

#[test]
fn a_soft_hyphen_shows_only_where_it_breaks() {
    let narrow = |text: &str| {
        let margins =
            Margins { left: Px::new(240.0), right: Px::new(1800.0), top: Px::new(240.0), bottom: Px::new(240.0) };
        texts(&page(&RenderSpec { margins, font_size: FontSize::Fixed(Px::new(100.0)), ..spec(text) }))
    };
    let lines = narrow("Gesell\u{AD}schafts\u{AD}kapitän");
    assert!(lines.len() > 1, "{lines:?}");
    for line in &lines[..lines.len() - 1] {
        assert!(line.ends_with('\u{2010}') || line.ends_with('-'), "{lines:?}");
    }
    let with = page(&spec("so\u{AD}ft"));
    let without = page(&spec("soft"));
    assert_eq!(with.glyphs().count(), without.glyphs().count());
}

#[test]
fn hyphens_and_spaces_that_a_font_lacks_are_stood_in_for() {
    for number in 1..=90 {
        let page = page(&RenderSpec { font: font(number), ..spec("a\u{A0}b\u{2011}c\u{202F}d\u{2009}e") });
        assert_eq!(page.warnings, [], "font {number}");
        assert_eq!(page.glyphs().count(), 6, "font {number}");
        assert!(page.glyphs().all(|glyph| glyph.font == font(number) && glyph.glyph.0 != 0));
    }
}

#[test]
fn emoji_are_left_out_with_a_warning() {
    let page = page(&spec("Hello 👨‍👩‍👧 there\u{7}"));
    assert_eq!(texts(&page), ["Hello there"]);
    let message = warning(&page, WarningKind::CharactersOmitted).unwrap();
    assert!(message.contains("👨 (U+1F468)") && message.contains("U+0007"), "{message}");
    assert!(page.glyphs().all(|glyph| glyph.glyph.0 != 0));
}

#[test]
fn letters_that_no_font_has_are_refused_by_name() {
    let error = lay_out(&spec("ab𓀀"), &CATALOGUE).unwrap_err();
    assert_eq!(error.to_string(), "no font can write 𓀀 (U+13000) at position 2; remove or replace");
}

#[test]
fn a_text_of_blanks_is_an_empty_page_with_a_warning() {
    for text in [" ", "\n\n\t\r\n", "😀"] {
        let page = page(&spec(text));
        assert_eq!((page.words.len(), page.lines.len()), (0, 0));
        assert!(warning(&page, WarningKind::NothingToWrite).is_some());
    }
    for text in ["\u{A0}", "\u{200B}\n\u{AD}", "\u{202A}\u{202C}", "\u{FE0F}", "\u{2062}"] {
        assert!(warning(&page(&spec(text)), WarningKind::NothingToWrite).is_some(), "{text:?}");
    }
    for text in ["a\u{AD}b", "a\u{200B}b", "a\u{200D}b"] {
        assert_eq!(page(&spec(text)).warnings, [], "{text:?}");
    }
}

#[test]
fn text_that_does_not_fit_is_refused_with_the_size_that_does() {
    let text = LONG.repeat(60);
    let error = lay_out(&spec(&text), &CATALOGUE).unwrap_err();
    let LayoutError::TextOverflow { characters_that_fit, largest_size_that_fits: Some(size) } = error else {
        panic!("{error}")
    };
    assert!(characters_that_fit > 500 && characters_that_fit < text.len());
    let at = |size: u32| {
        lay_out(&RenderSpec { font_size: FontSize::Fixed(Px::new(f64::from(size))), ..spec(&text) }, &CATALOGUE)
    };
    assert!(at(size).is_ok());
    assert!((size + 1..=60).all(|size| at(size).is_err()));
    let fitting: String = text.chars().take(characters_that_fit).collect();
    assert!(lay_out(&spec(&fitting), &CATALOGUE).is_ok());
}

#[test]
fn shrinking_uses_the_size_that_fits_and_says_so() {
    let text = LONG.repeat(60);
    let shrunk = page(&RenderSpec { overflow: Overflow::Shrink, ..spec(&text) });
    assert!(shrunk.font_size < Px::new(60.0));
    assert_eq!(shrunk.calculated_font_size, None);
    let message = warning(&shrunk, WarningKind::FontShrunk).unwrap();
    assert!(message.contains(&format!("written at {}", shrunk.font_size.get())), "{message}");
}

#[test]
fn clipping_counts_what_it_cuts() {
    let text = LONG.repeat(60);
    let clipped = page(&RenderSpec { overflow: Overflow::Clip, ..spec(&text) });
    let written: usize = texts(&clipped).iter().map(|line| line.chars().count() + 1).sum();
    let cut = text.trim_end().len() - written;
    let message = warning(&clipped, WarningKind::TextClipped).unwrap();
    assert!(message.contains(&format!(" {cut} of its {}", text.trim_end().len())), "{message}, {cut}");
    assert!(near(clipped.font_size.get(), 60.0));
}

#[test]
fn a_grapheme_wider_than_the_page_is_an_overflow_or_counted() {
    let margins = Margins { left: Px::new(1150.0), right: Px::new(1150.0), top: Px::ZERO, bottom: Px::ZERO };
    let big = RenderSpec { margins, font_size: FontSize::Fixed(Px::new(400.0)), ..spec("WillW") };
    assert!(matches!(lay_out(&big, &CATALOGUE), Err(LayoutError::TextOverflow { characters_that_fit: 0, .. })));
    let clipped = page(&RenderSpec { overflow: Overflow::Clip, ..big });
    assert!(warning(&clipped, WarningKind::TextClipped).unwrap().contains("2 of its 5"), "{:?}", clipped.warnings);
}

#[test]
fn automatic_size_is_the_largest_that_fits() {
    for (number, text) in [(1, LONG.repeat(12)), (41, LONG.repeat(3)), (77, "Happy\nbirthday!".to_owned())] {
        let auto = RenderSpec { font: font(number), font_size: FontSize::Auto { max: 200 }, ..spec(&text) };
        let chosen = page(&auto).calculated_font_size.unwrap();
        let fits = |size: u32| {
            let fixed = RenderSpec { font_size: FontSize::Fixed(Px::new(f64::from(size))), ..auto.clone() };
            lay_out(&fixed, &CATALOGUE).is_ok()
        };
        let largest = (12..=200).rev().find(|size| fits(*size)).unwrap();
        assert_eq!(chosen, largest, "font {number}");
    }
}

#[test]
fn a_text_that_fits_at_no_size_overflows() {
    let text = LONG.repeat(108);
    let small = PageFormat { size: PageSize::A6, orientation: Orientation::Portrait };
    let auto = RenderSpec { page: small, font_size: FontSize::Auto { max: 200 }, ..spec(&text) };
    let error = lay_out(&auto, &CATALOGUE).unwrap_err();
    assert!(
        matches!(error, LayoutError::TextOverflow { largest_size_that_fits: None, characters_that_fit } if characters_that_fit > 100)
    );
}

#[test]
fn blanks_at_the_ends_of_lines_take_no_room_from_the_automatic_size() {
    let text = format!("a{}b", "\u{a0}\u{2003}\u{3000} ".repeat(1800));
    for alignment in [Alignment::Left, Alignment::Center, Alignment::Right] {
        for spacing in [0.0, 60.0] {
            let (word_spacing, font_size) = (Px::new(spacing), FontSize::Auto { max: 60 });
            let found = page(&RenderSpec { alignment, word_spacing, font_size, ..spec(&text) });
            assert_eq!(found.calculated_font_size, Some(60), "{alignment:?} {spacing}");
        }
    }
}

#[test]
fn pages_hold_the_whole_text_between_them() {
    let text = LONG.repeat(60);
    let paginated = RenderSpec { overflow: Overflow::Paginate, ..spec(&text) };
    let pages = lay_out_pages(&paginated, &CATALOGUE).unwrap();
    assert!(pages.len() > 1);
    let all: Vec<String> = pages.iter().flat_map(texts).collect();
    assert_eq!(all.join(" "), text.trim_end());
    for page in &pages {
        let [left, top, right, bottom] = ink(page);
        assert!(left > 239.999 && top > 239.999 && right < 2240.001 && bottom < 3268.001);
    }
    assert!(near(pages[0].lines[0].baseline.get(), pages[1].lines[0].baseline.get()));
    assert!(matches!(lay_out(&paginated, &CATALOGUE), Err(LayoutError::TextOverflow { .. })));
}

#[test]
fn a_wrapped_address_line_is_named() {
    let address =
        "Mr. Test\n123 An Extraordinarily Long Street Name That Cannot Possibly Fit One Line Of An Envelope\nTown";
    let envelope = RenderSpec {
        kind: GenerationKind::Address,
        page: PageFormat { size: PageSize::Envelope10, orientation: Orientation::Portrait },
        ..spec(address)
    };
    let page = page(&envelope);
    let message = warning(&page, WarningKind::LineWrapped).unwrap();
    assert!(message.starts_with("line 2 of the address had to wrap: \"123 An"), "{message}");
    assert_eq!(page.warnings.len(), 1);
}

#[test]
fn hebrew_runs_from_right_to_left_and_numbers_do_not() {
    let page = page(&RenderSpec { font: font(87), ..spec("שלום 123 abc") });
    let runs = &page.lines[0].runs;
    let texts: Vec<&str> = runs.iter().map(|run| run.text.trim()).filter(|text| !text.is_empty()).collect();
    assert_eq!(texts, ["abc", "123", "שלום"]);
    assert!(runs.windows(2).all(|pair| pair[0].origin.x < pair[1].origin.x));
    assert!(page.glyphs().map(|glyph| glyph.origin.x.get()).is_sorted());
    assert_eq!(page.words.len(), 3);
}

#[test]
fn a_word_turns_about_the_middle_of_its_baseline() {
    let page = page(&spec("Hello world"));
    assert_eq!(page.words.len(), 2);
    for word in &page.words {
        let [left, _, right, _] = extent(word.glyphs.iter());
        assert!(word.pivot.x.get() > left && word.pivot.x.get() < right);
        assert_eq!(word.pivot.y, page.lines[0].baseline);
        assert!(near(word.rotation.get(), 0.0));
    }
}

#[test]
fn thai_and_japanese_wrap_without_spaces() {
    for (number, text) in
        [(83, "สวัสดีครับวันนี้อากาศดีมากไม่เป็นไร".repeat(6)), (90, "今日はとても良い天気ですね。".repeat(12))]
    {
        let page = page(&RenderSpec { font: font(number), ..spec(&text) });
        assert!(page.lines.len() > 1);
        assert!(texts(&page).iter().all(|line| !line.starts_with('。')));
        assert_eq!(texts(&page).concat(), text);
    }
}

#[test]
fn hostile_texts_end_quickly_in_a_page_or_a_reason() {
    let marks: String =
        "a".chars().chain((0..500).map(|index| char::from_u32(0x300 + index % 0x40).unwrap())).collect();
    let overrides = "\u{202E}abc\u{2066}שלום\u{202D}12".repeat(300);
    let texts = [
        marks,
        "\n".repeat(10_000),
        "a\n".repeat(5_000),
        "w".repeat(10_000),
        " ".repeat(10_000),
        "\u{A0}".repeat(10_000),
        "\u{AD}".repeat(10_000),
        "\u{200D}".repeat(10_000),
        overrides,
        "a\u{AD}".repeat(5_000),
        "- ".repeat(5_000),
        "\u{301}".repeat(3_000),
    ];
    for text in texts {
        for number in [1, 77, 87] {
            for size in [FontSize::Fixed(Px::new(400.0)), FontSize::Auto { max: 60 }] {
                for overflow in [Overflow::Shrink, Overflow::Clip] {
                    let hostile = RenderSpec { font: font(number), font_size: size, overflow, ..spec(&text) };
                    if let Ok(page) = lay_out(&hostile, &CATALOGUE) {
                        assert_inside(&page, &hostile);
                    }
                }
            }
        }
    }
}

#[test]
fn a_variation_selector_makes_no_box_of_what_is_written_otherwise() {
    // Spaces that few fonts have, letters that shapers make of their parts, and several selectors.
    let text = "a\u{A0}\u{FE0F}b\u{2003}\u{FE00}\u{FE0F}c u\u{324}\u{FE0F} e\u{301}\u{FE01} \u{FE0F}d 1\u{FE0F} u\u{324}\u{FE0F}\u{324}\u{FE0F}";
    for number in 1..=90 {
        let chosen = RenderSpec { font: font(number), ..spec(text) };
        assert_inside(&lay_out(&chosen, &CATALOGUE).unwrap(), &chosen);
    }
}

/// How exactly the ink of a word is placed, in px: turned ink is measured by chords that lie within a 40,000th of the em
/// of its curves.
pub(crate) fn within(word: &PlacedWord) -> f64 {
    let largest = word.glyphs.iter().map(|glyph| glyph.em.get()).fold(0.0, f64::max);
    1e-6 + if word.rotation == Degrees::ZERO { 0.0 } else { largest / 40_000.0 }
}

/// No ink outside the margins, no box, and every glyph in a line.
pub(crate) fn assert_inside(page: &PageLayout, spec: &RenderSpec) {
    let margins = spec.margins;
    let (right, bottom) = (page.size.width - margins.right, page.size.height - margins.bottom);
    for word in &page.words {
        let straight = word.rotation == Degrees::ZERO;
        let ink = if straight { extent(word.glyphs.iter()) } else { turned_extent(word) };
        let close = within(word);
        let inside = ink[0] >= margins.left.get() - close
            && ink[2] <= right.get() + close
            && ink[1] >= margins.top.get() - close
            && ink[3] <= bottom.get() + close;
        assert!(inside, "{word:?} leaves the text area of {spec:?}");
        assert!(word.glyphs.iter().all(|glyph| glyph.glyph.0 != 0), "a box in {spec:?}");
    }
    let words: usize = page.lines.iter().map(|line| line.words.len()).sum();
    assert_eq!(words, page.words.len());
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,400}",
        "[a-zA-Z ,.\n]{1,600}",
        "\\PC{1,120}",
        "[a-zא-ת0-9 ()\u{202E}\u{202C}\u{2067}\u{2069}\n]{1,200}",
        "[ก-ฺเ-๎a-z \u{AD}]{1,200}",
        "[क-हा-्ി-്ക-ഹ\u{200D} ]{1,200}",
        "[à-ſ\u{300}-\u{36F}\u{2000}-\u{200F} ]{1,120}",
        "[ぁ-ん一-十가-힣、。「」]{1,200}",
    ]
}

pub(crate) fn any_spec() -> impl Strategy<Value = RenderSpec> {
    let size = prop_oneof![
        (12_u32..=400).prop_map(|size| FontSize::Fixed(Px::new(f64::from(size)))),
        (20_u32..=400).prop_map(|max| FontSize::Auto { max }),
    ];
    let overflow = prop_oneof![Just(Overflow::Error), Just(Overflow::Shrink), Just(Overflow::Clip)];
    let alignment = (
        prop::sample::select(vec![Alignment::Left, Alignment::Center, Alignment::Right]),
        prop::sample::select(vec![VerticalAlignment::Top, VerticalAlignment::Center, VerticalAlignment::Bottom]),
    );
    let kerning = prop_oneof![Just(Kerning::Pairs), Just(Kerning::Off)];
    let lengths = (0.5_f64..4.0, 0_u32..600, 0_u32..600, 0_u32..400);
    (any_text(), 1_u16..=90, size, overflow, alignment, kerning, lengths).prop_map(
        |(text, number, font_size, overflow, alignment, kerning, (line_height, across, down, spacing))| {
            let (alignment, vertical_alignment) = alignment;
            let (across, down) = (Px::new(f64::from(across)), Px::new(f64::from(down)));
            RenderSpec {
                font: font(number),
                font_size,
                overflow,
                alignment,
                vertical_alignment,
                kerning,
                line_height,
                word_spacing: Px::new(f64::from(spacing)),
                margins: Margins { left: across, right: across, top: down, bottom: down },
                page: PageFormat { size: PageSize::A6, orientation: Orientation::Portrait },
                ..spec(&text)
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ink_never_leaves_the_margins(spec in any_spec()) {
        if let Ok(page) = lay_out(&spec, &CATALOGUE) {
            assert_inside(&page, &spec);
            let again = lay_out(&spec, &CATALOGUE).unwrap();
            prop_assert_eq!(page, again);
        }
    }
}

#[test]
fn the_last_page_has_some_text_beside_the_closing() {
    let mut moved = 0;
    for words in (20..900).step_by(13) {
        let body = "kindly ".repeat(words);
        for (closing, wanted) in [("\n\nYours,\nTom", 4), ("", 2)] {
            let mut spec = spec(&format!("{}{closing}", body.trim_end()));
            spec.overflow = Overflow::Paginate;
            let pages = lay_out_pages(&spec, &CATALOGUE).unwrap();
            let lines: Vec<usize> = pages.iter().map(|page| page.lines.len()).collect();
            let [.., before, last] = lines.as_slice() else { continue };
            assert!(*last >= wanted && *before >= 2, "{words} words: {lines:?}");
            moved += usize::from(lines.first() > Some(before));
            let baselines: Vec<f64> = pages.last().unwrap().lines.iter().map(|line| line.baseline.get()).collect();
            let first = pages[0].lines[0].baseline.get();
            assert!(near(baselines[0], first) && baselines.is_sorted(), "{words} words: {baselines:?}");
        }
    }
    assert!(moved > 2, "{moved} texts needed it");
}
