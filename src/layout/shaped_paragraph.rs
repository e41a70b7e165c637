//! ShapedParagraph: one paragraph of the text, shaped once and ready to be broken into lines of any width at any size.
//!
//! Where a break would change the shapes on either side (`HarfBuzz`'s unsafe-to-break), the text from the break to the
//! next safe place is shaped again as it stands in the line, once per place for all sizes.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use icu_segmenter::options::LineBreakOptions;
use icu_segmenter::{GraphemeClusterSegmenter, LineSegmenter, LineSegmenterBorrowed};

use super::chunks::{ChunkBuilder, is_natural_break, mark_breaks};
use super::error::LayoutError;
use super::font_fallback::FontFallback;
use super::ink::InkEm;
use super::run::{Run, runs};
use super::shape::Shaper;
use super::shaped_text::{BreakAfter, Chunk, ShapedText};
use super::varied::Variation;
use super::word_shapes::distrust_words;
use crate::catalogue::FontId;

/// Unicode line breaking (UAX 14), with dictionaries for Thai, Lao, Khmer and Burmese.
static LINE_BREAKS: LazyLock<LineSegmenterBorrowed<'static>> =
    LazyLock::new(|| LineSegmenter::new_dictionary(LineBreakOptions::default()));

/// The fonts in which a letter's form may depend on letters of other words, through alternates that rotate along the
/// line: their lines are shaped as a whole. They are those whose substitutions look across a space.
const VARYING_ALONG_THE_LINE: [u8; 9] = [1, 17, 18, 19, 36, 39, 71, 84, 86];

/// The fonts in which it may depend on letters far from it in the same word: a cut may change letters behind places that
/// shaping takes for safe, so that only spaces are. Both lists are held by a test that compares thousands of random cuts
/// with lines shaped at once, in all fonts.
const VARYING_ALONG_THE_WORD: [u8; 2] = [56, 88];

/// How many times the chunks and glyphs of the whole text are kept in pieces before all pieces are dropped. The lines of one
/// size need each about once, so the pieces of several sizes are kept.
const MOST_KEPT: usize = 4;
/// Atoms and glyphs that are kept whatever the length of the text.
const ALWAYS_KEPT: usize = 256;

/// Steps that varying one glyph takes.
const VARYING_STEPS: usize = 40;

/// Where in a paragraph a chunk is: which shaped, which of its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChunkId {
    pub(super) text: usize,
    pub(super) chunk: usize,
}

/// How a stretch of text is shaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShapingMode {
    /// All of it in one go.
    Whole,
    /// A word at a time, which is the same where letters do not look across spaces.
    WordByWord,
}

/// A piece that was shaped again: its bytes, and whether it ends in a written hyphen.
type ReshapedKey = (usize, usize, bool);

/// What the ink of a rotated word depends on: the shaped texts of its two ends, and its first and last byte. The angle
/// depends only on the first byte.
pub(super) type WordKey = (usize, usize, usize, usize);

/// One line of the text, shaped.
pub(super) struct ShapedParagraph {
    pub(super) text: String,
    pub(super) runs: Vec<Run>,
    /// The whole text first, then the pieces shaped again.
    texts: Vec<ShapedText>,
    reshaped: HashMap<ReshapedKey, usize>,
    /// Atoms and glyphs of the pieces.
    kept: usize,
    /// Ink of rotated words, as far as it has been asked for. The angle of a place in the text is always the same.
    rotated: HashMap<WordKey, Option<InkEm>, foldhash::fast::RandomState>,
    /// For each byte whether a line may end before it.
    opportunities: Vec<bool>,
    /// More than any chunk's blank side and any change by shaping again, in ems.
    slack: f64,
    /// Farthest ink from the baseline, upwards or downwards, in ems.
    pub(super) tallest: f64,
    /// Whether a letter's form may depend on letters of other words: then every line is shaped as a whole, and the shaped
    /// of the whole text is but a breaker of it.
    pub(super) is_contextual: bool,
    /// Whether any run is not plainly left to right.
    pub(super) is_bidirectional: bool,
    /// How its letters vary; `None` where they do not.
    variation: Option<Variation>,
}

