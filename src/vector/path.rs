//! Paths of straight edges and cubics.

/// A command of a path. Every contour starts with `MoveTo` and ends with `Close`.
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
