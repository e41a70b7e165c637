//! Fits cubics to polygons.
//!
//! A polygon of short edges is cut at its corners. What lies between becomes cubics, which have
//! the same tangent where they meet. Each cubic follows as many edges as it can within the tolerance: the least squares
//! fit with given tangents at both ends (P. J. Schneider, "An algorithm for automatically fitting digitized curves",
//! Graphics Gems, 1990). Every loop has a bound, and where no cubic fits there is a straight edge: so the work grows
//! with the number of points alone, whatever the points are.

use kurbo::{CubicBez, ParamCurve as _, Point, Vec2};

use super::path::PathCommand;

/// Edges that meet at a larger angle than this meet at a corner: its cosine, of 45 degrees. The edges of a curve meet
/// at smaller angles. Where a corner is taken for a curve, or a curve for a corner, the fit has more cubics and keeps
/// its tolerance.
const CORNER: f64 = 0.707;
/// Square of the length of edges that are halved, in px: cubics may then end in the middle of them. That saves a
/// fourteenth of the cubics.
const HALVED: f64 = 0.09;
/// The most edges that a cubic follows, halves counted each. Longer curves are rare.
const MOST_EDGES: usize = 64;
/// Edges of the first cubic that is tried.
const FIRST_EDGES: usize = 12;
/// Most times that a cubic is fitted, each time with better parameters and weights of its points. In round n it is given
/// up where it is further away than this many nths of the tolerance: later rounds would hardly bring it nearer.
const MOST_ROUNDS: u8 = 9;
/// How much of a point's weight is kept from round to round, whatever its distance.
const KEPT_WEIGHT: f64 = 0.1;

/// Where the distance of a cubic from an edge is measured besides its ends. Between these parts it may be a fifth
/// of a tolerance further off where edges are long.
const BETWEEN: [f64; 3] = [0.25, 0.5, 0.75];

/// Appends a closed contour within `tolerance` of the polygon of `points`; the first point is not repeated at the end.
pub fn append_contour(points: &[[f64; 2]], tolerance: f64, path: &mut Vec<PathCommand>) {
    let mut points = distinct(points);
    while points.len() > 1 && is_same(points[0], points[points.len() - 1]) {
        points.pop();
    }
    if points.len() < 3 {
        return;
    }
    let around = |index: usize| points[index % points.len()];
    let corners: Vec<usize> = (0..points.len())
        .filter(|at| is_corner([around(at + points.len() - 1), points[*at], around(at + 1)]))
        .collect();
    let start = corners.first().copied().unwrap_or(0);
    path.push(PathCommand::MoveTo(array(points[start])));
    let ends = corners.iter().skip(1).copied().chain([start + points.len()]);
    let mut from = start;
    for to in ends {
        let at_seam = corners.is_empty().then(|| direction(around(points.len() - 1), around(1)));
        let section: Vec<Point> = (from..=to).map(around).collect();
        append_section(&section, at_seam, tolerance, path);
        from = to;
    }
    path.push(PathCommand::Close);
}

/// Appends an open line within `tolerance` of the chords between `points`.
pub fn append_line(points: &[[f64; 2]], tolerance: f64, path: &mut Vec<PathCommand>) {
    let points = distinct(points);
    let Some(last) = points.len().checked_sub(1).filter(|last| *last > 0) else { return };
    path.push(PathCommand::MoveTo(array(points[0])));
    let mut from = 0;
    for to in (1..last).filter(|at| is_corner([points[at - 1], points[*at], points[at + 1]])).chain([last]) {
        append_section(&points[from..=to], None, tolerance, path);
        from = to;
    }
}

/// Appends a part of a polygon without corners; see [`Section::new`].
fn append_section(points: &[Point], at_seam: Option<Vec2>, tolerance: f64, path: &mut Vec<PathCommand>) {
    if let [_, end] = points {
        path.push(PathCommand::LineTo(array(*end)));
    } else {
        Section::new(&halved(points), at_seam).append_to(path, tolerance);
    }
}

/// The points without repetitions.
fn distinct(points: &[[f64; 2]]) -> Vec<Point> {
    let mut points: Vec<Point> = points.iter().map(|[x, y]| Point::new(*x, *y)).collect();
    points.dedup_by(|point, before| is_same(*point, *before));
    points
}

/// The points with the middles of longer edges.
fn halved(points: &[Point]) -> Vec<Point> {
    let mut halved: Vec<Point> = Vec::new();
    for point in points {
        let last = halved.last().copied().filter(|last| last.distance_squared(*point) > HALVED);
        halved.extend(last.map(|last| last.midpoint(*point)));
        halved.push(*point);
    }
    halved
}

fn is_same(one: Point, other: Point) -> bool {
    one.distance_squared(other) <= 1e-12
}

