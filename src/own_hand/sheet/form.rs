//! Which pages a sheet has.

use serde::{Deserialize, Serialize};

use super::places::{GuideDots, SheetBox, SheetLine};
use super::{places, texts};

/// The form of a sheet as it is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SheetForm {
    /// For a joined hand: the page says where strokes lead out of a letter.
    pub joined: bool,
    /// Two pages instead of three: fewer copies of each letter, no letters with accents.
    pub quick: bool,
    /// On Letter paper instead of A4.
    pub letter: bool,
}

/// One page of a sheet. Its corner marks tell which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SheetPage {
    /// 1 and 2 have boxes, 3 has lines.
    pub number: u8,
    /// Whether it is of a sheet for joined hands.
    pub joined: bool,
}

impl SheetForm {
    /// The pages of the form, in their order.
    pub fn pages(self) -> impl Iterator<Item = SheetPage> {
        let numbers = if self.quick { [1, 3].as_slice() } else { [1, 2, 3].as_slice() };
        numbers.iter().map(move |number| SheetPage { number: *number, joined: self.joined })
    }
}

impl SheetPage {
    /// Every page, in the order of their marks.
    pub const ALL: [Self; 6] = [
        Self { number: 1, joined: false },
        Self { number: 2, joined: false },
        Self { number: 3, joined: false },
        Self { number: 1, joined: true },
        Self { number: 2, joined: true },
        Self { number: 3, joined: true },
    ];

    /// Its place among [`ALL`](Self::ALL).
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.number) - 1 + if self.joined { 3 } else { 0 }
    }

    /// Whether it has lines to copy, and not boxes.
    #[must_use]
    pub const fn has_lines(self) -> bool {
        self.number == 3
    }

    /// Its boxes, row by row; none on the page of lines.
    pub fn boxes(&self) -> impl Iterator<Item = SheetBox> {
        places::boxes(*self)
    }

    /// Its lines, from the top; none on pages of boxes.
    pub fn lines(&self) -> impl Iterator<Item = SheetLine> {
        let lines: &'static [&'static str] = if self.has_lines() { &texts::LINES } else { &[] };
        lines.iter().enumerate().map(|(row, text)| SheetLine { row, text })
    }

    /// Its guides: rows of dots.
    #[must_use]
    pub fn guide_dots(self) -> Vec<GuideDots> {
        places::guide_dots(self)
    }
}
