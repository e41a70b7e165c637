//! Fills the text area with lines at a size, and finds the largest size at which all lines fit.

use super::effects::{LineEffects, PageEffects};
use super::error::LayoutError;
use super::galley::Galley;
use super::line_break::{Cut, LineInk, Measure, MeasuredBy};
use super::paragraph::Paragraph;
use super::shape::Shaper;
use super::strand::Volume;
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
    TurnPage,
}

/// A line in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SetLine {
    /// Which page, from 0.
    pub(super) page: usize,
    /// Which paragraph.
    pub(super) paragraph: usize,
    /// What the effects do to it.
    pub(super) effects: LineEffects,
    /// Its first atom.
    pub(super) first: usize,
    /// Its last atom.
    pub(super) last: usize,
    /// Its baseline, in px from the top of the text area, before the page's shift.
    pub(super) baseline: f64,
    /// Its ink, for its place between the margins.
    pub(super) ink: Option<LineInk>,
}

/// The first character that does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rest {
    pub(super) paragraph: usize,
    /// Byte of the paragraph.
    pub(super) offset: usize,
}

/// Lines set at a size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Setting {
    pub(super) lines: Vec<SetLine>,
    /// For each page how far its lines move down, in px, so that no ink rises above the text area.
    pub(super) shifts: Vec<f64>,
    /// Where the text was cut; `None` where all lines fit.
    pub(super) rest: Option<Rest>,
    /// Characters left out because they are wider than the text area.
    pub(super) dropped: usize,
    /// Where the first of those stands.
    pub(super) first_dropped: Option<Rest>,
}

impl Setting {
    pub(super) const fn is_complete(&self) -> bool {
        self.rest.is_none() && self.dropped == 0
    }
}

/// A text that does not fit: how far it went.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unfit {
    /// With the letters' shapes in the whole text.
    InText(Setting),
    /// As its lines are written.
    InLines,
}

/// The text area and all that is written in it.
pub(super) struct Column<'a, 'b> {
    pub(super) spec: &'a RenderSpec,
    pub(super) face: &'a FontFace,
    /// Height of the text area, in px.
    pub(super) height: f64,
    pub(super) effects: PageEffects,
    pub(super) paragraphs: &'a [Paragraph],
    pub(super) galleys: Vec<Galley>,
    pub(super) shaper: &'b mut Shaper<'a>,
}

/// How far down the lines of a page reach.
#[derive(Clone, Copy, Default)]
pub(super) struct Stack {
    shift: f64,
    lowest: f64,
}

impl Stack {
    /// The stack with one more line, if it still fits `height`.
    pub(super) fn with(self, baseline: f64, ink: Option<LineInk>, size: f64, height: f64) -> Option<Self> {
        let Some(ink) = ink else { return Some(self) };
        let shift = self.shift.max(ink.top - baseline);
        // Ink that floats higher than an em, which no letter's does, counts as standing there.
        let lowest = self.lowest.max(baseline - ink.bottom.min(size));
        (shift + lowest <= height + ROUNDING).then_some(Self { shift, lowest })
    }
}

