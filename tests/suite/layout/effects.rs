//! Word rotation and random indentation in the layout: uniform, independent of everything else, inside the margins.

use kurbo::{CubicBez, Shape as _};
use longhand::catalogue::FontId;
use longhand::geometry::Point;
use longhand::layout::{PageLayout, PlacedLine, PlacedWord, lay_out};
use longhand::spec::{Alignment, Effects, FontSize, InkFlow, NaturalVariation, Overflow, RenderSpec, WriterVariation};
use longhand::units::{Degrees, FontUnits, Px};
use proptest::prelude::*;

use super::pages::{CATALOGUE, LONG, any_spec, assert_inside, spec};

/// Fails unless the values look drawn uniformly from `low` to `high` (Kolmogorov and Smirnov; the bound is that of one
/// false alarm in a thousand, and the seeds are fixed).
pub(crate) fn assert_uniform(values: &[f64], low: f64, high: f64) {
    let distance = distance_from_uniform(values, low, high);
    let bound = 1.95 / (values.len() as f64).sqrt();
    assert!(distance < bound, "{distance} from uniform in {low} to {high}, more than {bound}: {values:?}");
}

/// The largest difference between the values' distribution and the uniform one.
fn distance_from_uniform(values: &[f64], low: f64, high: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().map(|value| (value - low) / (high - low)).collect();
    sorted.sort_by(f64::total_cmp);
    let count = sorted.len() as f64;
    let steps = sorted.iter().enumerate().map(|(index, expected)| {
        (expected - index as f64 / count).abs().max((expected - (index + 1) as f64 / count).abs())
    });
    steps.fold(0.0, f64::max)
}

/// The middle one of the values.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

fn turned(range: f64) -> Effects {
    Effects { word_rotation: Some(Degrees::new(range)), ..Effects::default() }
}

fn indented(range: f64) -> Effects {
    Effects { random_indentation: Some(Px::new(range)), ..Effects::default() }
}

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap()
}

fn angles(page: &PageLayout) -> Vec<f64> {
    page.words.iter().map(|word| word.rotation.get()).collect()
}

/// Left and right end of a line's ink, without turns.
fn ink_of(page: &PageLayout, line: &PlacedLine) -> (f64, f64) {
    let glyphs = page.words[line.words.clone()].iter().flat_map(|word| &word.glyphs);
    glyphs.fold((f64::MAX, f64::MIN), |(left, right), glyph| {
        (left.min(glyph.ink.min.x.get()), right.max(glyph.ink.max.x.get()))
    })
}

