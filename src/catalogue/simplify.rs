//! Outlines with fewer segments, for traced hands.
//!
//! The points of a contour are thinned first, so that steps and noise of a trace do not count as corners. Cubics are
//! then fitted to what is left.

use kurbo::{Affine, PathEl, Point as KurboPoint};

use super::outline::{Outline, OutlineCommand};
use crate::geometry::{PathCommand, Point, append_contour, polygons};
use crate::units::FontUnits;

/// Outlines of at most this many segments stay as they are. No letter of the ninety fonts has as many (401).
pub(super) const FROM: usize = 450;
/// How far the new outline may be from the given one, in ems.
const TOLERANCE_EM: f64 = 0.002;
/// The share of the tolerance for chords of curves.
const CHORDS: f64 = 0.04;
/// Shares for leaving points out. The rest is for cubics.
const THINNING: [f64; 2] = [0.48, 0.94];
/// The size of the em at which cubics are fitted, in px: the fit halves edges of about a third of a px.
const EM: f64 = 50.0;

/// The outline with fewer segments, or as it is.
pub(super) fn simplified(outline: Outline, units_per_em: u16) -> Outline {
    if outline.segments() <= FROM {
        return outline;
    }
    // Cubics follow a smooth trace best; where noise is larger than the tolerance, lines do with fewer.
    let simple = THINNING.into_iter().filter_map(|share| fitted(&outline, units_per_em, share));
    match simple.min_by_key(Outline::segments) {
        Some(simple) if simple.segments() < outline.segments() => simple,
        _ => outline,
    }
}

/// The outline with this share of the tolerance for leaving points out.
fn fitted(outline: &Outline, units_per_em: u16, thinning: f64) -> Option<Outline> {
    let scale = EM / f64::from(units_per_em);
    let tolerance = TOLERANCE_EM * EM;
    let mut path = Vec::new();
    for contour in scaled_polygons(outline, scale, CHORDS * tolerance) {
        let rest = 1.0 - CHORDS - thinning;
        append_contour(&thinned(&contour, thinning * tolerance), rest * tolerance, &mut path);
    }
    let to_font = |[x, y]: [f64; 2]| Point::new(FontUnits::new(x / scale), FontUnits::new(y / scale));
    let commands = path.into_iter().map(|command| match command {
        PathCommand::MoveTo(to) => OutlineCommand::MoveTo(to_font(to)),
        PathCommand::LineTo(to) => OutlineCommand::LineTo(to_font(to)),
        PathCommand::CubicTo(first, second, to) => {
            OutlineCommand::CubicTo(to_font(first), to_font(second), to_font(to))
        }
        PathCommand::Close => OutlineCommand::Close,
    });
    Outline::new(commands.collect())
}

/// The contours, scaled, with chords instead of curves.
fn scaled_polygons(outline: &Outline, scale: f64, tolerance: f64) -> Vec<Vec<[f64; 2]>> {
    let path = outline.commands.iter().map(|command| Affine::scale(scale) * PathEl::from(*command));
    polygons(path, tolerance)
}

/// The polygon with as few of its points as leave all others within `tolerance` (D. Douglas and T. Peucker, 1973).
fn thinned(polygon: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    // The point that is farthest left stays, and the one that is farthest from it.
    let start = (0..polygon.len()).min_by(|a, b| polygon[*a][0].total_cmp(&polygon[*b][0])).unwrap_or_default();
    let mut ring: Vec<KurboPoint> = polygon.iter().map(|[x, y]| KurboPoint::new(*x, *y)).collect();
    ring.rotate_left(start);
    ring.extend(ring.first().copied());
    let mut stays = vec![false; ring.len()];
    let mut sections = vec![(0, ring.len() - 1)];
    while let Some((from, to)) = sections.pop() {
        stays[from] = true;
        let chord = kurbo::Line::new(ring[from], ring[to]);
        let away = |at: usize| kurbo::ParamCurveNearest::nearest(&chord, ring[at], 1e-9).distance_sq;
        let farthest = (from + 1..to).max_by(|a, b| away(*a).total_cmp(&away(*b)));
        if let Some(middle) = farthest.filter(|at| away(*at) > tolerance * tolerance) {
            sections.extend([(from, middle), (middle, to)]);
        }
    }
    ring.iter().zip(stays).filter(|(_, stays)| *stays).map(|(point, _)| [point.x, point.y]).collect()
}

