//! A laid out page as outlines: what files carry that hold paths and no pixels.
//!
//! Input: a [`PageLayout`](crate::layout::PageLayout), the [`RenderParams`](crate::scene::RenderParams) of the page, and
//! the fonts. Output: an [`OutlinePage`], which is data: the words in reading order, and for each glyph a path, where it
//! stands, and how strong its ink is. Phases:
//!
//! 1. `glyph_shape`: the outline of a glyph as cubics in whole font units, each glyph of a page once.
//! 2. `bend`, on pages whose outlines are bent: the points of an outline, moved by the same map as on the device; `fit`
//!    makes cubics of them.
//! 3. `compose`: where each glyph stands, with the rotation of its word, and the strength of its ink.
//!
//! `page` and `path` have the types. The module needs no device and writes no file: `encode` makes PDF of an [`OutlinePage`].
//! Overlaps stay as the fonts have them; all paths are for the non-zero fill rule.

mod bend;
mod compose;
mod error;
mod fit;
mod glyph_shape;
mod page;
mod path;

pub use compose::outline_page;
pub use error::OutlineError;
pub use glyph_shape::{GlyphShape, GlyphShapeId};
pub use page::{OutlineGlyph, OutlinePage, OutlineWord, Shape};
pub use path::PathCommand;
