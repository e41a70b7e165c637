//! Fits cubics to bent outlines.
//!
//! A bent outline is a closed polygon of short edges. It is cut at its corners; what lies between becomes a smooth
//! curve through the points. Cubics follow it one after the other, each as far as it stays within the tolerance of the
//! edges. kurbo fits them by area and moments (R. Levien, "Fitting cubic Bézier curves", 2021).

use kurbo::simplify::SimplifyBezPath;
use kurbo::{BezPath, CubicBez, Line, ParamCurve as _, ParamCurveNearest as _, PathEl, Point, Vec2, fit_to_cubic};

use super::path::PathCommand;

/// Edges that meet at a larger angle than this meet at a corner: its cosine, of 45 degrees. The edges of a curve meet
/// at smaller angles. Where a corner is taken for a curve, or a curve for a corner, the fit has more cubics and keeps
/// its tolerance.
const CORNER: f64 = 0.707;
/// Cubics end at these parts of edges. Halves need a fiftieth more of them.
const PARTS: usize = 8;
/// Points of a cubic, per edge that it follows, at which its distance from the edges is measured. Between them it may
/// be further off by a 64th of an edge's distance from its arc.
const SAMPLES: usize = 8;
/// A cubic may be this many tolerances from the smooth curve, which lies beside the edges itself.
const LOOSENESS: f64 = 1.5;
/// The most edges that a cubic follows. Longer curves are rare.
const MOST_EDGES: usize = 32;

/// Appends a closed contour within `tolerance` of the polygon of `points`; the first point is not repeated at the end.
pub(super) fn append_contour(points: &[[f64; 2]], tolerance: f64, path: &mut Vec<PathCommand>) {
    let points = distinct(points);
    if points.len() < 3 {
        return;
    }
    let corners: Vec<usize> = (0..points.len()).filter(|at| is_corner(&points, *at)).collect();
    let start = corners.first().copied().unwrap_or(0);
    let is_smooth = corners.is_empty();
    path.push(PathCommand::MoveTo(array(at(&points, start))));
    let ends = corners.iter().skip(1).copied().chain([start + points.len()]);
    let mut from = start;
    for to in ends {
        append_section(&points, from, to, is_smooth, tolerance, path);
        from = to;
    }
    path.push(PathCommand::Close);
}

/// Appends an open line within `tolerance` of the chords between `points`.
pub(super) fn append_line(points: &[[f64; 2]], tolerance: f64, path: &mut Vec<PathCommand>) {
    let mut points: Vec<Point> = points.iter().map(|[x, y]| Point::new(*x, *y)).collect();
    points.dedup_by(|point, before| point.distance_squared(*before) <= 1e-12);
    let Some(last) = points.len().checked_sub(1).filter(|last| *last > 0) else { return };
    path.push(PathCommand::MoveTo(array(at(&points, 0))));
    let mut from = 0;
    for to in (1..last).filter(|at| is_corner(&points, *at)).chain([last]) {
        append_section(&points, from, to, false, tolerance, path);
        from = to;
    }
}

/// The points without repetitions.
fn distinct(points: &[[f64; 2]]) -> Vec<Point> {
    let mut distinct: Vec<Point> = Vec::with_capacity(points.len());
    for point in points.iter().map(|[x, y]| Point::new(*x, *y)) {
        if distinct.last().is_none_or(|last| last.distance_squared(point) > 1e-12) {
            distinct.push(point);
        }
    }
    while distinct.len() > 1 && distinct[0].distance_squared(distinct[distinct.len() - 1]) <= 1e-12 {
        distinct.pop();
    }
    distinct
}

/// A point of a closed polygon, counted around.
fn at(points: &[Point], index: usize) -> Point {
    points.get(index % points.len().max(1)).copied().unwrap_or_default()
}

fn is_corner(points: &[Point], index: usize) -> bool {
    let (before, here, after) = (at(points, index + points.len() - 1), at(points, index), at(points, index + 1));
    let (incoming, outgoing) = (here - before, after - here);
    incoming.dot(outgoing) < CORNER * incoming.hypot() * outgoing.hypot()
}

