//! A paragraph, shaped once and ready to be broken into lines of any width at any size.
//!
//! Where a line break would change the glyphs on either side (`HarfBuzz`'s unsafe-to-break), the text between the break
//! and the next safe position is shaped again for that line, once for all sizes.

mod at_once;

use std::collections::HashMap;
use std::ops::Range;

use icu_segmenter::GraphemeClusterSegmenter;

use super::chunks::{ChunkBuilder, break_opportunities, is_natural_break, keep_runs_apart, mark_breaks, marked};
use super::error::LayoutError;
use super::font_fallback::FontFallback;
use super::forms::Letters;
use super::ink::Ink;
use super::rows::{Row, rows};
use super::run::{Run, runs};
use super::shape::Shaper;
use super::shaped_text::{BreakAfter, Chunk, ShapedText};
use super::varied::Variation;
use super::word_shapes::mark_words_unsafe;
use crate::catalogue::{Context, FontId};

/// The limit of reshaped text, as a multiple of the chunks and glyphs of the whole paragraph. The lines of one size
/// need about as many as the paragraph, so the reshaped text of several sizes is kept.
const MOST_KEPT: usize = 4;
/// Added to that limit, for short paragraphs.
const ALWAYS_KEPT: usize = 256;

/// Steps of work to vary one glyph.
const VARYING_STEPS: usize = 40;

/// A chunk of a paragraph: the index of its shaped text, and its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkId {
    pub(super) text: usize,
    pub(super) chunk: usize,
}

/// How text is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapingMode {
    /// All of it at once.
    Whole,
    /// Word by word; the result is the same if letters do not depend on other words.
    WordByWord,
}

/// Text that was shaped again: its bytes, and whether it ends in a written hyphen.
type ReshapedKey = (usize, usize, bool);

/// What the ink of a rotated word without gaps depends on: the shaped texts of its first and its last chunk in logical
/// order, and its first and last byte. The angle depends only on the first byte.
pub(super) type WordKey = (usize, usize, usize, usize);

/// One shaped paragraph.
pub(super) struct ShapedParagraph {
    pub(super) text: String,
    /// Its rows of one sign.
    pub(super) rows: Vec<Row>,
    pub(super) runs: Vec<Run>,
    /// The whole paragraph first, then the text that was shaped again.
    texts: Vec<ShapedText>,
    reshaped: HashMap<ReshapedKey, usize>,
    /// Number of chunks and glyphs in the text that was shaped again.
    kept: usize,
    /// Cached ink of rotated words. A word has the same angle in every line.
    rotated: HashMap<WordKey, Option<Ink>, foldhash::fast::RandomState>,
    /// For each byte, whether a line may end before it.
    opportunities: Vec<bool>,
    /// An upper bound in ems of a chunk's blank sides and of what reshaping changes: a line that exceeds the text area by
    /// more cannot fit in any other measurement.
    pub(super) slack: f64,
    /// The farthest ink above or below the baseline, in ems.
    pub(super) tallest: f64,
    /// Whether a letter's form may depend on other words. Then every line is shaped as a whole, and the shapes of the
    /// whole paragraph only serve for measuring.
    pub(super) is_contextual: bool,
    /// Whether any run has a bidi level above 0.
    pub(super) is_bidirectional: bool,
    /// Whether its lines begin at the right where they begin at the start.
    pub(super) begins_at_right: bool,
    /// What varies its letters, if anything.
    letters: Option<Letters>,
}