impl ShapedParagraph {
    /// Shapes a line.
    pub(super) fn new(
        text: String,
        chosen: FontId,
        variation: Option<Variation>,
        fallback: &mut FontFallback<'_>,
        shaper: &mut Shaper<'_>,
    ) -> Result<Self, LayoutError> {
        let runs = runs(&text, &fallback.assign(&text), chosen, shaper.catalogue());
        let mut opportunities = vec![false; text.len() + 1];
        for position in LINE_BREAKS.segment_str(&text) {
            if let Some(slot) = opportunities.get_mut(position) {
                *slot = true;
            }
        }
        let is_bidirectional = runs.iter().any(|run| run.level > 0);
        let is_contextual = runs.iter().any(|run| VARYING_ALONG_THE_LINE.contains(&run.font.get()));
        let mut paragraph = Self {
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
            variation,
        };
        let shaped = paragraph.shape(0..paragraph.text.len(), false, ShapingMode::WordByWord, shaper)?;
        let height = |chunk: &Chunk| chunk.ink.map_or(0.0, |ink| ink.top.max(-ink.bottom));
        paragraph.tallest = shaped.chunks.iter().map(height).fold(0.0, f64::max);
        let blank = |chunk: &Chunk| chunk.ink.map_or(0.0, |ink| (chunk.advance - ink.right).max(-ink.left));
        paragraph.slack = 1.0 + shaped.chunks.iter().map(blank).fold(0.0, f64::max);
        paragraph.texts.push(shaped);
        Ok(paragraph)
    }

    /// The chunks of the whole text, in logical order.
    pub(super) fn chunks(&self) -> &[Chunk] {
        self.texts.first().map_or(&[], |shaped| &shaped.chunks)
    }

    /// The shaped of a place, and its chunk.
    pub(super) fn at(&self, id: ChunkId) -> Option<(&ShapedText, &Chunk)> {
        let shaped = self.texts.get(id.text)?;
        Some((shaped, shaped.chunks.get(id.chunk)?))
    }

    /// How far beyond the text area a line must reach, in ems, before no other breaker of it can fit.
    pub(super) const fn slack(&self) -> f64 {
        self.slack
    }

    /// The ink of a rotated word, if it is cached.
    pub(super) fn cached_ink(&self, key: &WordKey) -> Option<Option<InkEm>> {
        self.rotated.get(key).copied()
    }

    /// Caches the ink of a rotated word.
    pub(super) fn cache_ink(&mut self, key: WordKey, ink: Option<InkEm>) {
        if self.rotated.len() > self.most_kept() {
            self.rotated.clear();
        }
        self.rotated.insert(key, ink);
    }

    /// Whether a line that ends with this chunk ends in a hyphen that the text only suggests.
    pub(super) fn ends_in_hyphen(&self, last: usize) -> bool {
        let chunks = self.chunks();
        last + 1 < chunks.len() && chunks.get(last).is_some_and(|chunk| chunk.break_after == BreakAfter::Hyphen)
    }

