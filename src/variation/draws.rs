//! Normal draws per letter and word of a paragraph, scaled by the strength.

use std::collections::HashMap;

use super::letter::Form;
use crate::noise::{Purpose, Stream};

/// Standard deviations at strength 1: of logarithms, or as noted. [`Stream::normal`] is truncated and so narrower than
/// a normal distribution; `UNCUT` compensates for that.
const LETTER_HEIGHT: f64 = 0.055;
const WORD_HEIGHT: f64 = 0.035;
const DRIFT_HEIGHT: f64 = 0.040;
const ZONE_HEIGHT: f64 = 0.04;
const LETTER_WIDTH: f64 = 0.075;
const WORD_WIDTH: f64 = 0.050;
/// Correlation of a letter's width with its height.
const WIDTH_WITH_HEIGHT: f64 = 0.3;
/// In degrees.
const LETTER_SLANT: f64 = 2.0;
const WORD_SLANT: f64 = 1.2;
/// In x-heights, as are the next four.
const LETTER_BASELINE: f64 = 0.045;
const WORD_BASELINE: f64 = 0.075;
const SHAPE: f64 = 0.040;
const GAP: f64 = 0.11;
const DOT: [f64; 2] = [0.12, 0.10];
const LETTER_WEIGHT: f64 = 0.03;
const WORD_WEIGHT: f64 = 0.05;
const WORD_GAP: f64 = 0.27;
pub(super) const UNCUT: f64 = 1.0 / 0.916;

/// Characters between two knots of the drift in height: about two lines.
const DRIFT_KNOT: usize = 110;
/// Compensates for the standard deviation that interpolation between knots loses.
const DRIFT_GAIN: f64 = 1.25;

/// Number of draws of a letter, and how many of them are for its waves.
const LETTER_DRAWS: usize = 26;
const FIRST_WAVE: usize = 10;
/// The most attempts to draw a letter that differs from its recent occurrences.
const ATTEMPTS: u64 = 4;
/// Least distance of the unit draws of height, width, slant, baseline and two of shape.
const LEAST_DISTANCE: f64 = 1.5;
const COMPARED: [usize; 6] = [0, 1, 2, 3, FIRST_WAVE, FIRST_WAVE + 5];
/// How many letters back an occurrence counts as recent, and how many recent occurrences count.
const CLOSE: usize = 15;
const OCCURRENCES: usize = 2;

/// One writer: a seed and a strength above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Writer {
    letters: Stream,
    words: Stream,
    pub(super) lines: Stream,
    pub(super) strength: f64,
}

/// The draws of the letters of a paragraph.
#[derive(Clone, Debug)]
pub struct TextDraws {
    /// First byte of each letter, and its draws.
    letters: Vec<(usize, Draws)>,
}

#[derive(Clone, Copy, Debug)]
struct LetterDraws {
    /// Height, width, slant, baseline, gap, weight, ascender, descender, dot x and y, waves.
    own: [f64; LETTER_DRAWS],
    /// Height, width, slant, baseline, weight, gap of its word, and drift of the height.
    word: [f64; 7],
}

/// The draws of a letter, scaled by the writer's strength: in x-heights and as factors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draws {
    /// The form, its lengths in x-heights.
    pub form: Form,
    /// Change of the gap to the next letter, in x-heights.
    pub gap: f64,
    /// Displacement of a dot, in x-heights.
    pub dot: [f64; 2],
    /// Logarithm of the factor of the gap after its word.
    pub word_gap: f64,
}

impl Writer {
    /// The writer of a seed; `None` at strength 0.
    #[must_use]
    pub fn new(seed: u32, strength: f64) -> Option<Self> {
        let stream = |purpose| Stream::new(seed, purpose);
        (strength > 0.0).then(|| Self {
            letters: stream(Purpose::WriterLetters),
            words: stream(Purpose::WriterWords),
            lines: stream(Purpose::WriterLines),
            strength,
        })
    }

