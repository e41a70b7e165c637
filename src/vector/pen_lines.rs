//! Joins the strokes of a word into the lines that a pen draws without being lifted.

use kurbo::{ParamCurve as _, ParamCurveArclen as _, ParamCurveNearest as _, PathEl, PathSeg, Point, Shape as _};

use crate::geometry::PathCommand;

/// Accuracy of lengths and nearest points, in page px.
const ACCURACY: f64 = 0.1;

/// When two strokes are one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining {
    /// Largest distance of points whose ink touches, in page px: the width of the pen.
    pub(super) reach: f64,
    /// Longest way along ink that is drawn twice, in page px; 0 for writing that is not joined.
    pub(super) longest_retrace: f64,
}

/// How a stroke continues a line.
struct Joint {
    /// What the pen draws: along ink to the start of the stroke, and the stroke.
    path: Vec<PathSeg>,
    /// The length that it draws again, in page px.
    retraced: f64,
}

/// The lines of a word from its strokes in the order of writing. A stroke that begins where the ink of an earlier line
/// ends continues that line, whatever was written between them, so dots and crossbars come after the line below them. In
/// joined writing a stroke may be drawn the other way, and the pen may go along ink twice, as it does in the stems of an m,
/// or where the exit of a letter meets the next one beside its start.
pub(super) fn pen_lines(strokes: &[Vec<PathCommand>], joining: Joining) -> Vec<Vec<PathCommand>> {
    let mut lines: Vec<Vec<PathSeg>> = Vec::with_capacity(strokes.len());
    for stroke in strokes {
        let stroke: Vec<PathSeg> = kurbo::segments(stroke.iter().copied().map(PathEl::from)).collect();
        let joint_of = |(at, line): (usize, &Vec<PathSeg>)| joint(line, &stroke, joining).map(|joint| (at, joint));
        let joints = lines.iter().enumerate().filter_map(joint_of);
        match joints.min_by(|(_, one), (_, other)| one.retraced.total_cmp(&other.retraced)) {
            Some((at, joint)) => lines[at].extend(joint.path),
            None => lines.push(stroke),
        }
    }
    lines.iter().map(|line| commands(line)).collect()
}

/// How `stroke` continues `line` with the shortest way along ink; `None` if it does not.
fn joint(line: &[PathSeg], stroke: &[PathSeg], joining: Joining) -> Option<Joint> {
    let (end, start) = (line.last()?.end(), stroke.first()?.start());
    if end.distance(start) <= joining.reach {
        return Some(Joint { path: stroke.to_vec(), retraced: 0.0 });
    }
    if joining.longest_retrace <= 0.0 {
        return None;
    }
    let backwards = reversed(stroke);
    if end.distance(backwards.first()?.start()) <= joining.reach {
        return Some(Joint { path: backwards, retraced: 0.0 });
    }
    let ways = [line, stroke].into_iter().filter_map(|path| shortest_way(path, end, start, joining));
    let (mut path, retraced) = ways.min_by(|(_, one), (_, other)| one.total_cmp(other))?;
    path.extend_from_slice(stroke);
    Some(Joint { path, retraced })
}

/// A place on a path: the index of a segment, and the parameter on it.
type Place = (usize, f64);

/// The shortest part of a path, in either direction, from where its ink touches `from` to where it touches `to`, and the
/// part's length; `None` if it is too long.
fn shortest_way(path: &[PathSeg], from: Point, to: Point, joining: Joining) -> Option<(Vec<PathSeg>, f64)> {
    let starts = places(path, from, joining.reach);
    let stops = if starts.is_empty() { Vec::new() } else { places(path, to, joining.reach) };
    let ways = starts.iter().flat_map(|start| stops.iter().map(|stop| part(path, *start, *stop)));
    let measured = ways.map(|way| {
        let length: f64 = way.iter().map(|segment| segment.arclen(ACCURACY)).sum();
        (way, length)
    });
    measured
        .filter(|(_, length)| *length <= joining.longest_retrace)
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
}

/// Where the ink of a path touches a point: of each run of segments within `reach` of it the nearest place.
fn places(path: &[PathSeg], point: Point, reach: f64) -> Vec<Place> {
    let mut places = Vec::new();
    let mut nearest: Option<(f64, Place)> = None;
    for (index, segment) in path.iter().enumerate() {
        let is_far = !segment.bounding_box().inflate(reach, reach).contains(point);
        let found = (!is_far).then(|| segment.nearest(point, ACCURACY)).filter(|at| at.distance_sq <= reach.powi(2));
        match (found, nearest) {
            (Some(at), Some((least, _))) if at.distance_sq >= least => {}
            (Some(at), _) => nearest = Some((at.distance_sq, (index, at.t))),
            (None, _) => places.extend(nearest.take().map(|(_, place)| place)),
        }
    }
    places.extend(nearest.map(|(_, place)| place));
    places
}

/// The part of a path between two places, from the first to the second.
fn part(path: &[PathSeg], from: Place, to: Place) -> Vec<PathSeg> {
    if from == to {
        return Vec::new();
    }
    if from > to {
        return reversed(&part(path, to, from));
    }
    let segments = path.iter().enumerate().take(to.0 + 1).skip(from.0);
    segments
        .map(|(index, segment)| {
            let start = if index == from.0 { from.1 } else { 0.0 };
            let end = if index == to.0 { to.1 } else { 1.0 };
            segment.subsegment(start..end)
        })
        .collect()
}

