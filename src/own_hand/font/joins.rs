//! Closes joins: moves pairs of letters that the writer joins, as little as needed, until their strokes overlap.

use crate::own_hand::letters::Contour;
use crate::own_hand::picture::{Plane, covered, depths};

/// Font units in a pixel of the comparison.
const PIXEL: f64 = 4.0;
/// Font units below the baseline and above it that are compared.
const RANGE: [f64; 2] = [-400.0, 1000.0];
/// The largest shift, in pixels: a tenth of an em.
const MOST_SHIFT: i32 = 25;
/// All shifts, from the largest to the left to the largest to the right.
const SHIFTS: usize = 2 * MOST_SHIFT as usize + 1;
/// The share of forms that a shift by [`MOST_SHIFT`] has to join in addition.
const WORTH: f64 = 0.3;
/// The diameter of the largest disc in what two letters share, as a share of the pen's width, from which they are joined.
const NECK: f64 = 0.4;
/// The same for hairlines: strokes in which no disc of that diameter lies nearer than [`NEAR`] widths of the pen.
const FINE_NECK: f64 = 0.2;
const NEAR: f64 = 0.5;

/// Where in a letter the middles of discs may be.
pub(super) struct LetterInk {
    /// Those of the least neck, and of that for hairlines.
    fits: Runs,
    fits_fine: Runs,
    /// The latter in hairlines.
    hairlines: Runs,
    /// In font units.
    width: f64,
}

/// For each row of pixels, the first and last column of each run.
type Runs = Vec<Vec<[i32; 2]>>;

impl LetterInk {
    /// The ink of contours that begin at x = 0 and are this wide, of a pen of this width, all in font units.
    pub(super) fn of(contours: &[Contour], width: f64, pen: f64) -> Self {
        let size = [(width / PIXEL).ceil() as usize + 2, ((RANGE[1] - RANGE[0]) / PIXEL) as usize];
        let place = |[x, y]: [f64; 2]| [x / PIXEL + 1.0, (RANGE[1] - y) / PIXEL];
        let coverage = covered(contours, size, place);
        let depths = depths(size[0], size[1], |at| coverage.values[at] > 0.5);
        // Depths reach half a pixel beyond the edge.
        let has_room = |at: usize, neck: f64| f64::from(depths.values[at]) >= 0.5 * neck * pen / PIXEL + 0.5;
        let wide = (0..depths.values.len()).map(|at| f32::from(u8::from(has_room(at, NECK))));
        let wide = Plane { width: size[0], height: size[1], values: wide.collect() };
        let near = wide.dilated((NEAR * pen / PIXEL) as usize);
        Self {
            fits: runs(size, |at| has_room(at, NECK)),
            fits_fine: runs(size, |at| has_room(at, FINE_NECK)),
            hairlines: runs(size, |at| has_room(at, FINE_NECK) && near.values[at] < 0.5),
            width,
        }
    }

    /// Marks the shifts at which a disc of the least neck lies in both letters. `gap` is that between their ink, in font
    /// units.
    fn joins(&self, after: &Self, gap: f64) -> [bool; SHIFTS] {
        let mut joins = [false; SHIFTS];
        let unmoved = ((self.width + gap) / PIXEL).round() as i32;
        let pairs =
            [(&self.fits, &after.fits), (&self.hairlines, &after.fits_fine), (&self.fits_fine, &after.hairlines)];
        for (row, next) in pairs.into_iter().flat_map(|(own, others)| own.iter().zip(others)) {
            for ([from, to], [first, last]) in row.iter().flat_map(|run| next.iter().map(move |other| (run, other))) {
                let least = (from - last - unmoved + MOST_SHIFT).max(0);
                let most = (to - first - unmoved + MOST_SHIFT).min(2 * MOST_SHIFT);
                (least..=most).for_each(|shift| joins[shift as usize] = true);
            }
        }
        joins
    }
}

