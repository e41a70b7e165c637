//! The watermark of previews: a word written across the page, repeatedly.
//!
//! Writing and watermark are drawn separately. `raster::stamp` adds the mark between the writing and cuts it out of the
//! writing, so that neither colour nor alpha can separate them again.
//!
//! The writing stays legible: the mark's strokes are thin, it is shifted until it covers little writing, and no two
//! marks cross the same word between its baseline and its x-height. All of this follows from the layout of the page
//! alone, so every region of a page has the mark of the page.

use std::collections::BTreeMap;
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

/// The marks of a page, in px of a preview: slanting rows of the word, every other row shifted by half a step.
pub(super) fn watermark(page: &PageLayout, catalogue: &FontCatalogue) -> PageLayout {
    let scale = PAGE_WIDTH / page.size.width.get();
    let size = Size { width: page.size.width * scale, height: page.size.height * scale };
    let zones: Vec<WordZone> = page.words.iter().filter_map(|word| WordZone::of(word, scale, catalogue)).collect();
    let mark = Mark::new(catalogue);
    let words = Grid::best(size, &mark, &TurnedZone::all(size, &zones)).words(&mark);
    PageLayout { size, font_size: EM, words, ..PageLayout::default() }
}

/// The word with the centre of its ink at the origin, not yet turned.
struct Mark {
    word: PlacedWord,
    /// The box of all letters.
    extent: Rect<Px>,
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
        Self { word: moved(&word, to_middle), extent: extent.translated(to_middle), step: extent.width() + GAP }
    }

    /// Whether a point is in the box of a letter. It is relative to the centre, along the word and across it.
    fn covers(&self, along: Px, across: Px) -> bool {
        let is_in =
            |ink: Rect<Px>| (ink.min.x..=ink.max.x).contains(&along) && (ink.min.y..=ink.max.y).contains(&across);
        is_in(self.extent) && self.word.glyphs.iter().any(|glyph| is_in(glyph.ink))
    }
}

/// The zone of a word, its points by their distances from the centre of the page along the rows of marks and across
/// them.
struct TurnedZone {
    points: Vec<[Px; 2]>,
    area_of_point: f64,
}

impl TurnedZone {
    /// The zones of a page of this size.
    fn all(size: Size<Px>, zones: &[WordZone]) -> Vec<Self> {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        let middle = middle_of(size);
        let turned = |point: &Point<Px>| {
            let (x, y) = (point.x - middle.x, point.y - middle.y);
            [x * cos + y * sin, y * cos - x * sin]
        };
        let zone = |zone: &WordZone| Self {
            points: zone.points.iter().map(turned).collect(),
            area_of_point: zone.area_of_point,
        };
        zones.iter().map(zone).collect()
    }
}

/// A mark by its row and its position in the row.
type Place = (i32, i32);

/// The places of marks on a page.
struct Grid {
    /// The centre of the page, and its distance from its corners.
    middle: Point<Px>,
    reach: Px,
    step: Px,
    /// The shift from the middle, in steps along a row and in rows.
    shift: [f64; 2],
    /// Marks that are left out, because another one crosses the same word.
    left_out: Vec<Place>,
}