/// How far a line of a left-aligned page without turns starts to the right of where it would without indentation.
fn indent_of(page: &PageLayout, line: &PlacedLine) -> f64 {
    let origin = line.runs[0].origin.x.get();
    origin - 240.0 - (origin - ink_of(page, line).0).max(0.0)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn the_test_of_uniformity_finds_what_is_not() {
    let even: Vec<f64> = (0..1000).map(|index| (f64::from(index) + 0.5) / 1000.0).collect();
    assert_uniform(&even, 0.0, 1.0);
    let bound = 1.95 / 1000.0_f64.sqrt();
    let planted = [
        even.iter().map(|value| value * value).collect::<Vec<f64>>(),
        even.iter().map(|value| value * 0.9).collect(),
        even.iter().map(|value| (value + 0.5).min(1.0)).collect(),
        vec![0.5; 1000],
    ];
    for values in planted {
        assert!(distance_from_uniform(&values, 0.0, 1.0) > bound);
    }
}

#[test]
fn angles_are_uniform_in_both_directions() {
    let text = LONG.repeat(10);
    for range in [0.5, 5.0, 10.0] {
        let drawn: Vec<f64> = (0..5)
            .flat_map(|seed| angles(&page(&RenderSpec { effects: turned(range), seed, ..spec(&text) })))
            .collect();
        assert!(drawn.len() > 900);
        assert_uniform(&drawn, -range, range);
    }
}

#[test]
fn indents_of_all_lines_are_uniform() {
    let mut indents = Vec::new();
    for seed in 0..20 {
        let page = page(&RenderSpec { effects: indented(80.0), seed, ..spec(&LONG.repeat(13)) });
        assert!(page.lines.len() > 10, "the lines but the first are wrapped");
        indents.extend(page.lines.iter().map(|line| indent_of(&page, line)));
    }
    assert_uniform(&indents, 0.0, 80.0);
}

#[test]
fn a_centred_line_is_moved_from_the_centre_by_its_indent() {
    let text = "a\nword\nor two\njolly good";
    let left = page(&RenderSpec { effects: indented(100.0), ..spec(text) });
    let centred = page(&RenderSpec { effects: indented(100.0), alignment: Alignment::Center, ..spec(text) });
    for (line, middle) in left.lines.iter().zip(&centred.lines) {
        let (from, to) = ink_of(&centred, middle);
        assert!(near(f64::midpoint(from, to) - 1240.0, indent_of(&left, line)));
    }
}

#[test]
fn centred_lines_of_a_writer_lie_to_either_side_of_the_middle() {
    let middles: Vec<f64> = (0..40)
        .map(|seed| {
            let varied = Effects { writer_variation: Some(WriterVariation { strength: 1.0 }), ..Effects::default() };
            let page = page(&RenderSpec { effects: varied, alignment: Alignment::Center, seed, ..spec("Mia & Tom") });
            let (from, to) = ink_of(&page, &page.lines[0]);
            (f64::midpoint(from, to) - 1240.0) / page.font_size.get()
        })
        .collect();
    let mean = middles.iter().sum::<f64>() / middles.len() as f64;
    let largest = middles.iter().fold(0.0_f64, |largest, middle| largest.max(middle.abs()));
    assert!(mean.abs() < 0.04 && (0.05..0.25).contains(&largest), "{mean} {largest}");
    assert!(middles.iter().any(|middle| *middle < -0.03) && middles.iter().any(|middle| *middle > 0.03));
}

#[test]
fn a_range_of_zero_is_the_same_as_off() {
    for alignment in [Alignment::Left, Alignment::Center] {
        let off = RenderSpec { alignment, ..spec(&LONG.repeat(5)) };
        let zero = Effects { random_indentation: indented(0.0).random_indentation, ..turned(0.0) };
        let on = Effects { random_indentation: indented(1.0).random_indentation, ..turned(1.0) };
        assert_eq!(page(&RenderSpec { effects: zero, ..off.clone() }), page(&off));
        assert_ne!(page(&RenderSpec { effects: on, ..off.clone() }), page(&off));
    }
}

#[test]
fn a_wider_range_scales_the_same_numbers() {
    let text = "a few words\nthat stay\non their lines";
    let (narrow, wide) = (turned(2.0), turned(10.0));
    let [narrow, wide] = [narrow, wide].map(|effects| angles(&page(&RenderSpec { effects, ..spec(text) })));
    assert!(narrow.iter().zip(&wide).all(|(narrow, wide)| near(narrow * 5.0, *wide)));
    let indents = |range| {
        let page = page(&RenderSpec { effects: indented(range), ..spec(text) });
        page.lines.iter().map(|line| indent_of(&page, line)).collect::<Vec<_>>()
    };
    assert!(indents(10.0).iter().zip(indents(100.0)).all(|(narrow, wide)| near(narrow * 10.0, wide)));
}

#[test]
fn no_effect_changes_the_numbers_of_another() {
    let text = LONG.repeat(5);
    let base = RenderSpec { effects: turned(5.0), ..spec(&text) };
    let expected = angles(&page(&base));
    let others = Effects {
        random_indentation: indented(90.0).random_indentation,
        natural_variation: Some(NaturalVariation { alpha: 30, sigma: 4 }),
        ink_flow: Some(InkFlow { intensity: 2.0 }),
        ..turned(5.0)
    };
    // Other indents, and so other line breaks, and other ones again at another size and another width of spaces.
    for other in [
        RenderSpec { effects: others, ..base.clone() },
        RenderSpec { font_size: FontSize::Fixed(Px::new(43.0)), ..base.clone() },
        RenderSpec { word_spacing: Px::new(60.0), alignment: Alignment::Center, ..base.clone() },
        RenderSpec { font: FontId::new(12).unwrap(), ..base.clone() },
    ] {
        assert_eq!(angles(&page(&other)), expected);
    }
    let straight = page(&RenderSpec { effects: indented(90.0), ..spec("a\nb\nc") });
    let both = Effects { word_rotation: turned(9.0).word_rotation, ..indented(90.0) };
    let both = page(&RenderSpec { effects: both, ..spec("a\nb\nc") });
    let indents: Vec<f64> = straight.lines.iter().map(|line| indent_of(&straight, line)).collect();
    for (line, indent) in both.lines.iter().zip(indents) {
        let left = both.words[line.words.clone()].iter().map(|word| turned_extent(word)[0]).fold(f64::MAX, f64::min);
        let origin = line.runs[0].origin.x.get();
        assert!(near(origin - 240.0 - (origin - left).max(0.0), indent) || (left - 240.0 - indent).abs() < 0.02);
    }
    assert_ne!(angles(&page(&RenderSpec { seed: 2, ..base })), expected);
}

#[test]
fn a_line_breaks_where_its_own_indent_says() {
    let text = LONG.repeat(8);
    let page = page(&RenderSpec { effects: indented(100.0), ..spec(&text) });
    let lines: Vec<String> =
        page.lines.iter().map(|line| line.runs.iter().map(|run| run.text.as_str()).collect()).collect();
    for ((line, text), next) in page.lines.iter().zip(&lines).zip(&lines[1..]) {
        let alone = |text: &str| {
            let mut narrower = spec(text);
            narrower.margins.left = Px::new(240.0 + indent_of(&page, line));
            lay_out(&narrower, &CATALOGUE).unwrap().lines.len()
        };
        assert_eq!(alone(text), 1);
        assert_eq!(alone(&format!("{text} {}", next.split(' ').next().unwrap())), 2, "{text:?} could be longer");
    }
}

#[test]
fn turned_words_are_shaped_as_straight_ones() {
    for (font, text) in [(12, "joined letters waltz"), (87, "שלום עולם 12 abc"), (81, "नमस्ते दुनिया")]
    {
        let words = |effects| page(&RenderSpec { font: FontId::new(font).unwrap(), effects, ..spec(text) }).words;
        let (straight, turned) = (words(Effects::default()), words(turned(10.0)));
        assert!(straight.len() >= 2 && straight.len() == turned.len());
        for (straight, turned) in straight.iter().zip(&turned) {
            let moved = turned.glyphs[0].origin - straight.glyphs[0].origin;
            for (straight, turned) in straight.glyphs.iter().zip(&turned.glyphs) {
                assert_eq!(straight.glyph, turned.glyph, "font {font}");
                let away = turned.origin - straight.origin - moved;
                assert!(near(away.x.get(), 0.0) && near(away.y.get(), 0.0), "font {font}");
            }
        }
    }
}

#[test]
fn scripts_without_spaces_turn_word_by_word() {
    for (font, text, words) in [(83, "สวัสดีครับวันนี้อากาศดีมาก", 5..=9), (90, "今日はとても良い天気ですね。OK東京", 10..=18)]
    {
        let page = page(&RenderSpec { font: FontId::new(font).unwrap(), effects: turned(5.0), ..spec(text) });
        assert!(words.contains(&page.words.len()), "{} words", page.words.len());
        let angles = angles(&page);
        assert!(angles.windows(2).all(|pair| !near(pair[0], pair[1])), "{angles:?}");
    }
    let page = page(&RenderSpec { effects: turned(5.0), ..spec("well-known anna@example.com/path") });
    assert_eq!(page.words.len(), 2, "Latin words turn as a whole");
}

/// Left, top, right and bottom of a word's ink after its turn, from its outlines; exact.
pub(crate) fn turned_extent(word: &PlacedWord) -> [f64; 4] {
    use longhand::catalogue::OutlineCommand as Command;
    let (sin, cos) = word.rotation.get().to_radians().sin_cos();
    let mut extent = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
    for glyph in &word.glyphs {
        let face = CATALOGUE.face(glyph.font);
        let unit = glyph.em.get() / f64::from(face.units_per_em());
        let turned = |point: Point<FontUnits>| {
            let x = (glyph.origin.x - word.pivot.x).get() + point.x.get() * unit;
            let y = (glyph.origin.y - word.pivot.y).get() - point.y.get() * unit;
            [word.pivot.x.get() + x * cos - y * sin, word.pivot.y.get() + x * sin + y * cos]
        };
        let mut visit = |[x, y]: [f64; 2]| {
            extent = [extent[0].min(x), extent[1].min(y), extent[2].max(x), extent[3].max(y)];
        };
        let mut at = [0.0; 2];
        for command in face.outline(glyph.glyph).unwrap().commands {
            match command {
                Command::MoveTo(to) => at = turned(to),
                Command::LineTo(to) => {
                    visit(at);
                    at = turned(to);
                    visit(at);
                }
                Command::QuadTo(control, to) => {
                    let (control, to) = (turned(control), turned(to));
                    // A curve is farthest at its ends or where x or y changes no more.
                    let still = |axis: usize| {
                        let (before, after) = (control[axis] - at[axis], to[axis] - control[axis]);
                        (before / (before - after)).clamp(0.0, 1.0)
                    };
                    for t in [0.0, still(0), still(1), 1.0].into_iter().filter(|t| t.is_finite()) {
                        let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
                        visit([0, 1].map(|axis| a * at[axis] + b * control[axis] + c * to[axis]));
                    }
                    at = to;
                }
                // TrueType outlines have no cubics; drawn signs have.
                Command::CubicTo(first, second, to) => {
                    let [start, first, second, end] =
                        [at, turned(first), turned(second), turned(to)].map(|[x, y]| kurbo::Point::new(x, y));
                    let extent = CubicBez::new(start, first, second, end).bounding_box();
                    visit([extent.x0, extent.y0]);
                    visit([extent.x1, extent.y1]);
                    at = [end.x, end.y];
                }
                Command::Close => {}
            }
        }
    }
    extent
}

/// Any effects of the layout, none included.
pub(crate) fn any_effects() -> impl Strategy<Value = Effects> {
    let rotation = prop_oneof![Just(None), (0.0_f64..=10.0).prop_map(Some), Just(Some(10.0))];
    let indentation = prop_oneof![Just(None), (0_u32..=100).prop_map(Some), Just(Some(100))];
    (rotation, indentation).prop_map(|(rotation, indentation)| Effects {
        word_rotation: rotation.and_then(|range| turned(range).word_rotation),
        random_indentation: indentation.and_then(|range| indented(f64::from(range)).random_indentation),
        ..Effects::default()
    })
}

#[test]
fn turned_ink_fills_the_text_area_to_its_edges() {
    let text = LONG.repeat(60);
    for number in [1, 12, 64, 87] {
        let font = FontId::new(number).unwrap();
        let clipped =
            RenderSpec { font, effects: turned(10.0), overflow: Overflow::Clip, line_height: 1.0, ..spec(&text) };
        let page = page(&clipped);
        let extents: Vec<[f64; 4]> = page.words.iter().map(turned_extent).collect();
        let least = |side: usize| extents.iter().map(|extent| extent[side]).fold(f64::MAX, f64::min);
        let most = |side: usize| extents.iter().map(|extent| extent[side]).fold(f64::MIN, f64::max);
        assert_inside(&page, &clipped);
        let first_top = CATALOGUE.face(font).ink_ascent().to_px(Px::new(60.0), CATALOGUE.face(font).units_per_em());
        assert!(least(0) < 240.05, "font {number} starts at {}", least(0));
        assert!(least(1) < 240.05 || near(page.lines[0].baseline.get(), 240.0 + first_top.get()), "{}", least(1));
        assert!(most(2) > 2200.0, "font {number} ends at {}", most(2));
        assert!(most(3) > 3268.0 - 75.0, "font {number} ends at {}", most(3));
    }
}

#[test]
fn automatic_size_is_the_largest_that_fits_with_effects_on() {
    let both = Effects { word_rotation: turned(10.0).word_rotation, ..indented(100.0) };
    for (number, text) in [(1, LONG.repeat(9)), (12, LONG.repeat(3)), (77, "Happy\nbirthday!".to_owned())] {
        for (effects, alignment) in [
            (turned(10.0), Alignment::Left),
            (both, Alignment::Left),
            (both, Alignment::Center),
            (both, Alignment::Right),
        ] {
            let auto = RenderSpec {
                font: FontId::new(number).unwrap(),
                font_size: FontSize::Auto { max: 200 },
                effects,
                alignment,
                ..spec(&text)
            };
            let chosen = page(&auto).calculated_font_size.unwrap();
            let fits = |size: u32| {
                let fixed = RenderSpec { font_size: FontSize::Fixed(Px::new(f64::from(size))), ..auto.clone() };
                lay_out(&fixed, &CATALOGUE).is_ok()
            };
            assert_eq!(chosen, (12..=200).rev().find(|size| fits(*size)).unwrap(), "font {number}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turned_and_indented_ink_never_leaves_the_margins(spec in any_spec(), effects in any_effects(), seed: u32) {
        let spec = RenderSpec { effects, seed, ..spec };
        if let Ok(page) = lay_out(&spec, &CATALOGUE) {
            assert_inside(&page, &spec);
        }
    }
}
