//! How much outline a glyph has: what making its mesh, bending and drawing it costs grows with it.

use kurbo::{CubicBez, Line, PathSeg, QuadBez};

use super::outline::Outline;

/// Numbers of edges of a glyph's contours, and their lengths in font units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OutlineExtent {
    /// Straight edges, without those that close contours.
    pub lines: u32,
    /// Bézier curves.
    pub curves: u32,
    /// Length of the straight edges.
    pub length_of_lines: f64,
    /// Length of the curves' control polygons, which is at least theirs.
    pub length_of_curves: f64,
}

impl OutlineExtent {
    /// The extent of an outline.
    #[must_use]
    pub fn of(outline: &Outline) -> Self {
        let mut extent = Self::default();
        for edge in outline.edges() {
            match edge {
                PathSeg::Line(Line { p0, p1 }) => {
                    extent.lines += 1;
                    extent.length_of_lines += p0.distance(p1);
                }
                PathSeg::Quad(QuadBez { p0, p1, p2 }) => {
                    extent.curves += 1;
                    extent.length_of_curves += p0.distance(p1) + p1.distance(p2);
                }
                PathSeg::Cubic(CubicBez { p0, p1, p2, p3 }) => {
                    extent.curves += 1;
                    extent.length_of_curves += p0.distance(p1) + p1.distance(p2) + p2.distance(p3);
                }
            }
        }
        extent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::OutlineCommand;
    use crate::geometry::Point;
    use crate::units::FontUnits;

    #[test]
    fn lines_and_control_polygons_are_counted_and_measured() {
        let at = |x: f64, y: f64| Point::new(FontUnits::new(x), FontUnits::new(y));
        let outline = Outline::new(vec![
            OutlineCommand::MoveTo(at(0.0, 0.0)),
            OutlineCommand::LineTo(at(3.0, 4.0)),
            OutlineCommand::QuadTo(at(3.0, 10.0), at(11.0, 10.0)),
            OutlineCommand::CubicTo(at(11.0, 0.0), at(8.0, 0.0), at(0.0, 0.0)),
            OutlineCommand::Close,
        ]);
        let expected = OutlineExtent { lines: 1, curves: 2, length_of_lines: 5.0, length_of_curves: 14.0 + 21.0 };
        assert_eq!(OutlineExtent::of(&outline.unwrap()), expected);
    }
}
