//! The boundary of what overlapping polygons fill.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::relate::PredicateOverlay;
use i_overlay::core::solver::Solver;
use i_overlay::i_float::int::point::IntPoint;

/// A closed polygon on a grid; the first point is not repeated.
pub(super) type Contour = Vec<IntPoint<i32>>;

/// The boundary of the area that `contours` fill by `rule`, without areas and gaps below `least_area` square steps of
/// the grid. Its contours neither overlap nor cross; gaps run against the contours around them.
pub(super) fn boundary(contours: &[Contour], rule: FillRule, least_area: u64) -> Vec<Contour> {
    let options = IntOverlayOptions { min_output_area: least_area, ..IntOverlayOptions::ogc() };
    let mut overlay = Overlay::from_subj_custom(contours, options, Solver::default());
    overlay.overlay(OverlayRule::Subject, rule).into_iter().flatten().collect()
}

/// Whether two areas that [`boundary`] bounds touch or overlap.
pub(super) fn intersect(one: &[Contour], other: &[Contour]) -> bool {
    PredicateOverlay::from_subj_and_clip(one, other).intersects()
}

/// The point of the grid closest to `point`, whose unit has `steps` steps.
pub(super) fn on_grid([x, y]: [f64; 2], steps: f64) -> IntPoint<i32> {
    IntPoint::new((x * steps).round() as i32, (y * steps).round() as i32)
}

/// A point of a grid, in units of `steps` steps.
pub(super) fn off_grid(point: IntPoint<i32>, steps: f64) -> [f64; 2] {
    [point.x, point.y].map(|length| f64::from(length) / steps)
}

pub(super) fn box_of(points: impl Iterator<Item = [f64; 2]>) -> [f64; 4] {
    points.fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |around, [x, y]| {
        [around[0].min(x), around[1].min(y), around[2].max(x), around[3].max(y)]
    })
}
