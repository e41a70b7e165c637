//! A page of paths: the input of files without pixels.

use std::ops::Range;
use std::sync::Arc;

use super::glyph_shape::GlyphShape;
use crate::geometry::{PathCommand, Size};
use crate::spec::{DrawnRules, Rgb};
use crate::units::{Mm, Px};

/// A page as paths. Page px have their origin in the page's upper left corner, y down.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorPage {
    /// The page in whole 300-DPI pixels.
    pub size: Size<Px>,
    /// The rules under the writing.
    pub rules: Option<DrawnRules>,
    /// What is written on it, the lowest first.
    pub texts: Vec<VectorText>,
}

impl VectorPage {
    /// All paths, word by word.
    pub fn paths(&self) -> impl Iterator<Item = &VectorPath> {
        self.texts.iter().flat_map(VectorText::paths)
    }

    /// Whether ink leaves the page, so that it has to be clipped.
    #[must_use]
    pub fn overhangs(&self) -> bool {
        self.texts.iter().any(|text| text.overhangs)
    }
}

/// The text of a page, or of a block on it, as paths of one ink.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorText {
    /// The ink.
    pub ink: Rgb,
    /// The width of the pen, for strokes.
    pub pen: Option<Mm>,
    /// The words line by line, each line's words from left to right.
    pub words: Vec<VectorWord>,
    /// The words of each line, from top to bottom.
    pub lines: Vec<Range<usize>>,
    /// Whether ink leaves the page.
    pub overhangs: bool,
}

impl VectorText {
    /// All paths, word by word.
    pub fn paths(&self) -> impl Iterator<Item = &VectorPath> {
        self.words.iter().flat_map(|word| &word.paths)
    }
}

/// The paths of a word, from left to right.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VectorWord {
    /// Those with ink on the page.
    pub paths: Vec<VectorPath>,
}

/// A path in its place.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorPath {
    /// Its form.
    pub shape: Shape,
    /// Strength of its ink: 255 is solid.
    pub ink: u8,
}

/// What the paths of a page are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// Closed contours to fill, by the non-zero rule.
    Outlines,
    /// The same, to be united word by word: bent ones are followed more closely, because uniting adds its own tolerance.
    ToWeld,
    /// The lines of a pen, in the order of writing, and with solid ink; none for glyphs without strokes.
    Strokes,
}

/// The form of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A glyph as the font has it.
    Placed {
        /// The glyph, in font units.
        glyph: Arc<GlyphShape>,
        /// From font units to page px: `[a, b, c, d, e, f]` takes (x, y) to (ax + cy + e, bx + dy + f).
        map: [f64; 6],
    },
    /// A path of its own, in page px.
    Free(Vec<PathCommand>),
}

impl Shape {
    /// The path in page px.
    #[must_use]
    pub fn path(&self) -> Vec<PathCommand> {
        match self {
            Self::Placed { glyph, map: [xx, yx, xy, yy, x, y] } => {
                let placed = |at: [f64; 2]| [xx * at[0] + xy * at[1] + x, yx * at[0] + yy * at[1] + y];
                glyph.path.iter().map(|command| command.mapped(placed)).collect()
            }
            Self::Free(path) => path.clone(),
        }
    }
}
