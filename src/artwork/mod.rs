//! Pictures of clients that lie under the writing: a background, a logo.
//!
//! Input: the bytes of a PNG or JPEG. Output: an [`Artwork`], and its pixels at any place and scale. In order:
//!
//! 1. [`Artwork::read`] examines a file. `raster` decodes it within limits of pixels and memory, in sRGB and upright;
//!    `jpeg` finds what that needs to know of a JPEG.
//! 2. `picture_file` has the [`ArtworkId`], which is the SHA-256 of the file; `facts` are kept beside a file. A kept
//!    artwork reads its bytes when they are needed.
//! 3. [`Backdrop`] composes placed pictures row by row, so that no whole page of pixels exists; `resample` scales them.
//!
//! The module knows no requests, keys, folders and file formats of pages.

mod backdrop;
mod facts;
mod jpeg;
mod picture_file;
mod raster;
mod resample;

pub use backdrop::{Backdrop, PlacedPixels};
pub use facts::{ArtworkError, ArtworkFacts, ArtworkKind};
pub use picture_file::{Artwork, ArtworkId, FindArtwork, KnownArtwork};
pub use raster::Pixels;