fn is_corner([before, here, after]: [Point; 3]) -> bool {
    is_turn(here - before, after - here)
}

/// Whether edges of these directions meet at a corner, and not within a curve.
#[must_use]
pub fn is_turn(incoming: Vec2, outgoing: Vec2) -> bool {
    incoming.dot(outgoing) < CORNER * incoming.hypot() * outgoing.hypot()
}

/// The unit vector from one point to another.
fn direction(from: Point, to: Point) -> Vec2 {
    (to - from) / from.distance(to).max(1e-9)
}

/// A part of an outline without corners.
struct Section<'a> {
    points: &'a [Point],
    /// Unit tangents at the points.
    tangents: Vec<Vec2>,
    /// Lengths of the edges up to each point.
    lengths: Vec<f64>,
}

impl<'a> Section<'a> {
    /// The section through `points`, which are at least two. `at_seam` is the tangent at both ends of a contour without
    /// corners; at corners, the tangents are those of the edges.
    fn new(points: &'a [Point], at_seam: Option<Vec2>) -> Self {
        let last = points.len() - 1;
        let tangents = (0..=last).map(|at| match (at, at_seam) {
            (0, Some(tangent)) => tangent,
            (at, Some(tangent)) if at == last => tangent,
            // The longer edge has the greater say, so the curve leaves no edge by much.
            _ => direction(points[at.saturating_sub(1)], points[(at + 1).min(last)]),
        });
        let mut length = 0.0;
        let lengths = (0..=last).map(|at| {
            length += if at == 0 { 0.0 } else { points[at].distance(points[at - 1]) };
            length
        });
        Self { points, tangents: tangents.collect(), lengths: lengths.collect() }
    }

    /// Appends cubics that stay within `tolerance` of the edges.
    fn append_to(&self, path: &mut Vec<PathCommand>, tolerance: f64) {
        let last = self.points.len() - 1;
        let (mut from, mut guess) = (0, FIRST_EDGES);
        while from < last {
            let most = (last - from).min(MOST_EDGES);
            // A cubic along `fits` edges fits, one along `fails` does not. The gap closes with every try.
            let (mut fits, mut fails, mut longest, mut tried) = (0, most + 1, None, guess.min(most));
            while fits + 1 < fails {
                if let Some(cubic) = self.fitted(from, from + tried, tolerance) {
                    (fits, longest) = (tried, Some(cubic));
                } else {
                    fails = tried;
                }
                tried = if fails > most { (2 * fits).min(most) } else { usize::midpoint(fits, fails) };
            }
            from += fits.max(1);
            guess = fits.max(1);
            path.push(match longest {
                Some(cubic) => PathCommand::CubicTo(array(cubic.p1), array(cubic.p2), array(cubic.p3)),
                None => PathCommand::LineTo(array(self.points[from])),
            });
        }
    }

    /// The cubic from a point to another that stays within `tolerance` of the edges between them, if one is found.
    fn fitted(&self, from: usize, to: usize, tolerance: f64) -> Option<CubicBez> {
        let points = &self.points[from..=to];
        let mut parameters = [0.0; MOST_EDGES + 1];
        let parameters = parameters.get_mut(..points.len())?;
        let (start, length) = (self.lengths[from], self.lengths[to] - self.lengths[from]);
        for (parameter, end) in parameters.iter_mut().zip(&self.lengths[from..=to]) {
            *parameter = (end - start) / length;
        }
        let mut weights = [1.0; MOST_EDGES + 1];
        let weights = weights.get_mut(..points.len())?;
        for round in 1..=MOST_ROUNDS {
            let cubic = least_squares(points, parameters, weights, [self.tangents[from], self.tangents[to]], length)?;
            match_parameters(&cubic, points, parameters);
            let distances = points.iter().zip(&*parameters).map(|(point, t)| cubic.eval(*t).distance(*point));
            let farthest = distances.clone().fold(0.0, f64::max);
            if farthest <= tolerance {
                return stays_near_edges(&cubic, points, parameters, tolerance).then_some(cubic);
            }
            if farthest * f64::from(round) > tolerance * f64::from(MOST_ROUNDS) {
                return None;
            }
            // More weight for points further away makes the largest distance smaller (C. L. Lawson, 1961).
            weights.iter_mut().zip(distances).for_each(|(weight, away)| *weight *= KEPT_WEIGHT + away / farthest);
        }
        None
    }
}

