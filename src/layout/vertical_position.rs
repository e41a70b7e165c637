//! The height of a page's lines between the top and bottom margins.

use super::text_frame::{ROUNDING, TextFrame, TypesetLine, TypesetText};
use crate::spec::VerticalAlignment;

/// Vertical extent of the ink of a page, in px from the top of the text area.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Extent {
    top: f64,
    bottom: f64,
}

impl Extent {
    /// The extent of a line that is moved down by `shift`; `None` where it is blank.
    fn of(line: &TypesetLine, shift: f64) -> Option<Self> {
        let baseline = line.baseline + shift;
        line.ink.map(|ink| Self { top: baseline - ink.top, bottom: baseline - ink.bottom })
    }

    const fn union(self, other: Self) -> Self {
        Self { top: self.top.min(other.top), bottom: self.bottom.max(other.bottom) }
    }
}

impl TextFrame<'_, '_> {
    /// For each page, how far its lines move down, in px: so far that no ink rises above the text area, and further
    /// where the page's ink is centred or stands at the bottom. Lines on rules move by whole rules.
    pub(super) fn vertical_shifts(&self, typeset: &TypesetText) -> Vec<f64> {
        let least = typeset.shifts.iter().enumerate();
        least.map(|(page, shift)| shift + self.free_height_above(typeset, page, *shift)).collect()
    }

    /// How far the lines of `page` move down beyond `shift`.
    fn free_height_above(&self, typeset: &TypesetText, page: usize, shift: f64) -> f64 {
        let on_page = typeset.lines.iter().filter(|line| line.page == page);
        let Some(ink) = on_page.filter_map(|line| Extent::of(line, shift)).reduce(Extent::union) else { return 0.0 };
        let free = match self.spec.vertical_alignment {
            VerticalAlignment::Top => return 0.0,
            VerticalAlignment::Center => (self.height - ink.top - ink.bottom) / 2.0,
            VerticalAlignment::Bottom => self.height - ink.bottom,
        };
        let Some(ruling) = &self.spec.ruling else { return free };
        // The nearest whole number of rules with which all ink stays inside, and none stands above the first rule.
        let pitch = ruling.pitch.get();
        let most = ((self.height - ink.bottom + ROUNDING) / pitch).floor().max(0.0);
        (free / pitch).round().clamp(0.0, most) * pitch
    }
}
