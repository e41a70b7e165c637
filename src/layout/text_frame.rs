//! Fills the text area with lines at a size, and finds the largest size at which all lines fit.

use super::clean_text::Paragraph;
use super::effects::{LineEffects, PageEffects};
use super::error::LayoutError;
use super::ink::LineInk;
use super::line_break::{LineBreak, LineBreaker, MeasuredBy};
use super::shape::Shaper;
use super::shaped_paragraph::ShapedParagraph;
use super::shaped_text::TextExtent;
use super::words::widest_glyph;
use crate::catalogue::FontFace;
use crate::spec::RenderSpec;

/// The smallest size that is ever chosen.
pub(super) const SMALLEST: u32 = 12;
/// Room for the rounding of sums of `f64`, in px.
const ROUNDING: f64 = 1e-7;

/// What to do at the end of the text area.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AtEnd {
    /// Stop: the text does not fit.
    Stop,
    /// Stop too, but leave out a grapheme that is wider than the text area and go on.
    Clip,
    /// Go on with another page.
    NewPage,
}

/// A line in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TypesetLine {
    /// Which page, from 0.
    pub(super) page: usize,
    /// Which paragraph.
    pub(super) paragraph: usize,
    /// What the effects do to it.
    pub(super) effects: LineEffects,
    /// Its first chunk.
    pub(super) first: usize,
    /// Its last chunk.
    pub(super) last: usize,
    /// Its baseline, in px from the top of the text area, before the page's shift.
    pub(super) baseline: f64,
    /// Its ink, for its place between the margins.
    pub(super) ink: Option<LineInk>,
}

/// The first character that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TextPosition {
    pub(super) paragraph: usize,
    /// Byte of the paragraph.
    pub(super) offset: usize,
}

/// Lines set at a size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TypesetText {
    pub(super) lines: Vec<TypesetLine>,
    /// For each page how far its lines move down, in px, so that no ink rises above the text area.
    pub(super) shifts: Vec<f64>,
    /// Where the text was cut; `None` where all lines fit.
    pub(super) cut_at: Option<TextPosition>,
    /// Characters left out because they are wider than the text area.
    pub(super) dropped: usize,
    /// Where the first of those stands.
    pub(super) first_dropped: Option<TextPosition>,
}

impl TypesetText {
    pub(super) const fn is_complete(&self) -> bool {
        self.cut_at.is_none() && self.dropped == 0
    }
}

/// A text that does not fit: how far it went.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unfit {
    /// With the letters' shapes in the whole text.
    InText(TypesetText),
    /// As its lines are written.
    InLines,
}

/// The text area and all that is written in it.
pub(super) struct TextFrame<'a, 'b> {
    pub(super) spec: &'a RenderSpec,
    pub(super) face: &'a FontFace,
    /// Height of the text area, in px.
    pub(super) height: f64,
    pub(super) effects: PageEffects,
    pub(super) clean: &'a [Paragraph],
    pub(super) paragraphs: Vec<ShapedParagraph>,
    pub(super) shaper: &'b mut Shaper<'a>,
}

/// How far down the lines of a page reach.
#[derive(Clone, Copy, Default)]
pub(super) struct InkExtent {
    shift: f64,
    lowest: f64,
}

impl InkExtent {
    /// The extent with one more line, if it still fits `height`.
    pub(super) fn with(self, baseline: f64, ink: Option<LineInk>, size: f64, height: f64) -> Option<Self> {
        let Some(ink) = ink else { return Some(self) };
        let shift = self.shift.max(ink.top - baseline);
        // Ink that floats higher than an em, which no letter's does, counts as standing there.
        let lowest = self.lowest.max(baseline - ink.bottom.min(size));
        (shift + lowest <= height + ROUNDING).then_some(Self { shift, lowest })
    }
}

impl TextFrame<'_, '_> {
    /// What lines are measured with at a size.
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

    fn first_baseline(&self, size: f64) -> f64 {
        self.face.ink_ascent().get() * size / f64::from(self.face.units_per_em())
    }

    /// From the baseline above to that of a paragraph, at a line pitch: each newline is a line, and the second makes
    /// paragraph spacing.
    fn gap(&self, newlines: usize, pitch: f64) -> f64 {
        let spacing = self.spec.paragraph_spacing.map_or(pitch / 2.0, crate::units::Px::get);
        match newlines {
            0 | 1 => pitch,
            more => pitch + spacing + (more - 2) as f64 * pitch,
        }
    }

    /// Sets all lines at a size.
    pub(super) fn typeset(&mut self, size: f64, at_end: AtEnd) -> Result<TypesetText, LayoutError> {
        self.typeset_with(self.line_breaker(size), at_end)
    }

