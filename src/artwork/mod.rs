//! Artwork of clients that lies under the writing: a background, a logo.
//!
//! Input: the bytes of a PNG, JPEG, SVG or PDF. Output: an [`Artwork`], its pixels at any place and scale, and the shapes
//! of a drawing. In order:
//!
//! 1. [`Artwork::read`] examines a file. `raster` decodes a picture within limits of pixels and memory, in sRGB and
//!    upright; `jpeg` finds what that needs to know of a JPEG. `drawing` makes a PDF of one page of an SVG or PDF, and
//!    pixels of that page.
//! 2. [`ArtworkId`] is the SHA-256 of a file; `facts` are kept beside it. A kept artwork of `picture_file` reads its bytes
//!    when they are needed.
//! 3. [`Backdrop`] composes placed pictures row by row, so that no whole page of pixels exists; `resample` scales them.
//!
//! The module knows no requests, keys, folders and file formats of pages. What is hostile is examined in a process with
//! limits, which `uploads` starts.

mod backdrop;
mod drawing;
mod error;
mod facts;
mod id;
mod jpeg;
mod picture_file;
mod raster;
mod resample;

pub use backdrop::{Backdrop, PlacedPixels};
pub use error::ArtworkError;
pub use facts::{ArtworkFacts, ArtworkKind, DrawingFacts, FilePart};
pub use id::ArtworkId;
pub use picture_file::{Artwork, FindArtwork, KnownArtwork};
pub use raster::Pixels;
