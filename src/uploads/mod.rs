//! Pictures that clients upload: artwork that belongs to one key.
//!
//! Input: the bytes of a picture or drawing. Output: its id and facts, and, for requests of the same key, the
//! [`Artwork`](crate::artwork::Artwork). In order:
//!
//! 1. [`Uploads`] lets a few requests at a time send pictures, so that their memory is bounded, and starts a process
//!    for each picture. The command `longhand artwork-facts` limits itself and calls `examination`, which decodes it
//!    once, and makes pixels and a page of a drawing.
//! 2. `folder` keeps the files of each key in a folder of its own, each under the digest of its bytes, within limits of
//!    number and bytes.
//! 3. [`Uploads::of_key`] finds them for the reader of requests, which reads facts alone; the pages read the pictures.
//!
//! The module knows no HTTP, draws nothing, and changes no picture.

mod examination;
mod folder;
mod service;

pub use examination::examine_from;
pub use folder::{KeptArtwork, MOST_BYTES, MOST_FILES, dir_in};
pub use service::{UploadError, Uploads};
