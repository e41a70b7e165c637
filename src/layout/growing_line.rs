//! The width of a line's ink while chunks are added from left to right. Each chunk costs only its own glyphs.

use super::effects::WordAngles;
use super::ink::Ink;
use super::shaped_paragraph::{ChunkId, ShapedParagraph};
use super::words::{are_separate, for_each_glyph};
use crate::catalogue::FontCatalogue;

/// The ink of a growing line of left-to-right text, with the shapes of the whole paragraph. Tops and bottoms are zero.
pub(super) struct GrowingLine<'a> {
    paragraph: &'a ShapedParagraph,
    catalogue: &'a FontCatalogue,
    size: f64,
    angles: Option<WordAngles>,
    /// The ink of upright chunks, or of complete words.
    whole: Option<Ink>,
    /// The unfinished word of the last chunk, where words are rotated.
    word: RotatedWord,
    /// The chunk added last.
    previous: Option<usize>,
}

/// An unfinished word that is rotated about the middle of its baseline.
#[derive(Clone, Copy, Default)]
struct RotatedWord {
    sin: f64,
    cos: f64,
    /// Ends of its baseline, in px from the line's start; `None` before the first letter.
    baseline: Option<(f64, f64)>,
    /// The farthest ink to the right and to the left of the left end of the baseline, if the word were rotated about
    /// that end; in ems.
    sides: Option<(f64, f64)>,
}

impl<'a> GrowingLine<'a> {
    /// A line without chunks.
    pub(super) fn new(
        size: f64,
        angles: Option<WordAngles>,
        paragraph: &'a ShapedParagraph,
        catalogue: &'a FontCatalogue,
    ) -> Self {
        Self { paragraph, catalogue, size, angles, whole: None, word: RotatedWord::default(), previous: None }
    }

    /// Adds chunk `index` of the paragraph at `pen` px, and returns the ink of the line; `None` where it is blank.
    pub(super) fn add(&mut self, index: usize, pen: f64) -> Option<Ink> {
        let chunk = self.paragraph.chunks().get(index)?;
        let Some(angles) = self.angles else {
            let ink = chunk.ink.map(|ink| flat(pen + ink.left * self.size, pen + ink.right * self.size));
            self.whole = united(self.whole, ink);
            return self.whole;
        };
        let previous = self.previous.replace(index).and_then(|previous| self.paragraph.chunks().get(previous));
        if previous.is_some_and(|previous| are_separate(self.paragraph, previous, chunk)) {
            self.whole = united(self.whole, self.word.ink(self.size));
            self.word = RotatedWord::default();
        }
        if !chunk.text.is_empty() {
            if self.word.baseline.is_none() {
                (self.word.sin, self.word.cos) = angles.angle(chunk.text.start).get().to_radians().sin_cos();
            }
            let end = pen + chunk.advance * self.size;
            self.word.baseline = Some(self.word.baseline.map_or((pen, end), |(left, right)| (left, right.max(end))));
            self.add_glyphs(index, pen);
        }
        united(self.whole, self.word.ink(self.size))
    }

    fn add_glyphs(&mut self, index: usize, pen: f64) {
        let Some((left, _)) = self.word.baseline else { return };
        let (sin, cos) = (self.word.sin, self.word.cos);
        let from = (pen - left) / self.size;
        let word_sides = &mut self.word.sides;
        for_each_glyph(self.paragraph, ChunkId { text: 0, chunk: index }, self.catalogue, &mut |x, y, unit, hull| {
            // Clockwise on the page, in a frame with y up: a point goes to (x cos + y sin, y cos - x sin).
            let along = (from + x) * cos + y * sin;
            let sides = (hull.support([cos, sin]), hull.support([-cos, -sin]));
            let (Some(right), Some(left)) = sides else { return };
            let (right, left) = (along + right * unit, left * unit - along);
            *word_sides = Some(
                word_sides
                    .map_or((right, left), |(most_right, most_left)| (most_right.max(right), most_left.max(left))),
            );
        });
    }
}

impl RotatedWord {
    fn ink(&self, size: f64) -> Option<Ink> {
        let ((start, end), (right, left)) = (self.baseline?, self.sides?);
        // Rotation about the middle instead of the left end moves the word to the right by this.
        let shift = (end - start) / 2.0 * (1.0 - self.cos);
        Some(flat(start + shift - left * size, start + shift + right * size))
    }
}

fn flat(left: f64, right: f64) -> Ink {
    Ink { left, right, top: 0.0, bottom: 0.0 }
}

fn united(one: Option<Ink>, other: Option<Ink>) -> Option<Ink> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}
