//! Fills the text area with lines at a font size, and finds the largest size at which all lines fit.

use super::clean_text::Paragraph;
use super::effects::{LineEffects, PageEffects};
use super::error::LayoutError;
use super::ink::Ink;
use super::line_break::{Line, LineBreaker, LineSearch, MeasuredBy, ROUNDING};
use super::shape::Shaper;
use super::shaped_paragraph::ShapedParagraph;
use crate::catalogue::FontFace;
use crate::spec::RenderSpec;

/// The smallest font size that `auto` and `shrink` choose.
pub(super) const SMALLEST: u32 = 12;

/// Behaviour at the end of the text area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtEnd {
    /// Stop; the text does not fit.
    Stop,
    /// Stop, but leave out graphemes wider than the text area.
    Clip,
    /// Continue on another page.
    NewPage,
}

/// A line and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TypesetLine {
    /// Its page, from 0.
    pub(super) page: usize,
    /// Index of its paragraph.
    pub(super) paragraph: usize,
    /// The effects on it.
    pub(super) effects: LineEffects,
    /// Its first chunk.
    pub(super) first: usize,
    /// Its last chunk.
    pub(super) last: usize,
    /// Its baseline, in px from the top of the text area, before the page's shift.
    pub(super) baseline: f64,
    /// Its ink, which decides its position between the margins.
    pub(super) ink: Option<Ink>,
    /// The number of signs to which it cuts its rows of one sign, if it does.
    pub(super) signs: Option<usize>,
}

/// A position in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) paragraph: usize,
    /// Byte of the paragraph.
    pub(super) offset: usize,
}

/// The text broken into lines at a font size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TypesetText {
    pub(super) lines: Vec<TypesetLine>,
    /// For each page, how far its lines move down in px so that no ink rises above the text area.
    pub(super) shifts: Vec<f64>,
    /// The first character that does not fit; `None` where all lines fit.
    pub(super) cut_at: Option<TextPosition>,
    /// Number of characters left out because they are wider than the text area.
    pub(super) dropped: usize,
}

/// Lines of text on the last of several pages, beside the closing.
const KEPT_TEXT: usize = 2;
/// Most lines of a closing: paragraphs of one line each at the end of the text.
const LONGEST_CLOSING: usize = 6;

impl TypesetText {
    /// The number of the line that begins the last of several pages, so that it has [`KEPT_TEXT`] lines of text; `None`
    /// if it has them, or the page before it would keep fewer.
    fn first_to_be_kept_on_last_page(&self) -> Option<usize> {
        let last_page = self.lines.last().filter(|line| line.page > 0 && self.is_complete())?.page;
        let on_page = |page: usize| self.lines.iter().filter(|line| line.page == page).count();
        let lines_of = |paragraph: usize| self.lines.iter().filter(|line| line.paragraph == paragraph).count();
        let last_lines = self.lines.iter().rev().take(LONGEST_CLOSING + 1);
        let closing = last_lines.take_while(|line| lines_of(line.paragraph) == 1).count();
        let wanted = KEPT_TEXT + if closing > LONGEST_CLOSING { 0 } else { closing };
        let missing = wanted.checked_sub(on_page(last_page)).filter(|missing| *missing > 0)?;
        (on_page(last_page - 1) >= missing + KEPT_TEXT).then(|| self.lines.len() - wanted)
    }

    pub(super) const fn is_complete(&self) -> bool {
        self.cut_at.is_none() && self.dropped == 0
    }

    /// The paragraphs that have several lines, ascending.
    pub(super) fn wrapped(&self) -> Vec<usize> {
        let mut wrapped: Vec<usize> = self
            .lines
            .windows(2)
            .filter_map(|pair| match pair {
                [line, next] if line.paragraph == next.paragraph => Some(line.paragraph),
                _ => None,
            })
            .collect();
        wrapped.dedup();
        wrapped
    }
}

