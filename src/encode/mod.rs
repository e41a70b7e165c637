//! Coverage into files.
//!
//! Input: the sparse [`Coverage`](crate::raster::Coverage) of a page, its ink and its resolution. Output: the bytes of
//! a PNG or, with a press plan and the date, of a PDF. All pixels of a page of one ink have its colour and differ in
//! alpha only. So the file is written in one pass from the inked strips, and no full page of pixels exists in memory:
//!
//! 1. `sparse_zlib` splits a dense page into parts of equal area, writes them in parallel, and joins them. The split
//!    depends on the page alone, so its bytes do too.
//! 2. `sparse_rows` walks the strips of a part row by row. It also computes the Adler-32 (`adler`), in closed form for
//!    runs.
//! 3. `sparse_deflate` turns pixels that differ from their left neighbours (`changes`) and the runs between them into
//!    deflate symbols and blocks, with a code trained once (`trained_code`, `huffman`) and a 64-bit `bit_writer`. It is
//!    compiled for several instruction sets; the best that the processor has is used.
//! 4. `pixel_layout` names the bytes of a pixel. `png` adds the chunks, `pdf` the objects around the stream of each
//!    page. `base64` makes text of either.
//!
//! `joined_pdf` joins finished PDFs into one.
//!
//! A PNG with several inks, with drawn rules, or on artwork is composed and packed row by row in `layers` instead;
//! `filtered_rows` packs rows of pictures.
//!
//! Every row has PNG filter 0, because the stream consists of runs of equal pixels, which filters would hide. A PNG has
//! its ink in sRGB as requested; `color` makes the 256 colours of a PDF page from it. The module neither scales nor
//! draws.

mod adler;
mod base64;
mod bit_writer;
mod changes;
mod color;
mod filtered_rows;
mod huffman;
mod joined_pdf;
mod layers;
mod pdf;
mod pixel_layout;
mod png;
mod sparse_deflate;
mod sparse_rows;
mod sparse_zlib;
mod svg;
mod trained_code;
mod zlib_parts;

pub use base64::{append_base64, decode_base64};
pub use color::{OutputProfile, OutputProfiles, ProfileDefect, ProfileError, Ramp};
pub use joined_pdf::{JoinedPdf, PageOf, PdfPages, SheetLayout, SheetPlan};
pub use layers::{Ground, InkLayer};
pub use pdf::{
    ArtworkStopped, Drawing, InkImage, LayeredPage, MixedInks, PageBoxes, PageColors, PageImage, PageKinds,
    PdfDocument, PdfFile, PdfPage, Picture, PlacedPicture, PressArtwork, Shapes, ShapesFor, Shown, encode_pdf,
    placed_shapes, press_picture, screen_picture,
};
pub use pixel_layout::PixelLayout;
pub use png::{encode_layers_while, encode_png};
pub use sparse_zlib::append_zlib_while;
pub use svg::{SvgPicture, encode_svg};
