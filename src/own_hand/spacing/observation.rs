//! Gaps as they were written.

use serde::{Deserialize, Serialize};

use super::alignment::Placed;
use super::strip::LineInk;

/// How much of a part's width, or of a letter's, must be under the other to belong to it.
const OVERLAP: f64 = 0.45;
/// How far the width of ink may differ from that of the pattern, as a share and in x-heights.
const OTHER_WIDTH: (f64, f64) = (0.35, 0.25);
/// Least likeness of a letter whose gaps count, and how much a gap between patterns counts.
const LEAST_LIKENESS: f64 = 0.35;
const OF_PATTERN: f64 = 0.45;
/// The body of a letter, in x-heights from the baseline, and the share of its width that is looked at.
const BODY: [f64; 2] = [-0.15, 1.15];
const MIDDLE: [f64; 2] = [0.1, 0.9];

/// The gap between two letters in a word.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::own_hand) struct Observation {
    /// The letters.
    pub(in crate::own_hand) pair: [char; 2],
    /// The gap between the boxes of their ink, in x-heights.
    pub(in crate::own_hand) gap: f64,
    /// How much it counts.
    pub(in crate::own_hand) weight: f64,
    /// Whether they are joined.
    pub(in crate::own_hand) is_joined: bool,
}

/// Measures letters that stand alone exactly, and gives the gaps within words.
pub(in crate::own_hand) fn observations(line: &LineInk, letters: &mut [Placed], x_height: f64) -> Vec<Observation> {
    measure(line, letters, x_height);
    let bodies: Vec<u32> = letters.iter().map(|letter| body_part(line, letter, x_height)).collect();
    let mut found = Vec::new();
    for at in 1..letters.len() {
        let [before, after] = [&letters[at - 1], &letters[at]];
        if before.word != after.word {
            continue;
        }
        let is_exact = before.is_exact && after.is_exact;
        let is_like = before.likeness > LEAST_LIKENESS && after.likeness > LEAST_LIKENESS;
        if is_exact || is_like {
            found.push(Observation {
                pair: [before.character, after.character],
                gap: (after.ink[0] - before.ink[1]) / x_height,
                weight: if is_exact { 1.0 } else { OF_PATTERN },
                is_joined: bodies[at - 1] > 0 && bodies[at - 1] == bodies[at],
            });
        }
    }
    found
}

/// The gaps between the words of a line, in x-heights: between ink where a word's ends are those of parts of the ink, else
/// between patterns.
pub(in crate::own_hand) fn word_gaps(line: &LineInk, letters: &[Placed], x_height: f64) -> Vec<f64> {
    let numbers: std::collections::BTreeSet<u32> = line.numbers.iter().copied().filter(|number| *number > 0).collect();
    let parts: Vec<[f64; 2]> = numbers
        .into_iter()
        .filter_map(|number| line.parts.get(number as usize - 1))
        .map(|[left, _, right, _]| [*left, *right])
        .collect();
    let gap = |(before, after): (&Placed, &Placed)| {
        let middle = |letter: &Placed| f64::midpoint(letter.ink[0], letter.ink[1]);
        let (from, to) = (middle(before), middle(after));
        let near = |end: f64, letter: &Placed, side: usize| {
            let width = letter.ink[1] - letter.ink[0];
            (end - letter.ink[side]).abs() < OTHER_WIDTH.0 * width + OTHER_WIDTH.1 * x_height
        };
        let right = parts.iter().filter(|[left, right]| *left < from && *right < to).map(|[_, right]| *right);
        let right = right.filter(|end| near(*end, before, 1)).reduce(f64::max).unwrap_or(before.ink[1]);
        let left = parts.iter().filter(|[left, right]| *left > from && *right > to).map(|[left, _]| *left);
        let left = left.filter(|end| near(*end, after, 0)).reduce(f64::min).unwrap_or(after.ink[0]);
        (left - right) / x_height
    };
    letters.iter().zip(letters.iter().skip(1)).filter(|(before, after)| before.word != after.word).map(gap).collect()
}

/// Takes the ends of ink for those of letters whose ink stands alone.
fn measure(line: &LineInk, letters: &mut [Placed], x_height: f64) {
    let mut ends: Vec<Option<[f64; 2]>> = vec![None; letters.len()];
    let mut is_shared = vec![false; letters.len()];
    let numbers: std::collections::BTreeSet<u32> = line.numbers.iter().copied().filter(|number| *number > 0).collect();
    for [left, _, right, _] in numbers.into_iter().filter_map(|number| line.parts.get(number as usize - 1)) {
        let share = |letter: &Placed| {
            let common = (right.min(letter.ink[1]) - left.max(letter.ink[0])).max(0.0);
            common / (right - left + 0.05).min(letter.ink[1] - letter.ink[0] + 0.05)
        };
        let owners: Vec<usize> = (0..letters.len()).filter(|at| share(&letters[*at]) > OVERLAP).collect();
        match owners.as_slice() {
            [one] => {
                let known = ends[*one].unwrap_or([*left, *right]);
                ends[*one] = Some([known[0].min(*left), known[1].max(*right)]);
            }
            several => several.iter().for_each(|at| is_shared[*at] = true),
        }
    }
    for ((letter, ends), is_shared) in letters.iter_mut().zip(ends).zip(is_shared) {
        let Some([left, right]) = ends.filter(|_| !is_shared) else { continue };
        let own = letter.ink[1] - letter.ink[0];
        if (right - left - own).abs() < OTHER_WIDTH.0 * own + OTHER_WIDTH.1 * x_height {
            letter.ink = [left, right];
            letter.is_exact = true;
        }
    }
}

/// The number of the part that most of a letter's body belongs to; 0 of none.
fn body_part(line: &LineInk, letter: &Placed, x_height: f64) -> u32 {
    let scale = LineInk::SCALE;
    let width = letter.ink[1] - letter.ink[0];
    let columns = MIDDLE.map(|share| ((letter.ink[0] + share * width) * scale).max(0.0) as usize);
    let rows = [BODY[1], BODY[0]].map(|height| (line.baseline as f64 - height * x_height * scale).max(0.0) as usize);
    let mut counts: std::collections::BTreeMap<u32, usize> = std::collections::BTreeMap::new();
    for row in rows[0]..=rows[1].min(line.coverage.height - 1) {
        for column in columns[0]..=columns[1].min(line.coverage.width - 1) {
            let number = line.numbers[row * line.coverage.width + column];
            if number > 0 {
                *counts.entry(number).or_default() += 1;
            }
        }
    }
    counts
        .into_iter()
        .max_by_key(|(number, count)| (*count, std::cmp::Reverse(*number)))
        .map_or(0, |(number, _)| number)
}
