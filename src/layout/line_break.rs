//! Cutting a galley into lines: the longest that fits, by ink, at one size.

use super::effects::LineEffects;
use super::error::LayoutError;
use super::galley::{Galley, Place};
use super::shape::Shaper;
use super::strand::{Atom, BreakAfter, InkEm};
use super::words::words;
use crate::catalogue::FontCatalogue;
use crate::spec::Alignment;

/// Room for the rounding of sums of `f64`, in px; far below what a device could show.
const ROUNDING: f64 = 1e-7;

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
    fn union(self, other: Self) -> Self {
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

    fn spaces(&self, atom: &Atom) -> f64 {
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
    /// A font that cannot be shaped with.
    pub(super) fn cut(&self, galley: &mut Galley, first: usize, shaper: &mut Shaper<'_>) -> Result<Cut, LayoutError> {
        let reach = self.reach(galley, first);
        let may_end = |atom: &Atom| matches!(atom.break_after, BreakAfter::Allowed | BreakAfter::Hyphen);
        let regular = breaks(galley, first, reach.end, &may_end);
        if let Some(line) = self.longest(galley, first, &reach, &regular, shaper)? {
            return Ok(line);
        }
        let word_end = regular.first().copied().unwrap_or(reach.end);
        let unrefined = |atom: &Atom| atom.break_after == BreakAfter::Never || may_end(atom);
        let atoms = galley.atoms();
        let fresh = (first..=word_end).find(|index| atoms.get(*index).is_some_and(unrefined));
        if let Some(fresh) = fresh {
            galley.refine(fresh..word_end + 1, shaper);
        }
        let reach = self.reach(galley, first);
        // Not behind the word, whose hyphen alone may be too wide: what follows may be cut finer already, or not yet.
        let word_end = breaks(galley, first, reach.end, &may_end).first().copied().unwrap_or(reach.end);
        for least in [BreakAfter::Natural, BreakAfter::Emergency] {
            let ends = breaks(galley, first, word_end, &|atom| {
                atom.break_after == BreakAfter::Natural || atom.break_after == least
            });
            if let Some(line) = self.longest(galley, first, &reach, &ends, shaper)? {
                return Ok(line);
            }
        }
        Ok(Cut::TooWide { atom: first })
    }

    /// The advance, in px, beyond which a line is surely too wide whatever its blank sides.
    pub(super) fn limit(&self, galley: &Galley) -> f64 {
        // A turned word is narrower by (1 − cos)/2 of its width at either end, and its top and foot lean into the line.
        let (sin, cos) = self.turn();
        let slack = galley.slack() + sin * galley.tallest;
        (self.width + slack * self.size) * (2.0 - cos)
    }

    fn reach(&self, galley: &Galley, first: usize) -> Reach {
        let limit = self.limit(galley);
        let mut pen = 0.0;
        let mut pens = Vec::new();
        let atoms = galley.atoms();
        for (index, atom) in atoms.iter().enumerate().skip(first) {
            pens.push(pen);
            pen += atom.advance * self.size;
            if pen > limit {
                return Reach { end: index, may_end_there: false, pens };
            }
            pen += self.spaces(atom);
        }
        Reach { end: atoms.len().saturating_sub(1), may_end_there: true, pens }
    }

    /// Whether the first and the last atom of a line from left to right are too far apart, whatever lies between them.
    fn is_surely_too_wide(&self, galley: &Galley, first: usize, last: usize, reach: &Reach) -> bool {
        if galley.is_bidirectional {
            return false;
        }
        let (sin, cos) = self.turn();
        let sides = |index: usize| {
            let atom = galley.atoms().get(index)?;
            let (pen, ink) = (reach.pens.get(index - first)?, atom.ink?);
            // What a turn may take from either side of a word, and so from that of an atom of it.
            let turned = sin * galley.tallest * self.size + (1.0 - cos) * reach.advance();
            Some((pen + ink.left * self.size + turned, pen + ink.right * self.size - turned))
        };
        let (Some((left, _)), Some((_, right))) = (sides(first), sides(last)) else { return false };
        let room = self.width + ROUNDING;
        match self.alignment {
            Alignment::Left => self.effects.indent + right > room,
            Alignment::Center => right - left + 2.0 * self.effects.indent > room + ROUNDING,
        }
    }

    /// Sine and cosine of the largest turn.
    fn turn(&self) -> (f64, f64) {
        self.effects.turns.map_or((0.0, 1.0), |turns| turns.range().get().to_radians().sin_cos())
    }

    fn longest(
        &self,
        galley: &mut Galley,
        first: usize,
        reach: &Reach,
        ends: &[usize],
        shaper: &mut Shaper<'_>,
    ) -> Result<Option<Cut>, LayoutError> {
        for last in ends.iter().copied().rev().filter(|last| *last < reach.end || reach.may_end_there) {
            if self.is_surely_too_wide(galley, first, last, reach) {
                continue;
            }
            if let Some(line) = self.line_that_fits(galley, first, last, shaper)? {
                return Ok(Some(line));
            }
        }
        Ok(None)
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
        let mut ink = self.ink(galley, &galley.roughly(first, last), shaper.catalogue());
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

/// How far a line may reach.
struct Reach {
    /// The first atom behind which a line is surely too wide, or the last of all.
    end: usize,
    /// Whether the line may end behind that one.
    may_end_there: bool,
    /// The pen before each atom up to that one, in px, as they stand in the whole text.
    pens: Vec<f64>,
}

impl Reach {
    fn advance(&self) -> f64 {
        self.pens.last().copied().unwrap_or(0.0)
    }
}

/// The atoms from `first` to `last` behind which a line may end.
fn breaks(galley: &Galley, first: usize, last: usize, may_end: &dyn Fn(&Atom) -> bool) -> Vec<usize> {
    let atoms = galley.atoms();
    (first..=last).filter(|index| atoms.get(*index).is_some_and(may_end)).collect()
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
