//! Breaks a galley into lines: the longest that fit, by their ink, at one size.

use std::ops::Range;

use super::effects::LineEffects;
use super::error::LayoutError;
use super::extent::Extent;
use super::galley::{Galley, Place};
use super::shape::Shaper;
use super::strand::{Atom, BreakAfter, InkEm};
use super::words::words;
use crate::catalogue::FontCatalogue;
use crate::spec::Alignment;

/// Room for the rounding of sums of `f64`, in px; far below what a device could show.
const ROUNDING: f64 = 1e-7;

/// Ends of lines that are tried one after the other before some are passed over.
const TRIED_ONE_BY_ONE: usize = 16;
/// Atoms of the first line that is measured as a whole where text runs in two directions.
const FIRST_WINDOW: usize = 32;

/// What lines are measured with, in 300-DPI px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    /// Size of the chosen hand's em.
    pub(super) size: f64,
    /// Added to each space.
    pub(super) word_spacing: f64,
    /// Width of the text area.
    pub(super) width: f64,
    /// Where lines stand in it.
    pub(super) alignment: Alignment,
    /// How lines are measured.
    pub(super) by: MeasuredBy,
    /// What the effects do to the line.
    pub(super) effects: LineEffects,
}

/// Which shapes of its letters a line is measured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MeasuredBy {
    /// Those they have in the whole text.
    Text,
    /// Those, and those they have in the line: it must fit by both.
    TextAndLine,
}

/// Extent of a line's ink in px: x from the pen's start, y upwards from the baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LineInk {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl LineInk {
    /// The same, less `by` on the left and on the right.
    fn narrowed(self, by: f64) -> Self {
        Self { left: self.left + by, right: self.right - by, ..self }
    }

    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
            bottom: self.bottom.min(other.bottom),
        }
    }
}

/// Where an atom stands in a line, in px from the pen's start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pen {
    pub(super) place: Place,
    /// The pen before the atom, its spaces included wherever they stand.
    pub(super) cell: f64,
    /// The pen before its text.
    pub(super) text: f64,
}

/// The next line of a galley.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cut {
    /// A line that ends with atom `last`; `ink` is `None` where it is blank.
    Line { last: usize, ink: Option<LineInk> },
    /// The atom is wider than the text area and cannot be broken.
    TooWide { atom: usize },
}

impl Measure {
    /// Where the pen starts, from the left of the text area: at its edge, moved right by ink that would leave it; or so
    /// that the ink is centred. From there the indent moves it to the right.
    pub(super) fn start(&self, ink: Option<LineInk>) -> f64 {
        let start = match (ink, self.alignment) {
            (None, _) => 0.0,
            (Some(ink), Alignment::Left) => (-ink.left).max(0.0) + self.effects.inset,
            (Some(ink), Alignment::Center) => (self.width - ink.left - ink.right) / 2.0,
        };
        start + self.effects.indent
    }

    fn fits(&self, ink: Option<LineInk>) -> bool {
        ink.is_none_or(|ink| self.start(Some(ink)) + ink.right <= self.width - self.effects.inset + ROUNDING)
    }

    pub(super) fn spaces(&self, atom: &Atom) -> f64 {
        atom.space_advance * self.size + f64::from(atom.word_spaces) * self.word_spacing
    }

    /// The atoms of a line from left to right; the spaces behind the last atom of the text hang and take no room.
    pub(super) fn pens(&self, galley: &Galley, logical: &[Place]) -> Vec<Pen> {
        let hanging = logical.last().copied();
        let mut pen = 0.0;
        let mut pens = Vec::with_capacity(logical.len());
        for place in visual_order(galley, logical) {
            let Some((_, atom)) = galley.at(place) else { continue };
            let spaces = if Some(place) == hanging { 0.0 } else { self.spaces(atom) };
            let right_to_left = galley.runs.get(atom.run).is_some_and(super::run::Run::is_right_to_left);
            pens.push(Pen { place, cell: pen, text: if right_to_left { pen + spaces } else { pen } });
            pen += spaces + atom.advance * self.size;
        }
        pens
    }

    /// Extent of the ink of a line, its words turned.
    fn ink(&self, galley: &mut Galley, logical: &[Place], catalogue: &FontCatalogue) -> Option<LineInk> {
        let pens = self.pens(galley, logical);
        let at = |start: f64, ink: InkEm| LineInk {
            left: start + ink.left * self.size,
            right: start + ink.right * self.size,
            top: ink.top * self.size,
            bottom: ink.bottom * self.size,
        };
        if let Some(turns) = self.effects.turns {
            let words = words(galley, &pens, self.size);
            let turned = words.iter().filter_map(|word| {
                let ink = galley.turned_ink(word, self.size, turns.angle(word.start), catalogue)?;
                Some(at(word.left, ink))
            });
            turned.reduce(LineInk::union)
        } else {
            let upright = pens.iter().filter_map(|pen| Some(at(pen.text, galley.at(pen.place)?.1.ink?)));
            upright.reduce(LineInk::union)
        }
    }

