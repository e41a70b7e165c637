//! The watermark of previews: a word written across the page, repeatedly.
//!
//! Writing and watermark are drawn separately. `raster::stamp` adds the mark between the writing and cuts it out of the
//! writing, so that neither colour nor alpha can separate them again.
//!
//! The writing stays legible: the mark's strokes are thin, it is shifted until it covers little writing, and no two
//! marks cross the same word between its baseline and its x-height. All of this follows from the layout of the page
//! alone, so every region of a page has the mark of the page.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::word_zone::WordZone;
use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::{Point, Rect, Size};
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::units::{Degrees, FontUnits, Px};

/// Width of the page in the mark's px, which are those of a preview.
const PAGE_WIDTH: f64 = 1200.0;
/// The word.
const WORD: &str = "PREVIEW";
/// The font it is written in: an upright print with thin strokes, legible in capitals.
const FONT: u16 = 25;
/// Size of its em.
const EM: Px = Px::new(124.0);
/// White between two of its letters.
const LETTER_GAP: Px = Px::new(26.0);
/// Width of the cells in which letters are looked up.
const CELL: Px = Px::new(16.0);
/// Its angle, rising to the right.
const ANGLE: Degrees = Degrees::new(-30.0);
/// White between two words of a row.
const GAP: Px = Px::new(110.0);
/// Distance of rows.
const ROW_STEP: Px = Px::new(250.0);
/// The part of a letter's box that its strokes cover.
const STROKES: f64 = 0.25;
/// The part of the writing that the mark should cover: so much that it is part of the writing, and not more.
const WANTED: RangeInclusive<f64> = 0.015..=0.042;
/// Shifts that are tried along each axis.
const SHIFTS: u32 = 6;

/// The marks of a page with these words, in px of a preview: slanting rows of the word, every other row shifted by half
/// a step.
pub(super) fn watermark<'a>(
    page: Size<Px>,
    words: impl Iterator<Item = &'a PlacedWord>,
    catalogue: &FontCatalogue,
) -> PageLayout {
    let scale = PAGE_WIDTH / page.width.get();
    let size = Size { width: page.width * scale, height: page.height * scale };
    let mark = Mark::new(catalogue);
    let zones = TurnedZones::of(size, &mark, words.filter_map(|word| WordZone::of(word, scale, catalogue)));
    let words = Grid::best(size, &mark, &zones).words(&mark);
    PageLayout { size, font_size: EM, words, ..PageLayout::default() }
}

/// The word with the centre of its ink at the origin, not yet turned.
struct Mark {
    word: PlacedWord,
    /// The box of all letters.
    extent: Rect<Px>,
    /// For each cell of the extent, from left to right, the box of the letter that may have points of it.
    letters: Vec<Rect<Px>>,
    /// Distance of the centres of two words of a row.
    step: Px,
}

impl Mark {
    fn new(catalogue: &FontCatalogue) -> Self {
        let font = FontId::new(FONT).unwrap_or(FontId::DEFAULT);
        let face = catalogue.face(font);
        let px = |units: FontUnits| units.to_px(EM, face.units_per_em());
        let mut pen = Px::ZERO;
        let mut glyphs: Vec<PlacedGlyph> = Vec::new();
        for glyph in WORD.chars().filter_map(|letter| face.glyph_for(letter)) {
            let Some(ink) = face.ink(glyph) else { continue };
            // Set by ink: a font's side bearings are not made for capitals in a row.
            let origin = Point::new(pen - px(ink.min.x), Px::ZERO);
            let ink =
                Rect { min: Point::new(px(ink.min.x), -px(ink.max.y)), max: Point::new(px(ink.max.x), -px(ink.min.y)) };
            let ink = ink.translated(origin);
            pen = ink.max.x + LETTER_GAP;
            glyphs.push(PlacedGlyph { font, glyph, em: EM, origin, ink });
        }
        let extent = glyphs.iter().map(|glyph| glyph.ink).reduce(Rect::union).unwrap_or_default();
        let centre = Point::new((extent.min.x + extent.max.x) / 2.0, (extent.min.y + extent.max.y) / 2.0);
        let word = PlacedWord { pivot: centre, rotation: ANGLE, glyphs, ..PlacedWord::default() };
        let to_middle = Point::default() - centre;
        let (word, extent) = (moved(&word, to_middle), extent.translated(to_middle));
        let mut mark = Self { word, extent, letters: Vec::new(), step: extent.width() + GAP };
        // No cell has points of two letters, because the white between them is wider.
        let letter_in = |cell| {
            let mut letters = mark.word.glyphs.iter().map(|glyph| glyph.ink);
            letters.find(|ink| cell <= mark.cell_at(ink.max.x)).unwrap_or(extent)
        };
        mark.letters = (0..=mark.cell_at(extent.max.x)).map(letter_in).collect();
        mark
    }