impl ShapedParagraph {
    /// Shapes a paragraph.
    pub(super) fn new(
        text: String,
        chosen: FontId,
        letters: Option<Letters>,
        fallback: &mut FontFallback<'_>,
        shaper: &mut Shaper<'_>,
    ) -> Result<Self, LayoutError> {
        let runs = runs(&text, &fallback.assign(&text), chosen, shaper.catalogue);
        let opportunities = break_opportunities(&text);
        let is_bidirectional = runs.iter().any(|run| run.level > 0);
        let context = |run: &Run| shaper.catalogue.face(run.font).context();
        let is_contextual = runs.iter().any(|run| context(run) == Context::Line);
        let mut paragraph = Self {
            rows: rows(&text),
            text,
            runs,
            texts: Vec::new(),
            reshaped: HashMap::new(),
            kept: 0,
            rotated: HashMap::default(),
            opportunities,
            slack: 1.0,
            tallest: 0.0,
            is_contextual,
            is_bidirectional,
            begins_at_right: false,
            letters,
        };
        paragraph.begins_at_right = paragraph.is_right_to_left();
        let whole = paragraph.shape(0..paragraph.text.len(), false, ShapingMode::WordByWord, shaper)?;
        let height = |chunk: &Chunk| chunk.ink.map_or(0.0, |ink| ink.top.max(-ink.bottom));
        paragraph.tallest = whole.chunks.iter().map(height).fold(0.0, f64::max);
        let blank = |chunk: &Chunk| chunk.ink.map_or(0.0, |ink| (chunk.advance - ink.right).max(-ink.left));
        paragraph.slack = 1.0 + whole.chunks.iter().map(blank).fold(0.0, f64::max);
        paragraph.texts.push(whole);
        paragraph.refine_rows(shaper);
        Ok(paragraph)
    }

    /// Its writer variation, if any.
    fn variation(&self) -> Option<&Variation> {
        self.letters.as_ref().and_then(Letters::variation)
    }

    /// The chunks of the whole paragraph, in logical order.
    pub(super) fn chunks(&self) -> &[Chunk] {
        self.texts.first().map_or(&[], |shaped| &shaped.chunks)
    }

    /// Whether its first letter with a direction is written from right to left (UAX 9, P2 and P3): then every level is
    /// above 0.
    fn is_right_to_left(&self) -> bool {
        self.runs.iter().all(|run| run.level > 0)
    }

    /// The shaped text of a chunk, and the chunk.
    pub(super) fn at(&self, id: ChunkId) -> Option<(&ShapedText, &Chunk)> {
        let shaped = self.texts.get(id.text)?;
        Some((shaped, shaped.chunks.get(id.chunk)?))
    }

    /// The ink of a rotated word: from the cache, or from `measure`.
    pub(super) fn rotated_ink(&mut self, key: WordKey, measure: impl FnOnce(&Self) -> Option<Ink>) -> Option<Ink> {
        if let Some(ink) = self.rotated.get(&key) {
            return *ink;
        }
        let ink = measure(self);
        if self.rotated.len() > self.most_kept() {
            self.rotated.clear();
        }
        self.rotated.insert(key, ink);
        ink
    }

    /// Whether a line that ends with chunk `last` ends in a written soft hyphen.
    pub(super) fn ends_in_hyphen(&self, last: usize) -> bool {
        let chunks = self.chunks();
        last + 1 < chunks.len() && chunks.get(last).is_some_and(|chunk| chunk.break_after == BreakAfter::Hyphen)
    }

    /// Cuts the chunks `range` at grapheme boundaries, the last resort for a word wider than the text area. Lines may
    /// then end there in an emergency.
    pub(super) fn refine(&mut self, range: Range<usize>, shaper: &Shaper<'_>) {
        let Some(whole) = self.texts.first_mut() else { return };
        let mut finer: Vec<Chunk> = Vec::new();
        for chunk in whole.chunks.get(range.clone()).unwrap_or_default() {
            let Some(run) = self.runs.get(chunk.run).filter(|_| !chunk.text.is_empty()) else {
                finer.push(chunk.clone());
                continue;
            };
            let word = self.text.get(chunk.text.clone()).unwrap_or_default();
            let boundaries = marked(word.len(), GraphemeClusterSegmenter::new().segment_str(word));
            let builder = ChunkBuilder {
                text: &self.text,
                run,
                index: chunk.run,
                face: shaper.catalogue.face(run.font),
                varied: &whole.varied,
                variation: self.letters.as_ref().and_then(Letters::variation),
            };
            let cut_before = |position: usize| boundaries.get(position - chunk.text.start).copied().unwrap_or(false);
            let mut letters = builder.chunks(&whole.glyphs, chunk.glyphs.clone(), chunk.text.clone(), &cut_before);
            if let Some(first) = letters.first_mut() {
                first.safe_start = chunk.safe_start;
            }
            for letter in &mut letters {
                let is_natural = is_natural_break(&self.text, letter.end);
                letter.break_after = if is_natural { BreakAfter::Natural } else { BreakAfter::Emergency };
            }
            if let Some(last) = letters.last_mut() {
                last.end = chunk.end;
                last.space_advance = chunk.space_advance;
                last.word_spaces = chunk.word_spaces;
                last.safe_end = chunk.safe_end;
                last.break_after =
                    if chunk.break_after == BreakAfter::Never { BreakAfter::Emergency } else { chunk.break_after };
            }
            finer.append(&mut letters);
        }
        if range.end <= whole.chunks.len() {
            whole.chunks.splice(range, finer);
        }
    }

