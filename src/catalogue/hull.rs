//! The convex hull of a glyph's ink, which decides the bounding box of the rotated glyph.

use kurbo::{ParamCurve as _, PathSeg, Point as KurboPoint};

use super::outline::Outline;
use crate::geometry::{Point, Rect};
use crate::units::FontUnits;

/// How far ink may lie outside the hull, in ems: a hundredth of a pixel at the largest size.
const TOLERANCE_EM: f64 = 1.0 / 40_000.0;

/// The convex hull of a glyph's ink, within a 40,000th of the em.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    /// Counter-clockwise (y up), from the leftmost. Empty for a blank glyph.
    corners: Box<[Point<FontUnits>]>,
    /// Indices of the lowest, rightmost and highest corner.
    lowest: usize,
    rightmost: usize,
    highest: usize,
}

impl Hull {
    pub(super) fn of(outline: &Outline, units_per_em: u16) -> Self {
        let corners = corners(outline, units_per_em);
        let least = |key: &dyn Fn(&Point<FontUnits>) -> f64| {
            (0..corners.len()).min_by(|a, b| key(&corners[*a]).total_cmp(&key(&corners[*b]))).unwrap_or(0)
        };
        let lowest = least(&|corner| corner.y.get());
        let rightmost = least(&|corner| -corner.x.get());
        let highest = least(&|corner| -corner.y.get());
        Self { corners, lowest, rightmost, highest }
    }

    /// The hull of a box.
    #[must_use]
    pub fn of_box(ink: Rect<FontUnits>) -> Self {
        let Rect { min, max } = ink;
        let corners = Box::new([min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)]);
        Self { corners, lowest: 0, rightmost: 1, highest: 2 }
    }

    /// The corners, counter-clockwise (y up).
    #[must_use]
    pub fn corners(&self) -> &[Point<FontUnits>] {
        &self.corners
    }

    /// The support of the ink in a direction: the largest `x · direction[0] + y · direction[1]` of all its points.
    /// `None` for a blank glyph.
    #[must_use]
    pub fn support(&self, direction: [f64; 2]) -> Option<f64> {
        self.support_point(direction).map(|corner| along(corner, direction))
    }

    /// The corner that lies farthest in a direction; `None` for a blank glyph.
    #[must_use]
    pub fn support_point(&self, direction: [f64; 2]) -> Option<Point<FontUnits>> {
        let count = self.corners.len();
        let [x, y] = direction;
        let start = match (x.abs() >= y.abs(), x > 0.0, y > 0.0) {
            (true, true, _) => self.rightmost,
            (true, false, _) => 0,
            (false, _, true) => self.highest,
            (false, _, false) => self.lowest,
        };
        // Around a convex polygon the value rises to the farthest corner and then falls.
        let first = *self.corners.get(start)?;
        let mut best = (first, along(first, direction));
        let climb = |best: &mut (Point<FontUnits>, f64), step: &dyn Fn(usize) -> usize| {
            let mut at = start;
            for _ in 0..count {
                at = step(at);
                match self.corners.get(at).map(|corner| (*corner, along(*corner, direction))) {
                    Some(next) if next.1 >= best.1 => *best = next,
                    _ => break,
                }
            }
        };
        climb(&mut best, &|at| if at + 1 < count { at + 1 } else { 0 });
        climb(&mut best, &|at| if at > 0 { at - 1 } else { count - 1 });
        Some(best.0)
    }

    /// The support of the upright box around the ink: at least [`support`](Self::support), and cheaper.
    #[must_use]
    pub fn box_support(&self, [x, y]: [f64; 2]) -> Option<f64> {
        let corner = |index: usize| self.corners.get(index);
        let side = if x > 0.0 { corner(self.rightmost)? } else { corner(0)? };
        let end = if y > 0.0 { corner(self.highest)? } else { corner(self.lowest)? };
        Some(side.x.get() * x + end.y.get() * y)
    }
}

/// How far a point lies in a direction.
fn along(at: Point<FontUnits>, [x, y]: [f64; 2]) -> f64 {
    at.x.get() * x + at.y.get() * y
}

fn corners(outline: &Outline, units_per_em: u16) -> Box<[Point<FontUnits>]> {
    // A curve lies between its control points. A control point inside the hull of the on-curve points adds nothing.
    let on_curve = convex(outline.edges().flat_map(|edge| [edge.start(), edge.end()]).collect());
    let points = flattened(outline, f64::from(units_per_em) * TOLERANCE_EM, &on_curve);
    convex(points).into_iter().map(|at| Point::new(FontUnits::new(at.x), FontUnits::new(at.y))).collect()
}