    /// The cell at a distance from the centre along the word; the first one for distances before all cells.
    fn cell_at(&self, along: Px) -> usize {
        ((along - self.extent.min.x) / CELL) as u32 as usize
    }

    /// Whether a point, by its distance from the centre across the word, is at the height of the letters.
    fn is_level(&self, across: Px) -> bool {
        (self.extent.min.y..=self.extent.max.y).contains(&across)
    }

    /// Whether a point is in the box of a letter. It is relative to the centre, along the word and across it.
    fn covers(&self, along: Px, across: Px) -> bool {
        let ink = self.letters[self.cell_at(along).min(self.letters.len() - 1)];
        ink.min.x <= along && along <= ink.max.x && ink.min.y <= across && across <= ink.max.y
    }
}

/// The zones of a page's words, their points by their distances from the centre of the page along the rows of marks and
/// across them.
struct TurnedZones {
    /// Zone by zone.
    points: Vec<ZonePoint>,
    /// For each zone, the area that each of its points stands for.
    areas_of_points: Vec<f64>,
    /// The area of all zones.
    area: f64,
}

struct ZonePoint {
    zone: usize,
    along: Px,
    across: Px,
    /// The same distances, in steps along a row and in rows.
    steps: [f64; 2],
}

/// A point of a zone that is level with the letters of a row of marks.
struct LevelPoint {
    zone: usize,
    row: i32,
    /// By how many steps the row is shifted against the one in the middle.
    half_step: f64,
    /// Distances from the centre of the page along the row, in px and in steps.
    along: Px,
    steps: f64,
    /// Distance from the middle of the row, across it.
    across: Px,
}

impl TurnedZones {
    /// Of a page of this size.
    fn of(size: Size<Px>, mark: &Mark, zones: impl Iterator<Item = WordZone>) -> Self {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        let middle = middle_of(size);
        let mut all = Self { points: Vec::new(), areas_of_points: Vec::new(), area: 0.0 };
        for (zone, WordZone { points, area_of_point }) in zones.enumerate() {
            all.area += area_of_point * points.len() as f64;
            all.areas_of_points.push(area_of_point);
            all.points.extend(points.iter().map(|point| {
                let (x, y) = (point.x - middle.x, point.y - middle.y);
                let (along, across) = (x * cos + y * sin, y * cos - x * sin);
                ZonePoint { zone, along, across, steps: [along / mark.step, across / ROW_STEP] }
            }));
        }
        all
    }

    /// The points that are level with letters, where rows of marks are shifted by this part of a row. It is a third of
    /// all, whatever the shift along the rows.
    fn level_with(&self, mark: &Mark, shift: f64) -> Vec<LevelPoint> {
        let mut level = Vec::with_capacity(self.points.len());
        level.extend(self.points.iter().filter_map(|&ZonePoint { zone, along, across, steps: [steps, rows] }| {
            let row = nearest(rows - shift) as i32;
            let across = across - centre_of_row(row, shift);
            let point = LevelPoint { zone, row, half_step: half_step(row), along, steps, across };
            mark.is_level(across).then_some(point)
        }));
        level
    }
}

/// A mark by its row and its position in the row.
type Place = (i32, i32);

/// A word and a mark that crosses it.
struct Crossing {
    zone: usize,
    place: Place,
    /// Points of the word's zone that are in letters of the mark.
    points: u32,
}

