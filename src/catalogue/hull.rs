//! The convex hull of a glyph's ink: all that the box around the turned glyph depends on.

use super::outline::{Outline, OutlineCommand};
use crate::geometry::Point;
use crate::units::FontUnits;

/// How far ink may stand out of the hull, in ems: a hundredth of a pixel at the largest size.
const TOLERANCE_EM: f64 = 1.0 / 40_000.0;

/// The corners of the convex hull, counter-clockwise (y up). Curves are cut into chords that stray from them by at most
/// a 40,000th of the em.
pub(super) fn hull_of(outline: &Outline, units_per_em: u16) -> Box<[Point<FontUnits>]> {
    let mut points = flattened(outline, f64::from(units_per_em) * TOLERANCE_EM);
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    points.dedup();
    // Monotone chain (Andrew 1979): the lower side from left to right, then the upper one back.
    let mut hull = half_hull(points.iter().copied());
    hull.pop();
    hull.extend(half_hull(points.iter().rev().copied()));
    hull.pop();
    hull.into_iter().map(|(x, y)| Point::new(FontUnits::new(x), FontUnits::new(y))).collect()
}

fn half_hull(points: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    let mut hull: Vec<(f64, f64)> = Vec::new();
    for point in points {
        while let [.., a, b] = hull.as_slice()
            && (b.0 - a.0) * (point.1 - a.1) - (b.1 - a.1) * (point.0 - a.0) <= 0.0
        {
            hull.pop();
        }
        hull.push(point);
    }
    hull
}

/// Points on the contours, at most `tolerance` font units from the curve between any two.
fn flattened(outline: &Outline, tolerance: f64) -> Vec<(f64, f64)> {
    let mut points = Vec::new();
    let mut at = (0.0, 0.0);
    let pair = |point: Point<FontUnits>| (point.x.get(), point.y.get());
    for command in &outline.commands {
        match *command {
            // A contour without an edge has no ink.
            OutlineCommand::MoveTo(to) => at = pair(to),
            OutlineCommand::LineTo(to) => {
                points.extend([at, pair(to)]);
                at = pair(to);
            }
            OutlineCommand::QuadTo(control, to) => {
                let (control, to) = (pair(control), pair(to));
                // A chord over 1/n of the parameter strays by at most |B''| / 8n², and |B''| = 2 · bend.
                let parts = parts(bend(at, control, to) / 4.0, tolerance);
                points.extend((0..=parts).map(|part| {
                    let t = f64::from(part) / f64::from(parts);
                    let s = 1.0 - t;
                    sum([(s * s, at), (2.0 * s * t, control), (t * t, to)])
                }));
                at = to;
            }
            OutlineCommand::CubicTo(first, second, to) => {
                let (first, second, to) = (pair(first), pair(second), pair(to));
                // As above, with |B''| ≤ 6 · the larger bend.
                let parts = parts(bend(at, first, second).max(bend(first, second, to)) * 0.75, tolerance);
                points.extend((0..=parts).map(|part| {
                    let t = f64::from(part) / f64::from(parts);
                    let s = 1.0 - t;
                    sum([(s * s * s, at), (3.0 * s * s * t, first), (3.0 * s * t * t, second), (t * t * t, to)])
                }));
                at = to;
            }
            OutlineCommand::Close => {}
        }
    }
    points
}

fn parts(stray: f64, tolerance: f64) -> u32 {
    (stray / tolerance).sqrt().ceil().max(1.0) as u32
}

fn bend(a: (f64, f64), b: (f64, f64), c: (f64, f64)) -> f64 {
    (a.0 - 2.0 * b.0 + c.0).hypot(a.1 - 2.0 * b.1 + c.1)
}

fn sum<const N: usize>(weighted: [(f64, (f64, f64)); N]) -> (f64, f64) {
    weighted.iter().fold((0.0, 0.0), |(x, y), (weight, point)| (x + weight * point.0, y + weight * point.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId, GlyphId};

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
        let hull = hull_of(&Outline::new(commands).unwrap(), 1000);
        assert_eq!(hull.to_vec(), [at(0.0, 0.0), at(10.0, 0.0), at(10.0, 10.0), at(0.0, 10.0)]);
    }

    #[test]
    fn the_box_of_a_hull_is_the_box_of_the_ink() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut compared = 0;
        for id in FontId::all().step_by(7) {
            let face = catalogue.face(id);
            let tolerance = 1.01 * TOLERANCE_EM * f64::from(face.units_per_em());
            for glyph in (0..face.glyph_count()).map(GlyphId) {
                let Some(ink) = face.ink(glyph) else { continue };
                let hull = face.hull(glyph);
                let extent = |of: &dyn Fn(&Point<FontUnits>) -> f64| {
                    hull.iter().map(of).fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
                };
                let (x, y) = (extent(&|point| point.x.get()), extent(&|point| point.y.get()));
                for (near, exact) in
                    [(x.0, ink.min.x), (x.1, ink.max.x), (y.0, ink.min.y), (y.1, ink.max.y)].map(|(a, b)| (a, b.get()))
                {
                    assert!((near - exact).abs() <= tolerance, "font {} {glyph:?}: {near} {exact}", id.get());
                }
                compared += 1;
            }
        }
        assert!(compared > 2000, "{compared}");
    }
}
