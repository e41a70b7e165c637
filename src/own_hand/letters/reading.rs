//! What was read in a box.

use serde::{Deserialize, Serialize};

use super::{Bounds, Contour, Doubt, bounds};
use crate::own_hand::sheet::{BASELINE, SheetBox};

/// A box with its ink.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxReading {
    /// The box.
    pub place: SheetBox,
    /// Why it is not used by itself; none of a good one.
    pub doubts: Vec<Doubt>,
    /// Outlines of its ink, in mm from the left of the box and from its baseline, y upwards.
    pub(in crate::own_hand) contours: Vec<Contour>,
    /// The area of the tip of the pen, in mm².
    pub(in crate::own_hand) tip: f64,
}

impl BoxReading {
    /// Whether there is ink that somebody wrote to be used.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        !self.contours.is_empty() && !self.doubts.iter().any(|doubt| doubt.is_blank())
    }

    /// Whether it can be used.
    #[must_use]
    pub fn is_good(&self) -> bool {
        self.is_filled() && self.doubts.is_empty()
    }

    /// Where it is, as people count: «page 1, row 3, F».
    #[must_use]
    pub fn name(&self) -> String {
        let SheetBox { page, row, column, character, .. } = self.place;
        format!("page {}, row {}, box {} ({character})", page.number, row + 1, column + 1)
    }

    /// Page, row and box, from 1.
    #[must_use]
    pub fn number(&self) -> [usize; 3] {
        [usize::from(self.place.page.number), self.place.row + 1, self.place.column + 1]
    }

    /// The outlines of its ink as the data of an SVG path (SVG 2, section 9.3), in mm from the upper left corner of the
    /// box, y downwards, to be filled by the non-zero rule.
    #[must_use]
    pub fn ink_path(&self) -> String {
        use std::fmt::Write as _;
        let mut data = String::new();
        for contour in &self.contours {
            for (index, [x, y]) in contour.iter().enumerate() {
                // Writing to a string never fails.
                let _ = write!(data, "{}{x:.2} {:.2}", if index == 0 { 'M' } else { 'L' }, BASELINE - y);
            }
            data.push('Z');
        }
        data
    }

    pub(in crate::own_hand) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    /// The box around its ink.
    pub(in crate::own_hand) fn bounds(&self) -> Bounds {
        bounds(&self.contours)
    }
}