    /// The longest line from atom `first` on that fits. A word wider than the text area is broken at its natural points,
    /// or else between graphemes.
    ///
    /// # Errors
    /// A font that cannot be shaped with, or a layout that takes too many steps.
    pub(super) fn cut(&self, galley: &mut Galley, first: usize, shaper: &mut Shaper<'_>) -> Result<Cut, LayoutError> {
        let may_end = |atom: &Atom| matches!(atom.break_after, BreakAfter::Allowed | BreakAfter::Hyphen);
        let end = self.end_of_reach(galley, first, shaper)?;
        let regular = breaks(galley, first..end, &may_end);
        if let Some(line) = self.longest(galley, first, &regular, shaper)? {
            return Ok(line);
        }
        let unrefined = |atom: &Atom| atom.break_after == BreakAfter::Never || may_end(atom);
        let atoms = galley.atoms();
        let word_end = regular.first().copied().unwrap_or(end).min(atoms.len().saturating_sub(1));
        let fresh = (first..=word_end).find(|index| atoms.get(*index).is_some_and(unrefined));
        if let Some(fresh) = fresh {
            galley.refine(fresh..word_end + 1, shaper);
        }
        let end = self.end_of_reach(galley, first, shaper)?;
        // Not behind the word, whose hyphen alone may be too wide: what follows may be cut finer already, or not yet.
        let word_end = breaks(galley, first..end, &may_end).first().copied().unwrap_or(end);
        for least in [BreakAfter::Natural, BreakAfter::Emergency] {
            let ends = breaks(galley, first..word_end, &|atom| {
                atom.break_after == BreakAfter::Natural || atom.break_after == least
            });
            if let Some(line) = self.longest(galley, first, &ends, shaper)? {
                return Ok(line);
            }
        }
        Ok(Cut::TooWide { atom: first })
    }

    /// The advance, in px, beyond which a line is surely too wide whatever its blank sides.
    pub(super) fn limit(&self, galley: &Galley) -> f64 {
        // A turned word is narrower by (1 − cos)/2 of its width at either end, and its top and foot lean into the line.
        let (sin, cos) = self.effects.widest_turn();
        let slack = galley.slack() + sin * galley.tallest;
        (self.width + slack * self.size) * (2.0 - cos)
    }

    /// The first atom with which a line from atom `first` on is surely too wide by the shapes of the whole text, or the
    /// number of atoms. A line's ink never shrinks as the line grows.
    fn end_of_reach(&self, galley: &mut Galley, first: usize, shaper: &Shaper<'_>) -> Result<usize, LayoutError> {
        if galley.is_bidirectional {
            return self.end_of_bidirectional_reach(galley, first, shaper);
        }
        let galley = &*galley;
        let mut extent = Extent::new(self, galley, shaper.catalogue());
        let mut pen = 0.0;
        for (index, atom) in galley.atoms().iter().enumerate().skip(first) {
            shaper.work().spend(1)?;
            if extent.add(index, pen).is_some_and(|ink| !self.fits(Some(ink.narrowed(ROUNDING)))) {
                return Ok(index);
            }
            pen += self.spaces(atom) + atom.advance * self.size;
        }
        Ok(galley.atoms().len())
    }

    /// As [`end_of_reach`](Self::end_of_reach), where the order of atoms changes as a line grows, so that it cannot be
    /// measured as it grows: lines of twice as many atoms each time are, until one is too wide.
    fn end_of_bidirectional_reach(
        &self,
        galley: &mut Galley,
        first: usize,
        shaper: &Shaper<'_>,
    ) -> Result<usize, LayoutError> {
        let limit = self.limit(galley);
        let (mut pen, mut end, mut window, mut last_break) = (0.0, first, FIRST_WINDOW, None);
        loop {
            for (index, atom) in galley.atoms().iter().enumerate().take(first + window).skip(end) {
                shaper.work().spend(1)?;
                if pen + atom.advance * self.size > limit {
                    return Ok(index);
                }
                pen += self.spaces(atom) + atom.advance * self.size;
                end = index + 1;
                if atom.break_after != BreakAfter::Never {
                    last_break = Some(index);
                }
            }
            if end == galley.atoms().len() {
                return Ok(end);
            }
            if let Some(last) = last_break.take()
                && !self.fits(self.rough_ink(galley, first, last, shaper)?)
            {
                return Ok(end);
            }
            window *= 2;
        }
    }