impl Column<'_, '_> {
    /// What lines are measured with at a size.
    pub(super) fn measure(&self, size: f64) -> Measure {
        let margins = self.spec.margins;
        Measure {
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
    pub(super) fn set(&mut self, size: f64, at_end: AtEnd) -> Result<Setting, LayoutError> {
        self.set_measured(self.measure(size), at_end)
    }

    fn set_measured(&mut self, measure: Measure, at_end: AtEnd) -> Result<Setting, LayoutError> {
        let size = measure.size;
        let height = self.height;
        let pitch = size * self.spec.line_height;
        let first_baseline = self.first_baseline(size);
        let mut setting = Setting::default();
        let mut stack = Stack::default();
        let mut page = 0;
        let mut baseline = first_baseline;
        let mut page_is_empty = true;

        for (index, paragraph) in self.paragraphs.iter().enumerate() {
            if !page_is_empty {
                baseline += self.gap(paragraph.newlines_before, pitch) - pitch;
            }
            let Some(galley) = self.galleys.get_mut(index) else { break };
            let (mut first, mut number) = (0, 0);
            while first < galley.atoms().len() {
                let offset = galley.atoms().get(first).map_or(0, |atom| atom.text.start);
                let rest = Some(Rest { paragraph: index, offset });
                let effects = self.effects.on_line(paragraph.number, number, size);
                let measure = Measure { effects, ..measure };
                let (last, ink) = match measure.cut(galley, first, self.shaper)? {
                    Cut::Line { last, ink } => (last, ink),
                    Cut::TooWide { atom } if at_end == AtEnd::Clip => {
                        setting.dropped += dropped_characters(galley, atom);
                        setting.first_dropped = setting.first_dropped.or(rest);
                        first = atom + 1;
                        continue;
                    }
                    Cut::TooWide { .. } => return Ok(Setting { rest, ..setting }),
                };
                if let Some(grown) = stack.with(baseline, ink, size, height) {
                    stack = grown;
                } else if at_end == AtEnd::TurnPage && !page_is_empty {
                    setting.shifts.push(stack.shift);
                    page += 1;
                    baseline = first_baseline;
                    let Some(fresh) = Stack::default().with(baseline, ink, size, height) else {
                        return Ok(Setting { rest, ..setting });
                    };
                    stack = fresh;
                } else {
                    setting.shifts.push(stack.shift);
                    return Ok(Setting { rest, ..setting });
                }
                setting.lines.push(SetLine { page, paragraph: index, effects, first, last, baseline, ink });
                number += 1;
                page_is_empty = false;
                baseline += pitch;
                first = last + 1;
            }
            if measure.by == MeasuredBy::TextAndLine
                && let Some(kept) = self.keep_from_widow(&mut setting, &measure)?
            {
                stack = kept;
            }
        }
        setting.shifts.push(stack.shift);
        Ok(setting)
    }

    /// The largest whole size from 12 to `largest` at which everything fits, and the lines at that size. What fits need
    /// not fit at every smaller size, as lines break elsewhere; so no size is passed over but those that cannot fit.
    pub(super) fn largest_fitting(&mut self, largest: u32) -> Result<Option<(u32, Setting)>, LayoutError> {
        let volumes: Vec<Volume> = self.galleys.iter().map(|galley| Volume::of(galley.atoms())).collect();
        let turn = self.effects.on_line(0, 0, 1.0).widest_turn();
        let catalogue = self.shaper.catalogue();
        let widest = self.galleys.iter().map(|galley| galley.widest_glyph(turn, catalogue)).fold(0.0, f64::max);
        for size in (SMALLEST..=largest).rev() {
            self.shaper.work().spend(1 + volumes.len() / 8)?;
            if self.is_hopeless(f64::from(size), &volumes, widest) {
                continue;
            }
            if let Ok(setting) = self.fit(f64::from(size))? {
                return Ok(Some((size, setting)));
            }
        }
        Ok(None)
    }

    /// Sets all lines at a size, on one page; the error is the first character that does not fit. Where letters vary
    /// along the line, the text must fit with the shapes they have in the whole text too: that is found without shaping
    /// lines, and what is refused by it is refused at every other try.
    pub(super) fn fit(&mut self, size: f64) -> Result<Result<Setting, Unfit>, LayoutError> {
        let measure = self.measure(size);
        if self.galleys.iter().any(|galley| galley.is_contextual) {
            let setting = self.set_measured(Measure { by: MeasuredBy::Text, ..measure }, AtEnd::Stop)?;
            if !setting.is_complete() {
                return Ok(Err(Unfit::InText(setting)));
            }
        }
        let setting = self.set(size, AtEnd::Stop)?;
        Ok(if setting.is_complete() { Ok(setting) } else { Err(Unfit::InLines) })
    }

    /// Whether a glyph is wider than the text area at this size, or the text needs more lines than have room, however they
    /// break: `cut` gives no line more
    /// advance than [`Measure::limit`] and the spaces behind its last atom, and a line's ink counts as reaching down to
    /// within an em of its baseline.
    fn is_hopeless(&self, size: f64, volumes: &[Volume], widest_glyph: f64) -> bool {
        let pitch = size * self.spec.line_height;
        let mut baseline = self.first_baseline(size);
        // Turns depend on the place, limits only on whether there are any.
        let measure = Measure { effects: self.effects.on_line(0, 0, size), ..self.measure(size) };
        if widest_glyph * size > measure.width + 2.0 * ROUNDING {
            return true;
        }
        let spacing = measure.word_spacing;
        let mut page_is_empty = true;
        for ((paragraph, galley), volume) in self.paragraphs.iter().zip(&self.galleys).zip(volumes) {
            if galley.atoms().is_empty() {
                continue;
            }
            if !page_is_empty {
                baseline += self.gap(paragraph.newlines_before, pitch);
            }
            page_is_empty = false;
            let most = measure.limit(galley) + volume.widest_spaces * size + volume.most_word_spaces * spacing;
            let all = volume.advance * size + volume.word_spaces * spacing;
            // A line less where the quotient is as good as whole: the sum of its parts may round the other way.
            let lines = (all / most - 1e-6).ceil().max(1.0);
            baseline += (lines - 1.0) * pitch;
            if volume.advance > 0.0 && baseline - size > self.height + 2.0 * ROUNDING {
                return true;
            }
        }
        false
    }
}

fn dropped_characters(galley: &Galley, atom: usize) -> usize {
    let text = galley.atoms().get(atom).and_then(|atom| galley.text.get(atom.text.clone()));
    text.map_or(0, |text| text.chars().count())
}
