//! Curves of outlines.

use kurbo::BezPath;

use super::UNITS_PER_EM;
use crate::geometry::append_contour;
use crate::own_hand::letters::Contour;
use crate::own_hand::page::{Place, distance};

/// Distance of the points of a resampled outline, in ems.
const STEP: f64 = 0.004;
/// Points of it of which one is kept for the fit. Its cubics follow 64 edges at most.
const KEPT: usize = 2;
/// A corner turns by more than this angle, in degrees, over this distance on either side, in ems.
const CORNER: f64 = 52.0;
const CORNER_REACH: f64 = 0.022;
/// Standard deviation of the smoothing along the outline, in ems, and before corners are looked for.
const SMOOTHING: f64 = 0.009;
const CORNER_SMOOTHING: f64 = 0.0054;
/// How far curves are from the outline at most, in ems.
const TOLERANCE: f64 = 0.006;
/// Fewest points of an outline.
const FEWEST: usize = 16;

/// Points at equal distances along a closed outline; `step` is in the units of the outline.
pub(super) fn spaced(contour: &[Place], step: f64) -> Vec<Place> {
    let edges: Vec<(Place, Place)> = contour.iter().copied().zip(contour.iter().copied().cycle().skip(1)).collect();
    let length: f64 = edges.iter().map(|(one, other)| distance(*one, *other)).sum();
    let count = ((length / step).round() as usize).max(FEWEST);
    let mut points = Vec::with_capacity(count);
    let (mut passed, mut next) = (0.0, 0.0);
    for (one, other) in edges {
        let edge = distance(one, other);
        while next < passed + edge && points.len() < count {
            let share = (next - passed) / edge;
            points.push([0, 1].map(|axis| one[axis] + share * (other[axis] - one[axis])));
            next += length / count as f64;
        }
        passed += edge;
    }
    points
}

/// A closed outline in font units as cubics.
pub(super) fn fitted(contour: &Contour) -> BezPath {
    let ems: Vec<Place> = contour.iter().map(|point| point.map(|at| at / UNITS_PER_EM)).collect();
    let points = spaced(&ems, STEP);
    let corners = corners(&smoothed_ring(&points, CORNER_SMOOTHING / STEP));
    let smooth: Vec<Place> = if corners.is_empty() {
        smoothed_ring(&points, SMOOTHING / STEP).into_iter().step_by(KEPT).collect()
    } else {
        let next = corners.iter().skip(1).copied().chain([corners[0] + points.len()]);
        let between = |(from, to): (usize, usize)| {
            let section: Vec<Place> = (from..=to).map(|at| points[at % points.len()]).collect();
            let smooth = smoothed_section(&section, SMOOTHING / STEP);
            // The last point begins the next section.
            let last = smooth.len() - 1;
            smooth.into_iter().take(last).step_by(KEPT).collect::<Vec<Place>>()
        };
        corners.iter().copied().zip(next).flat_map(between).collect()
    };
    let mut path = Vec::new();
    append_contour(&smooth, TOLERANCE, &mut path);
    let units = path.into_iter().map(|command| command.mapped(|point| point.map(|at| at * UNITS_PER_EM)));
    units.map(kurbo::PathEl::from).collect()
}

/// The number of points of a path's curves, those of its ends counted once.
pub(super) fn point_count(path: &BezPath) -> usize {
    path.elements()
        .iter()
        .map(|element| match element {
            kurbo::PathEl::LineTo(_) => 1,
            kurbo::PathEl::CurveTo(..) => 3,
            _ => 0,
        })
        .sum()
}

/// The points at which the outline turns most sharply, in order.
fn corners(points: &[Place]) -> Vec<usize> {
    let reach = ((CORNER_REACH / STEP) as usize).max(2);
    let count = points.len();
    let at = |index: usize| points[index % count];
    let turns: Vec<f64> = (0..count)
        .map(|index| {
            let (before, here, after) = (at(index + count - reach.min(count)), at(index), at(index + reach));
            let one = [here[0] - before[0], here[1] - before[1]];
            let other = [after[0] - here[0], after[1] - here[1]];
            let cross = one[0] * other[1] - one[1] * other[0];
            cross.atan2(one[0] * other[0] + one[1] * other[1]).to_degrees().abs()
        })
        .collect();
    let is_sharpest = |index: &usize| {
        let around = (index + count - reach.min(count))..=(index + reach);
        turns[*index] > CORNER
            && around
                .map(|other| other % count)
                .all(|other| turns[other] < turns[*index] || turns[other] <= turns[*index] && other >= *index)
    };
    (0..count).filter(is_sharpest).collect()
}

