//! Pictures: from the bytes of a file to light on a plane of pixels, and what is measured on such planes.
//!
//! Input: a JPEG or PNG file, or a scanner's PDF. Output: a [`Picture`], turned as its EXIF data say. In order:
//! `scanner_pdf` takes pictures out of a PDF, `pdf_image` one of them, with `png_lines`; `decode` reads the file under
//! limits of pixels and memory; `plane` has the arithmetic on planes of numbers; `regions` the connected parts of what is
//! dark; `distance` how deep pixels are inside; `outline` the lines at which a plane crosses zero, and `fill` the way back. A pixel's centre has whole numbers as coordinates. Nothing here knows the sheet.

mod decode;
mod distance;
mod fill;
mod outline;
mod pdf_image;
mod plane;
mod png_lines;
mod regions;
mod scanner_pdf;

pub(super) use decode::Picture;
pub use decode::PictureError;
pub(super) use distance::depths;
pub(super) use fill::covered;
pub(super) use outline::zero_contours;
pub(super) use plane::Plane;
pub(super) use regions::{Region, Regions};
pub use scanner_pdf::{PdfError, pictures_in};
