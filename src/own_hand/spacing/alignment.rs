//! Where each letter of a line's text is: the placing with the most ink under the letters and the most usual gaps, found by
//! dynamic programming (A. Viterbi, 1967).

use std::collections::BTreeMap;

use super::profile::Profiles;
use super::strip::LineInk;
use super::template::{PAD, Template, Templates};

/// How far letters may be above and below the baseline, in pixels, and what each pixel costs.
const MOST_RISE: isize = 3;
const RISE_COST: f32 = 0.018;
/// Gaps between the bodies of letters and between words that are tried, in x-heights.
const LETTER_GAPS: [f64; 2] = [-1.1, 1.6];
const WORD_GAPS: [f64; 2] = [-0.2, 6.0];
/// Mean and spread of these gaps in the first round.
const FIRST_LETTER_GAP: [f64; 2] = [0.25, 0.5];
const FIRST_WORD_GAP: [f64; 2] = [1.5, 0.9];
/// Least spreads in the second round.
const LEAST_SPREADS: [f64; 2] = [0.12, 0.25];
/// What a gap costs, for the square of its distance from the mean in spreads, and the most of these squares.
const GAP_COST: f64 = 0.06;
const MOST_SQUARE: f64 = 9.0;
/// What a pixel of ink after the last letter costs.
const TAIL_COST: f32 = 0.045;
/// The first letter begins within this many mm.
const FIRST_WITHIN: f64 = 40.0;
/// The value of an impossible placing.
const NEVER: f32 = -1e9;

/// A letter of a line where it was found.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::own_hand) struct Placed {
    /// The letter.
    pub(in crate::own_hand) character: char,
    /// The number of its word in the line.
    pub(in crate::own_hand) word: usize,
    /// Left and right end of its ink, in mm from the left of the line.
    pub(in crate::own_hand) ink: [f64; 2],
    /// How much of it is inked, about 0 to 1.
    pub(super) likeness: f64,
    /// Whether the ends are those of ink that stands alone, and not of a pattern.
    pub(super) is_exact: bool,
}

/// Mean and spread of gaps.
#[derive(Clone, Copy, Debug)]
struct Gaps {
    letters: [f64; 2],
    words: [f64; 2],
}

/// Where a letter may be.
struct Emission {
    /// For each column as the left edge of the ink, how well the letter fits.
    likeness: Vec<f32>,
    /// The width of the pattern that fits best there, in mm.
    widths: Vec<f64>,
}

/// Places the letters of each line of these texts. Letters without a pattern are left out.
pub(in crate::own_hand) fn align(
    lines: &[(&LineInk, &str)],
    templates: &Templates,
    profiles: &Profiles,
    x_height: f64,
) -> Vec<Vec<Placed>> {
    let emissions: Vec<BTreeMap<char, Emission>> = lines
        .iter()
        .map(|(line, text)| {
            let soft = line.coverage.blurred(0.5);
            let letters = text.chars().filter(|letter| !templates.of_letter(*letter).is_empty());
            letters.map(|letter| (letter, Emission::of(&soft, line.baseline, templates.of_letter(letter)))).collect()
        })
        .collect();
    let place = |gaps: Gaps| -> Vec<Vec<Placed>> {
        let each = lines.iter().zip(&emissions);
        each.map(|((line, text), emissions)| place_line(line, text, emissions, profiles, x_height, gaps)).collect()
    };
    let first = place(Gaps { letters: FIRST_LETTER_GAP, words: FIRST_WORD_GAP });
    let (mut letters, mut words) = (Vec::new(), Vec::new());
    for (before, after) in first.iter().flat_map(|line| line.iter().zip(line.iter().skip(1))) {
        let gap = (after.ink[0] - before.ink[1]) / x_height + profiles.body_room(before.character, after.character);
        if before.word == after.word { &mut letters } else { &mut words }.push(gap);
    }
    let spread = |gaps: &[f64], usual: [f64; 2], least: f64| {
        if gaps.len() < 5 {
            return usual;
        }
        let middle = crate::own_hand::page::quantile(gaps, 0.5);
        let off: Vec<f64> = gaps.iter().map(|gap| (gap - middle).abs()).collect();
        [middle, (1.48 * crate::own_hand::page::quantile(&off, 0.5)).max(least)]
    };
    place(Gaps {
        letters: spread(&letters, FIRST_LETTER_GAP, LEAST_SPREADS[0]),
        words: spread(&words, FIRST_WORD_GAP, LEAST_SPREADS[1]),
    })
}

