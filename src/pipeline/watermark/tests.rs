//! The marks of previews against direct computations.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use proptest::prelude::*;
use serde_json::json;

use super::grid::{Axes, Place, ROW_STEP};
use super::mark::{ANGLE, WORD, moved};
use super::*;
use crate::geometry::Rect;
use crate::gpu::Renderer;
use crate::layout::lay_out;
use crate::mesh::MeshCache;
use crate::raster::crop;
use crate::scene::compose;
use crate::spec::{Endpoint, parse_value};
use crate::units::{Degrees, DevicePx, DeviceScale};

static FONTS: LazyLock<FontCatalogue> = LazyLock::new(|| FontCatalogue::load().unwrap());
static MARKS: LazyLock<Marks> = LazyLock::new(|| Marks::new(&FONTS));

fn page(request: &serde_json::Value, catalogue: &FontCatalogue) -> PageLayout {
    lay_out(&parse_value(request, Endpoint::Preview, || 1).unwrap(), catalogue).unwrap()
}

/// Finds the best grid as its description says: tests each point with each mark, for one shift after another.
/// Returns its shift and the marks that are left out.
fn slow_best(mark: &Mark, zones: &[WordZone]) -> ([f64; 2], BTreeSet<Place>) {
    let mut best: Option<(f64, [f64; 2], BTreeSet<Place>)> = None;
    for number in 0..36 {
        let shift = [f64::from(number % 6) / 6.0, f64::from(number / 6) / 6.0];
        let hits_in = |points: &[[Px; 2]]| {
            let mut hits: BTreeMap<Place, usize> = BTreeMap::new();
            for place in (-8..=8).flat_map(|row| (-6..=6).map(move |column| (row, column))) {
                let half_step = if place.0 % 2 == 0 { 0.0 } else { 0.5 };
                let along = mark.step * (f64::from(place.1) + shift[0] + half_step);
                let across = ROW_STEP * (f64::from(place.0) + shift[1]);
                let is_in_letter = |point: &&[Px; 2]| {
                    let at = Point::new(point[0] - along, point[1] - across);
                    let at = Rect { min: at, max: at };
                    mark.extent.touches(at) && mark.word.glyphs.iter().any(|glyph| glyph.ink.touches(at))
                };
                match points.iter().filter(is_in_letter).count() {
                    0 => {}
                    count => drop(hits.insert(place, count)),
                }
            }
            hits
        };
        let mut hits: Vec<BTreeMap<Place, usize>> = zones.iter().map(|zone| hits_in(&zone.points)).collect();
        let mut left_out = BTreeSet::new();
        for number in 0..hits.len() {
            let of_word = &hits[number];
            let most = of_word.values().max();
            let stays = of_word.keys().find(|place| of_word.get(place) == most).copied();
            let others: Vec<Place> = of_word.keys().copied().filter(|place| Some(*place) != stays).collect();
            left_out.extend(others);
            for hits in &mut hits {
                hits.retain(|place, _| !left_out.contains(place));
            }
        }
        let (mut covered, mut whole) = (0.0, 0.0);
        for (zone, hits) in zones.iter().zip(&hits) {
            whole += zone.area_of_point * zone.points.len() as f64;
            covered += zone.area_of_point * hits.values().sum::<usize>() as f64;
        }
        let covered = if whole > 0.0 { 0.25 * covered / whole } else { 0.015 };
        let miss = (0.015 - covered).max(covered - 0.042).max(0.0);
        if best.as_ref().is_none_or(|(least, ..)| miss < *least) {
            best = Some((miss, shift, left_out));
        }
    }
    let (_, shift, left_out) = best.unwrap();
    (shift, left_out)
}

/// Zones anywhere on a page and beyond its edges, some large enough for several marks.
fn some_zones() -> impl Strategy<Value = Vec<WordZone>> {
    // Most are small, so that the slow search has few points.
    let width = prop_oneof![3 => 8.0..80.0, 1 => 80.0..900.0];
    let height = prop_oneof![9 => 8.0..60.0, 1 => 60.0..300.0];
    let zone = (-50.0..1250.0, -50.0..1800.0, width, height, -40.0..40.0);
    let zone = zone.prop_map(|(x, y, width, height, rotation): (f64, f64, f64, f64, f64)| {
        let corner = Point::new(Px::new(x), Px::new(y + height));
        let extent = Size { width: Px::new(width), height: Px::new(height) };
        WordZone::spread(corner, extent, corner, Degrees::new(rotation), 1.0, &Axes::of(A4))
    });
    prop::collection::vec(zone, 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn the_best_marks_are_those_of_a_test_of_each_point_with_each_mark(zones in some_zones()) {
        let mark = &MARKS.mark;
        let grid = best_grid(A4, mark, &zones);
        let left_out: BTreeSet<Place> = grid.left_out.iter().copied().collect();
        prop_assert_eq!((grid.shift, left_out), slow_best(mark, &zones));
    }
}

/// A page of A4, 1200 px wide.
const A4: Size<Px> = Size { width: Px::new(1200.0), height: Px::new(1697.0) };

/// A watermark with this shift, without the marks at these places.
fn watermark(size: Size<Px>, shift: [f64; 2], left_out: Vec<Place>) -> Watermark<'static> {
    let mark = &MARKS.mark;
    Watermark { grid: Grid { size, step: mark.step, shift, left_out }, mark }
}

