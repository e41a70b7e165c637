//! Alignment by ink: lines that end at the right margin, and pages whose ink is centred or stands at the bottom.

use longhand::catalogue::FontId;
use longhand::layout::{PageLayout, PlacedLine, lay_out};
use longhand::spec::{
    Alignment, Effects, FontSize, Kerning, Margins, Overflow, RenderSpec, VerticalAlignment, WriterVariation,
};
use longhand::units::{Degrees, Px};
use proptest::prelude::*;

use super::effects::{any_effects, turned_extent};
use super::pages::{CATALOGUE, LONG, any_spec, assert_inside, lay_out_pages, spec, within};

const ALIGNMENTS: [VerticalAlignment; 3] =
    [VerticalAlignment::Top, VerticalAlignment::Center, VerticalAlignment::Bottom];

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

fn right(text: &str) -> RenderSpec {
    RenderSpec { alignment: Alignment::Right, ..spec(text) }
}

/// Left, top, right and bottom of the ink of words, after their rotation.
fn ink(page: &PageLayout, words: std::ops::Range<usize>) -> [f64; 4] {
    page.words[words]
        .iter()
        .map(turned_extent)
        .fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |[left, top, right, bottom], ink| {
            [left.min(ink[0]), top.min(ink[1]), right.max(ink[2]), bottom.max(ink[3])]
        })
}

fn ink_of(page: &PageLayout, line: &PlacedLine) -> [f64; 4] {
    ink(page, line.words.clone())
}

fn all_ink(page: &PageLayout) -> [f64; 4] {
    ink(page, 0..page.words.len())
}

fn near(one: f64, other: f64, within: f64) -> bool {
    (one - other).abs() <= within
}

#[test]
fn right_aligned_ink_ends_at_the_margin_line_by_line() {
    let turned = Effects { word_rotation: Some(Degrees::new(8.0)), ..Effects::default() };
    for effects in [Effects::default(), turned] {
        let page = page(&RenderSpec { effects, ..right(&format!("jolly\n{}\nto f", LONG.repeat(6))) });
        assert!(page.lines.len() > 5);
        for line in &page.lines {
            assert!(near(ink_of(&page, line)[2], 2240.0, 0.011), "{:?}", ink_of(&page, line));
        }
    }
}

#[test]
fn right_and_left_aligned_lines_break_alike() {
    let text = LONG.repeat(5);
    let words = |spec: &RenderSpec| page(spec).lines.iter().map(|line| line.words.clone()).collect::<Vec<_>>();
    assert_eq!(words(&right(&text)), words(&spec(&text)));
}

#[test]
fn indentation_moves_the_ends_of_right_aligned_lines_to_the_left() {
    let effects = Effects { random_indentation: Some(Px::new(100.0)), ..Effects::default() };
    let text = "a\nword\nor two\njolly good";
    let [left, straight] = [Effects::default(), effects].map(|effects| page(&RenderSpec { effects, ..spec(text) }));
    let indented = page(&RenderSpec { effects, ..right(text) });
    for (line, (before, after)) in indented.lines.iter().zip(left.lines.iter().zip(&straight.lines)) {
        let indent = ink_of(&straight, after)[0] - ink_of(&left, before)[0];
        assert!(indent > 0.0 && near(ink_of(&indented, line)[2], 2240.0 - indent, 0.022));
    }
}

#[test]
fn right_to_left_text_starts_at_the_right_margin() {
    let hebrew = "שלום לכולם ועוד מילים רבות";
    let page = page(&right(&hebrew.repeat(6)));
    assert!(page.lines.len() > 1);
    for line in &page.lines {
        assert!(near(ink_of(&page, line)[2], 2240.0, 1e-6));
        // The first letter of the line is the rightmost one.
        let last = page.words[line.words.clone()].last().unwrap();
        assert!(line.runs.iter().all(|run| run.right_to_left));
        assert!(last.glyphs.iter().any(|glyph| near(glyph.ink.max.x.get(), 2240.0, 1e-6)));
    }
}

#[test]
fn gaps_that_shrink_near_the_margin_leave_no_room_before_it() {
    let effects = Effects { writer_variation: Some(WriterVariation { strength: 0.3 }), ..Effects::default() };
    for seed in 0..5 {
        let page = page(&RenderSpec { effects, seed, ..right(&LONG.repeat(4)) });
        let ends: Vec<f64> = page.lines.iter().map(|line| ink_of(&page, line)[2]).collect();
        // The writer's margin is up to a fifth of an x-height, plus room for the slope.
        assert!(ends.iter().all(|end| (2200.0..=2240.1).contains(end)), "{ends:?}");
    }
}

