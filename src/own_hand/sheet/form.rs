//! Which pages a sheet has.

use super::sheet_page::SheetPage;

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

impl SheetForm {
    /// The pages of the form, in their order.
    pub fn pages(self) -> impl Iterator<Item = SheetPage> {
        let numbers = if self.quick { [1, 3].as_slice() } else { [1, 2, 3].as_slice() };
        numbers.iter().map(move |number| SheetPage { number: *number, joined: self.joined })
    }
}
