//! Finds the grid of marks that covers the wanted part of the writing.
//!
//! For each shift across the rows of marks, all shifts along them are tested at once. Few words are so large that two
//! marks can cross them. Only where that happens are all crossings listed, to leave out marks.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::ops::{Range, RangeInclusive};

use super::grid::{Axes, Grid, Place, ROW_STEP};
use super::letter_table::{Hit, LetterTable, RowPoint, SHIFTS, Shifts, has, part_of_step, shifts_where};
use super::mark::{GAP, Mark};
use crate::geometry::Size;
use crate::pipeline::word_zone::WordZone;
use crate::units::Px;

/// The part of a letter's box that its strokes cover.
const STROKES: f64 = 0.25;
/// The part of the writing that the mark should cover: so much that it is part of the writing, and not more.
const WANTED: RangeInclusive<f64> = 0.015..=0.042;

/// The first grid that covers the wanted part of the words, or the one that comes nearest.
pub(super) fn best_grid(size: Size<Px>, letters: &LetterTable, zones: &TurnedZones) -> Grid {
    let grid = |shift, left_out| Grid { size, step: letters.step, shift, left_out };
    let mut best: Option<(f64, Grid)> = None;
    for across in (0..SHIFTS).map(part_of_step) {
        for (along, tried) in (0..SHIFTS).map(part_of_step).zip(zones.tried(letters, across)) {
            let miss = (WANTED.start() - tried.covered).max(tried.covered - WANTED.end()).max(0.0);
            if miss <= 0.0 {
                return grid([along, across], tried.left_out);
            }
            if best.as_ref().is_none_or(|(least, _)| miss < *least) {
                best = Some((miss, grid([along, across], tried.left_out)));
            }
        }
    }
    best.map_or_else(|| grid([0.0; 2], Vec::new()), |(_, best)| best)
}

/// The marks of one shift.
struct Tried {
    /// The part of the words that they cover.
    covered: f64,
    /// The marks that have to be left out, so that each word is crossed by one at most.
    left_out: Vec<Place>,
}

/// The zones of a page's words.
pub(super) struct TurnedZones {
    zones: Vec<TurnedZone>,
    /// The points of all zones, zone by zone.
    pub(super) points: Vec<RowPoint>,
    /// The area of all zones.
    area: f64,
}

struct TurnedZone {
    /// Numbers of its points.
    points: Range<usize>,
    /// The area that each of them stands for.
    area_of_point: f64,
    /// The least and the greatest distance of a point from the centre of the page, in rows of marks.
    rows: [f64; 2],
    /// Whether two marks may cross it, because it is as large as the white between them, but for rounding.
    is_large: bool,
}

/// What marks that are shifted along their rows cover, if none of them is left out.
#[derive(Default)]
struct Covered {
    /// For each shift, the area of points in letters.
    areas: [f64; SHIFTS as usize],
    /// The shifts for which two marks cross the same word.
    crossed_twice: Shifts,
}

/// A word and a mark that crosses it.
struct Crossing {
    zone: usize,
    place: Place,
    /// Points of the word's zone that are in letters of the mark.
    points: u32,
}

impl TurnedZones {
    /// Of a page of this size.
    pub(super) fn of(size: Size<Px>, mark: &Mark, zones: impl Iterator<Item = WordZone>) -> Self {
        let axes = Axes::of(size);
        // Room for a page of small writing.
        let mut all = Self { zones: Vec::with_capacity(512), points: Vec::with_capacity(4096), area: 0.0 };
        for zone in zones {
            let (first, area_of_point) = (all.points.len(), zone.area_of_point());
            zone.points().for_each(|point| all.points.push(RowPoint::new(axes.distances(point), mark)));
            let points = first..all.points.len();
            all.area += area_of_point * points.len() as f64;
            let extent = |distance: fn(&RowPoint) -> f64| {
                let distances = || all.points[points.clone()].iter().map(distance);
                [distances().fold(f64::INFINITY, f64::min), distances().fold(f64::NEG_INFINITY, f64::max)]
            };
            let (along, rows) = (extent(|point| point.along.get()), extent(|point| point.rows));
            let gap_of_rows = 1.0 - mark.extent.height() / ROW_STEP;
            let is_large = along[1] - along[0] >= 0.999 * GAP.get() || rows[1] - rows[0] >= 0.999 * gap_of_rows;
            all.zones.push(TurnedZone { points, area_of_point, rows, is_large });
        }
        all
    }

