//! Every character there is, and texts made to hurt: a page or a reason, ink inside the margins, and no long wait.

use std::time::{Duration, Instant};

use longhand::catalogue::FontId;
use longhand::layout::{LayoutError, PageLayout, lay_out};
use longhand::spec::{FontSize, Overflow, RenderSpec};
use longhand::warning::WarningKind;
use proptest::prelude::*;
use serde_json::json;

use super::rendered::try_render;
use crate::layout::pages::{CATALOGUE, LONG, assert_inside, spec};

/// The longest text of the contract.
const MOST: usize = 10_000;

/// How many plain pages of as many characters any text may cost.
const MOST_PLAIN_PAGES: u32 = 5;

fn automatic(font: FontId, text: &str) -> RenderSpec {
    RenderSpec { font, font_size: FontSize::Auto { max: 200 }, ..spec(text) }
}

/// Fails unless the page, or the reason why there is none, is a good one. Gives the characters that are refused.
fn judged(spec: &RenderSpec) -> Vec<char> {
    match lay_out(spec, &CATALOGUE) {
        Ok(page) => {
            assert_inside(&page, spec);
            assert!(page.words.iter().any(|word| !word.glyphs.is_empty()) || tells_why_empty(&page));
            Vec::new()
        }
        Err(LayoutError::UnsupportedCharacters(refused)) => {
            for each in &refused {
                assert_eq!(spec.text.chars().nth(each.position), Some(each.character));
                let drawn = CATALOGUE.faces().any(|face| face.has(each.character));
                assert!(!drawn, "U+{:04X} is refused", u32::from(each.character));
            }
            refused.iter().map(|each| each.character).collect()
        }
        Err(LayoutError::TextOverflow { characters_that_fit, .. }) => {
            assert!(characters_that_fit < spec.text.chars().count());
            Vec::new()
        }
        Err(error @ (LayoutError::UnusableFont(_) | LayoutError::Stopped(_))) => panic!("{error}"),
    }
}

fn tells_why_empty(page: &PageLayout) -> bool {
    page.warnings.iter().any(|warning| warning.kind == WarningKind::NothingToWrite)
}

#[test]
fn every_character_of_unicode_is_written_left_out_or_refused_by_name() {
    let all: Vec<char> = ('\0'..=char::MAX).collect();
    assert_eq!(all.len(), 1_112_064);
    let (mut refused, mut pages) = (0, 0);
    for (index, part) in all.chunks(MOST).enumerate() {
        // Every seventh, so that neighbouring planes are written in fonts of different kinds.
        let font = FontId::new((index * 7 % 90 + 1) as u16).unwrap();
        let text: String = part.iter().collect();
        let unsupported = judged(&automatic(font, &text));
        refused += unsupported.len();
        let unsupported: std::collections::HashSet<char> = unsupported.into_iter().collect();
        let rest: String = part.iter().filter(|character| !unsupported.contains(character)).collect();
        if rest.is_empty() {
            continue;
        }
        let clipped = RenderSpec { overflow: Overflow::Clip, ..RenderSpec { font, ..spec(&rest) } };
        assert!(judged(&clipped).is_empty(), "what is left after all refusals is written");
        judged(&automatic(font, &rest));
        pages += 1;
    }
    assert!(pages > 80 && refused > 100_000, "{pages} pages, {refused} characters refused");
}

#[test]
fn every_font_writes_what_any_font_has() {
    let drawn: Vec<char> =
        ('\0'..=char::MAX).filter(|character| CATALOGUE.faces().any(|face| face.has(*character))).collect();
    assert!(drawn.len() > 20_000);
    for font in FontId::bundled() {
        // Another sample for every font, from all over the list.
        let start = usize::from(font.get()) * 37;
        let text: String = drawn.iter().skip(start % 97).step_by(97).flat_map(|character| [*character, ' ']).collect();
        let clipped = RenderSpec { overflow: Overflow::Clip, font, ..automatic(font, &text) };
        assert!(judged(&clipped).is_empty(), "font {}", font.get());
        assert!(
            judged(&RenderSpec { overflow: Overflow::Clip, font, ..spec(&text) }).is_empty(),
            "font {}",
            font.get()
        );
    }
}

