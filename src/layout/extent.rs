//! The width of a line's ink as the line grows atom by atom, from left to right. Each atom costs only its own glyphs.

use super::effects::Turns;
use super::galley::{Galley, Place};
use super::line_break::{LineInk, Measure};
use super::words::{are_parted, for_each_glyph};
use crate::catalogue::FontCatalogue;

/// The ink of a growing line of text in one direction, by the shapes of the whole text. Tops and bottoms are left out.
pub(super) struct Extent<'a> {
    galley: &'a Galley,
    catalogue: &'a FontCatalogue,
    size: f64,
    turns: Option<Turns>,
    /// Upright atoms, or words that are whole.
    whole: Option<LineInk>,
    /// The word that the last atom belongs to, where words turn.
    word: TurnedWord,
    /// The atom added last.
    previous: Option<usize>,
}

/// A word that turns about the middle of its baseline, as far as it goes.
#[derive(Clone, Copy, Default)]
struct TurnedWord {
    sin: f64,
    cos: f64,
    /// Ends of its baseline, in px from the line's start; `None` before the first letter.
    baseline: Option<(f64, f64)>,
    /// Farthest ink to the right and to the left if the word turned about the left end of its baseline, in ems.
    reach: Option<(f64, f64)>,
}

impl<'a> Extent<'a> {
    /// Of a line without atoms.
    pub(super) fn new(measure: &Measure, galley: &'a Galley, catalogue: &'a FontCatalogue) -> Self {
        let (size, turns) = (measure.size, measure.effects.turns);
        Self { galley, catalogue, size, turns, whole: None, word: TurnedWord::default(), previous: None }
    }

    /// Adds atom `index` of the whole text with its pen at `pen` px, and gives the ink of all; `None` where it is blank.
    pub(super) fn add(&mut self, index: usize, pen: f64) -> Option<LineInk> {
        let atom = self.galley.atoms().get(index)?;
        let Some(turns) = self.turns else {
            let ink = atom.ink.map(|ink| flat(pen + ink.left * self.size, pen + ink.right * self.size));
            self.whole = united(self.whole, ink);
            return self.whole;
        };
        let previous = self.previous.replace(index).and_then(|previous| self.galley.atoms().get(previous));
        if previous.is_some_and(|previous| are_parted(self.galley, previous, atom)) {
            self.whole = united(self.whole, self.word.ink(self.size));
            self.word = TurnedWord::default();
        }
        if !atom.text.is_empty() {
            if self.word.baseline.is_none() {
                (self.word.sin, self.word.cos) = turns.angle(atom.text.start).get().to_radians().sin_cos();
            }
            let end = pen + atom.advance * self.size;
            self.word.baseline = Some(self.word.baseline.map_or((pen, end), |(left, right)| (left, right.max(end))));
            self.add_glyphs(index, pen);
        }
        united(self.whole, self.word.ink(self.size))
    }

    fn add_glyphs(&mut self, index: usize, pen: f64) {
        let Some((left, _)) = self.word.baseline else { return };
        let (sin, cos) = (self.word.sin, self.word.cos);
        let from = (pen - left) / self.size;
        let reach = &mut self.word.reach;
        for_each_glyph(self.galley, Place { strand: 0, atom: index }, self.catalogue, &mut |x, y, unit, hull| {
            // Clockwise on the page, in a frame with y up: a point goes to (x cos + y sin, y cos - x sin).
            let along = (from + x) * cos + y * sin;
            let sides = (hull.reach([cos, sin]), hull.reach([-cos, -sin]));
            let (Some(right), Some(left)) = sides else { return };
            let (right, left) = (along + right * unit, left * unit - along);
            *reach = Some(
                reach.map_or((right, left), |(most_right, most_left)| (most_right.max(right), most_left.max(left))),
            );
        });
    }
}

impl TurnedWord {
    fn ink(&self, size: f64) -> Option<LineInk> {
        let ((start, end), (right, left)) = (self.baseline?, self.reach?);
        // Turning about the middle instead of the left end moves all of it to the right by this.
        let shift = (end - start) / 2.0 * (1.0 - self.cos);
        Some(flat(start + shift - left * size, start + shift + right * size))
    }
}

fn flat(left: f64, right: f64) -> LineInk {
    LineInk { left, right, top: 0.0, bottom: 0.0 }
}

fn united(one: Option<LineInk>, other: Option<LineInk>) -> Option<LineInk> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.union(other)),
        (one, other) => one.or(other),
    }
}