/// Appends the curve through the points between two corners. Tangents at the ends are those of the edges there, or, if
/// the whole contour is smooth, the same at its start and its end.
fn append_section(
    points: &[Point],
    from: usize,
    to: usize,
    is_smooth: bool,
    tolerance: f64,
    path: &mut Vec<PathCommand>,
) {
    if to - from == 1 {
        path.push(PathCommand::LineTo(array(at(points, to))));
        return;
    }
    let tangent = |index: usize| -> Vec2 {
        let (before, after) = match (index == from, index == to) {
            (true, _) if !is_smooth => (index, index + 1),
            (_, true) if !is_smooth => (index - 1, index),
            // The longer edge has the greater say, so the curve leaves no edge by much.
            _ => (index + points.len() - 1, index + 1),
        };
        let along = at(points, after) - at(points, before);
        along / along.hypot().max(1e-9)
    };
    let curves = (from..to).map(|index| {
        let (start, end) = (at(points, index), at(points, index + 1));
        let third = start.distance(end) / 3.0;
        CubicBez::new(start, start + tangent(index) * third, end - tangent(index + 1) * third, end)
    });
    let mut curve = BezPath::new();
    curve.push(PathEl::MoveTo(at(points, from)));
    curve.extend(curves.map(|curve| PathEl::CurveTo(curve.p1, curve.p2, curve.p3)));
    let corners: Vec<Point> = (from..=to).map(|index| at(points, index)).collect();
    append_fitted(&SimplifyBezPath::new(curve), &corners, tolerance, path);
}

/// Appends cubics that follow a smooth curve through `points` and stay within `tolerance` of the edges between them.
fn append_fitted(curve: &SimplifyBezPath, points: &[Point], tolerance: f64, path: &mut Vec<PathCommand>) {
    let steps = points.len().saturating_sub(1) * PARTS;
    let along = |step: usize| step as f64 / steps as f64;
    let fitted = |from: usize, to: usize| {
        let edges = points.get(from / PARTS..=to.div_ceil(PARTS))?;
        let (cubic, _) = fit_to_cubic(curve, along(from)..along(to), LOOSENESS * tolerance)?;
        stays_within(tolerance, &cubic, edges).then_some(cubic)
    };
    let mut from = 0;
    while from < steps {
        // The longest cubic that fits reaches less far than this many steps.
        let mut beyond = (steps - from).min(MOST_EDGES * PARTS) + 1;
        let (mut reached, mut longest, mut tried) = (0, None, beyond - 1);
        while tried > reached {
            if let Some(cubic) = fitted(from, from + tried) {
                (reached, longest) = (tried, Some(cubic));
            } else {
                beyond = tried;
            }
            tried = usize::midpoint(reached, beyond);
        }
        if let Some(cubic) = longest {
            path.push(PathCommand::CubicTo(array(cubic.p1), array(cubic.p2), array(cubic.p3)));
            from += reached;
        } else {
            // No curve: the rest of an edge.
            let edge = from / PARTS + 1;
            path.extend(points.get(edge).map(|end| PathCommand::LineTo(array(*end))));
            from = edge * PARTS;
        }
    }
}

/// Whether a cubic and the edges between `points` stay within `tolerance` of each other. The cubic may start and end on
/// the first and the last of them.
fn stays_within(tolerance: f64, cubic: &CubicBez, points: &[Point]) -> bool {
    let steps = SAMPLES * points.len().saturating_sub(1).max(1);
    let samples: Vec<Point> = (0..=steps).map(|step| cubic.eval(step as f64 / steps as f64)).collect();
    let inner = points.get(1..points.len().saturating_sub(1)).unwrap_or_default();
    all_near(&samples, points, tolerance) && all_near(inner, &samples, tolerance)
}

/// Whether all points, in their order, are within `tolerance` of the lines between `corners`, in theirs.
fn all_near(points: &[Point], corners: &[Point], tolerance: f64) -> bool {
    let mut lines = corners.iter().zip(corners.iter().skip(1)).map(|(from, to)| Line::new(*from, *to)).peekable();
    points.iter().all(|point| {
        let is_far = |line: &Line| line.nearest(*point, 1e-9).distance_sq > tolerance * tolerance;
        while lines.next_if(is_far).is_some() {}
        lines.peek().is_some()
    })
}

fn array(point: Point) -> [f64; 2] {
    [point.x, point.y]
}

#[cfg(test)]
mod tests {
    use kurbo::PathSeg;

    use super::*;

    fn point([x, y]: [f64; 2]) -> Point {
        Point::new(x, y)
    }

    fn fitted(points: &[[f64; 2]]) -> (Vec<PathCommand>, Vec<PathSeg>) {
        let mut path = Vec::new();
        append_contour(points, 0.05, &mut path);
        let mut curve = BezPath::new();
        for command in &path {
            curve.push(match *command {
                PathCommand::MoveTo(to) => PathEl::MoveTo(point(to)),
                PathCommand::LineTo(to) => PathEl::LineTo(point(to)),
                PathCommand::CubicTo(first, second, to) => PathEl::CurveTo(point(first), point(second), point(to)),
                PathCommand::Close => PathEl::ClosePath,
            });
        }
        let segments = curve.segments().collect();
        (path, segments)
    }