/// The text area and its content.
pub(super) struct TextFrame<'a, 'b> {
    pub(super) spec: &'a RenderSpec,
    pub(super) face: &'a FontFace,
    /// Height of the text area, in px.
    pub(super) height: f64,
    pub(super) effects: PageEffects,
    /// The cleaned paragraphs.
    pub(super) clean: &'a [Paragraph],
    /// The same paragraphs, shaped.
    pub(super) paragraphs: Vec<ShapedParagraph>,
    pub(super) shaper: &'b mut Shaper<'a>,
}

/// The vertical extent of the ink of a page: how far its lines move down, and the lowest ink.
#[derive(Clone, Copy)]
pub(super) struct InkExtent {
    shift: f64,
    lowest: f64,
    /// The distance of two rules, if lines stand on rules: then they move down by whole ones.
    step: Option<f64>,
}

impl InkExtent {
    /// The extent of a page without lines.
    pub(super) fn blank(spec: &RenderSpec) -> Self {
        Self { shift: 0.0, lowest: 0.0, step: spec.ruling.as_ref().map(|ruling| ruling.pitch.get()) }
    }

    /// The extent with one more line, if it fits `height`.
    pub(super) fn with(self, baseline: f64, ink: Option<Ink>, size: f64, height: f64) -> Option<Self> {
        let Some(ink) = ink else { return Some(self) };
        let shift = self.step.map_or(ink.top - baseline, |step| whole_steps_up(ink.top - baseline, step));
        let shift = self.shift.max(shift);
        // Ink more than an em above the baseline, which no letter has, counts as one em above it.
        let lowest = self.lowest.max(baseline - ink.bottom.min(size));
        (shift + lowest <= height + ROUNDING).then_some(Self { shift, lowest, ..self })
    }
}

impl TextFrame<'_, '_> {
    /// The line breaker for a size.
    pub(super) fn line_breaker(&self, size: f64) -> LineBreaker {
        let margins = self.spec.margins;
        LineBreaker {
            size,
            word_spacing: self.spec.word_spacing.get(),
            width: (self.spec.page.px().width - margins.left - margins.right).get(),
            alignment: self.spec.alignment,
            by: MeasuredBy::TextAndLine,
            effects: LineEffects::default(),
        }
    }

    /// The first baseline of a page: the first rule, or one ink ascent below the top of the text area.
    pub(super) fn first_baseline(&self, size: f64) -> f64 {
        if let Some(ruling) = &self.spec.ruling {
            return (ruling.first_baseline - self.spec.margins.top).get();
        }
        self.face.ink_ascent().get() * size / f64::from(self.face.units_per_em())
    }

    /// The distance from the previous baseline to that of a paragraph, for a line pitch: each newline is a line, and
    /// the second one adds the paragraph spacing. On rules each newline is a line.
    pub(super) fn gap(&self, newlines: usize, pitch: f64) -> f64 {
        if self.spec.ruling.is_some() {
            return newlines.max(1) as f64 * pitch;
        }
        let spacing = self.spec.paragraph_spacing.map_or(pitch / 2.0, crate::units::Px::get);
        match newlines {
            0 | 1 => pitch,
            more => pitch + spacing + (more - 2) as f64 * pitch,
        }
    }

    /// Breaks the text into lines at a font size. The last of several pages keeps some text beside the closing.
    pub(super) fn typeset(&mut self, size: f64, at_end: AtEnd) -> Result<TypesetText, LayoutError> {
        let typeset = self.typeset_with(self.line_breaker(size), at_end, None)?;
        let Some(first) = typeset.first_to_be_kept_on_last_page() else { return Ok(typeset) };
        let kept = self.typeset_with(self.line_breaker(size), at_end, Some(first))?;
        let is_as_good = kept.is_complete() && kept.shifts.len() == typeset.shifts.len();
        Ok(if is_as_good { kept } else { typeset })
    }

