//! Specimens: a font by itself, all fonts on a sheet, and a client's words in all fonts.
//!
//! Input: a font, or a client's words. Output: a PNG, and a PDF of the sheet. `layouts` builds the layouts directly,
//! from lines fitted into boxes; `drawing` takes them through the stages of a page. Specimens have no page, no margins
//! and no warnings.

mod drawing;
pub(super) mod layouts;

pub use drawing::SheetFormat;
pub use layouts::SpecimenWords;
