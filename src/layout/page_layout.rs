//! The finished layout: the input of drawing.

use std::ops::Range;

use crate::catalogue::{FontId, GlyphId};
use crate::geometry::{Point, Rect, Size};
use crate::spec::DrawnRules;
use crate::units::{Degrees, Px};
use crate::variation::LetterMap;
use crate::warning::Warning;

/// A page with the position of every glyph. y points down from the page's top edge.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageLayout {
    /// The page in whole 300-DPI pixels.
    pub size: Size<Px>,
    /// The font size (em).
    pub font_size: Px,
    /// The size that `auto` found (`calculated_font_size` of the response).
    pub calculated_font_size: Option<u32>,
    /// The words line by line, each line's words from left to right.
    pub words: Vec<PlacedWord>,
    /// The lines from top to bottom, without empty ones.
    pub lines: Vec<PlacedLine>,
    /// The rules that are drawn under the writing.
    pub rules: Option<DrawnRules>,
    /// Warnings for the client. Only the first page of a text carries them.
    pub warnings: Vec<Warning>,
}

impl PageLayout {
    /// The page with all its writing rotated about `centre` by `angle`, clockwise. Without rotation it is unchanged.
    ///
    /// The baseline of a line becomes the height of its middle. `runs` are not rotated.
    #[must_use]
    pub fn rotated(mut self, angle: Degrees, centre: Point<Px>) -> Self {
        if angle == Degrees::ZERO {
            return self;
        }
        let turn = angle.get().to_radians().sin_cos();
        for word in &mut self.words {
            let by = word.pivot.turned(centre, turn) - word.pivot;
            word.pivot = word.pivot + by;
            word.rotation = Degrees::new(word.rotation.get() + angle.get());
            for glyph in &mut word.glyphs {
                glyph.origin = glyph.origin + by;
                glyph.ink = glyph.ink.translated(by);
            }
        }
        for line in &mut self.lines {
            let words = self.words.get(line.words.clone()).unwrap_or_default();
            if let (Some(first), Some(last)) = (words.first(), words.last()) {
                line.baseline = first.pivot.y + Px::new((last.pivot.y - first.pivot.y).get() / 2.0);
            }
        }
        self
    }

    /// The boxes around the ink of each word, after its rotation; a little larger than the ink.
    pub fn word_boxes(&self) -> impl Iterator<Item = Rect<Px>> {
        self.words.iter().filter_map(PlacedWord::ink)
    }

    /// All glyphs, line by line from left to right.
    pub fn glyphs(&self) -> impl Iterator<Item = &PlacedGlyph> {
        self.words.iter().flat_map(|word| &word.glyphs)
    }
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedLine {
    /// Distance of its baseline from the page's top edge.
    pub baseline: Px,
    /// Its words, in [`PageLayout::words`].
    pub words: Range<usize>,
    /// Its runs, from left to right.
    pub runs: Vec<PlacedRun>,
}

/// A part of a line in one font, script and direction, shaped as a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedRun {
    /// Its characters in logical order, with substitutes and written hyphens, without the spaces that hang at the end
    /// of the line.
    pub text: String,
    /// The font.
    pub font: FontId,
    /// ISO 15924 tag of the script.
    pub script: [u8; 4],
    /// Whether it runs from right to left.
    pub right_to_left: bool,
    /// Size of the font's em.
    pub em: Px,
    /// Its left end on the baseline.
    pub origin: Point<Px>,
    /// The number of its glyphs in the line. Glyphs of a line are in the order of its runs.
    pub glyph_count: usize,
}

/// A word: glyphs that are rotated together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedWord {
    /// Its characters.
    pub text: WordText,
    /// The middle of the word's baseline, the centre of its rotation.
    pub pivot: Point<Px>,
    /// Length of its baseline.
    pub width: Px,
    /// Rotation about `pivot`, clockwise on the page; zero without the effect.
    pub rotation: Degrees,
    /// Whether it begins a sentence.
    pub opens_sentence: bool,
    /// From left to right, at their positions before the rotation.
    pub glyphs: Vec<PlacedGlyph>,
    /// The map that bends each glyph; empty without writer variation.
    pub letters: Vec<LetterMap>,
}

impl PlacedWord {
    /// The box around its ink, after its rotation; a little larger than the ink.
    #[must_use]
    pub fn ink(&self) -> Option<Rect<Px>> {
        self.glyphs.iter().map(|glyph| self.rotated_box(glyph.ink)).reduce(Rect::union)
    }

    /// The box around a box of the word after its rotation.
    #[must_use]
    pub fn rotated_box(&self, of: Rect<Px>) -> Rect<Px> {
        if self.rotation == Degrees::ZERO {
            return of;
        }
        let turn = self.rotation.get().to_radians().sin_cos();
        let corners = [(of.min.x, of.min.y), (of.max.x, of.min.y), (of.min.x, of.max.y), (of.max.x, of.max.y)];
        let turned = corners.map(|(x, y)| {
            let at = Point::new(x, y).turned(self.pivot, turn);
            Rect { min: at, max: at }
        });
        turned.into_iter().reduce(Rect::union).unwrap_or(of)
    }
}

/// The characters of a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordText {
    /// In the order of reading, with substitutes and written hyphens; of a word with both directions, as they stand
    /// from left to right.
    pub characters: String,
    /// Whether it is read from right to left.
    pub right_to_left: bool,
    /// Whether a space follows it.
    pub is_spaced: bool,
    /// Its first byte in its paragraph.
    pub start: usize,
    /// Its characters in the received text, in scalar values.
    pub source: Range<usize>,
}

/// One glyph of one font.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// The font: the chosen font, or a fallback where it lacks the character.
    pub font: FontId,
    /// The glyph in that font.
    pub glyph: GlyphId,
    /// Size of this font's em.
    pub em: Px,
    /// The glyph's origin on its baseline.
    pub origin: Point<Px>,
    /// Ink box on the page before the rotation: exact, or a little larger with writer variation. Blank glyphs are not
    /// placed.
    pub ink: Rect<Px>,
}
