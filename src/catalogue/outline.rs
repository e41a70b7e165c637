//! A glyph's contours, free of any font library's types.

use crate::geometry::{Point, Rect};
use crate::units::FontUnits;

/// One step of a contour, in font units, y up. Every contour is opened by `MoveTo` and ended by `Close`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlineCommand {
    /// Starts a contour.
    MoveTo(Point<FontUnits>),
    /// A straight edge to the point.
    LineTo(Point<FontUnits>),
    /// A quadratic Bézier: control point, end point.
    QuadTo(Point<FontUnits>, Point<FontUnits>),
    /// A cubic Bézier: two control points, end point.
    CubicTo(Point<FontUnits>, Point<FontUnits>, Point<FontUnits>),
    /// Closes the contour with a straight edge to its start.
    Close,
}

/// A glyph's contours with the exact box of their ink.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// The contours, to be filled by the non-zero rule.
    pub commands: Vec<OutlineCommand>,
    /// The tightest box around the curves themselves (not their control points), y up.
    pub ink: Rect<FontUnits>,
}
