//! What one writer always does alike, drawn once from the seed: how dots are made.

use super::dot::{DotDraws, RAISED};
use crate::noise::Stream;

/// Standard deviation of the displacement of an accent, in x-heights: aside and upwards.
const ACCENT: [f64; 2] = [0.12, 0.10];
/// Mean displacement of a dot, in x-heights, and its standard deviation.
const DOT_MEAN: [f64; 2] = [0.04, RAISED];
const DOT: [f64; 2] = [0.09, 0.15];
/// Standard deviation of the logarithm of a dot's area, besides what dashes add.
const DOT_AREA: f64 = 0.25;
/// Mean and standard deviation, over writers, of the quantile of the normal distribution up to which draws are dashes:
/// they are 11 % of the dots of the tenth percentile of writers and 71 % of those of the ninetieth.
const DASHES: [f64; 2] = [-0.35, 0.70];
/// Mean length of a dash for its width, its standard deviation, and the ends of its range.
const LENGTH: [f64; 2] = [1.9, 0.35];
const LENGTHS: [f64; 2] = [1.5, 3.0];
/// Mean rise of dashes in degrees, its standard deviation over writers and that of each dash.
const RISE: [f64; 3] = [25.0, 8.0, 7.0];
/// The keys of habits in the stream of letters; those of letters have their highest bit unset.
const KEYS: u64 = 1 << 63;

/// The habits of one writer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Habits {
    /// How far they apply: 0 to 1.
    pub(super) share: f64,
    /// The dots with draws below this are dashes.
    dashes_below: f64,
    /// How steeply dashes rise, in degrees.
    rise: f64,
}

impl Habits {
    pub(super) fn of(letters: Stream, share: f64) -> Self {
        let draw = |index: u64| letters.normal(KEYS | index) * Stream::UNCUT;
        Self { share, dashes_below: DASHES[0] + DASHES[1] * draw(0), rise: RISE[0] + RISE[1] * draw(1) }
    }

    /// A dot, from draws of its displacement, and of its size, whether it is a dash, its length and its rise.
    pub(super) fn dot(&self, strength: f64, away: [f64; 2], [size, is_dash, length, rise]: [f64; 4]) -> DotDraws {
        let aside = self.share * DOT_MEAN[0] + strength * DOT[0] * away[0];
        let up = self.share * DOT_MEAN[1] + strength * DOT[1] * away[1];
        let length = (LENGTH[0] + LENGTH[1] * length).clamp(LENGTHS[0], LENGTHS[1]);
        DotDraws {
            accent: [0, 1].map(|axis| strength * ACCENT[axis] * away[axis]),
            raised: [aside, up.max(0.0)],
            growth: (0.5 * strength * DOT_AREA * size).exp() - 1.0,
            length: if is_dash < self.dashes_below { self.share * (length - 1.0) } else { 0.0 },
            rise: (self.rise + RISE[2] * rise).to_radians(),
        }
    }
}
