//! Breaks a paragraph into lines at one size: each line is the longest whose ink fits.

use std::ops::Range;

use super::effects::LineEffects;
use super::error::LayoutError;
use super::growing_line::GrowingLine;
use super::ink::Ink;
use super::placed_chunk::{PlacedChunk, visual_order};
use super::shape::Shaper;
use super::shaped_paragraph::{ChunkId, ShapedParagraph};
use super::shaped_text::{BreakAfter, Chunk};
use super::words::words;
use crate::catalogue::FontCatalogue;
use crate::spec::Alignment;

/// Room for the rounding of sums of `f64`, in px; far below what a device could show.
pub(super) const ROUNDING: f64 = 1e-7;

/// Line ends that are tried one by one before some are skipped.
const TRIED_ONE_BY_ONE: usize = 16;
/// Chunks of the first line that is measured as a whole in bidirectional text.
const FIRST_WINDOW: usize = 32;

/// Breaks paragraphs into lines at one size. Lengths are in 300-DPI px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineBreaker {
    /// Size of the chosen font's em.
    pub(super) size: f64,
    /// Added to each space.
    pub(super) word_spacing: f64,
    /// Width of the text area.
    pub(super) width: f64,
    /// Alignment of lines in the text area.
    pub(super) alignment: Alignment,
    /// How lines are measured.
    pub(super) by: MeasuredBy,
    /// The effects on the line.
    pub(super) effects: LineEffects,
}

/// The shapes of its letters with which a line is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeasuredBy {
    /// The shapes in the whole paragraph.
    Text,
    /// The shapes in the whole paragraph and those in the line; the line must fit with both.
    TextAndLine,
}

/// A line that fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// Its last chunk.
    pub(super) last: usize,
    /// Its ink; `None` for a blank line.
    pub(super) ink: Option<Ink>,
    /// The number of signs to which it cuts its rows of one sign, if it does.
    pub(super) signs: Option<usize>,
}

impl LineBreaker {
    /// The breaker for a paragraph: where it runs from right to left, its lines start at the right.
    pub(super) fn in_paragraph(self, paragraph: &ShapedParagraph) -> Self {
        let is_right = self.alignment == Alignment::Start && paragraph.begins_at_right;
        Self { alignment: if is_right { Alignment::Right } else { self.alignment }, ..self }
    }

    /// The start of a line, from the left of the text area. A left-aligned line starts at the edge, or farther right if
    /// its ink would cross the edge; the ink of a centred line is centred; the ink of a right-aligned line ends at the
    /// right edge. Indent and margin move a line to the right, and a right-aligned one to the left.
    pub(super) fn start(&self, ink: Option<Ink>) -> f64 {
        let LineEffects { indent, margin, off_centre, inset, .. } = self.effects;
        let Some(ink) = ink else { return indent };
        match self.alignment {
            Alignment::Left | Alignment::Start => (-ink.left).max(0.0) + inset + indent + margin,
            Alignment::Center => (self.width - ink.left - ink.right) / 2.0 + indent + off_centre,
            Alignment::Right => self.width - ink.right - inset - indent - margin,
        }
    }

    /// Whether a line's ink stays inside the text area. Left-aligned lines leave it on the right, right-aligned ones on the
    /// left, and centred ones where they are moved to.
    fn fits(&self, ink: Option<Ink>) -> bool {
        let Some(ink) = ink else { return true };
        let (start, inset) = (self.start(Some(ink)), self.effects.inset);
        let fits_right = start + ink.right <= self.width - inset + ROUNDING;
        let fits_left = start + ink.left >= inset - ROUNDING;
        match self.alignment {
            Alignment::Left | Alignment::Start => fits_right,
            Alignment::Center => fits_left && fits_right,
            Alignment::Right => fits_left,
        }
    }

    pub(super) fn spaces(&self, chunk: &Chunk) -> f64 {
        chunk.space_advance * self.size + f64::from(chunk.word_spaces) * self.word_spacing
    }