fn weights(sigma: f64) -> Vec<f64> {
    let reach = (3.0 * sigma).ceil() as i32;
    let raw: Vec<f64> = (-reach..=reach).map(|at| (-0.5 * (f64::from(at) / sigma).powi(2)).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|weight| weight / sum).collect()
}

/// The ring of points after a Gaussian of this standard deviation, in points.
fn smoothed_ring(points: &[Place], sigma: f64) -> Vec<Place> {
    let (weights, count) = (weights(sigma), points.len());
    let reach = weights.len() / 2;
    let smoothed = |index: usize, axis: usize| {
        let each = weights.iter().enumerate();
        each.map(|(at, weight)| weight * points[(index + count * reach + at - reach) % count][axis]).sum()
    };
    (0..count).map(|index| [0, 1].map(|axis| smoothed(index, axis))).collect()
}

/// The section after the same Gaussian, with both ends where they are: what is beyond them is the section turned about
/// the end.
fn smoothed_section(points: &[Place], sigma: f64) -> Vec<Place> {
    let last = points.len() - 1;
    if last < 6 {
        return points.to_vec();
    }
    let weights = weights(sigma);
    let reach = (weights.len() / 2) as isize;
    let at = |index: isize, axis: usize| {
        let last = last as isize;
        let mirrored = |end: usize, other: isize| 2.0 * points[end][axis] - points[other.clamp(0, last) as usize][axis];
        if index < 0 {
            mirrored(0, -index)
        } else if index > last {
            mirrored(last as usize, 2 * last - index)
        } else {
            points[index as usize][axis]
        }
    };
    let smoothed = |index: usize, axis: usize| {
        let each = (-reach..=reach).zip(&weights);
        each.map(|(offset, weight)| weight * at(index as isize + offset, axis)).sum()
    };
    (0..=last).map(|index| [0, 1].map(|axis| smoothed(index, axis))).collect()
}

/// The path of a contour that is moved, and mirrored or turned if `map` says so.
pub(super) fn mapped(path: &BezPath, map: kurbo::Affine) -> BezPath {
    let mut moved = path.clone();
    moved.apply_affine(map);
    moved
}

#[cfg(test)]
mod tests {
    use kurbo::{ParamCurve as _, ParamCurveNearest as _};

    use super::*;

    /// A ring of small steps with noise, and a square corner.
    fn outline() -> Contour {
        let mut points: Contour = (0..400)
            .map(|at| f64::from(at) / 400.0 * 1.5 * std::f64::consts::PI)
            .enumerate()
            .map(|(index, angle)| {
                let radius = 200.0 + ((index * 7919) % 13) as f64 / 13.0;
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        points.extend((1..=100).map(|at| [2.0 * f64::from(at), -200.0]));
        points.extend((1..100).map(|at| [200.0, -200.0 + 2.0 * f64::from(at)]));
        points
    }

    #[test]
    fn curves_follow_the_outline_with_few_points_and_keep_its_corner() {
        let contour = outline();
        let path = fitted(&contour);
        assert!(point_count(&path) <= 30, "{}", point_count(&path));
        let far = |[x, y]: &Place| {
            let at = kurbo::Point::new(*x, *y);
            path.segments().map(|segment| segment.nearest(at, 1e-3).distance_sq).fold(f64::MAX, f64::min).sqrt()
        };
        let most = contour.iter().map(far).fold(0.0, f64::max);
        assert!(most < 1000.0 * (TOLERANCE + 0.002), "{most}");
        let corner = kurbo::Point::new(200.0, -200.0);
        let nearest = path.segments().map(|segment| segment.start().distance(corner)).fold(f64::MAX, f64::min);
        assert!(nearest < 4.0, "{nearest}");
    }
}