    /// What marks cover whose rows are shifted by this part of their distance, for one shift along the rows after
    /// another.
    fn tried(&self, letters: &LetterTable, shift: f64) -> impl Iterator<Item = Tried> {
        let Covered { areas, crossed_twice } = self.covered(letters, shift);
        let hits = OnceCell::new();
        (0..SHIFTS).zip(areas).map(move |(number, area)| {
            if !has(crossed_twice, number) {
                return Tried { covered: self.part(area), left_out: Vec::new() };
            }
            let hits = hits.get_or_init(|| self.hits(letters, shift));
            self.crossed_once(&crossings(hits, number))
        })
    }

    /// What marks cover whose rows are shifted by this part of their distance.
    fn covered(&self, letters: &LetterTable, shift: f64) -> Covered {
        /// As many points as a byte counts.
        const AT_ONCE: usize = u8::MAX as usize;
        let mut covered = Covered::default();
        for zone in &self.zones {
            if !letters.may_reach(zone.rows, shift) {
                continue;
            }
            let points = self.points_of(zone);
            let mut counts = [0_u32; SHIFTS as usize];
            for points in points.chunks(AT_ONCE) {
                let bytes: u64 = points.iter().map(|point| letters.hit(point, shift).bytes()).sum();
                for (count, byte) in counts.iter_mut().zip(bytes.to_le_bytes()) {
                    *count += u32::from(byte);
                }
            }
            for (area, count) in covered.areas.iter_mut().zip(counts) {
                *area += zone.area_of_point * f64::from(count);
            }
            if zone.is_large {
                let hits: Vec<Hit> = points.iter().map(|point| letters.hit(point, shift)).collect();
                covered.crossed_twice |= crossed_twice(&hits);
            }
        }
        covered
    }

    /// The points that are in letters for some shifts along the rows, with the numbers of their zones.
    fn hits(&self, letters: &LetterTable, shift: f64) -> Vec<(usize, Hit)> {
        let all = self.zones.iter().enumerate().flat_map(|(number, zone)| {
            self.points_of(zone).iter().map(move |point| (number, letters.hit(point, shift)))
        });
        all.filter(|(_, hit)| hit.shifts != 0).collect()
    }

    /// Leaves out marks until each word is crossed by one at most.
    fn crossed_once(&self, crossings: &[Crossing]) -> Tried {
        let mut left_out: Vec<Place> = Vec::new();
        for of_word in crossings.chunk_by(|one, other| one.zone == other.zone) {
            let there = || of_word.iter().filter(|crossing| !left_out.contains(&crossing.place));
            // The mark that covers most of the word stays; the first of equals.
            let stays = there().max_by_key(|crossing| (crossing.points, Reverse(crossing.place)));
            let stays = stays.map(|crossing| crossing.place);
            let others: Vec<Place> =
                there().map(|crossing| crossing.place).filter(|place| Some(*place) != stays).collect();
            left_out.extend(others);
        }
        let mut area = 0.0;
        for of_word in crossings.chunk_by(|one, other| one.zone == other.zone) {
            let there = of_word.iter().filter(|crossing| !left_out.contains(&crossing.place));
            let points: u32 = there.map(|crossing| crossing.points).sum();
            area += self.zones[of_word[0].zone].area_of_point * f64::from(points);
        }
        Tried { covered: self.part(area), left_out }
    }

    fn points_of(&self, zone: &TurnedZone) -> &[RowPoint] {
        &self.points[zone.points.clone()]
    }

    /// The part of the words that is covered where this area is in letters.
    fn part(&self, area: f64) -> f64 {
        if self.area > 0.0 { STROKES * area / self.area } else { *WANTED.start() }
    }
}

/// The shifts for which two marks cross the word with these hits.
fn crossed_twice(hits: &[Hit]) -> Shifts {
    shifts_where(|number| {
        let mut places = hits.iter().filter(|hit| has(hit.shifts, number)).map(|hit| hit.place(number));
        let first = places.next();
        places.any(|place| Some(place) != first)
    })
}

/// All crossings of words and marks for the shift with this number, word by word. Hits are by the numbers of zones.
fn crossings(hits: &[(usize, Hit)], number: u32) -> Vec<Crossing> {
    let mut crossings: Vec<Crossing> = Vec::new();
    for (zone, hit) in hits.iter().filter(|(_, hit)| has(hit.shifts, number)) {
        let place = hit.place(number);
        let mut of_word = crossings.iter_mut().rev().take_while(|crossing| crossing.zone == *zone);
        match of_word.find(|crossing| crossing.place == place) {
            Some(crossing) => crossing.points += 1,
            None => crossings.push(Crossing { zone: *zone, place, points: 1 }),
        }
    }
    crossings
}
