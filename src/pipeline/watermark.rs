//! The watermark of previews: a word written across the page, repeatedly.
//!
//! Writing and watermark are drawn separately. `raster::stamp` adds the mark between the writing and cuts it out of the
//! writing, so that neither colour nor alpha can separate them again.
//!
//! The writing stays legible: the mark's strokes are thin, it is shifted until it covers little writing, and no two
//! marks cross the same word between its baseline and its x-height. All of this follows from the layout of the page
//! alone, so every region of a page has the mark of the page.
//!
//! All marks of a grid are drawn together, also those that are left out on a page: the drawn grid is the same for all
//! pages of one size and shift, and `drawn_marks` keeps it. Each strip belongs to one mark, so a page takes the strips
//! of its own marks.

mod drawn_marks;
mod mark;

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::word_zone::WordZone;
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Size};
use crate::layout::{PageLayout, PlacedWord};
use crate::raster::{Coverage, Strip, TILE};
use crate::scene::RenderParams;
use crate::units::Px;
pub(super) use drawn_marks::DrawnMarks;
use mark::{ANGLE, EM, Mark, moved};

/// Width of the page in the mark's px, which are those of a preview.
const PAGE_WIDTH: f64 = 1200.0;
/// Distance of rows.
const ROW_STEP: Px = Px::new(250.0);
/// The part of a letter's box that its strokes cover.
const STROKES: f64 = 0.25;
/// The part of the writing that the mark should cover: so much that it is part of the writing, and not more.
const WANTED: RangeInclusive<f64> = 0.015..=0.042;
/// Shifts that are tried along each axis.
const SHIFTS: u32 = 6;

/// The watermark of a page: slanting rows of the word, every other row shifted by half a step. Lengths are in px of a
/// preview.
pub(super) struct Watermark {
    mark: Mark,
    grid: Grid,
}

