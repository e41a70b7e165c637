//! Pages into a PDF file that a print shop can use directly.
//!
//! Input: each page as a [`PdfPage`], the press plan, the colours and the date. Output: the bytes of the file. Parts:
//! `image` (coverage as one 8-bit indexed image), `forms` (glyphs as Form `XObject`s), `boxes` (the plan in points;
//! only here y is flipped to point up), `content` and `outlines` (the content streams of both kinds of
//! page), `pdfx` (the additions of PDF/X-1a:2001), `text_layer` (hidden text in a `glyphless_font`), `objects`
//! (the numbers of the objects), `document` (what all files have), `file` (the objects in a fixed order, written page
//! by page; `file_artwork` has those of artwork).
//!
//! In a file of images, a page is white paper and one opaque image, whose palette runs from paper to ink, so there is
//! no transparency. In a file of outlines, a page is white paper and filled paths; each distinct glyph of the file is
//! one form, which all its pages share. A page that outlines cannot show has an image there too.
//!
//! Drawn rules are filled boxes. A page that has them, or several inks, has content of its own: the rules,
//! then one image for each ink. Where something lies below an image, pixels without ink are not painted (a colour key
//! mask, ISO 32000-1, 8.9.6.4, in PDF since 1.3), so that there is no transparency either.
//!
//! Artwork (`picture`) lies between the paper and the rules. A drawing stays one (`shapes`), where the file may have what
//! is in it. Ink on artwork has no paper in its palette: on screen its
//! coverage is the soft mask of its colour; in PDF/X-1a it is mixed into the artwork.
//!
//! The image's pixels are exactly 1/300 or 1/600 in, and its upper left corner is that of the trim. The trim is the
//! exact paper size, so the image may end up to half a pixel before or after the trim's right and lower edges; both
//! sides of these edges are paper. The file has no fonts that show, and needs no colour management in the reader.
//! Nothing here reads a clock: equal input gives equal bytes.

mod boxes;
mod content;
mod document;
mod file;
mod file_artwork;
mod forms;
mod glyphless_font;
mod image;
mod objects;
mod outlines;
mod page;
mod pdfx;
mod picture;
mod shapes;
mod text_layer;

pub use self::image::PageImage;
pub use boxes::PageBoxes;
pub use document::{PageColors, PdfDocument};
pub use file::{PageKinds, PdfFile, encode_pdf};
pub use page::{Drawing, InkImage, LayeredPage, PdfPage};
pub use picture::{
    ArtworkStopped, MixedInks, Picture, PlacedPicture, PressArtwork, Shown, placed_shapes, press_picture,
    screen_picture,
};
pub use shapes::{Shapes, ShapesFor};
