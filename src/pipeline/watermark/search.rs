//! Finds the grid of marks that covers the wanted part of the writing.

use std::cmp::Reverse;
use std::ops::RangeInclusive;

use super::grid::{Grid, Place};
use super::mark::Mark;
use super::word_zone::WordZone;
use crate::geometry::{Point, Size};
use crate::units::Px;

/// The part of a letter's box that its strokes cover.
const STROKES: f64 = 0.25;
/// The part of the writing that the mark should cover: enough to mark the text without hiding it.
const WANTED: RangeInclusive<f64> = 0.015..=0.042;
/// Shifts that are tried along each axis.
const SHIFTS: u32 = 6;

/// The first grid that covers the wanted part of the words, or the one that comes nearest.
pub(super) fn best_grid(size: Size<Px>, mark: &Mark, zones: &[WordZone]) -> Grid {
    let grid = |shift| Grid { size, step: mark.step, shift, left_out: Vec::new() };
    let shifts = || (0..SHIFTS).map(|number| f64::from(number) / f64::from(SHIFTS));
    let mut best: Option<(f64, Grid)> = None;
    for across in shifts() {
        let unshifted = grid([0.0, across]);
        let level: Vec<Vec<LevelPoint>> = zones.iter().map(|zone| level_with(zone, &unshifted, mark)).collect();
        for along in shifts() {
            let mut tried = grid([along, across]);
            let covered = cross_once(zones, &level, &mut tried, mark);
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

/// A point that is level with the letters of a row of marks.
struct LevelPoint {
    row: i32,
    /// Distance from the centre of the page, along the row.
    along: Px,
    /// Distance from the middle of the row, across it.
    across: Px,
}

/// A mark that crosses a word.
struct Crossing {
    place: Place,
    /// Points of the word's zone that are in letters of the mark.
    points: u32,
}

/// The points of a zone that are level with letters. The shift along the rows does not change them.
fn level_with(zone: &WordZone, grid: &Grid, mark: &Mark) -> Vec<LevelPoint> {
    let level = |&[along, across]: &[Px; 2]| {
        let row = grid.nearest_row(across);
        let across = across - grid.centre_of_row(row);
        mark.is_level(across).then_some(LevelPoint { row, along, across })
    };
    zone.points.iter().filter_map(level).collect()
}

/// Leaves out marks until each word is crossed by one at most. Returns the part of the words that the others cover.
fn cross_once(zones: &[WordZone], level: &[Vec<LevelPoint>], grid: &mut Grid, mark: &Mark) -> f64 {
    let crossings: Vec<Vec<Crossing>> = level.iter().map(|points| crossings(points, grid, mark)).collect();
    for of_word in &crossings {
        let there = || of_word.iter().filter(|crossing| !grid.left_out.contains(&crossing.place));
        // The mark that covers most of the word stays; the first of equals.
        let stays = there().max_by_key(|crossing| (crossing.points, Reverse(crossing.place)));
        let stays = stays.map(|crossing| crossing.place);
        let others: Vec<Place> = there().map(|crossing| crossing.place).filter(|place| Some(*place) != stays).collect();
        grid.left_out.extend(others);
    }
    let (mut covered, mut area) = (0.0, 0.0);
    for (zone, of_word) in zones.iter().zip(&crossings) {
        let there = of_word.iter().filter(|crossing| !grid.left_out.contains(&crossing.place));
        covered += zone.area_of_point * f64::from(there.map(|crossing| crossing.points).sum::<u32>());
        area += zone.area_of_point * zone.points.len() as f64;
    }
    if area > 0.0 { STROKES * covered / area } else { *WANTED.start() }
}

/// The marks that cross the word with these points, whether they are left out or not.
fn crossings(points: &[LevelPoint], grid: &Grid, mark: &Mark) -> Vec<Crossing> {
    let mut crossings: Vec<Crossing> = Vec::new();
    for &LevelPoint { row, along, across } in points {
        let place = (row, grid.nearest_in_row(row, along));
        if !mark.covers(Point::new(along - grid.centre_in_row(place), across)) {
            continue;
        }
        match crossings.iter_mut().find(|crossing| crossing.place == place) {
            Some(crossing) => crossing.points += 1,
            None => crossings.push(Crossing { place, points: 1 }),
        }
    }
    crossings
}
