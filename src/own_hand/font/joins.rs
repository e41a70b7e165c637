//! Closes joins: moves pairs of letters that the writer joins, as little as needed, until their strokes overlap.

use crate::own_hand::letters::Contour;
use crate::own_hand::picture::{Plane, covered, depths};

/// Font units in a pixel of the comparison.
const PIXEL: f64 = 8.0;
/// Font units below the baseline and above it that are compared.
const RANGE: [f64; 2] = [-400.0, 1000.0];
/// Shifts that are tried, the smallest first, in font units: up to a tenth of an em.
const SHIFTS: [f64; 14] = [0.0, -14.0, 14.0, -27.0, 27.0, -41.0, 41.0, -54.0, 54.0, -68.0, 68.0, -81.0, -90.0, -100.0];
/// The diameter of the largest disc in what two letters share, as a share of the pen's width, from which they are joined.
const NECK: f64 = 0.4;

/// The ink of a letter on pixels.
pub(super) struct LetterInk {
    coverage: Plane,
    /// Column of its left edge.
    first: usize,
    /// In font units.
    width: f64,
}

impl LetterInk {
    /// The ink of contours that begin at x = 0 and are this wide, in font units.
    pub(super) fn of(contours: &[Contour], width: f64) -> Self {
        let first = 1;
        let size = [(width / PIXEL).ceil() as usize + 2 * first, ((RANGE[1] - RANGE[0]) / PIXEL) as usize];
        let place = |[x, y]: [f64; 2]| [x / PIXEL + first as f64, (RANGE[1] - y) / PIXEL];
        Self { coverage: covered(contours, size, place), first, width }
    }

    /// The diameter of the largest disc that lies in both letters, where the left edge of the ink of `after` is `distance`
    /// font units right of that of this one.
    fn neck(&self, after: &Self, distance: f64) -> f64 {
        let offset = (distance / PIXEL).round() as isize + self.first as isize - after.first as isize;
        let (width, height) = (self.coverage.width, self.coverage.height);
        let is_shared = |at: usize| {
            let column = (at % width) as isize - offset;
            let is_within = column >= 0 && (column as usize) < after.coverage.width;
            self.coverage.values[at] > 0.5
                && is_within
                && after.coverage.values[at / width * after.coverage.width + column as usize] > 0.5
        };
        // Only the end of the letter can be shared.
        let from = offset.clamp(0, width as isize) as usize;
        if from >= width {
            return 0.0;
        }
        let part =
            depths(width - from, height, |at| is_shared(at / (width - from) * width + from + at % (width - from)));
        let deepest = part.values.iter().copied().fold(0.0_f32, f32::max);
        (2.0 * f64::from(deepest) - 1.0).max(0.0) * PIXEL
    }
}

/// The smallest shift of a pair at which most of its forms are joined, and the share that then is. `gap` is the gap
/// between the ink of the letters, in font units as the width of the `pen`.
pub(super) fn closing_shift(before: &[LetterInk], after: &[LetterInk], gap: f64, pen: f64) -> (f64, f64) {
    let forms: Vec<(&LetterInk, &LetterInk)> =
        before.iter().flat_map(|before| after.iter().map(move |after| (before, after))).collect();
    let joined = |shift: f64| {
        forms.iter().filter(|(before, after)| before.neck(after, before.width + gap + shift) >= NECK * pen).count()
    };
    let (mut best, mut most) = (0.0, 0);
    for shift in SHIFTS {
        let joined = joined(shift);
        if joined > most {
            (best, most) = (shift, joined);
        }
        if most == forms.len() {
            break;
        }
    }
    (best, most as f64 / forms.len().max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bar from 0 to a width, 80 units high.
    fn bar(width: f64) -> LetterInk {
        LetterInk::of(&[vec![[0.0, 0.0], [width, 0.0], [width, 80.0], [0.0, 80.0]]], width)
    }

    #[test]
    fn a_pair_is_moved_until_its_strokes_overlap() {
        let (one, other) = ([bar(300.0)], [bar(200.0)]);
        assert_eq!(closing_shift(&one, &other, -60.0, 80.0), (0.0, 1.0));
        let (shift, share) = closing_shift(&one, &other, 0.0, 80.0);
        assert!(share == 1.0 && (-60.0..-30.0).contains(&shift), "{shift}");
        assert_eq!(closing_shift(&one, &other, 180.0, 80.0), (0.0, 0.0));
    }

    #[test]
    fn a_pair_is_moved_for_most_of_its_forms() {
        // The second form stands above the first one's reach.
        let high = LetterInk::of(&[vec![[0.0, 500.0], [300.0, 500.0], [300.0, 580.0], [0.0, 580.0]]], 300.0);
        let (shift, share) = closing_shift(&[bar(300.0), high, bar(280.0)], &[bar(200.0)], 0.0, 80.0);
        assert!((share - 2.0 / 3.0).abs() < 1e-9 && (-60.0..-30.0).contains(&shift), "{shift} {share}");
    }
}
