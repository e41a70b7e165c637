//! Words: the parts of a line that are rotated together, and the extent of their ink.

use unicode_script::Script;

use super::galley::{Galley, Place};
use super::line_break::Pen;
use super::strand::{Atom, BreakAfter, InkEm};
use crate::catalogue::{FontCatalogue, Hull};
use crate::geometry::{Point, Rect};
use crate::units::{Degrees, FontUnits};

/// A word of a line: a row of its atoms from left to right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Word<'a> {
    /// Its atoms. Blank ones may be among them.
    pub(super) pens: &'a [Pen],
    /// Byte of the paragraph at which its text starts.
    pub(super) start: usize,
    /// Ends of its baseline, in px from the pen's start.
    pub(super) left: f64,
    pub(super) right: f64,
}

/// What a word's turned ink depends on, the angle of a place being one and the same: the strands of its ends, and their
/// bytes.
pub(super) type WordKey = (usize, usize, usize, usize);

/// The words of a line from left to right, all its atoms between them. Spaces part them, and, in scripts that write
/// none between words, the places where a line may end.
pub(super) fn words<'a>(galley: &Galley, pens: &'a [Pen], size: f64) -> Vec<Word<'a>> {
    let atom_of = |pen: &Pen| galley.at(pen.place).map(|(_, atom)| atom);
    let parted = |before: &Pen, after: &Pen| match (atom_of(before), atom_of(after)) {
        (Some(before), Some(after)) => are_parted(galley, before, after),
        _ => true,
    };
    pens.chunk_by(|before, after| !parted(before, after)).map(|pens| word(galley, pens, size)).collect()
}

fn word<'a>(galley: &Galley, pens: &'a [Pen], size: f64) -> Word<'a> {
    let mut word = Word { pens, start: usize::MAX, left: f64::INFINITY, right: f64::NEG_INFINITY };
    for pen in pens {
        let Some((_, atom)) = galley.at(pen.place) else { continue };
        if !atom.text.is_empty() {
            word.start = word.start.min(atom.text.start);
            word.left = word.left.min(pen.text);
            word.right = word.right.max(pen.text + atom.advance * size);
        }
    }
    word
}

/// Whether two neighbours, `before` on the left, belong to two words.
pub(super) fn are_parted(galley: &Galley, before: &Atom, after: &Atom) -> bool {
    let run_of = |atom: &Atom| galley.runs.get(atom.run);
    let right_to_left = |atom: &Atom| run_of(atom).is_some_and(super::run::Run::is_right_to_left);
    let spaced = |atom: &Atom| atom.text.end < atom.end;
    // Spaces stand behind the text in reading direction.
    let by_space = right_to_left(after) && spaced(after) || !right_to_left(before) && spaced(before);
    let unspaced = |atom: &Atom| run_of(atom).is_some_and(|run| writes_no_spaces(run.script));
    by_space || before.break_after == BreakAfter::Allowed && (unspaced(before) || unspaced(after))
}

const fn writes_no_spaces(script: Script) -> bool {
    matches!(
        script,
        Script::Han
            | Script::Hiragana
            | Script::Katakana
            | Script::Bopomofo
            | Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
    )
}

impl Word<'_> {
    pub(super) fn key(&self, galley: &Galley) -> WordKey {
        let strand = |place: Option<&Pen>| place.map_or(0, |pen| pen.place.strand);
        let end = |pen: &Pen| galley.at(pen.place).map_or(0, |(_, atom)| atom.text.end);
        let ends = self.pens.iter().map(end).fold(0, usize::max);
        (strand(self.pens.first()), strand(self.pens.last()), self.start, ends)
    }

    /// Extent of its ink when it is turned by `angle` about the middle of its baseline, in ems of the chosen hand from
    /// the left end of that baseline. Within a word nothing but the size scales, so that it holds for every size.
    pub(super) fn turned_ink(
        &self,
        galley: &Galley,
        size: f64,
        angle: Degrees,
        catalogue: &FontCatalogue,
    ) -> Option<InkEm> {
        let (sin, cos) = angle.get().to_radians().sin_cos();
        let pivot = (self.right - self.left) / 2.0 / size;
        // Clockwise on the page, in a frame with y up: a point goes to (x cos + y sin, y cos - x sin).
        let (rightwards, upwards) = ([cos, sin], [-sin, cos]);
        let (leftwards, downwards) = (rightwards.map(|value| -value), upwards.map(|value| -value));
        // How far ink reaches from the pivot: to the right, to the left, up, down.
        let mut reaches = [f64::NEG_INFINITY; 4];
        for pen in self.pens {
            let from = (pen.text - self.left) / size - pivot;
            for_each_glyph(galley, pen.place, catalogue, &mut |x, y, unit, hull| {
                let x = from + x;
                for (reach, direction) in reaches.iter_mut().zip([rightwards, leftwards, upwards, downwards]) {
                    let start = x * direction[0] + y * direction[1];
                    let beyond = |of_hull: Option<f64>| of_hull.map(|far| start + far * unit).filter(|far| far > reach);
                    // Most glyphs lie between others: their boxes tell.
                    if beyond(hull.box_reach(direction)).is_some()
                        && let Some(farther) = beyond(hull.reach(direction))
                    {
                        *reach = farther;
                    }
                }
            });
        }
        let [right, left, top, bottom] = reaches;
        let has_ink = right > f64::NEG_INFINITY;
        has_ink.then_some(InkEm { left: pivot - left, right: pivot + right, top, bottom: -bottom })
    }
}

/// The glyphs of an atom: each one's origin in ems from the atom's pen on the baseline, y up, the length of its font's
/// unit, and its hull.
pub(super) fn for_each_glyph(
    galley: &Galley,
    place: Place,
    catalogue: &FontCatalogue,
    visit: &mut dyn FnMut(f64, f64, f64, &Hull),
) {
    let Some((strand, atom)) = galley.at(place) else { return };
    let Some(run) = galley.runs.get(atom.run) else { return };
    let face = catalogue.face(run.font);
    let unit = run.scale / f64::from(face.units_per_em());
    let glyphs = strand.glyphs.get(atom.glyphs.clone()).unwrap_or_default();
    let start = glyphs.first().map_or(0, |glyph| glyph.pen);
    if let Some(varied) = strand.varied.get(atom.glyphs.clone()).filter(|varied| !varied.is_empty()) {
        let start = varied.first().map_or(0.0, |glyph| glyph.pen);
        for (varied, glyph) in varied.iter().zip(glyphs) {
            if let Some(ink) = varied.ink {
                let [min, max] = [(ink.left, ink.bottom), (ink.right, ink.top)]
                    .map(|(x, y)| Point::new(FontUnits::new(x / unit), FontUnits::new(y / unit)));
                visit(varied.origin - start, f64::from(glyph.y) * unit, unit, &Hull::of_box(Rect { min, max }));
            }
        }
        return;
    }
    for glyph in glyphs {
        if let Some(hull) = face.hull(glyph.glyph) {
            visit(f64::from(glyph.x - start) * unit, f64::from(glyph.y) * unit, unit, hull);
        }
    }
}