impl Watermark {
    /// The watermark of a page with these words.
    pub(super) fn of<'a>(
        page: Size<Px>,
        words: impl Iterator<Item = &'a PlacedWord>,
        catalogue: &FontCatalogue,
    ) -> Self {
        let scale = PAGE_WIDTH / page.width.get();
        let size = Size { width: page.width * scale, height: page.height * scale };
        let mark = Mark::new(catalogue);
        let zones = TurnedZones::of(size, &mark, words.filter_map(|word| WordZone::of(word, scale, catalogue)));
        let grid = Grid::best(size, &mark, &zones);
        Self { mark, grid }
    }

    /// All marks of its grid, also those that are left out.
    pub(super) fn layout(&self) -> PageLayout {
        let words = self.grid.marks(&self.mark).map(|(_, mark)| mark).collect();
        PageLayout { size: self.grid.size, font_size: EM, words, ..PageLayout::default() }
    }

    /// The size of the page.
    pub(super) const fn size(&self) -> Size<Px> {
        self.grid.size
    }

    /// The marks that are not left out, of `drawn`: all marks of its grid, drawn with `params` and cut out by their
    /// window.
    pub(super) fn kept(&self, drawn: &Coverage, params: &RenderParams) -> Coverage {
        let (axes, corner) = (Axes::of(self.grid.size), params.window.unwrap_or_default().min);
        let px = |device: u32| Px::new(f64::from(device) / params.scale.get());
        drawn.with_strips(|Strip { tile_row, x, width, .. }| {
            let middle = Point::new(px(corner.x + x + width / 2), px(corner.y + tile_row * TILE + TILE / 2));
            !self.grid.left_out.contains(&self.grid.nearest_to(axes.distances(middle)))
        })
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
        let axes = Axes::of(size);
        let mut all = Self { points: Vec::new(), areas_of_points: Vec::new(), area: 0.0 };
        for (zone, WordZone { points, area_of_point }) in zones.enumerate() {
            all.area += area_of_point * points.len() as f64;
            all.areas_of_points.push(area_of_point);
            all.points.extend(points.iter().map(|point| {
                let [along, across] = axes.distances(*point);
                ZonePoint { zone, along, across, steps: [along / mark.step, across / ROW_STEP] }
            }));
        }
        all
    }

    /// The points that are level with letters, where rows of marks are shifted by this part of a row. They are
    /// about a third of all points, and the shift along the rows does not change them.
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
        let grid = |shift| Self { size, step: mark.step, shift, left_out: Vec::new() };
        let shifts = || (0..SHIFTS).map(|part| f64::from(part) / f64::from(SHIFTS));
        for across in shifts() {
            let level = zones.level_with(mark, across);
            for along in shifts() {
                let mut tried = grid([along, across]);
                let covered = tried.leave_out(mark, &level, zones);
                let miss = (WANTED.start() - covered).max(covered - WANTED.end()).max(0.0);
                if miss <= 0.0 {
                    return tried;
                }
                if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                    best = Some((miss, tried));
                }
            }
        }
        best.map_or_else(|| grid([0.0; 2]), |(_, best)| best)
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
            let along = point.along - self.centre_in_row(column, point.half_step);
            crossings[number].points += u32::from(mark.covers(along, point.across));
        }
        crossings.retain(|crossing| crossing.points > 0);
        crossings
    }

    /// The centre of a mark along its row, which is shifted by this part of a step, from the middle of the page.
    fn centre_in_row(&self, column: f64, half_step: f64) -> Px {
        self.step * (column + self.shift[0] + half_step)
    }

    /// All marks that reach into the page, from its upper left corner to its lower right one, also those left out.
    fn marks(&self, mark: &Mark) -> impl Iterator<Item = (Place, PlacedWord)> {
        let (axes, Size { width, height }) = (Axes::of(self.size), self.size);
        let half_diagonal = |width: Px, height: Px| Px::new(width.get().hypot(height.get()) / 2.0);
        let (reach, mark_reach) =
            (half_diagonal(width, height), half_diagonal(mark.extent.width(), mark.extent.height()));
        // Shifted marks reach all corners with one more row and column.
        let rows = (reach / ROW_STEP).ceil() as i32 + 1;
        let columns = (reach / self.step).ceil() as i32 + 2;
        let all = (-rows..=rows).flat_map(move |row| (-columns..=columns).map(move |column| (row, column)));
        all.filter_map(move |(row, column)| {
            let along = self.centre_in_row(f64::from(column), half_step(row));
            let across = centre_of_row(row, self.shift[1]);
            let at = axes.point(along, across);
            let reaches = |at: Px, side: Px| (-mark_reach..=side + mark_reach).contains(&at);
            (reaches(at.x, width) && reaches(at.y, height)).then(|| ((row, column), moved(&mark.word, at)))
        })
    }

    /// The place of the mark that is nearest to a point, by its distances along the rows and across them.
    fn nearest_to(&self, [along, across]: [Px; 2]) -> Place {
        let row = nearest(across / ROW_STEP - self.shift[1]) as i32;
        (row, nearest(along / self.step - self.shift[0] - half_step(row)) as i32)
    }
}

/// The axes of the rows of marks on a page: along them and across them, from the centre of the page.
struct Axes {
    middle: Point<Px>,
    sin: f64,
    cos: f64,
}

impl Axes {
    /// Of a page of this size.
    fn of(size: Size<Px>) -> Self {
        let (sin, cos) = ANGLE.get().to_radians().sin_cos();
        Self { middle: Point::new(size.width / 2.0, size.height / 2.0), sin, cos }
    }

    /// The distances of a point from the centre, along the rows and across them.
    fn distances(&self, point: Point<Px>) -> [Px; 2] {
        let (x, y) = (point.x - self.middle.x, point.y - self.middle.y);
        [x * self.cos + y * self.sin, y * self.cos - x * self.sin]
    }

    /// The point at these distances.
    fn point(&self, along: Px, across: Px) -> Point<Px> {
        let (x, y) = (along * self.cos - across * self.sin, along * self.sin + across * self.cos);
        Point::new(self.middle.x + x, self.middle.y + y)
    }
}

/// The centre of a row of marks from the middle of the page, across the rows.
fn centre_of_row(row: i32, shift: f64) -> Px {
    ROW_STEP * (f64::from(row) + shift)
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

#[cfg(test)]
mod tests;
