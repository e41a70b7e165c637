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
    /// The share of pairs of small letters that are joined by their strokes, of those that the writer joins; 1 of a hand
    /// that joins none.
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
    let inks: BTreeMap<char, (LetterInk, f64)> = letters
        .iter()
        .filter(|_| joins.is_joined_hand())
        .filter_map(|letter| {
            let form = forms.of_character(*letter).first()?;
            Some((*letter, (LetterInk::of(&form.contours, form.width), form.width)))
        })
        .collect();
    let (mut closed, mut joined) = (0_usize, 0_usize);
    for (before, after) in letters.iter().flat_map(|before| letters.iter().map(move |after| (*before, *after))) {
        let mut gap = gaps.gap(before, after) * X_HEIGHT;
        let pair = joins.joins([before, after]).then(|| Some((inks.get(&before)?, inks.get(&after)?))).flatten();
        if let Some(((ink, width), (next, _))) = pair {
            let (shift, joins) = closing_shift(ink, next, width + gap, pen);
            gap += shift;
            if before.is_ascii_lowercase() && after.is_ascii_lowercase() {
                joined += 1;
                closed += usize::from(joins);
            }
        }
        let by = gap - sides[&before][1] - sides[&after][0];
        if by.abs() >= LEAST {
            kerning.pairs.insert([before, after], by.round());
        }
    }
    kerning.closed = if joined == 0 { 1.0 } else { closed as f64 / joined as f64 };
    kerning
}