    /// The chunks of a line from left to right. The spaces after the last chunk in logical order hang and take no room.
    pub(super) fn place_chunks(&self, paragraph: &ShapedParagraph, logical: &[ChunkId]) -> Vec<PlacedChunk> {
        let hanging = logical.last().copied();
        let mut pen = 0.0;
        let mut placed = Vec::with_capacity(logical.len());
        for id in visual_order(paragraph, logical) {
            let Some((_, chunk)) = paragraph.at(id) else { continue };
            let spaces = if Some(id) == hanging { 0.0 } else { self.spaces(chunk) };
            let right_to_left = paragraph.runs.get(chunk.run).is_some_and(super::run::Run::is_right_to_left);
            placed.push(PlacedChunk { id, left: pen, text_left: if right_to_left { pen + spaces } else { pen } });
            pen += spaces + chunk.advance * self.size;
        }
        placed
    }

    /// The ink of a line with its words rotated.
    fn ink(&self, paragraph: &mut ShapedParagraph, logical: &[ChunkId], catalogue: &FontCatalogue) -> Option<Ink> {
        let placed = self.place_chunks(paragraph, logical);
        if let Some(angles) = self.effects.angles {
            let words = words(paragraph, &placed, self.size);
            let rotated = words.iter().filter_map(|word| {
                let ink = word.rotated_ink(paragraph, self.size, angles.angle(word.start), catalogue)?;
                Some(ink.at_size(self.size, word.left))
            });
            rotated.reduce(Ink::union)
        } else {
            let upright = placed
                .iter()
                .filter_map(|chunk| Some(paragraph.at(chunk.id)?.1.ink?.at_size(self.size, chunk.text_left)));
            upright.reduce(Ink::union)
        }
    }

    /// The advance in px beyond which a line cannot fit, whatever blank sides its glyphs have.
    pub(super) fn limit(&self, paragraph: &ShapedParagraph) -> f64 {
        // At each end a rotated word is narrower by (1 − cos)/2 of its width, and its top and bottom lean into the
        // line.
        let (sin, cos) = self.effects.largest_angle();
        let slack = paragraph.slack + sin * paragraph.tallest;
        (self.width + slack * self.size) * (2.0 - cos)
    }

    /// The ink of a line with room for the largest rise and fall of its slope.
    fn sloped(&self, ink: Ink) -> Ink {
        let rise = self.effects.slope.amplitude() * self.size;
        Ink { top: ink.top + rise, bottom: ink.bottom - rise, ..ink }
    }
}

/// Looks for the lines of a paragraph.
pub(super) struct LineSearch<'a, 'b> {
    pub(super) breaker: LineBreaker,
    pub(super) paragraph: &'a mut ShapedParagraph,
    pub(super) shaper: &'a mut Shaper<'b>,
}

