//! Paths of straight edges and cubics, and the polygons near them.

use kurbo::{CubicBez, ParamCurve as _, PathEl, Point};

/// A command of a path. A contour starts with `MoveTo` and ends with `Close`; a line of a pen ends without.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathCommand {
    /// Starts a contour.
    MoveTo([f64; 2]),
    /// A straight edge to the point.
    LineTo([f64; 2]),
    /// A cubic Bézier: two control points, end point.
    CubicTo([f64; 2], [f64; 2], [f64; 2]),
    /// Closes the contour with a straight edge to its start.
    Close,
}

impl PathCommand {
    /// The point at which it ends; that of [`Self::Close`] is the start of the contour.
    #[must_use]
    pub const fn end(&self) -> Option<[f64; 2]> {
        match *self {
            Self::MoveTo(to) | Self::LineTo(to) | Self::CubicTo(_, _, to) => Some(to),
            Self::Close => None,
        }
    }

    /// The command with all its points mapped.
    #[must_use]
    pub fn mapped(self, map: impl Fn([f64; 2]) -> [f64; 2]) -> Self {
        match self {
            Self::MoveTo(to) => Self::MoveTo(map(to)),
            Self::LineTo(to) => Self::LineTo(map(to)),
            Self::CubicTo(first, second, to) => Self::CubicTo(map(first), map(second), map(to)),
            Self::Close => Self::Close,
        }
    }
}

impl From<PathCommand> for PathEl {
    fn from(command: PathCommand) -> Self {
        let point = |[x, y]: [f64; 2]| Point::new(x, y);
        match command {
            PathCommand::MoveTo(to) => Self::MoveTo(point(to)),
            PathCommand::LineTo(to) => Self::LineTo(point(to)),
            PathCommand::CubicTo(first, second, to) => Self::CurveTo(point(first), point(second), point(to)),
            PathCommand::Close => Self::ClosePath,
        }
    }
}

/// How often a cubic is halved at most until it turns back nowhere.
const MOST_HALVINGS: u32 = 6;

/// The contours of a path with chords instead of curves, within `tolerance` of them, or twice that in tight turns. The
/// first point of each is not repeated at its end.
pub fn polygons(path: impl IntoIterator<Item = PathEl>, tolerance: f64) -> Vec<Vec<[f64; 2]>> {
    let mut polygons: Vec<Vec<[f64; 2]>> = Vec::new();
    kurbo::flatten(without_turns(path), tolerance, |element| match element {
        PathEl::MoveTo(to) => polygons.push(vec![[to.x, to.y]]),
        PathEl::LineTo(to) => polygons.last_mut().into_iter().for_each(|polygon| polygon.push([to.x, to.y])),
        PathEl::QuadTo(..) | PathEl::CurveTo(..) | PathEl::ClosePath => {}
    });
    polygons
}

/// The same path, with cubics that turn back halved: the chords that kurbo takes for them are up to twelve times the
/// tolerance away.
fn without_turns(path: impl IntoIterator<Item = PathEl>) -> Vec<PathEl> {
    let mut found = Vec::new();
    let mut from = Point::ZERO;
    for element in path {
        match element {
            PathEl::CurveTo(first, second, to) => {
                push_halved(&mut found, CubicBez::new(from, first, second, to), MOST_HALVINGS);
            }
            PathEl::MoveTo(_) | PathEl::LineTo(_) | PathEl::QuadTo(..) | PathEl::ClosePath => found.push(element),
        }
        // The element after one that closes a contour moves.
        from = element.end_point().unwrap_or(from);
    }
    found
}

fn push_halved(path: &mut Vec<PathEl>, cubic: CubicBez, halvings: u32) {
    let [start, middle, end] = [cubic.p1 - cubic.p0, cubic.p2 - cubic.p1, cubic.p3 - cubic.p2];
    let turns_back = start.dot(middle) < 0.0 || middle.dot(end) < 0.0;
    if turns_back && halvings > 0 {
        let (one, other) = cubic.subdivide();
        push_halved(path, one, halvings - 1);
        push_halved(path, other, halvings - 1);
    } else {
        path.push(PathEl::CurveTo(cubic.p1, cubic.p2, cubic.p3));
    }
}

#[cfg(test)]
mod tests {
    use kurbo::{Line, ParamCurveNearest as _};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn chords_are_near_the_curve(at in proptest::collection::vec(-20.0..20.0_f64, 8)) {
            let [from, first, second, to] = [0, 2, 4, 6].map(|index| Point::new(at[index], at[index + 1]));
            let chords = polygons([PathEl::MoveTo(from), PathEl::CurveTo(first, second, to)], 0.1);
            let chords: Vec<Line> = chords[0]
                .windows(2)
                .map(|pair| Line::new((pair[0][0], pair[0][1]), (pair[1][0], pair[1][1])))
                .collect();
            let cubic = CubicBez::new(from, first, second, to);
            for step in 0..=200 {
                let point = cubic.eval(f64::from(step) / 200.0);
                let away = chords.iter().map(|chord| chord.nearest(point, 1e-9).distance_sq).fold(f64::MAX, f64::min);
                prop_assert!(away.sqrt() < 0.2, "{} at {step}", away.sqrt());
            }
        }
    }
}
