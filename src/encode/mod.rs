//! Coverage into files.
//!
//! Input: the sparse [`Coverage`](crate::raster::Coverage) of a page, its ink and its resolution. Output: the bytes of
//! a PNG or, with a press plan and the date, of a PDF. One ink means that every pixel has the same colour and only alpha
//! changes, so the file is written straight from the inked strips, in one pass, and no page of pixels ever exists in
//! memory:
//!
//! 1. `sparse_zlib` cuts a page with much ink into parts, has them written side by side, and joins them.
//! 2. `sparse_rows` walks the strips of a part and finds where a row changes; it also keeps the Adler-32 (`adler`), in
//!    closed form where nothing changes.
//! 3. `sparse_deflate` turns changes and runs into deflate symbols and chooses the blocks they go into, over a code
//!    trained once (`trained_code`, `huffman`) and a 64-bit `bit_writer`.
//! 4. `png` puts the chunks around the stream, `pdf` the objects around that of each page; `base64` makes either text.
//!
//! Every row has PNG filter 0: runs of equal pixels are what the stream is made of, and filters would only hide them.
//! A PNG has its ink as it is asked for, as sRGB; `color` makes of it the 256 colours of a PDF page. Nothing here
//! scales or draws.

mod adler;
mod base64;
mod bit_writer;
mod color;
mod huffman;
mod pdf;
mod png;
mod sparse_deflate;
mod sparse_rows;
mod sparse_zlib;
mod trained_code;

pub use base64::{append_base64, decode_base64};
pub use color::{OutputProfile, OutputProfiles, ProfileDefect, ProfileError, Ramp};
pub use pdf::{PageColors, PageImage, PdfDocument, PdfFile, encode_pdf};
pub use png::{encode_png, encode_png_while};
pub use sparse_zlib::{PixelLayout, append_zlib};
