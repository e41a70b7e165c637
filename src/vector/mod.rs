//! A laid out page as paths: what files carry that hold no pixels.
//!
//! Input: a [`PageLayout`](crate::layout::PageLayout), the [`RenderParams`](crate::scene::RenderParams) of the page,
//! and the fonts. Output: a [`VectorText`], which is data: the words in reading order, and for each glyph a path,
//! where it stands, and how strong its ink is. Phases:
//!
//! 1. `glyph_shape`: the outline of a glyph as cubics in whole font units, each glyph of a page once.
//! 2. `bend`, on pages whose outlines are bent: the points of an outline, moved by the same map as on the device,
//!    without areas that lie face down; `geometry::append_contour` makes cubics of them.
//! 3. `compose`: where each glyph stands, with the rotation of its word, and the strength of its ink.
//!
//! `amount` counts beforehand what the paths amount to, for their price. For pens, `strokes` places centre lines instead
//! of outlines, and `pen_lines` joins them. For cutters, `weld` makes one shape of each word (`boundary`); other overlaps stay as the fonts have
//! them, for the non-zero fill rule. `words` has the text for hidden text layers. `page` has the types. The module needs
//! no device and writes no file: `encode` makes files of a [`VectorPage`].

mod amount;
mod bend;
mod boundary;
mod compose;
mod glyph_shape;
mod page;
mod pen_lines;
mod strokes;
mod threads;
mod weld;
mod words;

pub use amount::{PathCounter, VectorAmount};
pub use compose::vector_text;
pub use glyph_shape::{GlyphShape, GlyphShapeId};
pub use page::{PathKind, Shape, VectorPage, VectorPath, VectorText, VectorWord};
pub use weld::weld;
pub use words::{TextWord, text_words};
