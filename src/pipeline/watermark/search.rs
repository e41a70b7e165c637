//! Finds the grid of marks that covers the wanted part of the writing.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::grid::{Axes, Grid, Place, ROW_STEP, centre_of_row, half_step, nearest};
use super::mark::Mark;
use crate::geometry::Size;
use crate::pipeline::word_zone::WordZone;
use crate::units::Px;

/// The part of a letter's box that its strokes cover.
const STROKES: f64 = 0.25;
/// The part of the writing that the mark should cover: so much that it is part of the writing, and not more.
const WANTED: RangeInclusive<f64> = 0.015..=0.042;
/// Shifts that are tried along each axis.
const SHIFTS: u32 = 6;

/// The zones of a page's words, their points by their distances from the centre of the page along the rows of marks and
/// across them.
pub(super) struct TurnedZones {
    /// Zone by zone.
    pub(super) points: Vec<ZonePoint>,
    /// For each zone, the area that each of its points stands for.
    areas_of_points: Vec<f64>,
    /// The area of all zones.
    area: f64,
}

pub(super) struct ZonePoint {
    zone: usize,
    pub(super) along: Px,
    pub(super) across: Px,
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
    pub(super) fn of(size: Size<Px>, mark: &Mark, zones: impl Iterator<Item = WordZone>) -> Self {
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

impl Grid {
    /// The first grid that covers the wanted part of the words, or the one that comes nearest.
    pub(super) fn best(size: Size<Px>, mark: &Mark, zones: &TurnedZones) -> Self {
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
}
