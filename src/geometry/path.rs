//! Paths of straight edges and cubics.

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