/// A scale of this many device px per px of a preview.
fn scale(factor: f64) -> DeviceScale {
    DeviceScale::fitting(Px::new(1.0), DevicePx::new(factor))
}

/// The marks that are not left out.
fn kept_layout(Watermark { mark, grid }: &Watermark<'_>) -> PageLayout {
    let kept = grid.marks(mark).filter(|(place, _)| !grid.left_out.contains(place));
    PageLayout { size: grid.size, font_size: EM, words: kept.map(|(_, word)| word).collect(), ..PageLayout::default() }
}

#[test]
fn marks_left_out_of_a_drawn_grid_are_as_if_they_had_not_been_drawn() {
    let renderer = Renderer::start().unwrap();
    let meshes = MeshCache::default();
    let draw = |layout: &PageLayout, params: &RenderParams| {
        let scene = compose(layout, params, &FONTS, &meshes, renderer.band_pixels()).unwrap();
        let drawn = renderer.render_all_while(vec![scene], &|| true).unwrap().remove(0);
        crop(drawn, params.window.unwrap())
    };
    let whole = Rect { min: Point::default(), max: Point::new(1200, 1697) };
    let region = Rect { min: Point::new(700, 1100), max: Point::new(1900, 1811) };
    let windows =
        [(1.0, whole), (2.5, region)].map(|(factor, window)| RenderParams::plain(scale(factor)).within(window));
    for (params, shift) in windows.iter().flat_map(|params| [[0.0, 0.0], [0.5, 1.0 / 6.0]].map(|shift| (params, shift)))
    {
        let Watermark { mark, grid } = watermark(A4, shift, Vec::new());
        let places: Vec<Place> = grid.marks(mark).map(|(place, _)| place).collect();
        // The places of every other mark, then of the rest.
        for first in [0, 1] {
            let left_out = places.iter().copied().skip(first).step_by(2).collect();
            let watermark = watermark(A4, shift, left_out);
            let drawn = draw(&watermark.layout(), params);
            let (kept, alone) = (watermark.kept(&drawn, params), draw(&kept_layout(&watermark), params));
            assert!(kept.strip_pixels() > 0 && kept.strip_pixels() < drawn.strip_pixels());
            let strips =
                |page: &Coverage| page.strips().iter().map(|strip| Strip { offset: 0, ..*strip }).collect::<Vec<_>>();
            assert_eq!(strips(&kept), strips(&alone));
            for y in 0..kept.height() {
                assert!(kept.row(y).eq(alone.row(y)), "row {y} at shift {shift:?}, {params:?}");
            }
        }
    }
}

#[test]
fn drawn_marks_are_found_for_the_same_grid_alone() {
    let marks = DrawnMarks::default();
    let window = |right| Rect { min: Point::default(), max: Point::new(right, 1697) };
    let params = RenderParams::plain(scale(1.0)).within(window(1200));
    let strips = vec![Strip { tile_row: 0, x: 0, width: 16, offset: 0 }];
    let drawn = Coverage::new(1200, 1697, strips, vec![7; 256]);
    marks.insert(&watermark(A4, [0.5, 0.0], vec![(0, 0)]), &params, &drawn);
    assert_eq!(marks.get(&watermark(A4, [0.5, 0.0], vec![(1, 1)]), &params), Some(drawn));
    assert_eq!(marks.get(&watermark(A4, [0.0, 0.5], Vec::new()), &params), None);
    assert_eq!(marks.get(&watermark(A4, [0.5, 0.0], Vec::new()), &params.within(window(1199))), None);
    let smaller = Size { height: Px::new(1696.9), ..A4 };
    assert_eq!(marks.get(&watermark(smaller, [0.5, 0.0], Vec::new()), &params), None);
}

