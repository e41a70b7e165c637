//! The height of a page's lines between the top and bottom margins.

use super::line_break::ROUNDING;
use super::text_frame::{TextFrame, TypesetText};
use crate::spec::VerticalAlignment;

impl TextFrame<'_, '_> {
    /// For each page, how far its lines move down, in px: so far that no ink rises above the text area, and further
    /// where the page's ink is centred or stands at the bottom. Lines on rules move by whole rules.
    pub(super) fn vertical_shifts(&self, typeset: &TypesetText) -> Vec<f64> {
        let least = typeset.shifts.iter().enumerate();
        least.map(|(page, shift)| shift + self.free_height_above(typeset, page, *shift)).collect()
    }

    /// How far the lines of `page` move down beyond `shift`.
    fn free_height_above(&self, typeset: &TypesetText, page: usize, shift: f64) -> f64 {
        // The top and the bottom of the ink of each line, and then of the page.
        let on_page = typeset.lines.iter().filter(|line| line.page == page);
        let extents = on_page.filter_map(|line| {
            let (baseline, ink) = (line.baseline + shift, line.ink?);
            Some((baseline - ink.top, baseline - ink.bottom))
        });
        let union = |(top, bottom): (f64, f64), other: (f64, f64)| (top.min(other.0), bottom.max(other.1));
        let Some((top, bottom)) = extents.reduce(union) else { return 0.0 };
        let free = match self.spec.vertical_alignment {
            VerticalAlignment::Top => return 0.0,
            VerticalAlignment::Center => (self.height - top - bottom) / 2.0,
            VerticalAlignment::Bottom => self.height - bottom,
        };
        let Some(ruling) = &self.spec.ruling else { return free };
        // The nearest whole number of rules with which all ink stays inside, and none stands above the first rule.
        let pitch = ruling.pitch.get();
        let most = ((self.height - bottom + ROUNDING) / pitch).floor().max(0.0);
        (free / pitch).round().clamp(0.0, most) * pitch
    }
}
