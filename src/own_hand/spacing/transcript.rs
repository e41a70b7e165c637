//! Which lines have the text that they should have.

use super::alignment::{Placed, align};
use super::profile::Profiles;
use super::strip::LineInk;
use super::template::Templates;

/// The most ink under no letter, as a share of the line's.
const MOST_LEFT_OUT: f64 = 0.05;
/// How far from a letter ink still belongs to it, in x-heights.
const NEAR: f64 = 0.12;
/// Least gap between words, and least gap between bodies of letters that does not count as crowded, in x-heights.
const LEAST_WORD_GAP: f64 = 0.2;
const CROWDED: f64 = -0.4;
/// The most crowded gaps of a line, as a share.
const MOST_CROWDED: f64 = 0.08;
/// The most words that may be left out at the end of a line.
const MOST_WORDS: usize = 3;

/// What was found on a line.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::own_hand) struct LineFinding {
    /// Its letters, in order; none if it was refused.
    pub(in crate::own_hand) letters: Vec<Placed>,
    /// Why it is not used.
    pub(in crate::own_hand) refused: Option<&'static str>,
}

/// Finds the letters of each line, without its last words if these were not written.
pub(in crate::own_hand) fn find_lines(
    lines: &[LineInk],
    templates: &Templates,
    profiles: &Profiles,
    x_height: f64,
) -> Vec<LineFinding> {
    let whole: Vec<(&LineInk, &str)> = lines.iter().map(|line| (line, line.line.text)).collect();
    let placed = align(&whole, templates, profiles, x_height);
    let finding = |(line, letters): (&LineInk, Vec<Placed>)| {
        let Some(first_reason) = fault(line, &letters, profiles, x_height) else {
            return LineFinding { letters, refused: None };
        };
        let mut text = line.line.text;
        for _ in 0..MOST_WORDS {
            let Some((shorter, _)) = text.rsplit_once(' ') else { break };
            text = shorter;
            let letters = align(&[(line, text)], templates, profiles, x_height).pop().unwrap_or_default();
            if fault(line, &letters, profiles, x_height).is_none() {
                return LineFinding { letters, refused: None };
            }
        }
        LineFinding { letters: Vec::new(), refused: Some(first_reason) }
    };
    lines.iter().zip(placed).map(finding).collect()
}

/// Why letters are not those of a line's ink.
fn fault(line: &LineInk, letters: &[Placed], profiles: &Profiles, x_height: f64) -> Option<&'static str> {
    let width = line.coverage.width;
    let ink = |column: usize| -> f64 {
        (0..line.coverage.height).map(|row| f64::from(line.coverage.values[row * width + column])).sum()
    };
    let all: f64 = (0..width).map(ink).sum();
    if all < 20.0 || letters.len() < 8 {
        return Some("it has no ink");
    }
    let is_left_out = |column: &usize| {
        let x = (*column as f64 + 0.5) / LineInk::SCALE;
        let near = NEAR * x_height;
        !letters.iter().any(|letter| (letter.ink[0] - near..=letter.ink[1] + near).contains(&x))
    };
    let left_out: f64 = (0..width).filter(is_left_out).map(ink).sum();
    if left_out > MOST_LEFT_OUT * all {
        return Some("it has more or other words");
    }
    let (mut crowded, mut count) = (0, 0);
    for (before, after) in letters.iter().zip(letters.iter().skip(1)) {
        let gap = (after.ink[0] - before.ink[1]) / x_height;
        if before.word != after.word {
            if gap < LEAST_WORD_GAP {
                return Some("words are missing, or not apart");
            }
            continue;
        }
        count += 1;
        crowded += usize::from(gap + profiles.body_room(before.character, after.character) < CROWDED);
    }
    (f64::from(crowded as u32) > MOST_CROWDED * f64::from(count as u32)).then_some("letters are missing")
}
