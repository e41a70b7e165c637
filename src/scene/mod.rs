//! Everything the device needs to draw a page, as plain data.
//!
//! Input: a [`PageLayout`](crate::layout::PageLayout), the device scale and the glyph meshes. Output: a [`Scene`].
//! Phases: `compose` (glyphs become instances: the one place where page pixels become device pixels) -> `strips`
//! (which tiles their ink touches, gathered into strips) -> `bands` (what fits into the device's memory at once).
//!
//! A scene can be printed, compared and counted without a device. It holds no text, no fonts and no millimetres, and
//! it says nothing about how the device works through it.

mod bands;
mod compose;
mod records;
mod strips;

pub use bands::Band;
pub use compose::{Scene, SceneError, compose};
pub use records::{Instance, MAX_GROUPS_A_DIMENSION, StripRecord, TileRow};