#[test]
fn a_page_is_placed_by_its_first_and_its_last_ink() {
    let turned = Effects { word_rotation: Some(Degrees::new(8.0)), ..Effects::default() };
    for (effects, text) in
        [(Effects::default(), "one\n\njolly two"), (turned, "one\nand the jolly others"), (turned, "x")]
    {
        let placed = ALIGNMENTS.map(|vertical_alignment| {
            let page = page(&RenderSpec { effects, vertical_alignment, ..spec(text) });
            let [_, top, _, bottom] = all_ink(&page);
            (top - 240.0, 3508.0 - 240.0 - bottom)
        });
        let [(_, below), center, (_, at_bottom)] = placed;
        assert!(below > 2000.0, "{placed:?}");
        assert!(near(center.0, center.1, 0.022) && center.0 > 0.0, "{placed:?}");
        assert!(near(at_bottom, 0.0, 0.011), "{placed:?}");
    }
}

#[test]
fn lines_keep_their_distances_whatever_the_vertical_alignment() {
    let pages = ALIGNMENTS.map(|vertical_alignment| page(&RenderSpec { vertical_alignment, ..spec("a\nb\n\n\nc") }));
    for page in &pages[1..] {
        let down = page.lines[0].baseline - pages[0].lines[0].baseline;
        assert!(down.get() > 1000.0);
        for (line, top) in page.lines.iter().zip(&pages[0].lines) {
            assert!(near(line.baseline.get(), top.baseline.get() + down.get(), 1e-6));
        }
    }
}

#[test]
fn each_page_is_aligned_by_itself() {
    let text = LONG.repeat(40);
    for vertical_alignment in ALIGNMENTS {
        let spec = RenderSpec {
            vertical_alignment,
            overflow: Overflow::Paginate,
            font_size: FontSize::Fixed(Px::new(110.0)),
            ..spec(&text)
        };
        let pages = lay_out_pages(&spec, &CATALOGUE).unwrap();
        assert!(pages.len() >= 2);
        for page in &pages {
            assert_inside(page, &spec);
            let [_, top, _, bottom] = all_ink(page);
            match vertical_alignment {
                VerticalAlignment::Top => {}
                VerticalAlignment::Center => assert!(near(top + bottom, 3508.0, 1e-6)),
                VerticalAlignment::Bottom => assert!(near(bottom, 3268.0, 1e-6)),
            }
        }
    }
}

#[test]
fn text_without_ink_and_text_that_was_cut_are_placed_too() {
    let blank = RenderSpec { vertical_alignment: VerticalAlignment::Bottom, ..spec(" ") };
    assert_eq!(page(&blank).words.len(), 0);
    let cut = RenderSpec { overflow: Overflow::Clip, ..RenderSpec { text: LONG.repeat(60), ..blank } };
    let page = page(&cut);
    assert_inside(&page, &cut);
    assert!(near(all_ink(&page)[3], 3268.0, 1e-6));
}

#[test]
fn a_rotated_word_is_measured_again_where_its_line_gives_it_other_characters() {
    // In a line with all text, "0" stands far from the rest of its word; in the second line it is the end of it.
    let text = "\u{202E}ד0(aa\u{202E}\u{202C}a ף \u{202C}0ד ) \u{2069}";
    let effects = Effects { word_rotation: Some(Degrees::new(9.2)), ..Effects::default() };
    let (side, top) = (Px::new(883.0), Px::new(240.0));
    let margins = Margins { left: side, right: side, top, bottom: top };
    let spec = RenderSpec {
        effects,
        margins,
        word_spacing: Px::new(196.0),
        font_size: FontSize::Fixed(Px::new(36.0)),
        kerning: Kerning::Off,
        font: FontId::new(44).unwrap(),
        ..right(text)
    };
    let page = page(&spec);
    assert_eq!(page.lines.len(), 2);
    assert_inside(&page, &spec);
    for line in &page.lines {
        assert!(near(ink_of(&page, line)[2], (page.size.width - margins.right).get(), 0.011));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn aligned_ink_stays_inside_and_touches_its_margins(spec in any_spec(), effects in any_effects(), seed: u32) {
        let effects = Effects { random_indentation: None, ..effects };
        let spec = RenderSpec {
            effects,
            seed,
            alignment: Alignment::Right,
            vertical_alignment: VerticalAlignment::Bottom,
            ..spec
        };
        if let Ok(page) = lay_out(&spec, &CATALOGUE) && !page.words.is_empty() {
            assert_inside(&page, &spec);
            let [_, _, right, bottom] = all_ink(&page);
            let within = page.words.iter().map(within).fold(0.0, f64::max);
            prop_assert!(near(right, (page.size.width - spec.margins.right).get(), within));
            prop_assert!(near(bottom, (page.size.height - spec.margins.bottom).get(), within));
        }
    }
}
