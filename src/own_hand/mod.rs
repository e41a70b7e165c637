//! A font of a person's own hand, from pictures of a filled sheet.
//!
//! Input: the bytes of pictures of the pages of a `sheet`. Output: the sheet to print, and a font with what belongs to
//! it. In order:
//!
//! 1. `picture` takes pictures out of the PDF of a scanner, and reads a file; `page` finds the page on it and lays it flat;
//!    `ink` takes what is printed out of the ink; `letters` gives ink to boxes, traces it and doubts it. `page_reading` does
//!    these for one picture.
//! 2. `hand` puts the pages together. `letters` compares copies of letters; `spacing` measures the gaps of the lines;
//!    `manner` how far copies and gaps differ.
//! 3. `font` draws glyphs and writes the file. `record` keeps every box; `contact_sheet` shows them.
//!
//! Nothing is drawn at random, and sums have a fixed order: equal pictures give equal bytes. The module sends, keeps and
//! logs no picture.

mod contact_sheet;
mod font;
mod hand;
mod ink;
mod letters;
mod manner;
mod page;
mod page_reading;
mod picture;
mod record;
mod refusal;
mod sheet;
mod spacing;
#[cfg(test)]
mod tests;

pub use hand::{Hand, HandError, HandFiles, HandReading, HandRequest, PictureReading, make_hand, read_hand};
pub use ink::InkFigures;
pub use letters::{BoxReading, Doubt};
pub use page::MapFigures;
pub use page_reading::{PageReading, PictureRefusal, read_page};
pub use picture::{PdfError, PictureError, pictures_in};
pub use record::{HandFigures, HandRecord, PictureRecord};
pub use refusal::Refusal;
pub use sheet::{SheetDescription, SheetForm, SheetPage, draw_sheet};
