//! Words: the parts of a line that are rotated together, and their ink.

use unicode_script::Script;

use super::ink::Ink;
use super::placed_chunk::PlacedChunk;
use super::shaped_paragraph::{ChunkId, ShapedParagraph, WordKey};
use super::shaped_text::{BreakAfter, Chunk};
use crate::catalogue::{FontCatalogue, Hull};
use crate::geometry::{Point, Rect};
use crate::units::{Degrees, FontUnits};

/// A word of a line: consecutive chunks from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Word<'a> {
    /// Its chunks; some may be blank.
    pub(super) chunks: &'a [PlacedChunk],
    /// Its first byte in the paragraph.
    pub(super) start: usize,
    /// Ends of its baseline, in px from the start of the line.
    pub(super) left: f64,
    pub(super) right: f64,
}

/// The words of a line from left to right; together they have all its chunks. Words are separated by spaces or, in
/// scripts without spaces between words, by line break opportunities.
pub(super) fn words<'a>(paragraph: &ShapedParagraph, placed: &'a [PlacedChunk], size: f64) -> Vec<Word<'a>> {
    let chunk_of = |placed: &PlacedChunk| paragraph.at(placed.id).map(|(_, chunk)| chunk);
    let separate = |before: &PlacedChunk, after: &PlacedChunk| match (chunk_of(before), chunk_of(after)) {
        (Some(before), Some(after)) => are_separate(paragraph, before, after),
        _ => true,
    };
    placed.chunk_by(|before, after| !separate(before, after)).map(|placed| word(paragraph, placed, size)).collect()
}

fn word<'a>(paragraph: &ShapedParagraph, placed: &'a [PlacedChunk], size: f64) -> Word<'a> {
    let mut word = Word { chunks: placed, start: usize::MAX, left: f64::INFINITY, right: f64::NEG_INFINITY };
    for placed in placed {
        let Some((_, chunk)) = paragraph.at(placed.id) else { continue };
        if !chunk.text.is_empty() {
            word.start = word.start.min(chunk.text.start);
            word.left = word.left.min(placed.text_left);
            word.right = word.right.max(placed.text_left + chunk.advance * size);
        }
    }
    word
}

/// Whether two neighbouring chunks, `before` on the left, belong to different words.
pub(super) fn are_separate(paragraph: &ShapedParagraph, before: &Chunk, after: &Chunk) -> bool {
    let run_of = |chunk: &Chunk| paragraph.runs.get(chunk.run);
    let right_to_left = |chunk: &Chunk| run_of(chunk).is_some_and(super::run::Run::is_right_to_left);
    let spaced = |chunk: &Chunk| chunk.text.end < chunk.end;
    // Spaces come after the text in reading direction.
    let by_space = right_to_left(after) && spaced(after) || !right_to_left(before) && spaced(before);
    let unspaced = |chunk: &Chunk| run_of(chunk).is_some_and(|run| writes_no_spaces(run.script));
    by_space || before.break_after == BreakAfter::Allowed && (unspaced(before) || unspaced(after))
}

const fn writes_no_spaces(script: Script) -> bool {
    matches!(
        script,
        Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Bopomofo
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
    )
}