    /// The longest line that fits and ends behind one of `ends`, which rise. Those that are too long by the shapes of the
    /// whole text are behind the others. Of those that are too long only as they are shaped, the last few are tried one by
    /// one, and then ever fewer, so that no text makes a line cost more than a few shapings.
    fn longest(
        &self,
        galley: &mut Galley,
        first: usize,
        ends: &[usize],
        shaper: &mut Shaper<'_>,
    ) -> Result<Option<Cut>, LayoutError> {
        let fitting =
            if galley.is_bidirectional { self.count_fitting(galley, first, ends, shaper)? } else { ends.len() };
        let (mut behind, mut tried, mut step) = (fitting, 0, 1);
        while let Some(at) = behind.checked_sub(1) {
            let Some(last) = ends.get(at) else { break };
            if let Some(line) = self.line_that_fits(galley, first, *last, shaper)? {
                return Ok(Some(line));
            }
            tried += 1;
            if tried > TRIED_ONE_BY_ONE {
                step *= 2;
            }
            // The first of all is never passed over.
            behind = if at == 0 { 0 } else { behind.saturating_sub(step).max(1) };
            // Ends with nothing to see between them make the same line.
            while step == 1
                && let [.., before, tried] = ends.get(..=behind).unwrap_or_default()
                && is_same_end(galley, *before, *tried)
            {
                behind -= 1;
            }
        }
        Ok(None)
    }

    /// How many of `ends` make lines that fit by the shapes of the whole text, found by doubling and bisecting.
    fn count_fitting(
        &self,
        galley: &mut Galley,
        first: usize,
        ends: &[usize],
        shaper: &Shaper<'_>,
    ) -> Result<usize, LayoutError> {
        let mut fits = |at: usize| match ends.get(at) {
            Some(last) => self.rough_ink(galley, first, *last, shaper).map(|ink| self.fits(ink)),
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

    /// The ink of the line from atom `first` to atom `last` by the shapes of the whole text.
    fn rough_ink(
        &self,
        galley: &mut Galley,
        first: usize,
        last: usize,
        shaper: &Shaper<'_>,
    ) -> Result<Option<LineInk>, LayoutError> {
        shaper.work().spend(last + 1 - first)?;
        Ok(self.ink(galley, &galley.roughly(first, last), shaper.catalogue()))
    }

    /// The line from atom `first` to atom `last`, if it fits.
    ///
    /// # Errors
    /// A font that cannot be shaped with.
    pub(super) fn line_that_fits(
        &self,
        galley: &mut Galley,
        first: usize,
        last: usize,
        shaper: &mut Shaper<'_>,
    ) -> Result<Option<Cut>, LayoutError> {
        let mut ink = self.rough_ink(galley, first, last, shaper)?;
        if self.fits(ink) && self.by == MeasuredBy::TextAndLine && !galley.is_shaped(first, last) {
            let line = galley.line(first, last, shaper)?;
            ink = self.ink(galley, &line, shaper.catalogue());
        }
        Ok(self.fits(ink).then(|| Cut::Line { last, ink: ink.map(|ink| self.sloped(ink)) }))
    }

    /// The ink of a line with the most that its slope raises and lowers it.
    fn sloped(&self, ink: LineInk) -> LineInk {
        let reach = self.effects.slope.reach() * self.size;
        LineInk { top: ink.top + reach, bottom: ink.bottom - reach, ..ink }
    }
}

/// Whether lines that end behind the one and the other atom differ in nothing that is seen.
fn is_same_end(galley: &Galley, before: usize, last: usize) -> bool {
    let atoms = galley.atoms();
    let is_blank = |atom: &Atom| atom.ink.is_none() && atom.advance == 0.0 && atom.space_advance == 0.0;
    let kind = |index: usize| atoms.get(index).map(|atom| atom.break_after);
    kind(before) == kind(last) && atoms.get(before + 1..=last).is_some_and(|between| between.iter().all(is_blank))
}

/// The atoms of a range behind which a line may end.
fn breaks(galley: &Galley, range: Range<usize>, may_end: &dyn Fn(&Atom) -> bool) -> Vec<usize> {
    let atoms = galley.atoms();
    range.filter(|index| atoms.get(*index).is_some_and(may_end)).collect()
}

/// The atoms of a line from left to right (UAX 9, rule L2: from the highest level down to the lowest odd one, every
/// stretch at that level or higher is turned round). Between two levels that occur, only an odd number of turns counts.
fn visual_order(galley: &Galley, logical: &[Place]) -> Vec<Place> {
    if !galley.is_bidirectional {
        return logical.to_vec();
    }
    let level_of = |place: &Place| {
        let run = galley.at(*place).and_then(|(_, atom)| galley.runs.get(atom.run));
        run.map_or(0, |run| run.level)
    };
    let mut order: Vec<(u8, Place)> = logical.iter().map(|place| (level_of(place), *place)).collect();
    let mut levels: Vec<u8> = order.iter().map(|(level, _)| *level).chain([0]).collect();
    levels.sort_unstable();
    levels.dedup();
    for pair in levels.windows(2).rev() {
        let &[below, level] = pair else { continue };
        if (level - below) % 2 == 0 {
            continue;
        }
        for stretch in order.chunk_by_mut(|a, b| (a.0 >= level) == (b.0 >= level)) {
            if stretch.first().is_some_and(|first| first.0 >= level) {
                stretch.reverse();
            }
        }
    }
    order.into_iter().map(|(_, place)| place).collect()
}