#[cfg(test)]
mod tests {
    use kurbo::ParamCurveNearest as _;

    use super::*;

    const EM_UNITS: u16 = 1000;

    fn outline_of(contours: &[Vec<[f64; 2]>]) -> Outline {
        let point = |[x, y]: [f64; 2]| Point::new(FontUnits::new(x), FontUnits::new(y));
        let commands = contours.iter().flat_map(|points| {
            let lines = points[1..].iter().map(move |to| OutlineCommand::LineTo(point(*to)));
            [OutlineCommand::MoveTo(point(points[0]))].into_iter().chain(lines).chain([OutlineCommand::Close])
        });
        Outline::new(commands.collect()).unwrap()
    }

    /// A ring as a trace of a scan has it: 900 points on two circles, each up to `noise` units off.
    fn traced(noise: f64) -> Outline {
        let circle = |[radius, turn]: [f64; 2]| {
            (0..450_u32)
                .map(|number| {
                    let angle = turn * f64::from(number) * std::f64::consts::TAU / 450.0;
                    let off = radius + noise * f64::from(number * 7919 % 101) / 50.0 - noise;
                    [400.0 + off * angle.cos(), 300.0 + off * angle.sin()]
                })
                .collect()
        };
        outline_of(&[[300.0, 1.0], [240.0, -1.0]].map(circle))
    }

    /// Chords of all contours, in font units.
    fn edges(outline: &Outline) -> Vec<kurbo::Line> {
        let mut edges = Vec::new();
        for polygon in scaled_polygons(outline, 1.0, 0.01) {
            let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
            edges.extend(ends.map(|([a, b], [c, d])| kurbo::Line::new((*a, *b), (*c, *d))));
        }
        edges
    }

    /// The largest distance of a point of one outline from the other, either way.
    fn distance(one: &Outline, other: &Outline) -> f64 {
        let [one, other] = [one, other].map(edges);
        let way = |from: &[kurbo::Line], to: &[kurbo::Line]| {
            let nearest = |at| to.iter().map(|edge| edge.nearest(at, 1e-9).distance_sq).fold(f64::MAX, f64::min);
            from.iter().flat_map(|edge| [edge.p0, edge.midpoint()]).map(nearest).fold(0.0, f64::max).sqrt()
        };
        way(&one, &other).max(way(&other, &one))
    }

    fn area(outline: &Outline) -> f64 {
        edges(outline).iter().map(|edge| edge.p0.to_vec2().cross(edge.p1.to_vec2()) / 2.0).sum()
    }

    #[test]
    fn a_traced_letter_gets_few_segments_within_the_tolerance() {
        for (noise, most) in [(0.0, 30), (1.0, 200)] {
            let given = traced(noise);
            let simple = simplified(given.clone(), EM_UNITS);
            let off = distance(&given, &simple);
            assert!(simple.segments() <= most, "{} segments for noise {noise}", simple.segments());
            assert!(off <= 2.0 && off > 0.0, "{off} units off");
            let contours = simple.commands.iter().filter(|command| matches!(command, OutlineCommand::Close)).count();
            assert_eq!(contours, 2);
            assert!((area(&simple) / area(&given) - 1.0).abs() < 0.02, "the inner contour runs the other way");
        }
    }

    #[test]
    fn corners_stay_and_straight_sides_are_lines() {
        let corners = [[0.0, 0.0], [600.0, 0.0], [600.0, 600.0], [0.0, 600.0]];
        let side = |number: usize| {
            let (from, to) = (corners[number], corners[(number + 1) % 4]);
            (0..150).map(move |step| {
                let part = f64::from(step) / 150.0;
                [0, 1].map(|axis| from[axis] + part * (to[axis] - from[axis]))
            })
        };
        let simple = simplified(outline_of(&[(0..4).flat_map(side).collect()]), EM_UNITS);
        assert!(distance(&simple, &outline_of(&[corners.to_vec()])) < 1e-6, "{simple:?}");
        assert!(simple.segments() < 20, "{simple:?}");
    }

    #[test]
    fn an_outline_of_few_segments_stays_as_it_is() {
        let circle: Vec<[f64; 2]> = edges(&traced(1.0)).iter().map(|edge| [edge.p0.x, edge.p0.y]).take(FROM).collect();
        let few = outline_of(&[circle]);
        assert!(few.segments() <= FROM);
        assert_eq!(simplified(few.clone(), EM_UNITS), few);
    }
}
