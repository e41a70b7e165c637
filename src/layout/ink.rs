//! A box around ink: in ems before the font size is known, in px for lines.

/// A box around ink, y upwards from the baseline. Lengths are in ems, and x counts from the pen of a chunk or word; for
/// lines they are in px, and x counts from the line's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ink {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Ink {
    /// The box in ems in px at a size, moved to the right by `start`.
    pub(super) fn at_size(self, size: f64, start: f64) -> Self {
        Self {
            left: start + self.left * size,
            right: start + self.right * size,
            top: self.top * size,
            bottom: self.bottom * size,
        }
    }

    /// The same box, narrower by `by` on the left and on the right.
    pub(super) fn narrowed(self, by: f64) -> Self {
        Self { left: self.left + by, right: self.right - by, ..self }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.min(other.bottom),
        }
    }
}
