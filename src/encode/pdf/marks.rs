//! Crop marks: two lines at every corner, aligned with the edges of the trim.

use super::boxes::PageBoxes;
use crate::geometry::Point;
use crate::spec::CropMarks;
use crate::units::Pt;

/// A line from one end to the other.
pub(super) type Line = [Point<Pt>; 2];

/// The eight lines, beginning at the lower left corner.
pub(super) fn lines(marks: CropMarks, boxes: &PageBoxes) -> Vec<Line> {
    let (near, far) = (marks.gap.to_pt(), (marks.gap + marks.length).to_pt());
    let (min, max) = (boxes.trim.min, boxes.trim.max);
    let mut lines = Vec::with_capacity(8);
    for (y, up) in [(min.y, -1.0), (max.y, 1.0)] {
        for (x, right) in [(min.x, -1.0), (max.x, 1.0)] {
            lines.push([Point::new(x + near * right, y), Point::new(x + far * right, y)]);
            lines.push([Point::new(x, y + near * up), Point::new(x, y + far * up)]);
        }
    }
    lines
}