    /// Cuts the chunks `range` at grapheme boundaries, as a last resort for a word wider than the text area. Afterwards
    /// lines may end there in an emergency. Gives the number of chunks they became.
    pub(super) fn refine(&mut self, range: Range<usize>, shaper: &Shaper<'_>) -> usize {
        let Some(shaped) = self.texts.first_mut() else { return 0 };
        let mut finer: Vec<Chunk> = Vec::new();
        for chunk in shaped.chunks.get(range.clone()).unwrap_or_default() {
            let Some(run) = self.runs.get(chunk.run).filter(|_| !chunk.text.is_empty()) else {
                finer.push(chunk.clone());
                continue;
            };
            let word = self.text.get(chunk.text.clone()).unwrap_or_default();
            let mut boundaries = vec![false; word.len() + 1];
            for boundary in GraphemeClusterSegmenter::new().segment_str(word) {
                if let Some(slot) = boundaries.get_mut(boundary) {
                    *slot = true;
                }
            }
            let builder = ChunkBuilder {
                text: &self.text,
                run,
                index: chunk.run,
                face: shaper.catalogue().face(run.font),
                varied: &shaped.varied,
                variation: self.variation.as_ref(),
            };
            let cut_before = |position: usize| boundaries.get(position - chunk.text.start).copied().unwrap_or(false);
            let mut letters = builder.chunks(&shaped.glyphs, chunk.glyphs.clone(), chunk.text.clone(), &cut_before);
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
        let count = finer.len();
        if range.end <= shaped.chunks.len() {
            shaped.chunks.splice(range, finer);
        }
        count
    }

    /// The chunks of the line from chunk `first` to chunk `last`, in logical order, shaped as they stand in it. The places
    /// hold until the next call.
    pub(super) fn line(
        &mut self,
        first: usize,
        last: usize,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<ChunkId>, LayoutError> {
        self.drop_pieces_beyond_limit();
        let hyphen = self.ends_in_hyphen(last);
        let chunks = self.chunks();
        // Spaces at the end of the line hang; they may be chunks of their own.
        let written = (first..=last).rev().find(|index| chunks.get(*index).is_some_and(|chunk| !chunk.text.is_empty()));
        let Some(written) = written else { return Ok(Vec::new()) };
        if self.is_contextual {
            return self.piece(first, written, hyphen, shaper);
        }

        let safe_start = |index: &usize| chunks.get(*index).is_some_and(|chunk| chunk.safe_start);
        let head_end = (first..=written).find(safe_start);
        let tail_is_safe = !hyphen && self.ends_safely(written, last);
        let tail_start = if tail_is_safe {
            Some(written + 1)
        } else {
            (first..=written).rev().find(safe_start).filter(|start| head_end.is_some_and(|head| head <= *start))
        };
        let (Some(head_end), Some(tail_start)) = (head_end, tail_start) else {
            return self.piece(first, written, hyphen, shaper);
        };
        let mut ids = Vec::with_capacity(written + 1 - first);
        if first < head_end {
            ids = self.piece_between(first, head_end, shaper)?;
        }
        ids.extend((head_end..tail_start).map(|chunk| ChunkId { text: 0, chunk }));
        if tail_start <= written {
            ids.extend(self.piece(tail_start, written, hyphen, shaper)?);
        }
        Ok(ids)
    }

    /// Atoms and glyphs of pieces, and rotated words, that are kept at most.
    fn most_kept(&self) -> usize {
        let whole = self.texts.first().map_or(0, |shaped| shaped.chunks.len() + shaped.glyphs.len());
        MOST_KEPT * whole + ALWAYS_KEPT
    }

    fn drop_pieces_beyond_limit(&mut self) {
        if self.kept > self.most_kept() {
            self.texts.truncate(1);
            self.reshaped.clear();
            self.kept = 0;
            // Its keys name texts.
            self.rotated.clear();
        }
    }

    /// Whether that line looks on its own as it stands in the whole text.
    pub(super) fn is_shaped(&self, first: usize, last: usize) -> bool {
        let chunks = self.chunks();
        let written = (first..=last).rev().find(|index| chunks.get(*index).is_some_and(|chunk| !chunk.text.is_empty()));
        !self.is_contextual
            && !self.ends_in_hyphen(last)
            && chunks.get(first).is_some_and(|chunk| chunk.safe_start)
            && written.is_none_or(|written| self.ends_safely(written, last))
    }

    fn ends_safely(&self, written: usize, last: usize) -> bool {
        let chunks = self.chunks();
        last + 1 == chunks.len() || chunks.get(written).is_some_and(|chunk| chunk.safe_end)
    }

    /// The chunks of that line as they stand in the whole text: the same but for what its ends change.
    pub(super) fn roughly(&self, first: usize, last: usize) -> Vec<ChunkId> {
        let chunks = self.chunks();
        let written = (first..=last).rev().find(|index| chunks.get(*index).is_some_and(|chunk| !chunk.text.is_empty()));
        written.map_or_else(Vec::new, |written| (first..=written).map(|chunk| ChunkId { text: 0, chunk }).collect())
    }

    /// The chunks `first` to `written`, cut off behind the text of the last and shaped again.
    fn piece(
        &mut self,
        first: usize,
        written: usize,
        hyphen: bool,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<ChunkId>, LayoutError> {
        let start = self.chunks().get(first).map_or(0, |chunk| chunk.text.start);
        let end = self.chunks().get(written).map_or(start, |chunk| chunk.text.end);
        self.shape_again((start, end, hyphen), shaper)
    }

    /// The chunks from `first` up to the safe place before chunk `end`, shaped again.
    fn piece_between(
        &mut self,
        first: usize,
        end: usize,
        shaper: &mut Shaper<'_>,
    ) -> Result<Vec<ChunkId>, LayoutError> {
        let start = self.chunks().get(first).map_or(0, |chunk| chunk.text.start);
        let end = self.chunks().get(end).map_or(start, |chunk| chunk.text.start);
        self.shape_again((start, end, false), shaper)
    }

    fn shape_again(&mut self, key: ReshapedKey, shaper: &mut Shaper<'_>) -> Result<Vec<ChunkId>, LayoutError> {
        let shaped = if let Some(shaped) = self.reshaped.get(&key) {
            *shaped
        } else {
            let mode = if self.is_contextual { ShapingMode::Whole } else { ShapingMode::WordByWord };
            let piece = self.shape(key.0..key.1, key.2, mode, shaper)?;
            self.kept += piece.chunks.len() + piece.glyphs.len();
            self.texts.push(piece);
            self.reshaped.insert(key, self.texts.len() - 1);
            self.texts.len() - 1
        };
        let count = self.texts.get(shaped).map_or(0, |shaped| shaped.chunks.len());
        Ok((0..count).map(|chunk| ChunkId { text: shaped, chunk }).collect())
    }

    fn shape(
        &self,
        range: Range<usize>,
        hyphen: bool,
        mode: ShapingMode,
        shaper: &mut Shaper<'_>,
    ) -> Result<ShapedText, LayoutError> {
        let mut shaped = ShapedText::default();
        let cut_before = |position: usize| self.opportunities.get(position).copied().unwrap_or(false);
        let first_run = self.runs.partition_point(|run| run.range.end <= range.start);
        let touched = self.runs.iter().enumerate().skip(first_run).take_while(|(_, run)| run.range.start < range.end);
        for (index, run) in touched {
            let part = run.range.start.max(range.start)..run.range.end.min(range.end);
            let first = shaped.glyphs.len();
            let hyphen = hyphen && part.end == range.end;
            match mode {
                ShapingMode::Whole => shaper.shape(&self.text, run, part.clone(), hyphen, &mut shaped.glyphs)?,
                ShapingMode::WordByWord => {
                    shaper.shape_words(&self.text, run, part.clone(), hyphen, &mut shaped.glyphs)?
                }
            }
            if VARYING_ALONG_THE_WORD.contains(&run.font.get()) {
                distrust_words(&self.text, shaped.glyphs.get_mut(first..).unwrap_or_default());
            }
            let face = shaper.catalogue().face(run.font);
            let own = shaped.glyphs.get(first..).unwrap_or_default();
            if let Some(variation) = &self.variation {
                shaper.work().spend(VARYING_STEPS * own.len())?;
                variation.vary(&self.text, run, face, own, &mut shaped.varied);
            }
            let (varied, variation) = (&shaped.varied, self.variation.as_ref());
            let builder = ChunkBuilder { text: &self.text, run, index, face, varied, variation };
            let chunks = builder.chunks(&shaped.glyphs, first..shaped.glyphs.len(), part, &cut_before);
            shaped.chunks.extend(chunks);
        }
        mark_breaks(&self.text, &mut shaped.chunks, &self.opportunities);
        Ok(shaped)
    }
}

#[cfg(test)]
mod tests;
