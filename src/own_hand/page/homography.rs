//! The map of a flat page by a camera without distortion.

use super::Place;
use super::linear::{least_squares, solve};

/// A projective map of the plane: `[a b c; d e f; g h 1]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Homography([f64; 8]);

/// Places are scaled to about 1 before the fit: mm of the page by this.
const PAGE_SCALE: f64 = 0.01;

impl Homography {
    /// The map that takes `from` to `to` with the least sum of squares of the equations, each with its weight; `None` of
    /// fewer than four points, or of points on a line.
    pub(super) fn fit(from: &[Place], to: &[Place], weights: &[f64]) -> Option<Self> {
        if from.len() < 4 {
            return None;
        }
        let scale = 1.0 / to.iter().flatten().fold(1.0_f64, |most, value| most.max(value.abs()));
        let (mut rows, mut values, mut doubled) = (Vec::new(), Vec::new(), Vec::new());
        for ((from, to), weight) in from.iter().zip(to).zip(weights) {
            let ([x, y], [u, v]) = (from.map(|value| value * PAGE_SCALE), to.map(|value| value * scale));
            rows.push(vec![x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y]);
            rows.push(vec![0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y]);
            values.extend([u, v]);
            doubled.extend([*weight; 2]);
        }
        let found = least_squares(&rows, &values, &doubled, &[1e-12; 8])?;
        let out = 1.0 / scale;
        let scales = [PAGE_SCALE * out, PAGE_SCALE * out, out, PAGE_SCALE * out, PAGE_SCALE * out, out];
        let scales = scales.into_iter().chain([PAGE_SCALE; 2]);
        let mut parts = [0.0; 8];
        for ((part, found), scale) in parts.iter_mut().zip(found).zip(scales) {
            *part = found * scale;
        }
        Some(Self(parts))
    }

    /// The map of the unit square to four corners.
    pub(super) fn of_square(corners: [Place; 4]) -> Option<Self> {
        let (mut rows, mut values) = (Vec::new(), Vec::new());
        for ([x, y], [u, v]) in [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].into_iter().zip(corners) {
            rows.push(vec![x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y]);
            rows.push(vec![0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y]);
            values.extend([u, v]);
        }
        Some(Self(solve(rows, values)?.try_into().ok()?))
    }

    /// Where a point goes.
    pub(super) fn at(&self, [x, y]: Place) -> Place {
        let row = |first: usize| self.0[first] * x + self.0[first + 1] * y;
        let depth = row(6) + 1.0;
        [(row(0) + self.0[2]) / depth, (row(3) + self.0[5]) / depth]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_found_from_its_points() {
        let map = Homography([12.0, -1.5, 300.0, 2.0, 11.0, 150.0, 1e-4, -2e-4]);
        let from = [[10.0, 16.0], [200.0, 16.0], [10.0, 281.0], [200.0, 281.0], [100.0, 140.0]];
        let to = from.map(|place| map.at(place));
        let found = Homography::fit(&from, &to, &[1.0; 5]).unwrap();
        let place = found.at([55.0, 201.0]);
        assert!(super::super::distance(place, map.at([55.0, 201.0])) < 1e-4, "{place:?}");
        assert!(Homography::fit(&from[..2], &to[..2], &[1.0; 2]).is_none());
    }
}