impl Grid {
    /// The first grid that covers the wanted part of the words, or the one that comes nearest.
    fn best(size: Size<Px>, mark: &Mark, zones: &[TurnedZone]) -> Self {
        let mut best: Option<(f64, Self)> = None;
        for number in 0..SHIFTS * SHIFTS {
            let shift = [number % SHIFTS, number / SHIFTS].map(|part| f64::from(part) / f64::from(SHIFTS));
            let mut grid = Self::new(size, mark, shift);
            let covered = grid.leave_out(mark, zones);
            let miss = (WANTED.start() - covered).max(covered - WANTED.end()).max(0.0);
            if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                best = Some((miss, grid));
            }
            if miss <= 0.0 {
                break;
            }
        }
        best.map_or_else(|| Self::new(size, mark, [0.0; 2]), |(_, grid)| grid)
    }

    fn new(size: Size<Px>, mark: &Mark, shift: [f64; 2]) -> Self {
        let middle = middle_of(size);
        let reach = Px::new(size.width.get().hypot(size.height.get()) / 2.0);
        Self { middle, reach, step: mark.step, shift, left_out: Vec::new() }
    }

    /// Leaves out marks until each word is crossed by one at most. Returns the part of the words that the others cover.
    fn leave_out(&mut self, mark: &Mark, zones: &[TurnedZone]) -> f64 {
        let crossing: Vec<Vec<Place>> = zones.iter().map(|zone| self.marks_at(&zone.points, mark)).collect();
        for places in &crossing {
            let mut hits: BTreeMap<Place, u32> = BTreeMap::new();
            for place in self.not_left_out(places) {
                *hits.entry(place).or_default() += 1;
            }
            // The mark that covers most of the word stays; the first of equals.
            let stays = hits.iter().rev().max_by_key(|(_, count)| **count).map(|(place, _)| *place);
            self.left_out.extend(hits.keys().filter(|place| Some(**place) != stays));
        }
        let (mut covered, mut whole) = (0.0, 0.0);
        for (zone, places) in zones.iter().zip(&crossing) {
            whole += zone.area_of_point * zone.points.len() as f64;
            covered += zone.area_of_point * self.not_left_out(places).count() as f64;
        }
        if whole > 0.0 { STROKES * covered / whole } else { *WANTED.start() }
    }

    /// Those places whose marks are not left out.
    fn not_left_out(&self, places: &[Place]) -> impl Iterator<Item = Place> {
        places.iter().copied().filter(|place| !self.left_out.contains(place))
    }

    /// For each point that is in a letter of a mark, that mark, whether it is left out or not.
    fn marks_at(&self, points: &[[Px; 2]], mark: &Mark) -> Vec<Place> {
        let place_of = |&[along, across]: &[Px; 2]| {
            let row = nearest(across / ROW_STEP - self.shift[1]);
            let column = nearest(along / self.step - self.shift[0] - half_step(row));
            let [centre_along, centre_across] = self.centre((row, column));
            mark.covers(along - centre_along, across - centre_across).then_some((row, column))
        };
        points.iter().filter_map(place_of).collect()
    }

    /// The centre of a mark from the middle of the page, along the rows and across them.
    fn centre(&self, (row, column): Place) -> [Px; 2] {
        let along = self.step * (f64::from(column) + self.shift[0] + half_step(row));
        [along, ROW_STEP * (f64::from(row) + self.shift[1])]
    }

    /// The marks, from the upper left corner of the page to the lower right one.
    fn words(&self, mark: &Mark) -> Vec<PlacedWord> {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        // Shifted marks reach all corners with one more row and column.
        let rows = (self.reach / ROW_STEP).ceil() as i32 + 1;
        let columns = (self.reach / self.step).ceil() as i32 + 2;
        let all = (-rows..=rows).flat_map(|row| (-columns..=columns).map(move |column| (row, column)));
        let placed = all.filter(|place| !self.left_out.contains(place)).map(|place| {
            let [along, across] = self.centre(place);
            let (x, y) = (along * cos - across * sin, along * sin + across * cos);
            moved(&mark.word, Point::new(self.middle.x + x, self.middle.y + y))
        });
        placed.collect()
    }
}

/// The centre of a page.
fn middle_of(size: Size<Px>) -> Point<Px> {
    Point::new(size.width / 2.0, size.height / 2.0)
}

/// The nearest whole number, halves away from zero, as [`f64::round`]. Processors of the baseline have no instruction
/// for `round`, and its call takes most of the time that the marks are placed in.
fn nearest(number: f64) -> i32 {
    /// The largest number below a half: a half would round the number before a half up.
    const HALF: f64 = 0.499_999_999_999_999_94;
    (number + HALF.copysign(number)) as i32
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
    use serde_json::json;

    use super::*;
    use crate::layout::lay_out;
    use crate::spec::{Endpoint, parse_value};

    fn page(request: &serde_json::Value, catalogue: &FontCatalogue) -> PageLayout {
        lay_out(&parse_value(request, Endpoint::Preview, || 1).unwrap(), catalogue).unwrap()
    }

    #[test]
    fn the_nearest_number_is_that_of_round() {
        let ties = (-2001..2001).map(|half| f64::from(half) / 2.0);
        for tie in ties {
            for number in [tie.next_down(), tie, tie.next_up()] {
                assert_eq!(nearest(number), number.round() as i32, "{number:?}");
            }
        }
    }

    #[test]
    fn the_mark_is_all_over_the_page() {
        let catalogue = FontCatalogue::load().unwrap();
        for height in [521.0, 1200.0, 1697.0, 2761.0] {
            let size = Size { width: Px::new(1200.0), height: Px::new(height) };
            let layout = watermark(&PageLayout { size, ..PageLayout::default() }, &catalogue);
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
            let (marks, scale) = (watermark(&page, &catalogue), PAGE_WIDTH / page.size.width.get());
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
