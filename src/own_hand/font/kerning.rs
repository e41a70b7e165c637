//! Kerning: what the gaps of pairs differ from the bearings of their letters, and what closes joins.

use std::collections::BTreeMap;

use super::X_HEIGHT;
use super::forms::Forms;
use super::joins::{LetterInk, closing_shift};
use crate::own_hand::spacing::{GapModel, Joins};

/// Kerning below this is left out, in font units.
const LEAST: f64 = 12.0;

/// The kerning of pairs of letters, in font units.
#[derive(Clone, Debug, Default)]
pub(super) struct Kerning {
    pub(super) pairs: BTreeMap<[char; 2], f64>,
    /// The share of the joins in the lines that the strokes of these forms close; 1 of a hand that joins none.
    pub(super) closed: f64,
}

/// The kerning of all pairs of letters with these bearings. `pen` is the width of the pen in font units.
pub(super) fn kerning(
    forms: &Forms,
    sides: &BTreeMap<char, [f64; 2]>,
    gaps: &GapModel,
    (joins, pen): (&Joins, f64),
) -> Kerning {
    let mut kerning = Kerning::default();
    let letters: Vec<char> = sides.keys().copied().filter(|letter| letter.is_alphabetic()).collect();
    let ink = |letter: &char| -> Vec<LetterInk> {
        forms.of_character(*letter).iter().map(|form| LetterInk::of(&form.contours, form.width, pen)).collect()
    };
    let in_joins = letters.iter().filter(|_| joins.is_joined_hand());
    let inks: BTreeMap<char, Vec<LetterInk>> = in_joins.map(|letter| (*letter, ink(letter))).collect();
    let (mut closed, mut joined) = (0.0, 0.0);
    for (before, after) in letters.iter().flat_map(|before| letters.iter().map(move |after| (*before, *after))) {
        let mut gap = gaps.gap(before, after) * X_HEIGHT;
        let pair = joins.joins([before, after]).then(|| Some((inks.get(&before)?, inks.get(&after)?))).flatten();
        if let Some((ink, next)) = pair {
            let (shift, share) = closing_shift(ink, next, gap);
            gap += shift;
            let written = joins.written([before, after]) as f64;
            joined += written;
            closed += share * written;
        }
        let by = gap - sides[&before][1] - sides[&after][0];
        if by.abs() >= LEAST {
            kerning.pairs.insert([before, after], by.round());
        }
    }
    kerning.closed = if joined > 0.0 { closed / joined } else { 1.0 };
    kerning
}