#[test]
fn drawn_marks_stay_within_their_memory() {
    let (marks, watermark) = (DrawnMarks::default(), watermark(A4, [0.0; 2], Vec::new()));
    let params = RenderParams::plain(scale(1.0));
    let window = |number| Rect { min: Point::default(), max: Point::new(1200, number) };
    // A million pixels each, then windows without any mark.
    let strips =
        |count: u32| (0..count).map(|row| Strip { tile_row: row, x: 0, width: 1200, offset: row as usize * 19_200 });
    for (first, count, rows) in [(0, 40, 52), (100, 100_000, 0)] {
        let drawn = Coverage::new(1200, 900, strips(rows).collect(), vec![7; rows as usize * 19_200]);
        for number in first..first + count {
            marks.insert(&watermark, &params.within(window(number)), &drawn);
        }
        let kept = (first..first + count)
            .filter(|number| marks.get(&watermark, &params.within(window(*number))).is_some())
            .count();
        let bytes = kept * (256 + rows as usize * 19_200);
        assert!(0 < bytes && bytes <= 16 << 20, "{kept} of {count} are kept");
    }
}

#[test]
fn no_mark_that_reaches_into_the_page_is_missing() {
    let size = |width, height| Size { width: Px::new(width), height: Px::new(height) };
    let placed = |size: Size<Px>| watermark(size, [0.5, 0.25], Vec::new()).layout().words;
    let page = Rect { min: Point::default(), max: Point::new(Px::new(1200.0), Px::new(521.0)) };
    let is_seen = |word: &PlacedWord| word.glyphs.iter().any(|glyph| word.rotated_box(glyph.ink).touches(page));
    // A larger page with the same centre has all of them.
    let to_page = Point::new(Px::new((1200.0 - 9000.0) / 2.0), Px::new((521.0 - 9000.0) / 2.0));
    let all: Vec<PlacedWord> = placed(size(9000.0, 9000.0)).iter().map(|word| moved(word, to_page)).collect();
    let on_page = placed(size(1200.0, 521.0));
    assert!(on_page.len() < all.len() / 10, "{} of {}", on_page.len(), all.len());
    let seen = |words: Vec<PlacedWord>| words.into_iter().filter(is_seen).count();
    assert_eq!(seen(on_page), seen(all));
}

#[test]
fn the_mark_is_all_over_the_page() {
    for height in [521.0, 1200.0, 1697.0, 2761.0] {
        let size = Size { width: Px::new(1200.0), height: Px::new(height) };
        let layout = MARKS.watermark(size, std::iter::empty(), &FONTS).layout();
        assert!(layout.words.iter().all(|word| word.glyphs.len() == WORD.len()));
        // No window of 660 px by 440 px is without a mark's centre.
        for (left, top) in (0..=5).flat_map(|column| (0..3).map(move |row| (column, row))) {
            let (left, top) = (f64::from(left) * 100.0, f64::from(top) * (height - 440.0) / 2.0);
            let inside = |word: &PlacedWord| {
                let (x, y) = (word.pivot.x.get(), word.pivot.y.get());
                (left..left + 660.0).contains(&x) && (top..top + 440.0).contains(&y)
            };
            assert!(layout.words.iter().any(inside), "nothing at ({left}, {top}) of {height}");
        }
    }
}

#[test]
fn no_word_is_crossed_by_two_marks_and_every_page_has_marks_in_its_writing() {
    let catalogue = FontCatalogue::load().unwrap();
    let texts = ["Congratulations!", "Hi", "Dear Ann, thank you so much for the lovely afternoon in the garden."];
    for (text, format) in texts.iter().flat_map(|text| ["a4", "card_5x7", "dl", "a3"].map(|format| (text, format))) {
        let request = json!({"text": text, "page_size": format, "margin_left": 60, "margin_right": 60});
        let page = page(&request, &catalogue);
        let watermark = MARKS.watermark(page.size, page.words.iter(), &FONTS);
        let (marks, scale) = (kept_layout(&watermark), PAGE_WIDTH / page.size.width.get());
        let (axes, (sin, cos)) = (Axes::of(marks.size), ANGLE.get().to_radians().sin_cos());
        let crosses = |mark: &PlacedWord, point: Point<Px>| {
            let (x, y) = (point.x - mark.pivot.x, point.y - mark.pivot.y);
            let at = mark.pivot + Point::new(x * cos + y * sin, y * cos - x * sin);
            mark.glyphs.iter().any(|glyph| glyph.ink.touches(Rect { min: at, max: at }))
        };
        let mut words_with_mark = 0;
        for zone in page.words.iter().filter_map(|word| WordZone::of(word, scale, &axes, &catalogue)) {
            let points = || zone.points.iter().map(|[along, across]| axes.point(*along, *across));
            let count = marks.words.iter().filter(|mark| points().any(|point| crosses(mark, point))).count();
            assert!(count <= 1, "{count} marks on a word of {request}");
            words_with_mark += count;
        }
        assert!(words_with_mark > 0, "no mark in the writing of {request}");
    }
}