fn reversed(path: &[PathSeg]) -> Vec<PathSeg> {
    path.iter().rev().map(PathSeg::reverse).collect()
}

/// The commands of a line; a straight edge closes gaps between its segments.
fn commands(line: &[PathSeg]) -> Vec<PathCommand> {
    let array = |point: Point| [point.x, point.y];
    let mut commands = Vec::with_capacity(line.len() + 1);
    let mut end = None;
    for segment in line {
        match end {
            None => commands.push(PathCommand::MoveTo(array(segment.start()))),
            Some(end) if end != segment.start() => commands.push(PathCommand::LineTo(array(segment.start()))),
            Some(_) => {}
        }
        commands.push(match *segment {
            PathSeg::Line(edge) => PathCommand::LineTo(array(edge.p1)),
            PathSeg::Quad(curve) => cubic(curve.raise()),
            PathSeg::Cubic(curve) => cubic(curve),
        });
        end = Some(segment.end());
    }
    commands
}

fn cubic(curve: kurbo::CubicBez) -> PathCommand {
    let [first, second, end] = [curve.p1, curve.p2, curve.p3].map(|point| [point.x, point.y]);
    PathCommand::CubicTo(first, second, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOINED: Joining = Joining { reach: 1.0, longest_retrace: 20.0 };
    const PRINTED: Joining = Joining { longest_retrace: 0.0, ..JOINED };

    fn stroke(points: &[[f64; 2]]) -> Vec<PathCommand> {
        let (start, rest) = points.split_first().unwrap();
        let rest = rest.iter().copied().map(PathCommand::LineTo);
        std::iter::once(PathCommand::MoveTo(*start)).chain(rest).collect()
    }

    /// The points of each line.
    fn lines(strokes: &[&[[f64; 2]]], joining: Joining) -> Vec<Vec<[f64; 2]>> {
        let strokes: Vec<_> = strokes.iter().map(|points| stroke(points)).collect();
        let lines = pen_lines(&strokes, joining);
        lines.iter().map(|line| line.iter().filter_map(PathCommand::end).collect()).collect()
    }

    #[test]
    fn a_stroke_continues_the_line_that_ends_where_it_begins_and_a_dot_comes_later() {
        let (body, dot, next) = ([[0.0, 0.0], [9.0, 9.0]], [[0.0, -9.0], [1.0, -9.0]], [[9.5, 9.0], [20.0, 0.0]]);
        let expected = vec![vec![[0.0, 0.0], [9.0, 9.0], [9.5, 9.0], [20.0, 0.0]], dot.to_vec()];
        for joining in [JOINED, PRINTED] {
            assert_eq!(lines(&[&body, &dot, &next], joining), expected);
        }
    }

    #[test]
    fn joined_writing_turns_strokes_and_goes_back_along_them() {
        let stem = [[0.0, 0.0], [0.0, 10.0]];
        // A stroke that was found from its far end.
        let upstroke = [[9.0, 0.0], [0.0, 10.0]];
        assert_eq!(lines(&[&stem, &upstroke], JOINED), [[[0.0, 0.0], [0.0, 10.0], [9.0, 0.0]]]);
        // An arch that leaves the stem half way up, and a stem that the line meets half way down.
        let [arch, ascender] = [[[0.0, 5.0], [9.0, 0.0]], [[9.0, -9.0], [9.0, 9.0]]];
        let found = lines(&[&stem, &arch, &ascender], JOINED);
        assert_eq!(found.len(), 1, "{found:?}");
        let length = found[0].windows(2).map(|edge| (edge[1][0] - edge[0][0]).hypot(edge[1][1] - edge[0][1]));
        let expected = 10.0 + 5.0 + 9.0_f64.hypot(5.0) + 9.0 + 18.0;
        assert!((length.sum::<f64>() - expected).abs() < 0.5, "{found:?}");
        assert_eq!(lines(&[&stem, &upstroke, &arch, &ascender], PRINTED).len(), 4);
    }

    #[test]
    fn an_exit_that_meets_a_letter_beside_its_start_goes_along_its_ink() {
        // An exit that meets the back of an e, whose bar begins there, above it.
        let exit = [[0.0, 10.0], [9.5, 10.0]];
        let e = [[10.0, 7.0], [16.0, 6.0], [16.0, 0.0], [10.0, 5.0], [10.0, 12.0], [17.0, 12.0]];
        let found = lines(&[&exit, &e], JOINED);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].last(), e.last());
        // Up the back, not around the loop.
        let [length, exit, e] = [&found[0][..], &exit, &e].map(|line| {
            line.windows(2).map(|edge| (edge[1][0] - edge[0][0]).hypot(edge[1][1] - edge[0][1])).sum::<f64>()
        });
        assert!((length - exit - e - 3.0).abs() < 1.5, "{length} {found:?}");
        // A crossing of the line is a shorter way than back along all of it.
        let loop_ = [[0.0, 0.0], [30.0, 0.0], [30.0, 20.0], [5.0, 20.0], [5.0, 0.0]];
        let found = lines(&[&loop_, &[[8.0, 0.0], [8.0, 9.0]]], JOINED);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn the_pen_does_not_go_far_back() {
        assert_eq!(lines(&[&[[0.0, 0.0], [0.0, 30.0]], &[[0.0, 5.0], [9.0, 0.0]]], JOINED).len(), 2);
    }
}