    /// `on_new_page`: the number of a line that begins a page.
    fn typeset_with(
        &mut self,
        breaker: LineBreaker,
        at_end: AtEnd,
        on_new_page: Option<usize>,
    ) -> Result<TypesetText, LayoutError> {
        let size = breaker.size;
        let height = self.height;
        let pitch = self.spec.line_pitch(size);
        let first_baseline = self.first_baseline(size);
        let mut typeset = TypesetText::default();
        let blank = InkExtent::blank(self.spec);
        let mut extent = blank;
        let mut page = 0;
        let mut baseline = first_baseline;
        let mut page_is_empty = true;

        for (index, clean) in self.clean.iter().enumerate() {
            if !page_is_empty {
                baseline += self.gap(clean.newlines_before, pitch) - pitch;
            }
            let Some(paragraph) = self.paragraphs.get_mut(index) else { break };
            let breaker = breaker.in_paragraph(paragraph);
            let (mut first, mut number) = (0, 0);
            while first < paragraph.chunks().len() {
                let offset = paragraph.chunks().get(first).map_or(0, |chunk| chunk.text.start);
                let at = Some(TextPosition { paragraph: index, offset });
                let effects = self.effects.on_line(clean.number, number, size);
                let breaker = LineBreaker { effects, ..breaker };
                let mut search = LineSearch { breaker, paragraph, shaper: self.shaper };
                let Some(Line { last, ink, signs }) = search.next_line(first)? else {
                    if at_end != AtEnd::Clip {
                        return Ok(TypesetText { cut_at: at, ..typeset });
                    }
                    typeset.dropped += dropped_characters(paragraph, first);
                    first += 1;
                    continue;
                };
                let is_broken = on_new_page == Some(typeset.lines.len());
                let mut grown = extent.with(baseline, ink, size, height).filter(|_| !is_broken);
                if grown.is_none() {
                    typeset.shifts.push(extent.shift);
                    if at_end == AtEnd::NewPage && !page_is_empty {
                        page += 1;
                        baseline = first_baseline;
                        grown = blank.with(baseline, ink, size, height);
                    }
                }
                let Some(grown) = grown else { return Ok(TypesetText { cut_at: at, ..typeset }) };
                extent = grown;
                typeset.lines.push(TypesetLine { page, paragraph: index, effects, first, last, baseline, ink, signs });
                number += 1;
                page_is_empty = false;
                baseline += pitch;
                first = last + 1;
            }
            if breaker.by == MeasuredBy::TextAndLine
                && let Some(kept) = self.keep_from_widow(&mut typeset, &breaker)?
            {
                extent = kept;
            }
        }
        typeset.shifts.push(extent.shift);
        Ok(typeset)
    }

    /// Breaks the text into lines on one page; `None` if it does not fit. If letters depend on other words, the text
    /// must also fit with the shapes of the whole paragraphs. That test needs no shaping of lines and always gives the
    /// same answer, so it comes first.
    pub(super) fn fit(&mut self, size: f64) -> Result<Option<TypesetText>, LayoutError> {
        if self.cut_in_text(size)?.is_some() {
            return Ok(None);
        }
        Ok(Some(self.typeset(size, AtEnd::Stop)?).filter(TypesetText::is_complete))
    }

    /// Where a text whose letters depend on other words is cut with the shapes of the whole paragraphs; `None` if it
    /// fits.
    pub(super) fn cut_in_text(&mut self, size: f64) -> Result<Option<TextPosition>, LayoutError> {
        if !self.paragraphs.iter().any(|paragraph| paragraph.is_contextual) {
            return Ok(None);
        }
        let breaker = LineBreaker { by: MeasuredBy::Text, ..self.line_breaker(size) };
        Ok(self.typeset_with(breaker, AtEnd::Stop, None)?.cut_at)
    }
}

/// The least multiple of `step` that is not less than `length`, but for the rounding of sums.
fn whole_steps_up(length: f64, step: f64) -> f64 {
    ((length - ROUNDING) / step).ceil() * step
}

fn dropped_characters(paragraph: &ShapedParagraph, chunk: usize) -> usize {
    let text = paragraph.chunks().get(chunk).and_then(|chunk| paragraph.text.get(chunk.text.clone()));
    text.map_or(0, |text| text.chars().count())
}
