//! Writer variation: every letter, gap and line differs as one writer's do.
//!
//! Input: the seed, the strength, and the positions of letters, words and lines in the text. Output: a [`LetterMap`]
//! per glyph, the map that bends its outline, and a [`Slope`] per line. Phases: `draws` (normal numbers per letter and
//! word, keyed by seed, purpose and position in the text; `letter_draws` scales those of a letter by the strength;
//! `habits` are those of the writer, `manner` says how far one writer varies beside the average one, `drawing` which
//! drawing of a letter is written) -> `chain` (one continuous map per word, with its limits) -> `letter` (the map of one
//! glyph) with its `dot`, and `bounds` (boxes around its bent ink). `line` draws margin, slope and bow of lines.
//!
//! `shaders/writer.wgsl` computes the same map as [`LetterMap::bend`]; a test compares the two. The values come from
//! measurements of real handwriting (docs/effects.md). This module knows no fonts, no pixels and no device.

mod bounds;
mod chain;
mod dot;
mod drawing;
mod draws;
mod forms;
mod habits;
mod letter;
mod letter_draws;
mod line;
mod manner;

pub use bounds::Bounds;
pub use chain::{Chain, Glyph, Proportions};
pub use dot::{Dot, DotDraws};
pub use drawing::Drawing;
pub use draws::{TextDraws, Writer};
pub use forms::DrawnForms;
pub use letter::{BentPoint, Form, LetterMap, zone_stretch};
#[cfg(test)]
pub(crate) use letter::{WAVES, ZONE_ONSET};

pub use letter_draws::Draws;
pub use line::{LineWriter, Slope};
pub use manner::Manner;
