//! Looks up for which shifts along a row of marks a point is in a letter.

use std::ops::RangeInclusive;

use super::grid::{Place, ROW_STEP, centre_in_row, centre_of_row, half_step, nearest};
use super::mark::Mark;
use crate::geometry::Rect;
use crate::units::Px;

/// Shifts that are tried along each axis.
pub(super) const SHIFTS: u32 = 6;

/// Some of the shifts along a row: one bit each, the first in the lowest.
pub(super) type Shifts = u8;

/// The shifts whose numbers `is_set` accepts.
pub(super) fn shifts_where(is_set: impl Fn(u32) -> bool) -> Shifts {
    (0..SHIFTS).fold(0, |shifts, number| shifts | Shifts::from(is_set(number)) << number)
}

/// Whether the shift with this number is one of `shifts`.
pub(super) const fn has(shifts: Shifts, number: u32) -> bool {
    shifts >> number & 1 != 0
}

/// The part of a step, or of the distance of rows, by which the shift with this number shifts marks.
pub(super) fn part_of_step(number: u32) -> f64 {
    f64::from(number) / f64::from(SHIFTS)
}

/// Cells from the centre of a mark to that of the next one of its row.
const COLUMNS: usize = 256 * SHIFTS as usize;
/// Cells from the middle of a row of marks to that of the next one.
const ROWS: usize = 2048;
/// The bit of a cell that has an edge of a letter, for any shift.
const EDGE: Shifts = 1 << 7;
/// Parts of a cell: points this near to an edge are tested as if they were at the edge. More than what rounding adds.
const TOLERANCE: f64 = 1e-3;

/// A point of a page.
pub(super) struct RowPoint {
    /// Distances from the centre of the page, along the rows of marks and across them.
    pub(super) along: Px,
    pub(super) across: Px,
    /// The same distances, in steps and in rows.
    steps: f64,
    pub(super) rows: f64,
}

impl RowPoint {
    /// The point with these distances, along the rows of this mark and across them.
    pub(super) fn new([along, across]: [Px; 2], mark: &Mark) -> Self {
        let (per_step, per_row) = (1.0 / mark.step.get(), 1.0 / ROW_STEP.get());
        Self { along, across, steps: along.get() * per_step, rows: across.get() * per_row }
    }
}

/// The row of marks that is nearest to a point, and the shifts along it for which the point is in a letter.
pub(super) struct Hit {
    row: i32,
    /// Distance of the point from the mark in the middle of the unshifted row, in steps.
    steps: f64,
    pub(super) shifts: Shifts,
}

impl Hit {
    /// A byte for each shift, the first in the lowest: 1 where the point is in a letter.
    pub(super) const fn bytes(&self) -> u64 {
        // Bit n moves to place 7 n + n. No two of the copies overlap.
        (self.shifts as u64 * 0x0002_0408_1020_4081) & 0x0101_0101_0101_0101
    }

    /// The place of the mark that is nearest to the point, for the shift with this number.
    pub(super) fn place(&self, number: u32) -> Place {
        (self.row, nearest(self.steps - part_of_step(number)) as i32)
    }
}

/// The letters of a mark by cells: for each cell, the shifts that put a letter there. They are the same for all marks.
pub(super) struct LetterTable {
    /// The boxes of the letters, and the distance of marks.
    letters: Vec<Rect<Px>>,
    pub(super) step: Px,
    /// Where letters begin and end above and below the middle of a row of marks, in rows, and a little more.
    level: [f64; 2],
    /// For each row of cells, from half a row of marks above the middle of one to half a row below it, the place of its
    /// first cell. Rows of cells with the same letters share their cells.
    first_cells: Vec<usize>,
    /// The cells of each row of them, from half a step before the centre of a mark to half a step after it.
    cells: Vec<Shifts>,
}

