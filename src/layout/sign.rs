//! Signs that writers set apart from the letter before them, and the word gaps after them.

use super::shaped_glyph::ShapedGlyph;
use super::white::right_end_beside;
use crate::catalogue::{FIRST_EAST_ASIAN, FontFace};

/// Least and most white before a full stop or comma, in x-heights.
const BEFORE_MARK: [f64; 2] = [0.12, 0.7];
/// Least white before an exclamation or question mark, in x-heights: last strokes of letters reach them in some fonts.
const BEFORE_ENDING: f64 = 0.2;
/// Least white before an apostrophe, in x-heights: fonts have it within a leaning O.
const BEFORE_APOSTROPHE: f64 = 0.12;
const MARKS: [char; 2] = ['.', ','];
const ENDINGS: [char; 2] = ['!', '?'];
const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];
/// The word gap after a full stop or comma, as a share of others: the white before them takes some of it.
const AFTER_MARK: f64 = 0.93;
/// The least gap after a word, as a share of its mean; after a sign, which stands nearer to its word than to the next.
const LEAST_GAP_SHARE: f64 = 0.68;
const LEAST_GAP_SHARE_AFTER_SIGN: f64 = 0.8;

/// A sign with a distance of its own from the letter or figure right before it.
pub(super) enum Sign {
    /// A full stop or comma, not before another letter, figure or mark.
    Mark,
    /// An exclamation or question mark.
    Ending,
    /// An apostrophe before another letter.
    Apostrophe,
}

/// The white before a sign, in x-heights: how much more than in the font, its bounds, and the right ends of the letter
/// before it that are beside the sign, in font units.
pub(super) struct Apart {
    pub(super) more: f64,
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) ends: [Option<[f64; 2]>; 4],
}

/// The gap after a word: its mean as a share of other gaps, and its least share of that mean.
pub(super) struct GapAfter {
    pub(super) of_mean: f64,
    pub(super) least_share: f64,
}

impl Sign {
    /// The sign that begins at a byte, if one does.
    pub(super) fn at(text: &str, at: u32) -> Option<Self> {
        let (before, own) = text.split_at_checked(at as usize)?;
        let mut after = own.chars();
        let (sign, next) = (after.next()?, after.next());
        let found = if MARKS.contains(&sign) {
            next.is_none_or(|next| !next.is_alphanumeric() && !MARKS.contains(&next)).then_some(Self::Mark)
        } else if ENDINGS.contains(&sign) {
            Some(Self::Ending)
        } else if APOSTROPHES.contains(&sign) {
            next.is_some_and(char::is_alphabetic).then_some(Self::Apostrophe)
        } else {
            None
        };
        let is_behind = |last: char| last.is_alphanumeric() && last < FIRST_EAST_ASIAN;
        found.filter(|_| before.chars().next_back().is_some_and(is_behind))
    }

    /// The white between a letter and this sign. `before_mark`: what the writer adds before marks, in x-heights.
    pub(super) fn apart(self, face: &FontFace, letter: &ShapedGlyph, sign: &ShapedGlyph, before_mark: f64) -> Apart {
        let beside = || right_end_beside(face, letter, sign);
        // Below, low and high: the letter may lean more or less than in its font.
        let [below, low, high] =
            if let Self::Apostrophe = self { [None; 3] } else { face.right_ends_beside_mark(letter.glyph) };
        let (more, [least, most], beside) = match self {
            Self::Mark => (before_mark, BEFORE_MARK, None),
            Self::Ending => (0.0, [BEFORE_ENDING, f64::MAX], beside()),
            Self::Apostrophe => (0.0, [BEFORE_APOSTROPHE, f64::MAX], beside()),
        };
        Apart { more, least, most, ends: [below, low, high, beside] }
    }
}

impl GapAfter {
    /// By the last sign of the word.
    pub(super) fn of(word: &str) -> Self {
        let is_sign = word.ends_with(MARKS) || word.ends_with(ENDINGS);
        Self {
            of_mean: if word.ends_with(MARKS) { AFTER_MARK } else { 1.0 },
            least_share: if is_sign { LEAST_GAP_SHARE_AFTER_SIGN } else { LEAST_GAP_SHARE },
        }
    }
}
