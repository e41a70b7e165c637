//! Paths of straight edges and cubics, and the polygons near them.

use kurbo::{PathEl, Point};

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

/// The contours of a path with chords within `tolerance` instead of curves. The first point of each is not repeated at
/// its end.
pub fn polygons(path: impl IntoIterator<Item = PathEl>, tolerance: f64) -> Vec<Vec<[f64; 2]>> {
    let mut polygons: Vec<Vec<[f64; 2]>> = Vec::new();
    kurbo::flatten(path, tolerance, |element| match element {
        PathEl::MoveTo(to) => polygons.push(vec![[to.x, to.y]]),
        PathEl::LineTo(to) => polygons.last_mut().into_iter().for_each(|polygon| polygon.push([to.x, to.y])),
        PathEl::QuadTo(..) | PathEl::CurveTo(..) | PathEl::ClosePath => {}
    });
    polygons
}
