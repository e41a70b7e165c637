//! Normal draws per letter and word of a paragraph, scaled by the strength.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::dot::Dot;
use super::drawing::Drawing;
use super::habits::Habits;
use super::letter_draws::{Draws, LetterDraws, OwnDraws, WordDraws};
use super::manner::Manner;
use crate::noise::{Purpose, Stream};

/// Correlation of the height, the width and the slant of a word with those of the word before it, and the most that its
/// height and width change from word to word, in standard deviations: a word far smaller or larger than its neighbours
/// looks pasted. Of their standard deviations, the limit leaves 0.82.
const WORD_CARRY: f64 = 0.4;
const WORD_STEP: f64 = 1.0;
/// Correlation of the baseline where a word starts with that where the word before it ends, and the number of letters
/// over which the baseline of a word keeps 1/e of it.
const BASELINE_CARRY: f64 = 0.55;
const BASELINE_LETTERS: f64 = 7.0;
/// The least number of letters of a long word.
const LONG_WORD: usize = 6;
/// Standard deviation of the logarithm of the width of strokes, at every strength: a pen does not get uneven with the
/// letters. It drifts from word to word with this correlation, at most by a step.
const WEIGHT: f64 = 0.035;
const WEIGHT_CARRY: f64 = 0.4;
const WEIGHT_STEP: f64 = 0.02;
/// The strength from which on habits, which are means, apply in full.
const HABITS_FROM: f64 = 0.5;

/// Characters between two knots of the drift in height: about two lines.
const DRIFT_KNOT: usize = 110;
/// Compensates for the standard deviation that interpolation between knots loses.
const DRIFT_GAIN: f64 = 1.25;

/// How many letters back an occurrence counts as recent, and how many recent occurrences count.
const CLOSE: usize = 15;
const OCCURRENCES: usize = 2;

/// One writer: a seed and a strength above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Writer {
    letters: Stream,
    words: Stream,
    drawings: Stream,
    pub(super) lines: Stream,
    pub(super) strength: f64,
    manner: Manner,
    habits: Habits,
    /// Whether the width of strokes drifts from word to word.
    drifts: bool,
}

/// The draws of the letters of a paragraph.
#[derive(Clone, Debug)]
pub struct TextDraws {
    /// First byte of each letter.
    starts: Vec<usize>,
    /// Its draws.
    letters: Vec<Draws>,
}

/// A word whose letters are being drawn.
struct Word {
    /// The index of its first letter, and the key of its place in the text.
    first: usize,
    place: u64,
    draws: WordDraws,
}

impl Writer {
    /// The writer of a seed; `None` at strength 0.
    #[must_use]
    pub fn new(seed: u32, strength: f64) -> Option<Self> {
        let stream = |purpose| Stream::new(seed, purpose);
        let letters = stream(Purpose::WriterLetters);
        (strength > 0.0).then(|| Self {
            letters,
            words: stream(Purpose::WriterWords),
            drawings: stream(Purpose::WriterDrawings),
            lines: stream(Purpose::WriterLines),
            strength,
            manner: Manner::AVERAGE,
            habits: Habits::of(letters, (strength / HABITS_FROM).min(1.0)),
            drifts: true,
        })
    }

    /// The same writer, whose letters and gaps differ as far as this says.
    #[must_use]
    pub const fn with_manner(self, manner: Manner) -> Self {
        Self { manner, ..self }
    }

    /// The same writer with a pen whose width does not drift from word to word: it varies along each stroke.
    #[must_use]
    pub const fn with_steady_pen(self) -> Self {
        Self { drifts: false, ..self }
    }

    /// How far habits apply: 0 without variation, 1 in full.
    #[must_use]
    pub const fn habit(&self) -> f64 {
        self.habits.share
    }

