//! A page of outlines: the input of files without pixels.

use std::ops::Range;
use std::sync::Arc;

use super::glyph_shape::GlyphShape;
use super::path::PathCommand;
use crate::geometry::Size;
use crate::spec::{DrawnRules, Rgb};
use crate::units::Px;

/// A page as filled paths. Page px have their origin in the page's upper left corner, y down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutlinePage {
    /// The page in whole 300-DPI pixels.
    pub size: Size<Px>,
    /// The rules under the writing.
    pub rules: Option<DrawnRules>,
    /// The words line by line, each line's words from left to right.
    pub words: Vec<OutlineWord>,
    /// The words of each line, from top to bottom.
    pub lines: Vec<Range<usize>>,
    /// Whether ink leaves the page, so that it has to be clipped.
    pub overhangs: bool,
}

impl OutlinePage {
    /// Adds the words and lines of `other`, in this ink.
    pub fn append(&mut self, other: Self, color: Rgb) {
        let before = self.words.len();
        self.words.extend(other.words.into_iter().map(|word| OutlineWord { color, ..word }));
        self.lines.extend(other.lines.into_iter().map(|line| line.start + before..line.end + before));
        self.overhangs |= other.overhangs;
    }
}

/// The glyphs of a word, from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OutlineWord {
    /// Those with ink on the page.
    pub glyphs: Vec<OutlineGlyph>,
    /// The ink.
    pub color: Rgb,
}

/// A glyph in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineGlyph {
    /// Its path.
    pub shape: Shape,
    /// Strength of its ink: 255 is solid.
    pub ink: u8,
}

/// The path of a glyph, for the non-zero fill rule.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// As the font has it.
    Placed {
        /// The glyph, in font units.
        glyph: Arc<GlyphShape>,
        /// From font units to page px: `[a, b, c, d, e, f]` takes (x, y) to (ax + cy + e, bx + dy + f).
        map: [f64; 6],
    },
    /// Bent, in page px.
    Bent(Vec<PathCommand>),
}
