//! Other programs that draw the same page, each as fast as its authors mean it to be used.
//!
//! All are given our layout: for plain pages the glyphs of fonts and their places, for pages of writer variation our bent
//! outlines. What can be kept from page to page is kept: fonts, outlines, bitmaps of glyphs, targets. Each turn counts from
//! text (our layout, but Pillow shapes words itself) to the bytes of a file.

mod crates;
mod native;
mod page;
mod pillow;
mod process;
mod skia;

pub(crate) use crates::{TinySkia, VelloCpu};
pub(crate) use native::{FileKind, Native, NativeProgram};
pub(crate) use page::PeerPage;
pub(crate) use pillow::{Manner, Pillow};
pub(crate) use skia::{Skia, SkiaFile};

use std::path::{Path, PathBuf};

use longhand::catalogue::{FontCatalogue, FontId};

/// The folder of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The file of a font.
fn font_file(catalogue: &FontCatalogue, font: FontId) -> PathBuf {
    root().join("fonts/ttf").join(format!("{}.ttf", catalogue.face(font).slug()))
}
