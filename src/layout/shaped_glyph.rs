//! Glyphs as shaping places them, and as writer variation changes them.

use super::ink::Ink;
use crate::catalogue::GlyphId;
use crate::variation::LetterMap;

/// One glyph of a shaped run. All lengths are in font units; y points up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapedGlyph {
    pub(super) glyph: GlyphId,
    /// The byte at which its characters begin, counted from the start of the paragraph, or of the shaped text in the
    /// cache.
    pub(super) cluster: u32,
    /// Whether a line may be cut before its cluster without shaping the two sides again.
    pub(super) safe_to_break: bool,
    /// The pen before it, from the left end of the run.
    pub(super) pen: i32,
    /// How far it moves the pen.
    pub(super) advance: i32,
    /// Its origin, from the left end of the run.
    pub(super) x: i32,
    /// Its origin above the baseline.
    pub(super) y: i32,
}

/// What writer variation makes of a glyph. Lengths are in ems of the chosen font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct VariedGlyph {
    /// The map that bends it.
    pub(super) letter: LetterMap,
    /// Its origin, from the left end of the run, without word gaps.
    pub(super) origin: f64,
    /// The pen before it, measured likewise.
    pub(super) pen: f64,
    /// What variation adds to its advance.
    pub(super) gain: f64,
    /// Its ink from its origin; `None` for a blank glyph.
    pub(super) ink: Option<Ink>,
}
