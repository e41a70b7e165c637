//! The ink of a page: from the flat page to how dark it is, without what was printed, and to the pen.
//!
//! Input: a [`FlatPage`] and the map of its page. Output: an [`InkPage`]. In order: `paper` divides the light of the
//! paper out, shadows with it; `printed` says where the sheet is printed; `dots` measures how black dots are blurred and
//! how dark guides are; `guides` takes guides out of the ink, by their places and not by their colour, which JPEG smears;
//! `page` finds the level of the ink and the width of the pen. Darkness is 0 for paper and 1 for black, on a linear scale of
//! light: on an encoded scale thresholds would thin every stroke.

mod dots;
mod guides;
mod page;
mod paper;
mod printed;

pub use page::InkFigures;
pub(super) use page::InkPage;
