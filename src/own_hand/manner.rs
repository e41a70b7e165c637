//! How far the copies of letters and the gaps of lines differ, beside what the average writer's do.

use std::collections::BTreeMap;

use super::letters::{BoxReading, Contour};
use super::page::quantile;
use crate::variation::Manner;

/// Letters without parts of their own, whose lower ends are on the baseline if they are not in [`HANGING`].
const WITH_DOTS: &str = "ij";
const HANGING: &str = "fgjpqyzJQ";
/// Fewest pairs of copies, and of gaps between words, that say something of a writer.
const LEAST_COPIES: usize = 40;
const LEAST_WORD_GAPS: usize = 20;
/// The range of figures that are believed.
const RANGE: [f64; 2] = [0.3, 2.0];

/// What a copy of a letter measures.
struct Measure {
    /// Logarithms of height and width.
    height: f64,
    width: f64,
    /// Tangent of its shear.
    shear: f64,
    /// Its lower end, in x-heights.
    bottom: f64,
}

/// Measures a writer by the boxes that are used, the standard deviation of gaps between letters in x-heights, and the gaps
/// between words. What too few boxes show is as of the average writer.
pub(super) fn manner(boxes: &[&BoxReading], x_height: f64, gap_spread: f64, word_gaps: &[f64]) -> Manner {
    let mut copies: BTreeMap<char, Vec<Measure>> = BTreeMap::new();
    for reading in boxes {
        let letter = reading.place.character;
        if letter.is_ascii_alphabetic() && !WITH_DOTS.contains(letter) {
            copies.entry(letter).or_default().extend(Measure::of(reading, x_height));
        }
    }
    let of_copies = |of: &dyn Fn(&Measure) -> f64, has: &dyn Fn(char) -> bool, average: f64| {
        let groups =
            copies.iter().filter(|(letter, _)| has(**letter)).map(|(_, copies)| copies.iter().map(of).collect());
        deviation(groups).map_or(1.0, |deviation| figure(deviation, average))
    };
    let average = Manner::DEVIATIONS;
    Manner {
        height: of_copies(&|copy| copy.height, &|_| true, average.height),
        width: of_copies(&|copy| copy.width, &|_| true, average.width),
        slant: deviation(copies.values().map(|copies| slants(copies)))
            .map_or(1.0, |slant| figure(slant, average.slant)),
        baseline: of_copies(&|copy| copy.bottom, &|letter| !HANGING.contains(letter), average.baseline),
        gap: figure(gap_spread, average.gap),
        word_gap: word_gap_deviation(word_gaps).map_or(1.0, |deviation| figure(deviation, average.word_gap)),
    }
}

/// The slants of the copies of a letter in degrees. A letter that leans by its shape, as z does, leans more where it is
/// wider or lower; that is taken out.
fn slants(copies: &[Measure]) -> Vec<f64> {
    let count = copies.len() as f64;
    let shape = copies.iter().map(|copy| copy.shear).sum::<f64>() / count;
    let usual = copies.iter().map(|copy| copy.width - copy.height).sum::<f64>() / count;
    let own = |copy: &Measure| copy.shear - shape * (copy.width - copy.height - usual).exp_m1();
    copies.iter().map(|copy| own(copy).atan().to_degrees()).collect()
}

/// A standard deviation as a share of the average writer's, rounded.
fn figure(deviation: f64, average: f64) -> f64 {
    ((deviation / average).clamp(RANGE[0], RANGE[1]) * 100.0).round() / 100.0
}

/// The standard deviation within groups; `None` of too few pairs.
fn deviation(groups: impl Iterator<Item = Vec<f64>>) -> Option<f64> {
    let (mut squares, mut free) = (0.0, 0);
    for group in groups.filter(|group| group.len() > 1) {
        let mean = group.iter().sum::<f64>() / group.len() as f64;
        squares += group.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        free += group.len() - 1;
    }
    (free >= LEAST_COPIES).then(|| (squares / free as f64).sqrt())
}

/// The standard deviation of the logarithms of gaps between words, by the median of their distances from the median.
fn word_gap_deviation(gaps: &[f64]) -> Option<f64> {
    let logarithms: Vec<f64> = gaps.iter().filter(|gap| **gap > 0.0).map(|gap| gap.ln()).collect();
    let middle = quantile(&logarithms, 0.5);
    let off: Vec<f64> = logarithms.iter().map(|gap| (gap - middle).abs()).collect();
    (off.len() >= LEAST_WORD_GAPS).then(|| 1.4826 * quantile(&off, 0.5))
}

impl Measure {
    /// Measures a letter; `None` of one without area. Its width and its shear are those of the ellipse with the moments of
    /// its ink, which no turn of its slant changes, and no width.
    fn of(reading: &BoxReading, x_height: f64) -> Option<Self> {
        let [[xx, xy], [_, yy]] = moments(&reading.contours)?;
        let around = reading.bounds();
        let determinant = xx * yy - xy * xy;
        (around.height() > 0.0 && yy > 0.0 && determinant > 0.0).then(|| Self {
            height: (around.height() / x_height).ln(),
            width: 0.5 * (determinant / yy).ln(),
            shear: xy / yy,
            bottom: around.bottom / x_height,
        })
    }
}

/// The second moments of polygons about their common centre, by their area; `None` of none.
fn moments(contours: &[Contour]) -> Option<[[f64; 2]; 2]> {
    let (mut area, mut first, mut second) = (0.0, [0.0; 2], [0.0; 3]);
    for (one, other) in contours.iter().flat_map(|contour| contour.iter().zip(contour.iter().cycle().skip(1))) {
        let cross = one[0] * other[1] - other[0] * one[1];
        area += cross / 2.0;
        for axis in 0..2 {
            first[axis] += cross * (one[axis] + other[axis]) / 6.0;
        }
        let square = |axis: usize| one[axis] * one[axis] + one[axis] * other[axis] + other[axis] * other[axis];
        second[0] += cross * square(0) / 12.0;
        second[1] += cross * square(1) / 12.0;
        second[2] +=
            cross * (one[0] * other[1] + 2.0 * one[0] * one[1] + 2.0 * other[0] * other[1] + other[0] * one[1]) / 24.0;
    }
    if area.abs() < 1e-9 {
        return None;
    }
    let centre = first.map(|sum| sum / area);
    let [xx, yy] = [0, 1].map(|axis| second[axis] / area - centre[axis] * centre[axis]);
    let xy = second[2] / area - centre[0] * centre[1];
    Some([[xx, xy], [xy, yy]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moments_of_a_sheared_square_are_known() {
        // A square of 2 with a hole of 1, moved and sheared by a half.
        let place = |x: f64, y: f64| [3.0 + x + 0.5 * y, 1.0 + y];
        let square = |half: f64| vec![place(-half, -half), place(-half, half), place(half, half), place(half, -half)];
        let hole: Contour = square(0.5).into_iter().rev().collect();
        let [[xx, xy], [_, yy]] = moments(&[square(1.0), hole]).unwrap();
        // (2⁴ − 1) / 12 / (2² − 1)
        let own = 15.0 / 36.0;
        assert!((yy - own).abs() < 1e-9 && (xy - 0.5 * own).abs() < 1e-9 && (xx - 1.25 * own).abs() < 1e-9);
    }

    #[test]
    fn the_deviation_is_that_within_groups() {
        let groups = |count: usize| (0..count).map(|group| vec![group as f64 - 0.1, group as f64 + 0.1]);
        assert!((deviation(groups(40)).unwrap() - 0.02_f64.sqrt()).abs() < 1e-9);
        assert_eq!(deviation(groups(39)), None);
    }
}