/// The corners of the convex hull of points, counter-clockwise from the leftmost.
fn convex(mut points: Vec<KurboPoint>) -> Vec<KurboPoint> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    // Monotone chain (Andrew 1979): the lower side from left to right, then the upper one back.
    let mut hull = half_hull(points.iter().copied());
    hull.pop();
    hull.extend(half_hull(points.iter().rev().copied()));
    hull.pop();
    hull
}

fn half_hull(points: impl Iterator<Item = KurboPoint>) -> Vec<KurboPoint> {
    let mut hull: Vec<KurboPoint> = Vec::new();
    for point in points {
        while let [.., a, b] = hull.as_slice()
            && turn(*a, *b, point) <= 0.0
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

/// Whether a point lies in a convex polygon or on its edge.
fn holds(corners: &[KurboPoint], point: KurboPoint) -> bool {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).all(|(a, b)| turn(*a, *b, point) >= 0.0)
}

/// Twice the area of the triangle, positive counter-clockwise.
fn turn(a: KurboPoint, b: KurboPoint, c: KurboPoint) -> f64 {
    (b - a).cross(c - a)
}

/// The corners `inner` of the hull of the on-curve points, and points on the curves that leave it. Between two points,
/// a curve deviates by at most `tolerance` font units.
fn flattened(outline: &Outline, tolerance: f64, inner: &[KurboPoint]) -> Vec<KurboPoint> {
    let bend = |a: KurboPoint, b: KurboPoint, c: KurboPoint| ((c - b) - (b - a)).hypot();
    let mut points = inner.to_vec();
    for edge in outline.edges() {
        // A chord over 1/n of the parameter deviates by at most |B''| / 8n².
        let stray = match edge {
            PathSeg::Line(_) => continue,
            PathSeg::Quad(curve) if holds(inner, curve.p1) => continue,
            // |B''| = 2 · bend.
            PathSeg::Quad(curve) => bend(curve.p0, curve.p1, curve.p2) / 4.0,
            // |B''| ≤ 6 · the larger bend.
            PathSeg::Cubic(curve) => bend(curve.p0, curve.p1, curve.p2).max(bend(curve.p1, curve.p2, curve.p3)) * 0.75,
        };
        let parts = (stray / tolerance).sqrt().ceil().max(1.0) as u32;
        points.extend((0..=parts).map(|part| edge.eval(f64::from(part) / f64::from(parts))));
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId, GlyphId, OutlineCommand};

    #[test]
    fn a_hull_has_the_corners_and_nothing_inside() {
        let at = |x: f64, y: f64| Point::new(FontUnits::new(x), FontUnits::new(y));
        let commands = vec![
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::LineTo(at(10.0, 0.0)),
            OutlineCommand::LineTo(at(5.0, 2.0)),
            OutlineCommand::LineTo(at(10.0, 10.0)),
            OutlineCommand::LineTo(at(0.0, 10.0)),
            OutlineCommand::Close,
        ];
        let hull = Hull::of(&Outline::new(commands).unwrap(), 1000);
        assert_eq!(hull.corners(), [at(0.0, 0.0), at(10.0, 0.0), at(10.0, 10.0), at(0.0, 10.0)]);
    }

    #[test]
    fn the_box_of_a_hull_is_the_box_of_the_ink() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut compared = 0;
        for id in FontId::bundled().step_by(7) {
            let face = catalogue.face(id);
            let tolerance = 1.01 * TOLERANCE_EM * f64::from(face.units_per_em());
            for glyph in (0..face.glyph_count()).map(GlyphId) {
                let Some(ink) = face.ink(glyph) else { continue };
                let hull = face.hull(glyph).unwrap();
                for (direction, exact) in [
                    ([-1.0, 0.0], -ink.min.x.get()),
                    ([1.0, 0.0], ink.max.x.get()),
                    ([0.0, -1.0], -ink.min.y.get()),
                    ([0.0, 1.0], ink.max.y.get()),
                ] {
                    let near = hull.support(direction).unwrap();
                    assert!((near - exact).abs() <= tolerance, "font {} {glyph:?}: {near} {exact}", id.get());
                }
                for step in 0..16 {
                    let (sin, cos) = f64::from(step * 23).to_radians().sin_cos();
                    let along = |corner: &Point<FontUnits>| corner.x.get() * cos + corner.y.get() * sin;
                    let farthest = hull.corners().iter().map(along).fold(f64::MIN, f64::max);
                    assert!((hull.support([cos, sin]).unwrap() - farthest).abs() < 1e-6, "font {} {glyph:?}", id.get());
                    assert!(hull.box_support([cos, sin]).unwrap() >= farthest - 1e-6, "font {} {glyph:?}", id.get());
                }
                compared += 1;
            }
        }
        assert!(compared > 2000, "{compared}");
    }
}
