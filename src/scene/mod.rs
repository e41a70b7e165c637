//! Everything that a device needs to draw a page, as plain data.
//!
//! Input: a [`PageLayout`](crate::layout::PageLayout), the device scale and the glyph meshes. Output: a [`Scene`]. In
//! order:
//!
//! 1. `compose`: every glyph and join becomes an instance, an affine map from font units to its box of 16×16 px tiles.
//!    Only here page px become device px; `placement` computes the map.
//! 2. `ink_tiles`: the tiles of each row that ink may touch, from sixteen slices of the glyph's height.
//! 3. `strips`: the tiles of all glyphs, gathered into runs of tiles in one row. Their pixels have consecutive
//!    addresses.
//! 4. `bands`: pages whose strips exceed the budget are split between tile rows, and bands with too many corners of
//!    bent outlines between instances. `corner_runs` shares the corners out among lanes. `accumulator` chooses how a
//!    word holds the sums. `gathered` joins small pages into one scene.
//!
//! `render_params` has the scale and the effects. `effects` prepares them for the device: `displacement` (elastic
//! distortion) and `ink_loss` (the loss of ink along the writing, word by word from `pen`). `records` are the structs
//! that the shaders read.
//!
//! `outline_demand` says how much outline the scenes of a request need, before a mesh is made.
//!
//! A scene can be printed, compared and counted without a device. It contains no text, fonts or millimetres, and does
//! not decide how the device processes it.

mod accumulator;
mod bands;
mod compose;
mod corner_runs;
mod displacement;
mod effects;
mod gathered;
mod ink_loss;
mod ink_tiles;
mod outline_demand;
mod outline_map;
mod pen;
mod placement;
mod records;
mod render_params;
mod strips;

pub use accumulator::{AccumulatorFormat, FRACTION_BITS};
pub use bands::{Band, Portion};
pub use compose::{ComposeError, Scene, compose, compose_while};
pub use effects::{SceneEffects, Warp};
pub use ink_loss::InkLoss;
#[cfg(test)]
pub(crate) use ink_loss::{FAINTEST, LARGEST_LOSS, SAMPLE_STEP};
pub use outline_demand::{ExpectedRecords, OutlineDemand};
pub use outline_map::{GlyphBend, OutlineMap, join_key};
pub use placement::{Placement, WordRotation};
pub use records::{CornerRun, EffectsRecord, InkRow, Instance, MAX_GROUPS_PER_DIMENSION, StripRecord, TileRow};
pub use render_params::RenderParams;