    fn typeset_with(&mut self, breaker: LineBreaker, at_end: AtEnd) -> Result<TypesetText, LayoutError> {
        let size = breaker.size;
        let height = self.height;
        let pitch = size * self.spec.line_height;
        let first_baseline = self.first_baseline(size);
        let mut typeset = TypesetText::default();
        let mut extent = InkExtent::default();
        let mut page = 0;
        let mut baseline = first_baseline;
        let mut page_is_empty = true;

        for (index, clean) in self.clean.iter().enumerate() {
            if !page_is_empty {
                baseline += self.gap(clean.newlines_before, pitch) - pitch;
            }
            let Some(paragraph) = self.paragraphs.get_mut(index) else { break };
            let (mut first, mut number) = (0, 0);
            while first < paragraph.chunks().len() {
                let offset = paragraph.chunks().get(first).map_or(0, |chunk| chunk.text.start);
                let at = Some(TextPosition { paragraph: index, offset });
                let effects = self.effects.on_line(clean.number, number, size);
                let breaker = LineBreaker { effects, ..breaker };
                let (last, ink) = match breaker.next_line(paragraph, first, self.shaper)? {
                    LineBreak::Line { last, ink } => (last, ink),
                    LineBreak::TooWide { chunk } if at_end == AtEnd::Clip => {
                        typeset.dropped += dropped_characters(paragraph, chunk);
                        typeset.first_dropped = typeset.first_dropped.or(at);
                        first = chunk + 1;
                        continue;
                    }
                    LineBreak::TooWide { .. } => return Ok(TypesetText { cut_at: at, ..typeset }),
                };
                if let Some(grown) = extent.with(baseline, ink, size, height) {
                    extent = grown;
                } else if at_end == AtEnd::NewPage && !page_is_empty {
                    typeset.shifts.push(extent.shift);
                    page += 1;
                    baseline = first_baseline;
                    let Some(fresh) = InkExtent::default().with(baseline, ink, size, height) else {
                        return Ok(TypesetText { cut_at: at, ..typeset });
                    };
                    extent = fresh;
                } else {
                    typeset.shifts.push(extent.shift);
                    return Ok(TypesetText { cut_at: at, ..typeset });
                }
                typeset.lines.push(TypesetLine { page, paragraph: index, effects, first, last, baseline, ink });
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

    /// The largest whole size from 12 to `largest` at which everything fits, and the lines at that size. What fits need
    /// not fit at every smaller size, as lines break elsewhere; so no size is passed over but those that cannot fit.
    pub(super) fn largest_fitting(&mut self, largest: u32) -> Result<Option<(u32, TypesetText)>, LayoutError> {
        let extents: Vec<TextExtent> =
            self.paragraphs.iter().map(|paragraph| TextExtent::of(paragraph.chunks())).collect();
        let angle = self.effects.on_line(0, 0, 1.0).largest_angle();
        let catalogue = self.shaper.catalogue();
        let widest =
            self.paragraphs.iter().map(|paragraph| widest_glyph(paragraph, angle, catalogue)).fold(0.0, f64::max);
        for size in (SMALLEST..=largest).rev() {
            self.shaper.work().spend(1 + extents.len() / 8)?;
            if self.is_hopeless(f64::from(size), &extents, widest) {
                continue;
            }
            if let Ok(typeset) = self.fit(f64::from(size))? {
                return Ok(Some((size, typeset)));
            }
        }
        Ok(None)
    }

    /// Sets all lines at a size, on one page; the error is the first character that does not fit. Where letters vary
    /// along the line, the text must fit with the shapes they have in the whole text too: that is found without shaping
    /// lines, and what is refused by it is refused at every other try.
    pub(super) fn fit(&mut self, size: f64) -> Result<Result<TypesetText, Unfit>, LayoutError> {
        let breaker = self.line_breaker(size);
        if self.paragraphs.iter().any(|paragraph| paragraph.is_contextual) {
            let typeset = self.typeset_with(LineBreaker { by: MeasuredBy::Text, ..breaker }, AtEnd::Stop)?;
            if !typeset.is_complete() {
                return Ok(Err(Unfit::InText(typeset)));
            }
        }
        let typeset = self.typeset(size, AtEnd::Stop)?;
        Ok(if typeset.is_complete() { Ok(typeset) } else { Err(Unfit::InLines) })
    }

    /// Whether a glyph is wider than the text area at this size, or the text needs more lines than have room, however they
    /// break: `cut` gives no line more
    /// advance than [`LineBreaker::limit`] and the spaces behind its last chunk, and a line's ink counts as reaching down to
    /// within an em of its baseline.
    fn is_hopeless(&self, size: f64, extents: &[TextExtent], widest_glyph: f64) -> bool {
        let pitch = size * self.spec.line_height;
        let mut baseline = self.first_baseline(size);
        // WordAngles depend on the place, limits only on whether there are any.
        let breaker = LineBreaker { effects: self.effects.on_line(0, 0, size), ..self.line_breaker(size) };
        if widest_glyph * size > breaker.width + 2.0 * ROUNDING {
            return true;
        }
        let spacing = breaker.word_spacing;
        let mut page_is_empty = true;
        for ((clean, paragraph), extent) in self.clean.iter().zip(&self.paragraphs).zip(extents) {
            if paragraph.chunks().is_empty() {
                continue;
            }
            if !page_is_empty {
                baseline += self.gap(clean.newlines_before, pitch);
            }
            page_is_empty = false;
            let most = breaker.limit(paragraph) + extent.widest_spaces * size + extent.most_word_spaces * spacing;
            let all = extent.advance * size + extent.word_spaces * spacing;
            // A line less where the quotient is as good as whole: the sum of its parts may round the other way.
            let lines = (all / most - 1e-6).ceil().max(1.0);
            baseline += (lines - 1.0) * pitch;
            if extent.advance > 0.0 && baseline - size > self.height + 2.0 * ROUNDING {
                return true;
            }
        }
        false
    }
}

fn dropped_characters(paragraph: &ShapedParagraph, chunk: usize) -> usize {
    let text = paragraph.chunks().get(chunk).and_then(|chunk| paragraph.text.get(chunk.text.clone()));
    text.map_or(0, |text| text.chars().count())
}
