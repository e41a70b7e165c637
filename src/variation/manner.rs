//! How far one writer varies, beside the average one.

use serde::{Deserialize, Serialize};

/// How far the letters and gaps of a writer differ, each as a share of how far those of the average writer do. What it does
/// not name, as the course of lines and the shapes of letters, varies as the average writer's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Manner {
    /// Heights of letters.
    pub height: f64,
    /// Their widths.
    pub width: f64,
    /// Their slants.
    pub slant: f64,
    /// Their heights above the baseline.
    pub baseline: f64,
    /// Gaps between letters.
    pub gap: f64,
    /// Gaps between words.
    pub word_gap: f64,
}

impl Manner {
    /// The average writer's.
    pub const AVERAGE: Self = Self { height: 1.0, width: 1.0, slant: 1.0, baseline: 1.0, gap: 1.0, word_gap: 1.0 };

    /// The standard deviations of the average writer, at strength 1: of the logarithms of heights, widths and gaps between
    /// words; of slants in degrees; of baselines and gaps between letters in x-heights.
    pub const DEVIATIONS: Self =
        Self { height: 0.066, width: 0.109, slant: 2.0, baseline: 0.045, gap: 0.132, word_gap: 0.27 };

    /// The shares, in the order of the fields.
    #[must_use]
    pub const fn shares(&self) -> [f64; 6] {
        [self.height, self.width, self.slant, self.baseline, self.gap, self.word_gap]
    }
}

impl Default for Manner {
    fn default() -> Self {
        Self::AVERAGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variation::{Draws, Writer};

    #[test]
    fn letters_and_gaps_differ_as_far_as_the_manner_says() {
        let manner = Manner { height: 0.5, width: 1.5, slant: 0.8, baseline: 0.3, gap: 2.0, word_gap: 0.7 };
        let text = "abcdefghij".repeat(200);
        let drawn = |manner: Manner| {
            let writer = Writer::new(5, 1.0).unwrap().with_manner(manner);
            writer.draw(0, 0, (0..text.len()).map(|at| (at, &text[at..=at])))
        };
        let [average, own] = [drawn(Manner::AVERAGE), drawn(manner)];
        let of = |at: usize| -> [[f64; 6]; 2] {
            [&average, &own].map(|draws| {
                let Draws { form, gap, word_gap, .. } = *draws.at(at);
                let [width, height, slant, baseline] = form.size.map(f64::from);
                [height.ln_1p(), width.ln_1p(), slant, baseline, gap, word_gap]
            })
        };
        // One word: what differs among its letters is theirs alone, but for the drift of the height.
        let between = |at: usize| {
            let ([one, own], [other, others]) = (of(at), of(at + 1));
            [0, 1, 2, 3, 4].map(|index| [one[index] - other[index], own[index] - others[index]])
        };
        for (index, share) in manner.shares().into_iter().enumerate().take(5) {
            let sum = |side: usize| (0..1999).map(|at| between(at)[index][side].abs()).sum::<f64>();
            assert!((sum(1) / sum(0) / share - 1.0).abs() < 0.02, "{index}: {} {share}", sum(1) / sum(0));
        }
        assert!((of(3)[1][5] / of(3)[0][5] - 0.7).abs() < 1e-9);
    }
}