impl Word<'_> {
    /// The key of its ink; `None` where other characters of the paragraph stand between its own: which ones they are
    /// depends on the line (UAX 9, rule L2).
    fn key(&self, paragraph: &ShapedParagraph) -> Option<WordKey> {
        let written = self.chunks.iter().filter_map(|placed| {
            let (_, chunk) = paragraph.at(placed.id)?;
            (!chunk.text.is_empty()).then_some((placed.id.text, chunk.text.clone()))
        });
        let (first_text, first) = written.clone().min_by_key(|(_, bytes)| bytes.start)?;
        let (last_text, last) = written.clone().max_by_key(|(_, bytes)| bytes.end)?;
        let length: usize = written.map(|(_, bytes)| bytes.len()).sum();
        (length == last.end - first.start).then_some((first_text, last_text, first.start, last.end))
    }

    /// The word's ink when the word is rotated by `angle` about the middle of its baseline, in ems from the left end of
    /// that baseline. It scales with the font size, so it is computed once for all sizes.
    pub(super) fn rotated_ink(
        &self,
        paragraph: &mut ShapedParagraph,
        size: f64,
        angle: Degrees,
        catalogue: &FontCatalogue,
    ) -> Option<Ink> {
        let measure = |paragraph: &ShapedParagraph| self.measure_rotated(paragraph, size, angle, catalogue);
        match self.key(paragraph) {
            Some(key) => paragraph.rotated_ink(key, measure),
            None => measure(paragraph),
        }
    }

    fn measure_rotated(
        &self,
        paragraph: &ShapedParagraph,
        size: f64,
        angle: Degrees,
        catalogue: &FontCatalogue,
    ) -> Option<Ink> {
        let (sin, cos) = angle.get().to_radians().sin_cos();
        let pivot = (self.right - self.left) / 2.0 / size;
        // Clockwise on the page, in a frame with y up: a point goes to (x cos + y sin, y cos - x sin).
        let (rightwards, upwards) = ([cos, sin], [-sin, cos]);
        let (leftwards, downwards) = (rightwards.map(|value| -value), upwards.map(|value| -value));
        // The farthest ink from the pivot: to the right, to the left, up, down.
        let mut extents = [f64::NEG_INFINITY; 4];
        for placed in self.chunks {
            let from = (placed.text_left - self.left) / size - pivot;
            for_each_glyph(paragraph, placed.id, catalogue, &mut |x, y, unit, hull| {
                let x = from + x;
                for (extent, direction) in extents.iter_mut().zip([rightwards, leftwards, upwards, downwards]) {
                    let start = x * direction[0] + y * direction[1];
                    let beyond =
                        |of_hull: Option<f64>| of_hull.map(|far| start + far * unit).filter(|far| far > extent);
                    // Most glyphs lie inside the word; their boxes already show it.
                    if beyond(hull.box_support(direction)).is_some()
                        && let Some(farther) = beyond(hull.support(direction))
                    {
                        *extent = farther;
                    }
                }
            });
        }
        let [right, left, top, bottom] = extents;
        let has_ink = right > f64::NEG_INFINITY;
        has_ink.then_some(Ink { left: pivot - left, right: pivot + right, top, bottom: -bottom })
    }
}

/// A lower bound in ems for the width of the widest glyph, if it is rotated by no more than an angle of which the sine
/// and the cosine are given.
pub(super) fn widest_glyph(paragraph: &ShapedParagraph, (sin, cos): (f64, f64), catalogue: &FontCatalogue) -> f64 {
    let mut widest = 0.0_f64;
    for chunk in 0..paragraph.chunks().len() {
        for_each_glyph(paragraph, ChunkId { text: 0, chunk }, catalogue, &mut |_, _, unit, hull| {
            let extent = |one: [f64; 2], other: [f64; 2]| Some(hull.box_support(one)? + hull.box_support(other)?);
            let sides = extent([1.0, 0.0], [-1.0, 0.0]).zip(extent([0.0, 1.0], [0.0, -1.0]));
            if let Some((width, height)) = sides {
                widest = widest.max((width * cos - height * sin) * unit);
            }
        });
    }
    widest
}

/// Visits the glyphs of a chunk: x and y of the origin in ems from the chunk's left end on the baseline, y up; the
/// length of a font unit in ems; the convex hull.
pub(super) fn for_each_glyph(
    paragraph: &ShapedParagraph,
    id: ChunkId,
    catalogue: &FontCatalogue,
    visit: &mut dyn FnMut(f64, f64, f64, &Hull),
) {
    let Some((shaped, chunk)) = paragraph.at(id) else { return };
    let Some(run) = paragraph.runs.get(chunk.run) else { return };
    let face = catalogue.face(run.font);
    let unit = run.scale / f64::from(face.units_per_em());
    let glyphs = shaped.glyphs.get(chunk.glyphs.clone()).unwrap_or_default();
    let start = glyphs.first().map_or(0, |glyph| glyph.pen);
    if let Some(varied) = shaped.varied.get(chunk.glyphs.clone()).filter(|varied| !varied.is_empty()) {
        let start = varied.first().map_or(0.0, |glyph| glyph.pen);
        for (varied, glyph) in varied.iter().zip(glyphs) {
            if let Some(ink) = varied.ink {
                let [min, max] = [(ink.left, ink.bottom), (ink.right, ink.top)]
                    .map(|(x, y)| Point::new(FontUnits::new(x / unit), FontUnits::new(y / unit)));
                visit(varied.origin - start, f64::from(glyph.y) * unit, unit, &Hull::of_box(Rect { min, max }));
            }
        }
        return;
    }
    for glyph in glyphs {
        if let Some(hull) = face.hull(glyph.glyph) {
            visit(f64::from(glyph.x - start) * unit, f64::from(glyph.y) * unit, unit, hull);
        }
    }
}
