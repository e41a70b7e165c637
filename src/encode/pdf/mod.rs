//! Pages into a PDF file that a print shop can use directly.
//!
//! Input: the coverage of each page as a [`PageImage`], the press plan, the colours and the date. Output: the bytes of
//! the file. Parts: `image` (coverage as one 8-bit indexed image), `boxes` (the plan in points; only here y is flipped
//! to point up), `marks` (crop marks), `content` (the page's content stream), `pdfx` (the additions of PDF/X-1a:2001),
//! `document` (the objects in a fixed order, written page by page).
//!
//! A page is white paper and one opaque image, whose palette runs from paper to ink, so there is no transparency. Its
//! pixels are exactly 1/300 or 1/600 in, and its upper left corner is that of the trim. The trim is the exact paper
//! size, so the image may end up to half a pixel before or after the trim's right and lower edges; both sides of these
//! edges are paper. The file has no fonts and needs no colour management in the reader. Nothing here reads a clock:
//! equal input gives equal bytes.

mod boxes;
mod content;
mod document;
mod image;
mod marks;
mod pdfx;

pub use document::{PageColors, PdfDocument, PdfFile, encode_pdf};
pub use image::PageImage;
