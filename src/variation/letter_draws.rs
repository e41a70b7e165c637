//! The draws of one letter, and the form, gaps and dot that follow from them.

use super::dot::DotDraws;
use super::drawing::Drawing;
use super::habits::Habits;
use super::letter::Form;
use super::manner::Manner;
use crate::noise::Stream;

/// Standard deviations at strength 1: those of letters and gaps, and others of logarithms, or as noted.
/// [`Stream::normal`] is truncated and so narrower than a normal distribution; [`Stream::UNCUT`] compensates for that.
const AVERAGE: Manner = Manner::DEVIATIONS;
/// The most that a letter's height and width differ from the mean, in standard deviations: a letter far lower than its
/// neighbours reads as another, as b as o, and one far wider looks swollen.
const MOST_OF_LETTER: f64 = 1.4;
const WORD_HEIGHT: f64 = 0.034;
const DRIFT_HEIGHT: f64 = 0.048;
const ZONE_HEIGHT: f64 = 0.06;
/// The least draw of an ascender's height: h with a low one reads as n.
const LEAST_ZONE: f64 = -1.2;
const WORD_WIDTH: f64 = 0.036;
/// Correlation of the height, width, slant and baseline of a letter with those of the letter before it in its word.
const LETTER_CARRY: [f64; 4] = [0.0, 0.2, 0.3, 0.4];
/// Correlation of a letter's width with its height.
const WIDTH_WITH_HEIGHT: f64 = 0.3;
/// How much narrower the last third of a long word is.
const THINNER: f64 = 0.05;
/// In degrees.
const WORD_SLANT: f64 = 2.1;
/// In x-heights, as is the next one.
const WORD_BASELINE: f64 = 0.108;
const SHAPE: f64 = 0.052;
/// White before a full stop or comma, in x-heights: the mean that is added to the font's, and the standard deviation.
const BEFORE_MARK: [f64; 2] = [0.35, 0.25];

/// Number of draws of a letter: height, width, slant, baseline, gap, one that has no use, ascender, descender, two for
/// the place of a dot, the waves, four for the form of a dot.
const LETTER_DRAWS: usize = 30;
const UNUSED: usize = 5;
const DOT_PLACE: usize = 8;
const FIRST_WAVE: usize = 10;
const DOT_FORM: usize = 26;
/// The most attempts to draw a letter that differs from its recent occurrences.
const ATTEMPTS: u64 = 4;
/// Least distance of the unit draws of height, width, slant, baseline and two of shape.
const LEAST_DISTANCE: f64 = 1.5;
const COMPARED: [usize; 6] = [0, 1, 2, 3, FIRST_WAVE, FIRST_WAVE + 5];

/// The draws that are a letter's own, of a standard deviation of 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnDraws([f64; LETTER_DRAWS]);

/// The draws of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct LetterDraws {
    pub(super) own: OwnDraws,
    pub(super) word: WordDraws,
    /// Drift of the height.
    pub(super) drift: f64,
    /// Whether it is in the last third of a long word.
    pub(super) is_late: bool,
    pub(super) drawing: Drawing,
}

/// The draws of a word that its letters share.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WordDraws {
    pub(super) height: f64,
    pub(super) width: f64,
    pub(super) slant: f64,
    /// Where the word starts; of a letter, at the letter.
    pub(super) baseline: f64,
    pub(super) gap: f64,
    /// Logarithm of the width of strokes.
    pub(super) weight: f64,
}

/// The draws of a letter, scaled by the writer's strength: in x-heights and as factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draws {
    /// The form, its lengths in x-heights.
    pub form: Form,
    /// Change of the gap to the next letter, in x-heights.
    pub gap: f64,
    /// Its dot or accent.
    pub dot: DotDraws,
    /// Logarithm of the factor of the gap after its word.
    pub word_gap: f64,
    /// What a full stop or comma adds to the white before it, in x-heights.
    pub before_mark: f64,
    /// Which drawing of the letter is written.
    pub drawing: Drawing,
}

impl OwnDraws {
    /// The draws for a blank.
    const NONE: Self = Self([0.0; LETTER_DRAWS]);

