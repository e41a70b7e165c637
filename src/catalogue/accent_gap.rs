//! How close a font draws accents to letters, measured on its composed letters.

use super::outline::Outline;

/// Composed letters whose accent is a part of its own, above small letters, above capitals and below.
const ABOVE_SMALL: &str = "éèêëàâäñõöôûüšžčěğāēī";
const ABOVE_CAPITAL: &str = "ÉÈÊËÀÂÄÑÕÖÔÛÜŠŽČĚĞĀĒĪ";
const BELOW: &str = "ẹọạụịẸỌẠḥḍṣṭ";

/// Heights without ink between letters and their accents, in font units; `None` where the font has no such letters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AccentGaps {
    /// Above small letters.
    pub above_small: Option<f64>,
    /// Above capitals and digits.
    pub above_capital: Option<f64>,
    /// Below letters.
    pub below: Option<f64>,
}

impl AccentGaps {
    /// The medians of the gaps of a font whose letters have these outlines.
    pub(super) fn measure(x_height: f64, outline: &dyn Fn(char) -> Option<Outline>) -> Self {
        let above = |letters: &str| {
            median(letters, &|letter| outline(letter)?.topmost_gap().filter(|[rest, _]| *rest > x_height / 2.0))
        };
        let below = &|letter| outline(letter)?.lowest_gap().filter(|[_, rest]| *rest < x_height / 2.0);
        Self { above_small: above(ABOVE_SMALL), above_capital: above(ABOVE_CAPITAL), below: median(BELOW, below) }
    }
}

fn median(letters: &str, gap: &dyn Fn(char) -> Option<[f64; 2]>) -> Option<f64> {
    let mut gaps: Vec<f64> = letters.chars().filter_map(gap).map(|[low, high]| high - low).collect();
    gaps.sort_by(f64::total_cmp);
    gaps.get(gaps.len() / 2).copied()
}