fn hostile_texts() -> Vec<(&'static str, String)> {
    let zalgo = |marks: u32| {
        "a".chars().chain((0..marks).filter_map(|index| char::from_u32(0x300 + index % 0x40))).collect::<String>()
    };
    vec![
        ("500 marks on a letter", zalgo(500)),
        ("20 such letters", zalgo(499).repeat(20)),
        ("newlines", "\n".repeat(MOST)),
        ("lines of one letter", "a\n".repeat(MOST / 2)),
        ("one word", "w".repeat(MOST)),
        ("spaces", " ".repeat(MOST)),
        ("no-break spaces", "\u{A0}".repeat(MOST)),
        ("letters between no-break spaces", "a\u{A0}".repeat(MOST / 2)),
        ("soft hyphens", "\u{AD}".repeat(MOST)),
        ("letters between soft hyphens", "a\u{AD}".repeat(MOST / 2)),
        ("joiners", "\u{200D}".repeat(MOST)),
        ("overrides", "\u{202E}abc\u{2066}שלום\u{202D}12".repeat(700)),
        ("nested embeddings", "\u{202B}a\u{202A}b".repeat(MOST / 4)),
        ("one mark", "\u{301}".repeat(MOST)),
        ("marks on spaces", " \u{301}".repeat(MOST / 2)),
        ("an address", format!("https://{}", "abc.de/f?g=h&".repeat(700))),
        ("kerned capitals", "AV".repeat(MOST / 2)),
        ("two scripts by turns", "aя".repeat(MOST / 2)),
        ("three fonts by turns", "aяש ".repeat(MOST / 4)),
        ("Thai without a space", "สวัสดีครับ".repeat(MOST / 10)),
        ("viramas", "क्".repeat(MOST / 2)),
        ("emoji", "😀".repeat(MOST)),
    ]
}

/// How long it takes on this machine, with whatever that does beside.
#[expect(clippy::disallowed_methods, reason = "what the machine really takes is the matter here")]
fn taken(action: &dyn Fn()) -> Duration {
    let start = Instant::now();
    action();
    start.elapsed()
}

#[test]
fn no_text_costs_more_than_five_plain_pages() {
    let plain = json!({"text": LONG.repeat(110)[..MOST]});
    let plain_page = || taken(&|| assert!(try_render(&plain).is_some()));
    let page = plain_page().min(plain_page()).min(plain_page());
    let mut pages = 0;
    for (name, text) in hostile_texts() {
        for number in [1, 12, 87] {
            let font = FontId::new(number).unwrap();
            judged(&automatic(font, &text));
            for request in [
                json!({"text": text, "font_id": number}),
                json!({"text": text, "font_id": number, "font_size": 12, "overflow": "clip"}),
            ] {
                let is_cheap = (0..12).any(|turn| {
                    // The machine may have become slower: then by turns with the plain page.
                    let page = if turn < 4 { page } else { plain_page() };
                    let hostile = taken(&|| {
                        try_render(&request);
                    });
                    hostile <= page * MOST_PLAIN_PAGES
                });
                assert!(is_cheap, "{name} in font {number}; a plain page takes {page:?}");
                pages += 1;
            }
        }
    }
    assert_eq!(pages, hostile_texts().len() * 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_characters_in_any_order_end_in_a_page_or_a_reason(
        characters in proptest::collection::vec(any::<char>(), 1..600),
        blocks in proptest::collection::vec((0_u32..0x3100, 1_u32..0x40), 1..12),
        number in 1_u16..=90,
    ) {
        let font = FontId::new(number).unwrap();
        let text: String = characters.iter().collect();
        judged(&automatic(font, &text));
        let near: String = blocks.iter().flat_map(|(first, count)| (*first..first + count).filter_map(char::from_u32)).collect();
        let refused = judged(&automatic(font, &near));
        let rest: String = near.chars().filter(|character| !refused.contains(character)).collect();
        let clipped = RenderSpec { overflow: Overflow::Clip, font, ..spec(&format!("a{rest}")) };
        prop_assert!(judged(&clipped).is_empty());
    }
}