    /// Draws for a paragraph at line `number` and character `start` of the received text. `letters` are its graphemes,
    /// also blank ones, with their first bytes.
    #[must_use]
    pub fn draw<'a>(&self, number: usize, start: usize, letters: impl Iterator<Item = (usize, &'a str)>) -> TextDraws {
        let most = letters.size_hint().1.unwrap_or_default();
        let (mut starts, mut drawn): (_, Vec<LetterDraws>) = (Vec::with_capacity(most), Vec::with_capacity(most));
        let mut seen: HashMap<&str, Vec<usize>, foldhash::fast::FixedState> = HashMap::default();
        let mut word: Option<Word> = None;
        // The draws where the last word ended.
        let mut before = WordDraws::default();
        for (index, (byte, letter)) in letters.enumerate() {
            starts.push(byte);
            if letter.chars().all(char::is_whitespace) {
                before = word.take().map_or(before, |word| self.end_word(&mut drawn, &word));
                drawn.push(LetterDraws::BLANK);
                continue;
            }
            let place = key(number, byte);
            let of_word = word.get_or_insert_with(|| Word { first: index, place, draws: self.word(place, &before) });
            let drift = self.drift(start + index);
            let earlier = seen.entry(letter).or_default();
            let close =
                earlier.iter().rev().enumerate().take_while(|(count, at)| *count < OCCURRENCES || **at + CLOSE > index);
            let close = close.filter_map(|(_, at)| Some(&drawn.get(*at)?.own));
            // The draws before the first letter of a word are none.
            let last = if of_word.first < index { drawn.last() } else { None };
            let has_dot = letter.chars().any(Dot::is_possible);
            let own = OwnDraws::draw(self.letters, place, has_dot, last.map(|last| &last.own), &close);
            let before = earlier.last().and_then(|at| Some(drawn.get(*at)?.drawing));
            let drawing = Drawing::next(before, self.drawings.unit(place));
            earlier.push(index);
            drawn.push(LetterDraws { own, word: of_word.draws, drift, is_late: false, drawing });
        }
        if let Some(word) = word {
            self.end_word(&mut drawn, &word);
        }
        let applied = |drawn: &LetterDraws| drawn.applied(self.strength, &self.manner, &self.habits);
        TextDraws { starts, letters: drawn.iter().map(applied).collect() }
    }

    /// The draws of a word after another.
    fn word(&self, place: u64, before: &WordDraws) -> WordDraws {
        let [height, width, slant, baseline, fresh, gap] =
            std::array::from_fn(|index| self.words.normal(place | index as u64) * Stream::UNCUT);
        let after = |last: f64, fresh: f64, carry: f64, step: f64| {
            Stream::correlated(last, fresh, carry).clamp(last - step, last + step)
        };
        let height = after(before.height, height, WORD_CARRY, WORD_STEP);
        let width = after(before.width, width, WORD_CARRY, WORD_STEP);
        let slant = Stream::correlated(before.slant, slant, WORD_CARRY);
        let baseline = Stream::correlated(before.baseline, baseline, BASELINE_CARRY);
        let weight = if self.drifts { after(before.weight, WEIGHT * fresh, WEIGHT_CARRY, WEIGHT_STEP) } else { 0.0 };
        WordDraws { height, width, slant, baseline, gap, weight }
    }

    /// Draws what letters of a word have by their place in it: the baseline, from start to end, and whether they are in
    /// the last third of a long word. Returns the draws where the word ends.
    fn end_word(&self, drawn: &mut [LetterDraws], word: &Word) -> WordDraws {
        let letters = drawn.get_mut(word.first..).unwrap_or_default();
        let count = letters.len();
        let late = if count < LONG_WORD { 0 } else { count / 3 };
        let fresh = self.words.normal(word.place | WORD_END) * Stream::UNCUT;
        let start = word.draws.baseline;
        let end = Stream::correlated(start, fresh, (-(count as f64) / BASELINE_LETTERS).exp());
        for (index, letter) in letters.iter_mut().enumerate() {
            letter.word.baseline = start + (end - start) * (index as f64 + 0.5) / count as f64;
            letter.is_late = index + late >= count;
        }
        WordDraws { baseline: end, ..word.draws }
    }

    /// Slow drift of the height along the text: normal draws at knots, smooth between them.
    fn drift(&self, character: usize) -> f64 {
        let (knot, share) = (character / DRIFT_KNOT, (character % DRIFT_KNOT) as f64 / DRIFT_KNOT as f64);
        let at = |knot: usize| self.lines.normal(DRIFT_KEYS | knot as u64) * Stream::UNCUT;
        let smooth = share * share * (3.0 - 2.0 * share);
        (at(knot) + (at(knot + 1) - at(knot)) * smooth) * DRIFT_GAIN
    }
}