impl LetterTable {
    /// The letters of `mark`.
    pub(super) fn new(mark: &Mark) -> Self {
        let letters: Vec<Rect<Px>> = mark.letters().collect();
        let row = |across: Px| place_in_cells(across / ROW_STEP, ROWS);
        let mut edges: Vec<Px> = letters.iter().flat_map(|ink| [ink.min.y, ink.max.y]).collect();
        edges.sort_unstable_by(|one, other| one.get().total_cmp(&other.get()));
        // One more cell than the columns, because rounding may lead to the end of the last one.
        let mut cells = vec![0; COLUMNS + 1];
        let mut first_cells = vec![0; ROWS + 1];
        for between in edges.windows(2) {
            first_cells[row(between[0]) as usize..row(between[1]) as usize].fill(cells.len());
            let beside = letters.iter().filter(|ink| ink.min.y <= between[0] && between[1] <= ink.max.y);
            cells.extend(cells_of(beside, mark.step));
        }
        for edge in edges.into_iter().map(row) {
            first_cells[around(edge)].fill(cells.len());
        }
        cells.resize(cells.len() + COLUMNS + 1, EDGE);
        let Rect { min, max } = mark.extent;
        let level = [min.y / ROW_STEP - TOLERANCE, max.y / ROW_STEP + TOLERANCE];
        Self { letters, step: mark.step, level, first_cells, cells }
    }

    /// The row of marks that is nearest to a point, and the shifts along it that put a letter there. The rows are shifted
    /// by this part of their distance.
    pub(super) fn hit(&self, point: &RowPoint, shift: f64) -> Hit {
        let cell = |distance: f64, cells| place_in_cells(distance - nearest(distance), cells) as i32 as usize;
        let rows = point.rows - shift;
        let row = nearest(rows) as i32;
        let steps = point.steps - half_step(row);
        let shifts = self.cells[self.first_cells[cell(rows, ROWS)] + cell(steps, COLUMNS)];
        let mut hit = Hit { row, steps, shifts };
        if shifts & EDGE != 0 {
            hit.shifts = self.tested(&hit, point, shift);
        }
        hit
    }

    /// The shifts of a hit, found by a test of the point with the boxes of the letters.
    #[cold]
    fn tested(&self, hit: &Hit, point: &RowPoint, shift: f64) -> Shifts {
        let across = point.across - centre_of_row(hit.row, shift);
        let is_level = |letter: &&Rect<Px>| letter.min.y <= across && across <= letter.max.y;
        shifts_where(|number| {
            let (shift, half_step) = (part_of_step(number), half_step(hit.row));
            let along = point.along - centre_in_row(self.step, nearest(hit.steps - shift), shift, half_step);
            self.letters.iter().filter(is_level).any(|letter| letter.min.x <= along && along <= letter.max.x)
        })
    }

    /// Whether points may be level with letters, by the least and the greatest of their distances from the centre of the
    /// page in rows. The rows are shifted by this part of their distance.
    pub(super) fn may_reach(&self, [least, greatest]: [f64; 2], shift: f64) -> bool {
        let [top, bottom] = self.level;
        // From the middle of the row that is nearest to the least. The next row is 1 further.
        let from = least - shift - nearest(least - shift);
        let to = from + (greatest - least);
        (from <= bottom && top <= to) || 1.0 + top <= to
    }
}

/// The cells of a row of marks with these letters, each mark a step after the one before.
fn cells_of<'a>(letters: impl Iterator<Item = &'a Rect<Px>>, step: Px) -> Vec<Shifts> {
    let column = |along: Px| place_in_cells(along / step, COLUMNS);
    // The first shift is none.
    let mut unshifted = vec![0; COLUMNS];
    for ink in letters {
        let [left, right] = [ink.min.x, ink.max.x].map(column);
        unshifted[left as usize..right as usize].fill(1);
        unshifted[around(left)].fill(EDGE);
        unshifted[around(right)].fill(EDGE);
    }
    let mut cells = vec![0; COLUMNS];
    for number in 0..SHIFTS {
        for (shifts, letter) in cells.iter_mut().zip(&unshifted) {
            *shifts |= (letter & 1) << number | letter & EDGE;
        }
        unshifted.rotate_right(COLUMNS / SHIFTS as usize);
    }
    cells.push(cells[0]);
    cells
}

/// The place of a point, in cells from the first one. `distance` is that from the nearest mark in steps, or from the
/// nearest row in rows; `cells` is the number of cells of a step or a row, half of them before the middle.
fn place_in_cells(distance: f64, cells: usize) -> f64 {
    (distance + 0.5) * cells as f64
}

/// The cells that have points near an edge, by its place in cells.
fn around(edge: f64) -> RangeInclusive<usize> {
    (edge - TOLERANCE) as usize..=(edge + TOLERANCE) as usize
}
