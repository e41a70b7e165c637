//! Joins the strokes of a word into the lines that a pen draws without being lifted.

use kurbo::{ParamCurve as _, ParamCurveArclen as _, ParamCurveNearest as _, PathEl, PathSeg, Point};

use crate::geometry::PathCommand;

/// Accuracy of lengths and nearest points, in page px.
const ACCURACY: f64 = 0.1;

/// When two strokes are one line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joining {
    /// Largest distance of points whose ink touches, in page px: the width of the pen.
    pub(super) reach: f64,
    /// Longest way back along ink that is already drawn, in page px; 0 for writing that is not joined.
    pub(super) longest_retrace: f64,
}

/// How a stroke continues a line.
struct Joint {
    /// What the pen draws: along drawn ink to the start of the stroke, and the stroke.
    path: Vec<PathSeg>,
    /// The length that it draws again, in page px.
    retraced: f64,
}

/// The lines of a word from its strokes in the order of writing. A stroke that begins where the ink of an earlier line
/// ends continues that line, whatever was written between them, so dots and crossbars come after the line below them. In
/// joined writing a stroke may be drawn the other way, and the pen may go back along a stroke, as it does in the stems of
/// an m.
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

/// How `stroke` continues `line` with the shortest way back; `None` if it does not.
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
    // Back along the line to where the stroke begins; or along the stroke to its start, and then along it.
    let along_line = way_to(&reversed(line), start, joining);
    let along_stroke = || {
        let way = way_to(stroke, end, joining)?;
        Some(reversed(&way))
    };
    let mut path = along_line.or_else(along_stroke)?;
    let retraced = path.iter().map(|segment| segment.arclen(ACCURACY)).sum();
    path.extend_from_slice(stroke);
    Some(Joint { path, retraced })
}

/// The beginning of a path up to the first point whose ink touches `to`; `None` if it is too long.
fn way_to(path: &[PathSeg], to: Point, joining: Joining) -> Option<Vec<PathSeg>> {
    let (mut way, mut length) = (Vec::new(), 0.0);
    for segment in path {
        let nearest = segment.nearest(to, ACCURACY);
        let is_there = nearest.distance_sq <= joining.reach.powi(2);
        let part = if is_there { segment.subsegment(0.0..nearest.t) } else { *segment };
        length += part.arclen(ACCURACY);
        way.push(part);
        if length > joining.longest_retrace {
            return None;
        }
        if is_there {
            return Some(way);
        }
    }
    None
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
    fn the_pen_does_not_go_far_back() {
        assert_eq!(lines(&[&[[0.0, 0.0], [0.0, 30.0]], &[[0.0, 5.0], [9.0, 0.0]]], JOINED).len(), 2);
    }
}