    /// The largest distance of points of the polygon from the curve, and of the curve from the polygon.
    fn distance(points: &[[f64; 2]], curve: &[PathSeg]) -> f64 {
        let to_curve = points.iter().map(|[x, y]| {
            let point = Point::new(*x, *y);
            curve.iter().map(|segment| segment.nearest(point, 1e-6).distance_sq).fold(f64::MAX, f64::min)
        });
        let edges: Vec<kurbo::Line> = (0..points.len())
            .map(|at| {
                let ([a, b], [c, d]) = (points[at], points[(at + 1) % points.len()]);
                kurbo::Line::new((a, b), (c, d))
            })
            .collect();
        let to_polygon = curve
            .iter()
            .flat_map(|segment| (0..=20).map(|step| segment.eval(f64::from(step) / 20.0)))
            .map(|point| edges.iter().map(|edge| edge.nearest(point, 1e-6).distance_sq).fold(f64::MAX, f64::min));
        to_curve.chain(to_polygon).fold(0.0, f64::max).sqrt()
    }

    #[test]
    fn a_circle_is_a_few_cubics_and_a_square_four_lines() {
        let circle: Vec<[f64; 2]> = (0..60)
            .map(|step| f64::from(step) / 60.0 * std::f64::consts::TAU)
            .map(|turn| [30.0 * turn.cos(), 30.0 * turn.sin()])
            .collect();
        let (path, curve) = fitted(&circle);
        assert!(path.len() <= 10, "{path:?}");
        assert!(distance(&circle, &curve) < 0.0501, "{}", distance(&circle, &curve));
        let square = [[0.0, 0.0], [5.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        let (path, curve) = fitted(&square);
        assert!(distance(&square, &curve) < 1e-6, "{path:?}");
        assert_eq!((path[0], path[path.len() - 1]), (PathCommand::MoveTo([0.0, 0.0]), PathCommand::Close));
    }

    #[test]
    fn a_wavy_blade_keeps_its_points_and_its_tolerance() {
        let along = (0..80).map(|step| f64::from(step) * 2.0);
        let upper = along.clone().map(|x| [x, 4.0 + 3.0 * (x / 17.0).sin()]);
        let blade: Vec<[f64; 2]> = upper.chain(along.rev().map(|x| [x, 3.0 * (x / 17.0).sin()])).collect();
        let (path, curve) = fitted(&blade);
        assert!(path.len() < 40, "{}", path.len());
        assert!(distance(&blade, &curve) < 0.0501, "{}", distance(&blade, &curve));
        for corner in [blade[0], blade[79], blade[80], blade[159]] {
            let kept = path.iter().any(|command| match *command {
                PathCommand::MoveTo(to) | PathCommand::LineTo(to) | PathCommand::CubicTo(_, _, to) => {
                    point(to).distance(point(corner)) < 1e-9
                }
                PathCommand::Close => false,
            });
            assert!(kept, "{corner:?}");
        }
    }

    #[test]
    fn a_line_keeps_its_ends_and_its_corner_and_stays_open() {
        let arc = (0..=40).map(|step| f64::from(step) / 40.0 * std::f64::consts::PI);
        let mut points: Vec<[f64; 2]> = arc.map(|turn| [-20.0 * turn.cos(), -20.0 * turn.sin()]).collect();
        points.extend((1..=10).map(|step| [20.0 - f64::from(step), 0.0]));
        let mut path = Vec::new();
        append_line(&points, 0.05, &mut path);
        assert_eq!(path[0], PathCommand::MoveTo(points[0]));
        let ends = |command: &PathCommand| match *command {
            PathCommand::MoveTo(to) | PathCommand::LineTo(to) | PathCommand::CubicTo(_, _, to) => to,
            PathCommand::Close => panic!("closed"),
        };
        let ends: Vec<[f64; 2]> = path.iter().map(ends).collect();
        let is_near = |end: &[f64; 2], to: [f64; 2]| (end[0] - to[0]).hypot(end[1] - to[1]) < 1e-9;
        assert!(ends.iter().any(|end| is_near(end, points[40])), "{path:?}");
        assert!(ends.last().is_some_and(|end| is_near(end, points[50])) && path.len() < 10, "{path:?}");
        append_line(&[[1.0, 1.0], [1.0, 1.0]], 0.05, &mut path);
        assert_eq!(path.len(), ends.len(), "a point is no line");
    }

    #[test]
    fn what_encloses_nothing_is_left_out() {
        for points in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [2.0, 2.0]], vec![[3.0, 3.0]; 5]] {
            assert!(fitted(&points).0.is_empty());
        }
    }
}