/// The number of a crossing of the last word, which is added if it is new.
fn number_of(crossings: &mut Vec<Crossing>, zone: usize, place: Place) -> usize {
    let mut of_word = crossings.iter().rev().take_while(|crossing| crossing.zone == zone);
    if let Some(back) = of_word.position(|crossing| crossing.place == place) {
        return crossings.len() - 1 - back;
    }
    crossings.push(Crossing { zone, place, points: 0 });
    crossings.len() - 1
}

/// The places of marks on a page.
struct Grid {
    size: Size<Px>,
    step: Px,
    /// The shift from the middle, in steps along a row and in rows.
    shift: [f64; 2],
    /// Marks that are left out, because another one crosses the same word.
    left_out: Vec<Place>,
}

impl Grid {
    /// The first grid that covers the wanted part of the words, or the one that comes nearest.
    fn best(size: Size<Px>, mark: &Mark, zones: &TurnedZones) -> Self {
        let mut best: Option<(f64, Self)> = None;
        let shifts = || (0..SHIFTS).map(|part| f64::from(part) / f64::from(SHIFTS));
        for across in shifts() {
            let level = zones.level_with(mark, across);
            for along in shifts() {
                let mut grid = Self { size, step: mark.step, shift: [along, across], left_out: Vec::new() };
                let covered = grid.leave_out(mark, &level, zones);
                let miss = (WANTED.start() - covered).max(covered - WANTED.end()).max(0.0);
                if miss <= 0.0 {
                    return grid;
                }
                if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                    best = Some((miss, grid));
                }
            }
        }
        best.map_or_else(|| Self { size, step: mark.step, shift: [0.0; 2], left_out: Vec::new() }, |(_, grid)| grid)
    }

    /// Leaves out marks until each word is crossed by one at most. Returns the part of the words that the others cover.
    fn leave_out(&mut self, mark: &Mark, level: &[LevelPoint], zones: &TurnedZones) -> f64 {
        let crossings = self.crossings(mark, level);
        for of_word in crossings.chunk_by(|one, other| one.zone == other.zone) {
            let there = || of_word.iter().filter(|crossing| !self.left_out.contains(&crossing.place));
            // The mark that covers most of the word stays; the first of equals.
            let stays = there().max_by_key(|crossing| (crossing.points, Reverse(crossing.place)));
            let stays = stays.map(|crossing| crossing.place);
            let others: Vec<Place> =
                there().map(|crossing| crossing.place).filter(|place| Some(*place) != stays).collect();
            self.left_out.extend(others);
        }
        let mut covered = 0.0;
        for of_word in crossings.chunk_by(|one, other| one.zone == other.zone) {
            let there = of_word.iter().filter(|crossing| !self.left_out.contains(&crossing.place));
            let points: u32 = there.map(|crossing| crossing.points).sum();
            covered += zones.areas_of_points[of_word[0].zone] * f64::from(points);
        }
        if zones.area > 0.0 { STROKES * covered / zones.area } else { *WANTED.start() }
    }

    /// All crossings of words and marks, word by word, whether the marks are left out or not.
    fn crossings(&self, mark: &Mark, level: &[LevelPoint]) -> Vec<Crossing> {
        let mut crossings: Vec<Crossing> = Vec::with_capacity(level.len());
        let (mut nearest_mark, mut number) = (None, 0);
        for point in level {
            let column = nearest(point.steps - self.shift[0] - point.half_step);
            // The points of a word seldom have different marks.
            if nearest_mark != Some((point.zone, point.row, column)) {
                nearest_mark = Some((point.zone, point.row, column));
                number = number_of(&mut crossings, point.zone, (point.row, column as i32));
            }
            let centre = self.step * (column + self.shift[0] + point.half_step);
            crossings[number].points += u32::from(mark.covers(point.along - centre, point.across));
        }
        crossings.retain(|crossing| crossing.points > 0);
        crossings
    }

    /// The centre of a mark along its row, from the middle of the page.
    fn centre_in_row(&self, (row, column): Place) -> Px {
        self.step * (f64::from(column) + self.shift[0] + half_step(row))
    }

    /// The marks that reach into the page, from its upper left corner to its lower right one.
    fn words(&self, mark: &Mark) -> Vec<PlacedWord> {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        let Size { width, height } = self.size;
        let middle = middle_of(self.size);
        let half_diagonal = |width: Px, height: Px| Px::new(width.get().hypot(height.get()) / 2.0);
        let (reach, mark_reach) =
            (half_diagonal(width, height), half_diagonal(mark.extent.width(), mark.extent.height()));
        // Shifted marks reach all corners with one more row and column.
        let rows = (reach / ROW_STEP).ceil() as i32 + 1;
        let columns = (reach / self.step).ceil() as i32 + 2;
        let all = (-rows..=rows).flat_map(|row| (-columns..=columns).map(move |column| (row, column)));
        let placed = all.filter(|place| !self.left_out.contains(place)).filter_map(|place| {
            let (along, across) = (self.centre_in_row(place), centre_of_row(place.0, self.shift[1]));
            let (x, y) = (along * cos - across * sin, along * sin + across * cos);
            let at = Point::new(middle.x + x, middle.y + y);
            let reaches = |at: Px, side: Px| (-mark_reach..=side + mark_reach).contains(&at);
            (reaches(at.x, width) && reaches(at.y, height)).then(|| moved(&mark.word, at))
        });
        placed.collect()
    }
}

