//! The finished layout, which drawing reads.

use std::ops::Range;

use crate::catalogue::{FontId, GlyphId};
use crate::geometry::{Point, Rect, Size};
use crate::units::{Degrees, Px};
use crate::variation::Letter;

/// A page with every glyph in its place. y points down from the page's top edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageLayout {
    /// The page in whole 300-DPI pixels.
    pub size: Size<Px>,
    /// The em size that was used.
    pub font_size: Px,
    /// The size that was found, where the request left it to us (`calculated_font_size` of the response).
    pub calculated_font_size: Option<u32>,
    /// The words in reading order of the lines, each line's from left to right.
    pub words: Vec<PlacedWord>,
    /// The lines from the top down, empty ones not counted.
    pub lines: Vec<PlacedLine>,
    /// What the client should know: substituted, left out, cut or without effect. Of a text on several pages, on the
    /// first.
    pub warnings: Vec<Warning>,
}

impl PageLayout {
    /// Number of lines written, empty ones not counted.
    #[must_use]
    pub const fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// All glyphs, line by line from left to right.
    pub fn glyphs(&self) -> impl Iterator<Item = &PlacedGlyph> {
        self.words.iter().flat_map(|word| &word.glyphs)
    }
}

/// A line of writing.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedLine {
    /// Distance of its baseline from the page's top edge.
    pub baseline: Px,
    /// Its words, in [`PageLayout::words`].
    pub words: Range<usize>,
    /// What was shaped, from left to right.
    pub runs: Vec<PlacedRun>,
}

/// A part of a line in one font, script and direction, as it was shaped.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedRun {
    /// Its characters in logical order, stand-ins and written hyphens included; no spaces that hang at the line's end.
    pub text: String,
    /// The font.
    pub font: FontId,
    /// ISO 15924 tag of the script.
    pub script: [u8; 4],
    /// Whether it runs from right to left.
    pub right_to_left: bool,
    /// Size of the font's em.
    pub em: Px,
    /// The pen at its left end.
    pub origin: Point<Px>,
    /// How many of the line's placed glyphs are its own, counted from left to right behind those of the runs before it.
    pub glyph_count: usize,
}

/// Glyphs that are rotated together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedWord {
    /// Centre of the word's baseline, about which it angles.
    pub pivot: Point<Px>,
    /// Turn about `pivot`, clockwise on the page; zero where the effect is off.
    pub rotation: Degrees,
    /// Whether a sentence begins with it.
    pub opens_sentence: bool,
    /// In visual order from left to right; places are those before the turn.
    pub glyphs: Vec<PlacedGlyph>,
    /// The map that bends each of the glyphs; none where nothing varies.
    pub letters: Vec<Letter>,
}

/// One glyph of one font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// The font it comes from (a fallback where the chosen font lacks the character).
    pub font: FontId,
    /// Which of its glyphs.
    pub glyph: GlyphId,
    /// Size of this font's em.
    pub em: Px,
    /// The glyph's origin on its baseline.
    pub origin: Point<Px>,
    /// Ink box on the page before the turn: exact, or a little larger where letters vary. Blank glyphs are not placed.
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
