//! Writer variation: every letter, gap and line differs as one writer's do.
//!
//! Input: the seed, the strength, and where letters, words and lines stand in the text. Output: a [`Letter`] per glyph,
//! the map that bends its outline, and a [`Slope`] per line. Phases: `draws` (normal numbers per letter and word, keyed
//! by seed, purpose and place in the text; the strength scales draws and does not change them) -> `chain` (the letters
//! of a word as one continuous map, with its limits) -> `letter` (the map of one glyph, and boxes around what it
//! bends). `line` is what lines do: margin, slope and bow.
//!
//! `shaders/writer.wgsl` computes the same map as [`Letter::bend`]; a test compares the two. Values and their
//! sources: measurements of real handwriting, see docs/effects.md. This module knows no fonts, no pixels and no device.

mod chain;
mod draws;
mod letter;
mod line;

pub use chain::{Chain, Glyph};
pub use draws::{Draws, TextDraws, Writer};
pub use letter::{Bounds, Form, Letter};
pub use line::{LineWriter, Slope};
