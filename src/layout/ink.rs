//! Boxes around ink: in ems before the font size is known, in px for lines.

/// A box around ink in ems: x from the pen of a chunk or word, y upwards from the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InkEm {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl InkEm {
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.min(other.bottom),
        }
    }
}

/// A box around the ink of a line in px: x from the line's start, y upwards from the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineInk {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl LineInk {
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