    /// The first draws of a letter, after those of the letter before it in its word, that differ from its recent
    /// occurrences; or the last attempt. A letter without a dot needs no draws for one.
    pub(super) fn draw<'a>(
        letters: Stream,
        place: u64,
        has_dot: bool,
        before: Option<&Self>,
        close: &(impl Iterator<Item = &'a Self> + Clone),
    ) -> Self {
        let draw = |attempt: u64, index: usize| {
            let first = place | (attempt * LETTER_DRAWS as u64);
            let normal = |index: usize| letters.normal(first + index as u64) * Stream::UNCUT;
            let fresh = match index {
                1 => Stream::correlated(normal(0), normal(1), WIDTH_WITH_HEIGHT),
                _ => normal(index),
            };
            match (LETTER_CARRY.get(index), before) {
                (Some(carry), Some(Self(before))) => Stream::correlated(before[index], fresh, *carry),
                _ => fresh,
            }
        };
        let attempted = |attempt: u64| (attempt, COMPARED.map(|index| draw(attempt, index)));
        let differs = |(_, compared): &(u64, [f64; COMPARED.len()])| {
            let distance = |other: &Self| {
                COMPARED.iter().zip(compared).map(|(index, own)| (own - other.0[*index]).powi(2)).sum::<f64>().sqrt()
            };
            close.clone().all(|other| distance(other) >= LEAST_DISTANCE)
        };
        let (attempt, compared) = (0..ATTEMPTS).map(attempted).find(differs).unwrap_or_else(|| attempted(ATTEMPTS));
        let is_drawn = |index: usize| match index {
            UNUSED => false,
            DOT_PLACE..FIRST_WAVE | DOT_FORM..LETTER_DRAWS => has_dot,
            _ => true,
        };
        Self(std::array::from_fn(|index| match COMPARED.iter().position(|compared| *compared == index) {
            Some(at) => compared[at],
            None if is_drawn(index) => draw(attempt, index),
            None => 0.0,
        }))
    }
}

impl LetterDraws {
    /// Those of a blank.
    pub(super) const BLANK: Self = Self {
        own: OwnDraws::NONE,
        word: WordDraws { height: 0.0, width: 0.0, slant: 0.0, baseline: 0.0, gap: 0.0, weight: 0.0 },
        drift: 0.0,
        is_late: false,
        drawing: Drawing::FIRST,
    };

    /// The draws as a writer of this strength, manner and habits writes them.
    pub(super) fn applied(&self, strength: f64, manner: &Manner, habits: &Habits) -> Draws {
        let [height, width, slant, baseline, gap, _, ascender, descender, dot_x, dot_y, ..] = self.own.0;
        let [size, is_dash, length, rise] = std::array::from_fn(|index| self.own.0[DOT_FORM + index]);
        let word = &self.word;
        let stretch = |logarithm: f64| (strength * logarithm).exp() - 1.0;
        let [height, width] = [height, width].map(|draw| draw.clamp(-MOST_OF_LETTER, MOST_OF_LETTER));
        let slant = (strength * (AVERAGE.slant * manner.slant * slant + WORD_SLANT * word.slant)).to_radians().tan();
        let thinner = if self.is_late { THINNER } else { 0.0 };
        // Four waves with two factors per axis: their mean square is that of one factor, times four.
        let mut waves = [[0.0; 4]; 4];
        for (factor, draw) in waves.as_flattened_mut().iter_mut().zip(self.own.0.iter().skip(FIRST_WAVE)) {
            *factor = (draw * strength * SHAPE / 2.0) as f32;
        }
        Draws {
            form: Form {
                size: [
                    stretch(AVERAGE.width * manner.width * width + WORD_WIDTH * word.width - thinner),
                    stretch(
                        AVERAGE.height * manner.height * height + WORD_HEIGHT * word.height + DRIFT_HEIGHT * self.drift,
                    ),
                    slant,
                    strength * (AVERAGE.baseline * manner.baseline * baseline + WORD_BASELINE * word.baseline),
                ]
                .map(|value| value as f32),
                zones: [
                    stretch(ZONE_HEIGHT * ascender.max(LEAST_ZONE)),
                    stretch(ZONE_HEIGHT * descender),
                    word.weight,
                    0.0,
                ]
                .map(|value| value as f32),
                waves,
            },
            gap: strength * AVERAGE.gap * manner.gap * gap,
            dot: habits.dot(strength, [dot_x, dot_y], [size, is_dash, length, rise]),
            word_gap: strength * AVERAGE.word_gap * manner.word_gap * word.gap,
            before_mark: habits.share * BEFORE_MARK[0] + strength * BEFORE_MARK[1] * gap,
            drawing: self.drawing,
        }
    }
}