    /// The chunks of the line from chunk `first` to chunk `last`, in logical order, with the shapes that they have in
    /// the line; the line cuts its rows of one sign to `signs`. The ids are valid until the next call.
    pub(super) fn line(
        &mut self,
        first: usize,
        last: usize,
        signs: Option<usize>,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<ChunkId>, LayoutError> {
        self.drop_reshaped_beyond_limit();
        let mut ids = Vec::with_capacity(last + 1 - first);
        for part in self.parts(first, last, signs) {
            ids.extend(self.part(part.start, part.end - 1, shaper)?);
        }
        Ok(ids)
    }

    /// The chunks of a line, or of a part of a line that cuts its rows.
    fn part(&mut self, first: usize, last: usize, shaper: &mut Shaper<'_>) -> Result<Vec<ChunkId>, LayoutError> {
        let hyphen = self.ends_in_hyphen(last);
        let Some(written) = self.last_written(first, last) else { return Ok(Vec::new()) };
        let end = self.end_of(written);
        let whole = (self.start_of(first), end, hyphen);
        if self.is_contextual {
            return self.reshaped_chunks(whole, shaper);
        }

        let chunks = self.chunks();
        let safe_start = |index: &usize| chunks.get(*index).is_some_and(|chunk| chunk.safe_start);
        let head_end = (first..=written).find(safe_start);
        let tail_is_safe = !hyphen && self.ends_safely(written, last);
        let tail_start = if tail_is_safe {
            Some(written + 1)
        } else {
            (first..=written).rev().find(safe_start).filter(|start| head_end.is_some_and(|head| head <= *start))
        };
        let (Some(head_end), Some(tail_start)) = (head_end, tail_start) else {
            return self.reshaped_chunks(whole, shaper);
        };
        let mut ids = Vec::with_capacity(written + 1 - first);
        if first < head_end {
            ids = self.reshaped_chunks((self.start_of(first), self.start_of(head_end), false), shaper)?;
        }
        ids.extend((head_end..tail_start).map(|chunk| ChunkId { text: 0, chunk }));
        if tail_start <= written {
            ids.extend(self.reshaped_chunks((self.start_of(tail_start), end, hyphen), shaper)?);
        }
        Ok(ids)
    }

    /// The most chunks and glyphs of reshaped text, and the most rotated words, that are kept.
    fn most_kept(&self) -> usize {
        let whole = self.texts.first().map_or(0, |shaped| shaped.chunks.len() + shaped.glyphs.len());
        MOST_KEPT * whole + ALWAYS_KEPT
    }

    fn drop_reshaped_beyond_limit(&mut self) {
        if self.kept > self.most_kept() {
            self.texts.truncate(1);
            self.reshaped.clear();
            self.kept = 0;
            // Its keys contain indices of shaped texts.
            self.rotated.clear();
        }
    }

    /// Whether the line has the same shapes on its own as in the whole paragraph.
    pub(super) fn is_shaped(&self, first: usize, last: usize) -> bool {
        !self.is_contextual
            && !self.ends_in_hyphen(last)
            && self.chunks().get(first).is_some_and(|chunk| chunk.safe_start)
            && self.last_written(first, last).is_none_or(|written| self.ends_safely(written, last))
    }

    /// The last chunk of a line that has text. Spaces at the end of a line hang; they may be separate chunks.
    fn last_written(&self, first: usize, last: usize) -> Option<usize> {
        let has_text = |index: &usize| self.chunks().get(*index).is_some_and(|chunk| !chunk.text.is_empty());
        (first..=last).rev().find(has_text)
    }

    fn ends_safely(&self, written: usize, last: usize) -> bool {
        let chunks = self.chunks();
        last + 1 == chunks.len() || chunks.get(written).is_some_and(|chunk| chunk.safe_end)
    }

    /// The chunks of the line with the shapes of the whole paragraph; its ends may look different.
    pub(super) fn roughly(&self, first: usize, last: usize, signs: Option<usize>) -> Vec<ChunkId> {
        let Some(written) = self.last_written(first, last) else { return Vec::new() };
        self.parts(first, written, signs).into_iter().flatten().map(|chunk| ChunkId { text: 0, chunk }).collect()
    }

    /// The first byte of the text of a chunk.
    fn start_of(&self, chunk: usize) -> usize {
        self.chunks().get(chunk).map_or(0, |chunk| chunk.text.start)
    }

    /// Behind the last byte of the text of a chunk, without the spaces after it.
    fn end_of(&self, chunk: usize) -> usize {
        self.chunks().get(chunk).map_or(0, |chunk| chunk.text.end)
    }

    /// The text of a key, shaped again.
    fn reshaped_chunks(&mut self, key: ReshapedKey, shaper: &mut Shaper<'_>) -> Result<Vec<ChunkId>, LayoutError> {
        let index = if let Some(index) = self.reshaped.get(&key) {
            *index
        } else {
            let mode = if self.is_contextual { ShapingMode::Whole } else { ShapingMode::WordByWord };
            let reshaped = self.shape(key.0..key.1, key.2, mode, shaper)?;
            self.kept += reshaped.chunks.len() + reshaped.glyphs.len();
            self.texts.push(reshaped);
            self.reshaped.insert(key, self.texts.len() - 1);
            self.texts.len() - 1
        };
        let count = self.texts.get(index).map_or(0, |text| text.chunks.len());
        Ok((0..count).map(|chunk| ChunkId { text: index, chunk }).collect())
    }

    fn shape(
        &self,
        range: Range<usize>,
        hyphen: bool,
        mode: ShapingMode,
        shaper: &mut Shaper<'_>,
    ) -> Result<ShapedText, LayoutError> {
        let mut output = ShapedText::default();
        let cut_before = |position: usize| self.opportunities.get(position).copied().unwrap_or(false);
        let first_run = self.runs.partition_point(|run| run.range.end <= range.start);
        let touched = self.runs.iter().enumerate().skip(first_run).take_while(|(_, run)| run.range.start < range.end);
        for (index, run) in touched {
            let part = run.range.start.max(range.start)..run.range.end.min(range.end);
            let first = output.glyphs.len();
            let hyphen = hyphen && part.end == range.end;
            match mode {
                ShapingMode::Whole => shaper.shape(&self.text, run, part.clone(), hyphen, &mut output.glyphs)?,
                ShapingMode::WordByWord => {
                    shaper.shape_words(&self.text, run, part.clone(), hyphen, &mut output.glyphs)?;
                }
            }
            let face = shaper.catalogue.face(run.font);
            if face.context() == Context::Word {
                // Only spaces are safe.
                mark_words_unsafe(&self.text, output.glyphs.get_mut(first..).unwrap_or_default());
            }
            let own = output.glyphs.get_mut(first..).unwrap_or_default();
            if let Some(letters) = &self.letters {
                letters.choose(face, own);
            }
            if let Some(variation) = self.variation() {
                shaper.work.spend(VARYING_STEPS * own.len())?;
                variation.vary(&self.text, run, face, own, self.texts.first(), &mut output.varied);
            }
            let (varied, variation) = (&output.varied, self.variation());
            let builder = ChunkBuilder { text: &self.text, run, index, face, varied, variation };
            let chunks = builder.chunks(&output.glyphs, first..output.glyphs.len(), part, &cut_before);
            output.chunks.extend(chunks);
        }
        keep_runs_apart(&self.text, &mut output.chunks, &self.runs);
        mark_breaks(&self.text, &mut output.chunks, &self.opportunities);
        Ok(output)
    }
}
