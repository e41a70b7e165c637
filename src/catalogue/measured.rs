//! What is measured of a font on first use.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::GlyphId;
use super::accent_gap::AccentGaps;
use super::glyph_outlines::PerGlyph;
use super::hull::Hull;
use super::letter_height::LetterHeights;
use super::outline::TopPart;
use super::outline_extent::OutlineExtent;
use super::sides::Sides;
use super::strokes::Stroke;
use crate::geometry::Rect;
use crate::units::FontUnits;

/// What is measured on first use, because most fonts are not used. Lengths are in font units, y up.
#[derive(Default)]
pub(super) struct Measured {
    pub(super) letter_heights: OnceLock<LetterHeights>,
    pub(super) accent_gaps: OnceLock<AccentGaps>,
    pub(super) inked_space: OnceLock<Option<GlyphId>>,
    /// The ink box; `None` for a blank glyph.
    pub(super) inks: PerGlyph<Option<Rect<FontUnits>>>,
    /// See [`FontFace::dot`](super::FontFace::dot).
    pub(super) dots: PerGlyph<Option<TopPart>>,
    /// See [`FontFace::right_ends_beside_mark`](super::FontFace::right_ends_beside_mark).
    pub(super) low_ends: PerGlyph<[Option<[f64; 2]>; 3]>,
    pub(super) hulls: PerGlyph<Hull>,
    pub(super) sides: PerGlyph<Sides>,
    pub(super) extents: PerGlyph<OutlineExtent>,
    /// See [`strokes_of_own_signs`](super::drawn_signs::strokes_of_own_signs).
    pub(super) sign_strokes: OnceLock<HashMap<GlyphId, Vec<Stroke>>>,
}