impl Emission {
    /// The best of several patterns and heights at each column.
    fn of(coverage: &crate::own_hand::picture::Plane, baseline: usize, templates: &[Template]) -> Self {
        let (width, height) = (coverage.width, coverage.height);
        let mut best = Self { likeness: vec![-1.0; width], widths: vec![0.0; width] };
        let inked: Vec<(usize, usize, f32)> = (0..width * height)
            .filter(|at| coverage.values[*at] > 0.02)
            .map(|at| (at % width, at / width, coverage.values[at]))
            .collect();
        for template in templates {
            for rise in -MOST_RISE..=MOST_RISE {
                let top = baseline as isize + rise - template.baseline as isize;
                let mut sums = vec![0.0_f32; width];
                for (column, row, value) in &inked {
                    let own = *row as isize - top;
                    if own < 0 || own >= template.weights.height as isize {
                        continue;
                    }
                    let start = own as usize * template.weights.width;
                    let weights = &template.weights.values[start..start + template.weights.width];
                    // Under weight `at`, the ink's left edge is at this column less `at` and the pad.
                    for (at, weight) in weights.iter().enumerate() {
                        if let Some(sum) = (column + PAD).checked_sub(at).and_then(|left| sums.get_mut(left)) {
                            *sum += weight * value;
                        }
                    }
                }
                let cost = RISE_COST * rise.unsigned_abs() as f32;
                for (left, sum) in sums.into_iter().enumerate() {
                    if sum - cost > best.likeness[left] {
                        best.likeness[left] = sum - cost;
                        best.widths[left] = template.width;
                    }
                }
            }
        }
        best
    }
}

fn place_line(
    line: &LineInk,
    text: &str,
    emissions: &BTreeMap<char, Emission>,
    profiles: &Profiles,
    x_height: f64,
    gaps: Gaps,
) -> Vec<Placed> {
    let scale = LineInk::SCALE;
    let words = text.split(' ').enumerate().flat_map(|(word, text)| text.chars().map(move |letter| (word, letter)));
    let letters: Vec<(usize, char, &Emission)> =
        words.filter_map(|(word, letter)| Some((word, letter, emissions.get(&letter)?))).collect();
    let width = line.coverage.width;
    let Some((_, _, first)) = letters.first() else { return Vec::new() };
    let mut values: Vec<f32> = first.likeness.clone();
    values.iter_mut().skip((FIRST_WITHIN * scale) as usize).for_each(|value| *value = NEVER);
    let mut origins: Vec<Vec<u32>> = vec![Vec::new()];
    for pair in letters.windows(2) {
        let [(word, before, emission), (next_word, letter, next)] = [&pair[0], &pair[1]];
        let is_word_end = word != next_word;
        let (range, [mean, spread]) = if is_word_end { (WORD_GAPS, gaps.words) } else { (LETTER_GAPS, gaps.letters) };
        let room = profiles.body_room(*before, *letter);
        let steps = range.map(|gap| ((gap - room) * x_height * scale).round() as isize);
        let costs: Vec<(isize, f32)> = (steps[0]..=steps[1])
            .map(|step| {
                let off = (step as f64 / scale / x_height + room - mean) / spread;
                (step, (GAP_COST * (off * off).min(MOST_SQUARE)) as f32)
            })
            .collect();
        let mut best = vec![NEVER; width];
        let mut origin = vec![0_u32; width];
        for (left, value) in values.iter().enumerate().filter(|(_, value)| **value > NEVER / 2.0) {
            let right = left as isize + (emission.widths[left] * scale).round() as isize;
            for (step, cost) in &costs {
                let Ok(at) = usize::try_from(right + step) else { continue };
                if at < width && at > left && value - cost > best[at] {
                    best[at] = value - cost;
                    origin[at] = left as u32;
                }
            }
        }
        values = best.iter().zip(&next.likeness).map(|(value, likeness)| value + likeness).collect();
        origins.push(origin);
    }
    let mut after = vec![0.0_f32; width + 1];
    for column in (0..width).rev() {
        let ink: f32 = (0..line.coverage.height).map(|row| line.coverage.values[row * width + column]).sum();
        after[column] = after[column + 1] + ink;
    }
    let Some((_, _, last)) = letters.last() else { return Vec::new() };
    let end = |left: usize| (left + (last.widths[left] * scale).round() as usize + 2).min(width);
    let total = |left: usize| values[left] - TAIL_COST * after[end(left)];
    let mut left = (0..width).max_by(|a, b| total(*a).total_cmp(&total(*b))).unwrap_or_default();
    let mut placed: Vec<Placed> = letters
        .iter()
        .zip(&origins)
        .rev()
        .map(|((word, character, emission), origin)| {
            let at = left;
            left = origin.get(left).copied().unwrap_or_default() as usize;
            let start = (at as f64 + peak(&emission.likeness, at)) / scale;
            let likeness = f64::from(emission.likeness[at]);
            let ink = [start, start + emission.widths[at]];
            Placed { character: *character, word: *word, ink, likeness, is_exact: false }
        })
        .collect();
    placed.reverse();
    placed
}

/// Where the peak at a column is between columns: that of the parabola through three values.
fn peak(values: &[f32], at: usize) -> f64 {
    let around = at.checked_sub(1).and_then(|before| values.get(before..at + 2));
    let Some([before, own, after]) = around.and_then(|around| <[f32; 3]>::try_from(around).ok()) else { return 0.0 };
    let bend = before - 2.0 * own + after;
    if own < before || own < after || bend >= 0.0 { 0.0 } else { f64::from(0.5 * (before - after) / bend) }
}
