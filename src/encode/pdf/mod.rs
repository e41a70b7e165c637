//! Pages into a PDF file that a press can take as it is.
//!
//! Input: the coverage of each page as a [`PageImage`], the press plan, the colours and the date. Output: the bytes of
//! the file. Parts: `image` (coverage to the one 8-bit Indexed image of a page), `boxes` (the plan in points, y up: the
//! one place where the page's y turns), `marks` (crop marks), `content` (what is painted on a page), `pdfx` (what
//! PDF/X-1a:2001 adds), `document` (the objects, always in the same order, written page by page).
//!
//! A page is white paper and one opaque image at exactly the asked resolution, its top left corner on that of the trim;
//! the trim is exact, so the image may end up to half a pixel short of its right and lower edges, or beyond them, on
//! paper in either case. No transparency, no fonts, no colour management at the reader's. Nothing here reads a clock:
//! equal input gives equal bytes.

mod boxes;
mod content;
mod document;
mod image;
mod marks;
mod pdfx;

pub use document::{PageColors, PdfDocument, PdfFile, encode_pdf};
pub use image::PageImage;