/// The draw of a word for the baseline of its end, after those of `Writer::word`.
const WORD_END: u64 = 6;

/// The bit that separates keys of knots from keys of lines.
const DRIFT_KEYS: u64 = 1 << 63;

/// The key of a position in the text, with room for 256 draws: no text has 2²⁴ lines or 2³² bytes.
pub(super) const fn key(paragraph: usize, place: usize) -> u64 {
    ((paragraph as u64) << 32 | place as u64) << 8
}

impl TextDraws {
    /// The draws of the letter at byte `byte` of the paragraph.
    #[must_use]
    pub fn at(&self, byte: usize) -> &Draws {
        static NONE: LazyLock<Draws> = LazyLock::new(Draws::default);
        let behind = self.starts.partition_point(|start| *start <= byte);
        behind.checked_sub(1).and_then(|index| self.letters.get(index)).unwrap_or(&NONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_words_differ_from_their_neighbours_less_than_from_others() {
        let text = "abcdefghi ".repeat(600);
        let writer = Writer::new(9, 1.0).unwrap();
        let draws = writer.draw(0, 0, (0..text.len()).map(|at| (at, &text[at..=at])));
        let correlation = |pairs: Vec<[f64; 2]>| {
            let sum = |of: &dyn Fn(&[f64; 2]) -> f64| pairs.iter().map(of).sum::<f64>();
            sum(&|[one, other]| one * other) / sum(&|[one, other]| f64::midpoint(one * one, other * other))
        };
        let of = |word: usize, letter: usize, index: usize| f64::from(draws.at(10 * word + letter).form.size[index]);
        // Letters of a word, so far apart.
        let apart = |distance: usize, index: usize| {
            let places = (0..600).flat_map(|word| (0..9 - distance).map(move |letter| (word, letter)));
            correlation(places.map(|(word, at)| [at, at + distance].map(|at| of(word, at, index))).collect())
        };
        // What letters add to the slant of their word.
        let [near, far] = [1, 6].map(|distance| apart(distance, 2));
        assert!((near - far - 0.3 * (1.0 - far)).abs() < 0.05, "{near} {far}");
        // And to its baseline: the second difference leaves out a line from start to end. That of a series with the
        // correlation r has 6 - 8 r + 2 r² times its variance.
        let bend = |word, at| of(word, at, 3) - 2.0 * of(word, at + 1, 3) + of(word, at + 2, 3);
        let bends: f64 =
            (0..4200).map(|place| (bend(place / 7, place % 7) / Manner::DEVIATIONS.baseline).powi(2)).sum();
        assert!((bends / 4200.0 - (6.0 - 8.0 * 0.4 + 2.0 * 0.4 * 0.4)).abs() < 0.4, "{bends}");
        // A word starts near where the one before it ended, and ends somewhere else.
        let over_gap = correlation((0..599).map(|word| [of(word, 8, 3), of(word + 1, 0, 3)]).collect());
        let [beside, over_word] = [1, 8].map(|distance| apart(distance, 3));
        assert!((over_gap - 0.46).abs() < 0.1 && (over_word - 0.32).abs() < 0.1, "{over_gap} {over_word}");
        assert!(beside > 0.7, "{beside}");
        let slant = |word| (0..9).map(|letter| of(word, letter, 2)).sum::<f64>() / 9.0;
        let words = correlation((0..599).map(|word| [slant(word), slant(word + 1)]).collect());
        assert!((0.2..0.5).contains(&words), "{words}");
    }
}
