//! Gaps between signs and letters, and the word gaps after signs.

use super::characters::is_sign;
use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use super::white::{way_apart, white_before_mark, white_between_boxes};
use crate::catalogue::{FIRST_EAST_ASIAN, FontFace, is_combining_mark};

/// Least and most white before a full stop or comma, in x-heights, unless `CLEARANCE` asks for more.
const BEFORE_MARK: [f64; 2] = [0.12, 0.7];
/// Least distance between the outlines of a sign and of what is beside it, in x-heights. Pens widen both: where they
/// are widest, little of it is left.
const CLEARANCE: f64 = 0.26;
const MARKS: [char; 2] = ['.', ','];
/// The word gap after a full stop or comma, as a share of others: the white before them takes some of it.
const AFTER_MARK: f64 = 0.93;
/// The least gap after a word, as a share of its mean; after a sign, which stands nearer to its word than to the next.
const LEAST_GAP_SHARE: f64 = 0.68;
const LEAST_GAP_SHARE_AFTER_SIGN: f64 = 0.8;

/// The gap between a sign and a letter, figure or other sign beside it.
pub(super) enum SignGap {
    /// That between a letter or figure and a full stop or comma which ends a word.
    BeforeMark,
    /// Any other: as in the font, or more, so that they are clear of one another.
    Clear,
}

/// The gap after a word: its mean as a share of other gaps, and its least share of that mean.
pub(super) struct GapAfter {
    pub(super) of_mean: f64,
    pub(super) least_share: f64,
}

impl SignGap {
    /// The gap before the character at a byte, if it is such a gap.
    pub(super) fn before(text: &str, at: u32) -> Option<Self> {
        let (before, after) = text.split_at_checked(at as usize)?;
        let mut after = after.chars();
        // An accent belongs to the letter before it.
        let last = before.chars().rev().find(|last| !is_combining_mark(*last))?;
        let (first, next) = (after.next()?, after.next());
        let is_letter = |letter: char| letter.is_alphanumeric() && letter < FIRST_EAST_ASIAN;
        let ends_word = |next: char| !next.is_alphanumeric() && !MARKS.contains(&next);
        if is_letter(last) && MARKS.contains(&first) && next.is_none_or(ends_word) {
            return Some(Self::BeforeMark);
        }
        let is_gap = is_sign(first) && (is_sign(last) || is_letter(last)) || is_sign(last) && is_letter(first);
        // Those of an ellipsis, and signs that are repeated, belong together.
        (is_gap && last != first).then_some(Self::Clear)
    }

    /// How much wider variation makes this gap between two glyphs, in ems of the chosen font. `before_mark`: what the
    /// writer adds before marks, in x-heights. `habit`: how far habits apply, 0 to 1.
    pub(super) fn gain(
        self,
        face: &FontFace,
        glyph: (&ShapedGlyph, &VariedGlyph),
        next: (&ShapedGlyph, &VariedGlyph),
        unit: f64,
        (before_mark, habit): (f64, f64),
    ) -> f64 {
        let x_height = face.x_height().get() * unit;
        let gain = match self {
            Self::BeforeMark => white_before_mark(face, glyph, next, unit).map_or(0.0, |white| {
                let [more, least, most] = [before_mark, BEFORE_MARK[0], BEFORE_MARK[1]].map(|white| white * x_height);
                (white.max(least) + more).clamp(least, most.max(white)) - white
            }),
            Self::Clear => 0.0,
        };
        let clearance = CLEARANCE * x_height;
        // Their boxes tell whether they may be nearer.
        let are_near = white_between_boxes(glyph.1, next.1).is_some_and(|white| white + gain < clearance);
        let way = if are_near { way_apart(face, glyph, next, unit, clearance) } else { None };
        way.map_or(gain, |way| gain + habit * (way - gain).max(0.0))
    }
}

impl GapAfter {
    /// By the last sign of the word.
    pub(super) fn of(word: &str) -> Self {
        Self {
            of_mean: if word.ends_with(MARKS) { AFTER_MARK } else { 1.0 },
            least_share: if word.ends_with(is_sign) { LEAST_GAP_SHARE_AFTER_SIGN } else { LEAST_GAP_SHARE },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `|` in gaps beside signs, and `_` in those before marks that end words.
    fn with_gaps(text: &str) -> String {
        let mut shown = String::new();
        for (at, character) in text.char_indices() {
            shown.extend(match SignGap::before(text, at as u32) {
                Some(SignGap::BeforeMark) => Some('_'),
                Some(SignGap::Clear) => Some('|'),
                None => None,
            });
            shown.push(character);
        }
        shown
    }

    #[test]
    fn signs_are_apart_from_letters_figures_and_other_signs() {
        assert_eq!(with_gaps("Yes, Ann. No"), "Yes_, Ann_. No");
        assert_eq!(with_gaps("(so?) \u{201c}I can\u{2019}t!\u{201d}"), "(|so|?|) \u{201c}|I can|\u{2019}|t|!|\u{201d}");
        assert_eq!(with_gaps("7:45, 3.50 e.g. it"), "7|:|45_, 3|.|50 e|.|g_. it");
        assert_eq!(
            with_gaps("\u{201e}Ja\u{201c}; \u{bb}nein\u{ab}, \u{bf}no?"),
            "\u{201e}|Ja|\u{201c}|; \u{bb}|nein|\u{ab}|, \u{bf}|no|?"
        );
        assert_eq!(with_gaps("o\u{f9}\u{a0}? A-b /c"), "o\u{f9}\u{a0}? A-b /c");
        assert_eq!(with_gaps("x\u{304}) x\u{304}. (x\u{304}"), "x\u{304}|) x\u{304}_. (|x\u{304}");
    }

    #[test]
    fn signs_that_are_repeated_stay_together() {
        assert_eq!(with_gaps("so... no!! a\u{2026}"), "so|... no|!! a|\u{2026}");
        assert_eq!(with_gaps("\u{4f60}\u{597d}, 1,"), "\u{4f60}\u{597d}, 1_,");
    }

    #[test]
    fn nothing_is_before_the_first_character_or_beyond_the_text() {
        assert!(SignGap::before(".a", 0).is_none() && SignGap::before("a.", 2).is_none());
        assert!(SignGap::before("\u{e9}.", 1).is_none() && SignGap::before("a.", 9).is_none());
    }
}
