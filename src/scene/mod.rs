//! Everything the device needs to draw a page, as plain data.
//!
//! Input: a [`PageLayout`](crate::layout::PageLayout), the device scale and the glyph meshes. Output: a [`Scene`].
//! Phases: `compose` (glyphs become instances: the one place where page pixels become device pixels; `placement` is the map) -> `ink_tiles` (which
//! tiles their ink touches) -> `strips` (those of all glyphs, gathered) -> `bands` (what fits into the device's memory at once) and
//! `accumulator` (how its words hold the sums). `gathered` puts small pages together. `rendition` says how a layout is to
//! be drawn; `effects` is what becomes of its ink: `displacement` (elastic distortion), `sheets` (where scattered ink may lie)
//! and `ink_load` (how worn the ink is; `pen` writes the words).
//!
//! A scene can be printed, compared and counted without a device. It holds no text, no fonts and no millimetres, and
//! it says nothing about how the device works through it.

mod accumulator;
mod bands;
mod compose;
mod displacement;
mod effects;
mod gathered;
mod ink_load;
mod ink_tiles;
mod pen;
mod placement;
mod records;
mod rendition;
mod sheets;
mod strips;

pub use accumulator::{AccumulatorFormat, FRACTION_BITS};
pub use bands::Band;
pub use compose::{Scene, SceneError, compose};
pub use effects::{Scatter, SceneEffects, Warp};
pub use ink_load::InkLoad;
pub use records::{EffectsRecord, InkRow, Instance, MAX_GROUPS_A_DIMENSION, StripRecord, TileRow};
pub use rendition::Rendition;
