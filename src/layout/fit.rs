//! Filling the text area: lines one under the other at a size, and the largest size at which all of them fit.

use super::effects::{LineEffects, PageEffects};
use super::error::LayoutError;
use super::galley::Galley;
use super::line_break::{Cut, LineInk, Measure};
use super::paragraph::Paragraph;
use super::shape::Shaper;
use crate::catalogue::FontFace;
use crate::spec::RenderSpec;

/// The smallest size that is ever chosen.
pub(super) const SMALLEST: u32 = 12;
/// Room for the rounding of sums of `f64`, in px.
const ROUNDING: f64 = 1e-7;

/// How much of a text that a rough measure leaves over may fit all the same: a share of all, and lines.
const ROUGH_SHARE: f64 = 0.01;
const ROUGH_LINES: f64 = 1.0;

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

/// The text area and all that is written in it.
pub(super) struct Column<'a, 'b> {
    pub(super) spec: &'a RenderSpec,
    pub(super) face: &'a FontFace,
    pub(super) effects: PageEffects,
    pub(super) paragraphs: &'a [Paragraph],
    pub(super) galleys: Vec<Galley>,
    pub(super) shaper: &'b mut Shaper<'a>,
}

/// How far down the lines of a page reach.
#[derive(Clone, Copy, Default)]
struct Stack {
    shift: f64,
    lowest: f64,
}

impl Stack {
    /// The stack with one more line, if it still fits `height`.
    fn with(self, baseline: f64, ink: Option<LineInk>, height: f64) -> Option<Self> {
        let Some(ink) = ink else { return Some(self) };
        let shift = self.shift.max(ink.top - baseline);
        let lowest = self.lowest.max(baseline - ink.bottom);
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
            is_rough: false,
            effects: LineEffects::default(),
        }
    }

    fn height(&self) -> f64 {
        let margins = self.spec.margins;
        (self.spec.page.px().height - margins.top - margins.bottom).get()
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
        let height = self.height();
        let pitch = size * self.spec.line_height;
        let first_baseline = self.face.ink_ascent().get() * size / f64::from(self.face.units_per_em());
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
                let effects = self.effects.on_line(paragraph.number, number);
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
                if let Some(grown) = stack.with(baseline, ink, height) {
                    stack = grown;
                } else if at_end == AtEnd::TurnPage && !page_is_empty {
                    setting.shifts.push(stack.shift);
                    page += 1;
                    baseline = first_baseline;
                    let Some(fresh) = Stack::default().with(baseline, ink, height) else {
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
        }
        setting.shifts.push(stack.shift);
        Ok(setting)
    }

    /// The largest whole size from 12 to `largest` at which everything fits, and the lines at that size. What fits need
    /// not fit at every smaller size, as lines break elsewhere; so the sizes are tried from the largest down. A size that
    /// does not fit costs no more than the lines of one page.
    pub(super) fn largest_fitting(&mut self, largest: u32) -> Result<Option<(u32, Setting)>, LayoutError> {
        for size in (SMALLEST..=largest).rev() {
            if self.is_hopeless(f64::from(size))? {
                continue;
            }
            let setting = self.set(f64::from(size), AtEnd::Stop)?;
            if setting.is_complete() {
                return Ok(Some((size, setting)));
            }
        }
        Ok(None)
    }

    /// Whether much of the text is left at this size even by rough measure, which spares shaping its lines. It is
    /// within a few per cent of the true one.
    fn is_hopeless(&mut self, size: f64) -> Result<bool, LayoutError> {
        let measure = Measure { is_rough: true, ..self.measure(size) };
        let setting = self.set_measured(measure, AtEnd::Stop)?;
        let Some(rest) = setting.rest else { return Ok(false) };
        let lengths = self.paragraphs.iter().map(|paragraph| paragraph.text.len());
        let total: usize = lengths.clone().sum();
        let written: usize = lengths.take(rest.paragraph).sum::<usize>() + rest.offset;
        Ok(((total - written) as f64)
            > ROUGH_SHARE * total as f64 + ROUGH_LINES * written as f64 / setting.lines.len().max(1) as f64)
    }
}

fn dropped_characters(galley: &Galley, atom: usize) -> usize {
    let text = galley.atoms().get(atom).and_then(|atom| galley.text.get(atom.text.clone()));
    text.map_or(0, |text| text.chars().count())
}