/// The runs of pixels for which `is_in` is true.
fn runs([width, height]: [usize; 2], is_in: impl Fn(usize) -> bool) -> Runs {
    let of_row = |row: usize| {
        let mut runs: Vec<[i32; 2]> = Vec::new();
        for column in (0..width).filter(|column| is_in(row * width + column)).map(|column| column as i32) {
            match runs.last_mut() {
                Some([_, last]) if *last + 1 == column => *last = column,
                _ => runs.push([column; 2]),
            }
        }
        runs
    };
    (0..height).map(of_row).collect()
}

/// The shift of a pair at which most of its forms are joined, in font units, and the share that then is; a larger shift
/// has to join more. `gap` is the gap between the ink of the letters, in font units.
pub(super) fn closing_shift(before: &[LetterInk], after: &[LetterInk], gap: f64) -> (f64, f64) {
    let mut counts = [0_usize; SHIFTS];
    for joins in before.iter().flat_map(|before| after.iter().map(move |after| before.joins(after, gap))) {
        counts.iter_mut().zip(joins).for_each(|(count, joins)| *count += usize::from(joins));
    }
    let forms = (before.len() * after.len()).max(1) as f64;
    let mut best = (0.0, 0.0, 0.0);
    for step in 0..=MOST_SHIFT {
        let cost = WORTH * f64::from(step) / f64::from(MOST_SHIFT);
        for shift in [-step, step] {
            let share = counts[(shift + MOST_SHIFT) as usize] as f64 / forms;
            if share - cost > best.2 {
                best = (f64::from(shift) * PIXEL, share, share - cost);
            }
        }
    }
    (best.0, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The width of the pen.
    const PEN: f64 = 80.0;

    /// A bar from 0 to a width, as thick as the pen, from this height.
    fn bar(width: f64, from: f64) -> LetterInk {
        let to = from + PEN;
        LetterInk::of(&[vec![[0.0, from], [width, from], [width, to], [0.0, to]]], width, PEN)
    }

    #[test]
    fn a_pair_is_moved_until_its_strokes_overlap() {
        let (one, other) = ([bar(300.0, 0.0)], [bar(200.0, 0.0)]);
        assert_eq!(closing_shift(&one, &other, -60.0), (0.0, 1.0));
        let (shift, share) = closing_shift(&one, &other, 0.0);
        // A disc of 32 units fits.
        assert!(share > 0.999 && (shift + 32.0).abs() <= 1.5 * PIXEL, "{shift}");
        assert_eq!(closing_shift(&one, &other, 180.0), (0.0, 0.0));
    }

    #[test]
    fn strokes_that_only_touch_along_their_edges_are_not_joined() {
        let gap = -100.0;
        for (rise, share) in [(PEN - 40.0, 1.0), (PEN - 20.0, 0.0)] {
            assert_eq!(closing_shift(&[bar(300.0, 0.0)], &[bar(200.0, rise)], gap), (0.0, share), "{rise}");
        }
    }

    #[test]
    fn a_hairline_is_joined_by_less() {
        let hairline = |rise: f64| {
            let corners = [[0.0, rise], [300.0, rise], [300.0, rise + 24.0], [0.0, rise + 24.0]];
            LetterInk::of(&[corners.to_vec()], 300.0, PEN)
        };
        assert_eq!(closing_shift(&[bar(300.0, 0.0)], &[hairline(30.0)], -60.0), (0.0, 1.0));
        assert_eq!(closing_shift(&[bar(300.0, 0.0)], &[hairline(90.0)], -60.0), (0.0, 0.0));
    }

    #[test]
    fn a_pair_is_moved_for_most_of_its_forms() {
        // The second form stands above the first one's reach.
        let before = [bar(300.0, 0.0), bar(300.0, 500.0), bar(280.0, 0.0)];
        let (shift, share) = closing_shift(&before, &[bar(200.0, 0.0)], 0.0);
        assert!((share - 2.0 / 3.0).abs() < 1e-9 && (shift + 32.0).abs() <= 1.5 * PIXEL, "{shift} {share}");
    }
}
