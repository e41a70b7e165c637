//! The finished layout: all that drawing reads.

use crate::catalogue::{FontId, GlyphId};
use crate::geometry::{Point, Rect, Size};
use crate::units::{Degrees, Px};

/// A page with every glyph in its place. y points down from the page's top edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageLayout {
    /// The page in whole 300-DPI pixels.
    pub size: Size<Px>,
    /// The em size that was used.
    pub font_size: Px,
    /// The words in reading order of the lines, each line's from left to right.
    pub words: Vec<PlacedWord>,
    /// Number of lines written, empty ones not counted.
    pub line_count: usize,
    /// What the caller should know: substituted, left out, cut or without effect.
    pub warnings: Vec<Warning>,
}

/// Glyphs that are turned together.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedWord {
    /// Centre of the word's baseline, about which it turns.
    pub pivot: Point<Px>,
    /// Turn about `pivot`, clockwise on the page; zero where the effect is off.
    pub rotation: Degrees,
    /// In visual order from left to right; places are those before the turn.
    pub glyphs: Vec<PlacedGlyph>,
}

/// One glyph of one font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// The font it comes from (a fallback where the chosen hand lacks the character).
    pub font: FontId,
    /// Which of its glyphs.
    pub glyph: GlyphId,
    /// Size of this font's em.
    pub em: Px,
    /// The glyph's origin on its baseline.
    pub origin: Point<Px>,
    /// Exact ink box on the page before the turn; blank glyphs are not placed.
    pub ink: Rect<Px>,
}

/// A remark on a page that was written all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What happened, for programs.
    pub kind: WarningKind,
    /// What happened, for people.
    pub message: String,
}

/// The `type` of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// Characters drawn from another font.
    FontSubstituted,
    /// Characters left out (emoji, invisible controls).
    CharactersOmitted,
    /// Text was cut at the end of the page.
    TextClipped,
    /// A smaller size than asked for was used.
    FontShrunk,
    /// An address line had to wrap.
    LineWrapped,
    /// Nothing to write was left of the text.
    NothingToWrite,
    /// A parameter that has no effect in this combination.
    NoEffect,
}

impl WarningKind {
    /// The wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::FontSubstituted => "font_substituted",
            Self::CharactersOmitted => "characters_omitted",
            Self::TextClipped => "text_clipped",
            Self::FontShrunk => "font_shrunk",
            Self::LineWrapped => "line_wrapped",
            Self::NothingToWrite => "nothing_to_write",
            Self::NoEffect => "no_effect",
        }
    }
}