/// The centre of a row of marks from the middle of the page, across the rows.
fn centre_of_row(row: i32, shift: f64) -> Px {
    ROW_STEP * (f64::from(row) + shift)
}

/// The centre of a page.
fn middle_of(size: Size<Px>) -> Point<Px> {
    Point::new(size.width / 2.0, size.height / 2.0)
}

/// The nearest whole number, halves to the even one, as [`f64::round_ties_even`]. Processors of the baseline have no
/// instruction for that, and its call takes most of the time that the marks are placed in. How halves are rounded does
/// not matter: in the middle between two marks there are no letters.
fn nearest(number: f64) -> f64 {
    /// Beside this number, neighbours differ by 1, so additions round to whole numbers.
    const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;
    (number + WHOLE) - WHOLE
}

/// Every other row is shifted by half a step.
const fn half_step(row: i32) -> f64 {
    if row % 2 == 0 { 0.0 } else { 0.5 }
}

fn moved(word: &PlacedWord, by: Point<Px>) -> PlacedWord {
    let glyphs = word.glyphs.iter().map(|glyph| PlacedGlyph {
        origin: glyph.origin + by,
        ink: glyph.ink.translated(by),
        ..*glyph
    });
    PlacedWord { pivot: word.pivot + by, glyphs: glyphs.collect(), ..word.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::layout::lay_out;
    use crate::spec::{Endpoint, parse_value};

    fn page(request: &serde_json::Value, catalogue: &FontCatalogue) -> PageLayout {
        lay_out(&parse_value(request, Endpoint::Preview, || 1).unwrap(), catalogue).unwrap()
    }

    #[test]
    fn the_nearest_number_is_that_of_round_ties_even() {
        let ties = (-2001..2001).map(|half| f64::from(half) / 2.0);
        for tie in ties {
            for number in [tie.next_down(), tie, tie.next_up()] {
                let error = nearest(number) - number.round_ties_even();
                assert!(error == 0.0, "{number:?}: {error:?}");
            }
        }
    }

    /// Finds the best grid as its description says: tests each point with each mark, for one shift after another.
    /// Returns its shift and the marks that are left out.
    fn slow_best(size: Size<Px>, mark: &Mark, zones: &[WordZone]) -> ([f64; 2], BTreeSet<Place>) {
        let turned = |zone| TurnedZones::of(size, mark, [zone].into_iter()).points;
        let points: Vec<Vec<ZonePoint>> = zones.iter().cloned().map(turned).collect();
        let mut best: Option<(f64, [f64; 2], BTreeSet<Place>)> = None;
        for number in 0..36 {
            let shift = [f64::from(number % 6) / 6.0, f64::from(number / 6) / 6.0];
            let hits_in = |points: &[ZonePoint]| {
                let mut hits: BTreeMap<Place, usize> = BTreeMap::new();
                for place in (-8..=8).flat_map(|row| (-6..=6).map(move |column| (row, column))) {
                    let along = mark.step * (f64::from(place.1) + shift[0] + half_step(place.0));
                    let across = ROW_STEP * (f64::from(place.0) + shift[1]);
                    let is_in_letter = |point: &&ZonePoint| {
                        let at = Point::new(point.along - along, point.across - across);
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
            let mut hits: Vec<BTreeMap<Place, usize>> = points.iter().map(|points| hits_in(points)).collect();
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
        let side = prop_oneof![8.0..80.0, 80.0..900.0];
        let zone = (-50.0..1250.0, -50.0..1800.0, side, 8.0..300.0, 2_u32..12, 2_u32..5);
        let zone = zone.prop_map(|(x, y, width, height, columns, rows): (f64, f64, f64, f64, u32, u32)| {
            let at = |number: u32, of: u32, length: f64| Px::new(length * (f64::from(number) + 0.5) / f64::from(of));
            let point =
                |(row, column)| Point::new(Px::new(x) + at(column, columns, width), Px::new(y) + at(row, rows, height));
            let points = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
            let area_of_point = width * height / f64::from(columns * rows);
            WordZone { points: points.map(point).collect(), area_of_point }
        });
        prop::collection::vec(zone, 0..20)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn the_best_marks_are_those_of_a_test_of_each_point_with_each_mark(zones in some_zones()) {
            let mark = Mark::new(&FontCatalogue::load().unwrap());
            let size = Size { width: Px::new(1200.0), height: Px::new(1697.0) };
            let grid = Grid::best(size, &mark, &TurnedZones::of(size, &mark, zones.iter().cloned()));
            let left_out: BTreeSet<Place> = grid.left_out.iter().copied().collect();
            prop_assert_eq!((grid.shift, left_out), slow_best(size, &mark, &zones));
        }
    }

    #[test]
    fn no_mark_that_reaches_into_the_page_is_missing() {
        let mark = Mark::new(&FontCatalogue::load().unwrap());
        let size = |width, height| Size { width: Px::new(width), height: Px::new(height) };
        let placed =
            |size: Size<Px>| Grid { size, step: mark.step, shift: [0.5, 0.25], left_out: vec![(0, 0)] }.words(&mark);
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
        let catalogue = FontCatalogue::load().unwrap();
        for height in [521.0, 1200.0, 1697.0, 2761.0] {
            let size = Size { width: Px::new(1200.0), height: Px::new(height) };
            let layout = watermark(size, std::iter::empty(), &catalogue);
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
        for (text, format) in texts.iter().flat_map(|text| ["a4", "card_5x7", "dl", "a3"].map(|format| (text, format)))
        {
            let request = json!({"text": text, "page_size": format, "margin_left": 60, "margin_right": 60});
            let page = page(&request, &catalogue);
            let (marks, scale) =
                (watermark(page.size, page.words.iter(), &catalogue), PAGE_WIDTH / page.size.width.get());
            let (sin, cos) = ANGLE.get().to_radians().sin_cos();
            let crosses = |mark: &PlacedWord, point: &Point<Px>| {
                let (x, y) = (point.x - mark.pivot.x, point.y - mark.pivot.y);
                let at = mark.pivot + Point::new(x * cos + y * sin, y * cos - x * sin);
                mark.glyphs.iter().any(|glyph| glyph.ink.touches(Rect { min: at, max: at }))
            };
            let mut words_with_mark = 0;
            for zone in page.words.iter().filter_map(|word| WordZone::of(word, scale, &catalogue)) {
                let count =
                    marks.words.iter().filter(|mark| zone.points.iter().any(|point| crosses(mark, point))).count();
                assert!(count <= 1, "{count} marks on a word of {request}");
                words_with_mark += count;
            }
            assert!(words_with_mark > 0, "no mark in the writing of {request}");
        }
    }
}