impl LineSearch<'_, '_> {
    /// The longest line that starts with chunk `first` and fits. Words that are joined by no-break spaces and wider than
    /// the text area are broken at these; a word wider than the text area at its natural breaks, or else between
    /// graphemes; `None` if the chunk is wider than the text area even so.
    ///
    /// # Errors
    /// A font that cannot be used for shaping, or too many steps.
    pub(super) fn next_line(&mut self, first: usize) -> Result<Option<Line>, LayoutError> {
        let may_end = |chunk: &Chunk| !chunk.break_after.breaks_word();
        let end = self.first_too_wide(first)?;
        let regular = breaks(self.paragraph, first..end, &may_end);
        let line = self.longest(first, &regular)?;
        let cut = self.with_cut_rows(first, line)?;
        if cut.is_some() || line.is_some() {
            return Ok(cut.or(line));
        }
        let group_end = regular.first().copied().unwrap_or(end);
        // Between words that a no-break space joins.
        let spaces = breaks(self.paragraph, first..group_end, &|chunk| chunk.text.end < chunk.end);
        if let Some(line) = self.longest(first, &spaces)? {
            return Ok(Some(line));
        }
        let unrefined = |chunk: &Chunk| chunk.break_after == BreakAfter::Never || may_end(chunk);
        let chunks = self.paragraph.chunks();
        let word_end = group_end.min(chunks.len().saturating_sub(1));
        let fresh = (first..=word_end).find(|index| chunks.get(*index).is_some_and(unrefined));
        if let Some(fresh) = fresh {
            self.paragraph.refine(fresh..word_end + 1, self.shaper);
        }
        let end = self.first_too_wide(first)?;
        // Not after the word: its hyphen alone may be too wide. The text after it may or may not be cut finer already.
        let word_end = breaks(self.paragraph, first..end, &may_end).first().copied().unwrap_or(end);
        for least in [BreakAfter::Natural, BreakAfter::Emergency] {
            let ends = breaks(self.paragraph, first..word_end, &|chunk| {
                chunk.break_after == BreakAfter::Natural || chunk.break_after == least
            });
            if let Some(line) = self.longest(first, &ends)? {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The first chunk with which a line from chunk `first` on is too wide with the shapes of the whole paragraph, or
    /// else the number of chunks. A line's ink never shrinks when the line grows.
    fn first_too_wide(&mut self, first: usize) -> Result<usize, LayoutError> {
        if self.paragraph.is_bidirectional {
            return self.first_too_wide_bidirectional(first);
        }
        let paragraph = &*self.paragraph;
        let mut extent =
            GrowingLine::new(self.breaker.size, self.breaker.effects.angles, paragraph, self.shaper.catalogue);
        let mut pen = 0.0;
        for (index, chunk) in self.paragraph.chunks().iter().enumerate().skip(first) {
            self.shaper.work.spend(1)?;
            if extent.add(index, pen).is_some_and(|ink| !self.breaker.fits(Some(ink.narrowed(ROUNDING)))) {
                return Ok(index);
            }
            pen += self.breaker.spaces(chunk) + chunk.advance * self.breaker.size;
        }
        Ok(self.paragraph.chunks().len())
    }

    /// As [`first_too_wide`](Self::first_too_wide), for bidirectional text. The order of chunks changes when a line
    /// grows, so lines of 32, 64, 128 … chunks are measured until one is too wide.
    fn first_too_wide_bidirectional(&mut self, first: usize) -> Result<usize, LayoutError> {
        let breaker = self.breaker;
        let limit = breaker.limit(self.paragraph);
        let (mut pen, mut end, mut window, mut last_break) = (0.0, first, FIRST_WINDOW, None);
        loop {
            for (index, chunk) in self.paragraph.chunks().iter().enumerate().take(first + window).skip(end) {
                self.shaper.work.spend(1)?;
                if pen + chunk.advance * breaker.size > limit {
                    return Ok(index);
                }
                pen += breaker.spaces(chunk) + chunk.advance * breaker.size;
                end = index + 1;
                if chunk.break_after != BreakAfter::Never {
                    last_break = Some(index);
                }
            }
            if end == self.paragraph.chunks().len() {
                return Ok(end);
            }
            if let Some(last) = last_break.take()
                && !self.fits_roughly(first, last, None)?
            {
                return Ok(end);
            }
            window *= 2;
        }
    }

    /// The longest line that fits and ends after one of `ends`, which are ascending. Lines that are too long with the
    /// shapes of the whole paragraph are excluded first. Lines that are too long only with their own shapes are tried:
    /// the last few one by one, then with doubling steps, so that a line costs only a few shapings.
    pub(super) fn longest(&mut self, first: usize, ends: &[usize]) -> Result<Option<Line>, LayoutError> {
        let fitting = if self.paragraph.is_bidirectional { self.count_fitting(first, ends)? } else { ends.len() };
        let (mut behind, mut tried, mut step) = (fitting, 0, 1);
        while let Some(at) = behind.checked_sub(1) {
            let Some(last) = ends.get(at) else { break };
            if let Some(line) = self.line_that_fits(first, *last, None)? {
                return Ok(Some(line));
            }
            tried += 1;
            if tried > TRIED_ONE_BY_ONE {
                step *= 2;
            }
            // The first end is always tried.
            behind = if at == 0 { 0 } else { behind.saturating_sub(step).max(1) };
            // Ends with only blank chunks between them make the same line.
            while step == 1
                && let [.., before, tried] = ends.get(..=behind).unwrap_or_default()
                && is_same_end(self.paragraph, *before, *tried)
            {
                behind -= 1;
            }
        }
        Ok(None)
    }

    /// The number of `ends` whose lines fit with the shapes of the whole paragraph, found by doubling and bisection.
    fn count_fitting(&mut self, first: usize, ends: &[usize]) -> Result<usize, LayoutError> {
        let mut fits = |at: usize| match ends.get(at) {
            Some(last) => self.fits_roughly(first, *last, None),
            None => Ok(false),
        };
        let (mut fitting, mut beyond) = (0, 1);
        while beyond <= ends.len() && fits(beyond - 1)? {
            fitting = beyond;
            beyond *= 2;
        }
        beyond = beyond.min(ends.len() + 1);
        while fitting + 1 < beyond {
            let middle = usize::midpoint(fitting, beyond);
            if fits(middle - 1)? {
                fitting = middle;
            } else {
                beyond = middle;
            }
        }
        Ok(fitting)
    }

    /// The ink of the line from chunk `first` to chunk `last` with the shapes of the whole paragraph.
    fn rough_ink(&mut self, first: usize, last: usize, signs: Option<usize>) -> Result<Option<Ink>, LayoutError> {
        let chunks = self.paragraph.roughly(first, last, signs);
        self.shaper.work.spend(chunks.len())?;
        Ok(self.breaker.ink(self.paragraph, &chunks, self.shaper.catalogue))
    }

    /// Whether that line fits with the shapes of the whole paragraph.
    pub(super) fn fits_roughly(
        &mut self,
        first: usize,
        last: usize,
        signs: Option<usize>,
    ) -> Result<bool, LayoutError> {
        let ink = self.rough_ink(first, last, signs)?;
        Ok(self.breaker.fits(ink))
    }

    /// The line from chunk `first` to chunk `last`, if it fits. It cuts its rows of one sign to `signs`.
    ///
    /// # Errors
    /// A font that cannot be used for shaping.
    pub(super) fn line_that_fits(
        &mut self,
        first: usize,
        last: usize,
        signs: Option<usize>,
    ) -> Result<Option<Line>, LayoutError> {
        let mut ink = self.rough_ink(first, last, signs)?;
        if self.breaker.fits(ink)
            && self.breaker.by == MeasuredBy::TextAndLine
            && !(signs.is_none() && self.paragraph.is_shaped(first, last))
        {
            let line = self.paragraph.line(first, last, signs, self.shaper)?;
            ink = self.breaker.ink(self.paragraph, &line, self.shaper.catalogue);
        }
        Ok(self.breaker.fits(ink).then(|| Line { last, ink: ink.map(|ink| self.breaker.sloped(ink)), signs }))
    }
}

/// Whether lines that end after these two chunks look the same.
fn is_same_end(paragraph: &ShapedParagraph, before: usize, last: usize) -> bool {
    let chunks = paragraph.chunks();
    let is_blank = |chunk: &Chunk| chunk.ink.is_none() && chunk.advance == 0.0 && chunk.space_advance == 0.0;
    let kind = |index: usize| chunks.get(index).map(|chunk| chunk.break_after);
    kind(before) == kind(last) && chunks.get(before + 1..=last).is_some_and(|between| between.iter().all(is_blank))
}

/// The chunks of a range after which a line may end.
fn breaks(paragraph: &ShapedParagraph, range: Range<usize>, may_end: &dyn Fn(&Chunk) -> bool) -> Vec<usize> {
    let chunks = paragraph.chunks();
    range.filter(|index| chunks.get(*index).is_some_and(may_end)).collect()
}