    /// Draws for a paragraph at line `number` and character `start` of the received text. `letters` are its graphemes,
    /// also blank ones, with their first bytes.
    #[must_use]
    pub fn draw<'a>(&self, number: usize, start: usize, letters: impl Iterator<Item = (usize, &'a str)>) -> TextDraws {
        let mut drawn: Vec<(usize, LetterDraws)> = Vec::new();
        let mut seen: HashMap<&str, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
        let mut word = None;
        for (index, (byte, letter)) in letters.enumerate() {
            if letter.chars().all(char::is_whitespace) {
                word = None;
                drawn.push((byte, LetterDraws { own: [0.0; LETTER_DRAWS], word: [0.0; 7] }));
                continue;
            }
            let place = key(number, byte);
            let of_word = *word.get_or_insert_with(|| self.word(place));
            let [height, width, slant, baseline, weight, gap] = of_word;
            let drift = self.drift(start + index);
            let earlier = seen.entry(letter).or_default();
            let close =
                earlier.iter().rev().enumerate().take_while(|(count, at)| *count < OCCURRENCES || **at + CLOSE > index);
            let close: Vec<&[f64; LETTER_DRAWS]> = close.filter_map(|(_, at)| Some(&drawn.get(*at)?.1.own)).collect();
            let own = self.letter(place, &close);
            earlier.push(index);
            drawn.push((byte, LetterDraws { own, word: [height, width, slant, baseline, weight, gap, drift] }));
        }
        let applied = |(byte, drawn): (usize, LetterDraws)| (byte, drawn.applied(self.strength));
        TextDraws { letters: drawn.into_iter().map(applied).collect() }
    }

    /// The first draws of a letter that differ from its recent occurrences, or the last attempt.
    fn letter(&self, place: u64, close: &[&[f64; LETTER_DRAWS]]) -> [f64; LETTER_DRAWS] {
        let mut own = self.attempt(place, 0);
        for attempt in 1..=ATTEMPTS {
            let distance = |other: &[f64; LETTER_DRAWS]| {
                COMPARED.iter().map(|index| (own[*index] - other[*index]).powi(2)).sum::<f64>().sqrt()
            };
            if close.iter().all(|other| distance(other) >= LEAST_DISTANCE) {
                break;
            }
            own = self.attempt(place, attempt);
        }
        own
    }

    fn attempt(&self, place: u64, attempt: u64) -> [f64; LETTER_DRAWS] {
        let first = place | (attempt * LETTER_DRAWS as u64);
        let mut own = std::array::from_fn(|index| self.letters.normal(first + index as u64) * UNCUT);
        own[1] = WIDTH_WITH_HEIGHT * own[0] + (1.0 - WIDTH_WITH_HEIGHT * WIDTH_WITH_HEIGHT).sqrt() * own[1];
        own
    }

    fn word(&self, place: u64) -> [f64; 6] {
        std::array::from_fn(|index| self.words.normal(place | index as u64) * UNCUT)
    }

    /// Slow drift of the height along the text: normal draws at knots, smooth between them.
    fn drift(&self, character: usize) -> f64 {
        let (knot, share) = (character / DRIFT_KNOT, (character % DRIFT_KNOT) as f64 / DRIFT_KNOT as f64);
        let at = |knot: usize| self.lines.normal(DRIFT_KEYS | knot as u64) * UNCUT;
        let smooth = share * share * (3.0 - 2.0 * share);
        (at(knot) + (at(knot + 1) - at(knot)) * smooth) * DRIFT_GAIN
    }
}

/// The bit that separates keys of knots from keys of lines.
const DRIFT_KEYS: u64 = 1 << 63;

/// The key of a position in the text, with room for 256 draws: no text has 2²⁴ lines or 2³² bytes.
pub(super) const fn key(paragraph: usize, place: usize) -> u64 {
    ((paragraph as u64) << 32 | place as u64) << 8
}

impl TextDraws {
    /// The draws of the letter at byte `byte` of the paragraph.
    #[must_use]
    pub fn at(&self, byte: usize) -> Draws {
        let behind = self.letters.partition_point(|(start, _)| *start <= byte);
        let drawn = behind.checked_sub(1).and_then(|index| self.letters.get(index));
        drawn.map_or_else(Draws::default, |(_, draws)| *draws)
    }
}

impl LetterDraws {
    fn applied(&self, strength: f64) -> Draws {
        let [height, width, slant, baseline, gap, weight, ascender, descender, dot_x, dot_y, ..] = self.own;
        let word = self.word;
        let stretch = |logarithm: f64| (strength * logarithm).exp() - 1.0;
        let slant = (strength * (LETTER_SLANT * slant + WORD_SLANT * word[2])).to_radians().tan();
        // Four waves with two factors per axis: their mean square is that of one factor, times four.
        let mut waves = [[0.0; 4]; 4];
        for (factor, draw) in waves.as_flattened_mut().iter_mut().zip(self.own.iter().skip(FIRST_WAVE)) {
            *factor = (draw * strength * SHAPE / 2.0) as f32;
        }
        Draws {
            form: Form {
                size: [
                    stretch(LETTER_WIDTH * width + WORD_WIDTH * word[1]),
                    stretch(LETTER_HEIGHT * height + WORD_HEIGHT * word[0] + DRIFT_HEIGHT * word[6]),
                    slant,
                    strength * (LETTER_BASELINE * baseline + WORD_BASELINE * word[3]),
                ]
                .map(|value| value as f32),
                zones: [
                    stretch(ZONE_HEIGHT * ascender),
                    stretch(ZONE_HEIGHT * descender),
                    (strength * (LETTER_WEIGHT * weight + WORD_WEIGHT * word[4])).clamp(-0.25, 0.25),
                    0.0,
                ]
                .map(|value| value as f32),
                waves,
            },
            gap: strength * GAP * gap,
            dot: [strength * DOT[0] * dot_x, strength * DOT[1] * dot_y],
            word_gap: strength * WORD_GAP * word[5],
        }
    }
}