/// The cubic from the first to the last point, with these unit tangents there, whose weighted squared distances from the
/// points at their parameters are least. Its handles are no longer than `longest`.
fn least_squares(
    points: &[Point],
    parameters: &[f64],
    weights: &[f64],
    [start, end]: [Vec2; 2],
    longest: f64,
) -> Option<CubicBez> {
    let (first, last) = (*points.first()?, *points.last()?);
    let ([mut c00, mut c01, mut c11], [mut x0, mut x1]) = ([0.0; 3], [0.0; 2]);
    for ((point, t), weight) in points.iter().zip(parameters).zip(weights) {
        let rest = 1.0 - t;
        let (b1, b2) = (3.0 * rest * rest * t, 3.0 * rest * t * t);
        let at_end = t * t * t + b2;
        let (a0, a1) = (start * b1, end * -b2);
        let away = *point - first.lerp(last, at_end);
        c00 += weight * a0.dot(a0);
        c01 += weight * a0.dot(a1);
        c11 += weight * a1.dot(a1);
        x0 += weight * a0.dot(away);
        x1 += weight * a1.dot(away);
    }
    let determinant = c00 * c11 - c01 * c01;
    let (mut handle, mut other) = ((x0 * c11 - x1 * c01) / determinant, (x1 * c00 - x0 * c01) / determinant);
    // Few points, or points on a line, say nothing about the handles.
    let is_handle = |length: f64| length > 0.0 && length <= longest;
    if determinant <= 1e-9 * c00 * c11 || !is_handle(handle) || !is_handle(other) {
        (handle, other) = (longest / 3.0, longest / 3.0);
    }
    Some(CubicBez::new(first, first + start * handle, last - end * other, last))
}

/// Whether the cubic stays within `tolerance` of the edges between points as well: at [`BETWEEN`] of each.
fn stays_near_edges(cubic: &CubicBez, points: &[Point], parameters: &[f64], tolerance: f64) -> bool {
    points.windows(2).zip(parameters.windows(2)).all(|(ends, parameters)| {
        let ([from, to], [before, after]) = (ends, parameters) else { return true };
        let edge = *to - *from;
        before < after
            && BETWEEN.iter().all(|share| {
                let away = cubic.eval(before + (after - before) * share) - *from;
                let along = (away.dot(edge) / edge.hypot2()).clamp(0.0, 1.0);
                (away - along * edge).hypot2() <= tolerance * tolerance
            })
    })
}

/// Moves the parameter of each point towards that of the nearest point of the cubic: one step of Newton's method.
fn match_parameters(cubic: &CubicBez, points: &[Point], parameters: &mut [f64]) {
    let [first, second, third] = [cubic.p1 - cubic.p0, cubic.p2 - cubic.p1, cubic.p3 - cubic.p2];
    for (point, t) in points.iter().zip(parameters) {
        let rest = 1.0 - *t;
        let velocity = 3.0 * (rest * rest * first + 2.0 * rest * *t * second + *t * *t * third);
        let acceleration = 6.0 * (rest * (second - first) + *t * (third - second));
        let away = cubic.eval(*t) - *point;
        let slope = velocity.dot(velocity) + away.dot(acceleration);
        if slope > 1e-12 {
            *t = (*t - away.dot(velocity) / slope).clamp(0.0, 1.0);
        }
    }
}

fn array(point: Point) -> [f64; 2] {
    [point.x, point.y]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use kurbo::{BezPath, ParamCurveNearest as _, PathEl, PathSeg};

    use super::*;

    fn point([x, y]: [f64; 2]) -> Point {
        Point::new(x, y)
    }

    fn fitted(points: &[[f64; 2]]) -> (Vec<PathCommand>, Vec<PathSeg>) {
        let mut path = Vec::new();
        append_contour(points, 0.05, &mut path);
        let curve: BezPath = path.iter().copied().map(PathEl::from).collect();
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

    proptest! {
        /// Edges that turn back, lie on each other, cross, or are tiny or long.
        #[test]
        fn any_polygon_is_followed_within_the_tolerance(
            steps in prop::collection::vec((0..6_u32, -3.2..3.2_f64, -3..3_i32), 3..60),
        ) {
            let mut at = [0.0; 2];
            let points: Vec<[f64; 2]> = steps
                .iter()
                .map(|(kind, angle, power)| {
                    let length = 10.0_f64.powi(*power);
                    let turn = if *kind < 3 { 0.1 * angle } else { *angle };
                    at = [at[0] + length * turn.cos(), at[1] + if *kind == 0 { 0.0 } else { length * turn.sin() }];
                    at
                })
                .collect();
            let (path, curve) = fitted(&points);
            prop_assert!(path.len() <= 2 * points.len() + 2);
            if !path.is_empty() {
                let far = distance(&points, &curve);
                prop_assert!(far < 0.06, "{}", far);
            }
        }
    }

    #[test]
    fn what_encloses_nothing_is_left_out() {
        for points in [vec![], vec![[1.0, 1.0]], vec![[1.0, 1.0], [2.0, 2.0]], vec![[3.0, 3.0]; 5]] {
            assert!(fitted(&points).0.is_empty());
        }
    }
}
