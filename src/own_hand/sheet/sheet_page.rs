//! One page of a sheet.

use serde::{Deserialize, Serialize};

/// One page of a sheet. Its corner marks tell which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SheetPage {
    /// 1 and 2 have boxes, 3 has lines.
    pub number: u8,
    /// Whether it is of a sheet for joined hands.
    pub joined: bool,
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
}
