//! Uniform random numbers by seed, purpose and key.

use std::sync::LazyLock;

/// The use of the numbers of a stream. Streams of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Angles of words.
    WordRotation,
    /// Indents of lines.
    Indentation,
    /// Position of the page in the elastic field.
    NaturalVariation,
    /// Ink of words, dips of the pen, grain of the ink.
    InkFlow,
    /// Forms of the letters of a writer.
    WriterLetters,
    /// Shared form of the letters of a word, and the gap after it.
    WriterWords,
    /// Margins and slopes of lines, and slow drift along the text.
    WriterLines,
    /// Width and darkness of the pen's line.
    Pen,
    /// Drawings of the letters of a writer.
    WriterDrawings,
}

/// Random numbers of one seed for one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    state: u64,
}

/// Number of equal shares of the truncated normal distribution; its quantiles are interpolated between them, with an
/// error below 0.0002.
const QUANTILES: usize = 1 << (u32::BITS - SHARE_BITS);
/// How many of 32 uniform bits, the low ones, tell the place between two quantiles. The others are the index of the
/// lower one.
const SHARE_BITS: u32 = 22;
static CUT_QUANTILES: LazyLock<[f64; QUANTILES + 1]> = LazyLock::new(|| {
    std::array::from_fn(|index| {
        let share = index as f64 / QUANTILES as f64;
        normal_quantile(BELOW_CUT + share * (1.0 - 2.0 * BELOW_CUT))
    })
});

impl Stream {
    /// The stream of `seed` for `purpose`.
    #[must_use]
    pub const fn new(seed: u32, purpose: Purpose) -> Self {
        Self { state: mixed((seed as u64) << 8 | purpose as u64) }
    }

    /// 32 uniform bits for `key`.
    #[must_use]
    pub const fn bits(self, key: u64) -> u32 {
        (mixed(self.state ^ mixed(key)) >> 32) as u32
    }

    /// A uniform number in [0, 1) for `key`.
    #[must_use]
    pub fn unit(self, key: u64) -> f64 {
        f64::from(self.bits(key)) / (f64::from(u32::MAX) + 1.0)
    }

    /// A uniform number in [-1, 1) for `key`.
    #[must_use]
    pub fn signed_unit(self, key: u64) -> f64 {
        2.0 * self.unit(key) - 1.0
    }

    /// A number for `key` from the standard normal distribution, truncated at ±[`CUT`](Self::CUT).
    #[must_use]
    pub fn normal(self, key: u64) -> f64 {
        let bits = self.bits(key);
        let index = (bits >> SHARE_BITS) as usize;
        let share = f64::from(bits & ((1 << SHARE_BITS) - 1)) / f64::from(1 << SHARE_BITS);
        let [low, high] = [CUT_QUANTILES[index], CUT_QUANTILES[index + 1]];
        low + (high - low) * share
    }

    /// Truncation of normal draws, in standard deviations.
    pub const CUT: f64 = 2.2;

    /// The factor that gives truncated draws a standard deviation of 1.
    pub const UNCUT: f64 = 1.0 / 0.916;

    /// A draw of this correlation with another, from a `fresh` draw of the same standard deviation.
    #[must_use]
    pub fn correlated(other: f64, fresh: f64, correlation: f64) -> f64 {
        correlation * other + (1.0 - correlation * correlation).sqrt() * fresh
    }
}

/// Share of the standard normal distribution below -[`Stream::CUT`].
const BELOW_CUT: f64 = 0.013_903_447_513_498_597;

/// The quantile function of the standard normal distribution (Acklam's rational approximation; relative error below
/// 1.2e-9).
fn normal_quantile(share: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 5] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 4] =
        [7.784_695_709_041_462e-3, 3.224_671_290_700_398e-1, 2.445_134_137_142_996, 3.754_408_661_907_416];
    // Beyond these shares, the tails have a separate formula.
    const TAIL: f64 = 0.024_25;
    let polynomial = |of: &[f64], at: f64| of.iter().fold(0.0, |sum, factor| sum * at + factor);
    let tail = |share: f64| {
        let q = (-2.0 * share.ln()).sqrt();
        polynomial(&C, q) / (polynomial(&D, q) * q + 1.0)
    };
    if share < TAIL {
        tail(share)
    } else if share > 1.0 - TAIL {
        -tail(1.0 - share)
    } else {
        let q = share - 0.5;
        polynomial(&A, q * q) * q / (polynomial(&B, q * q) * q * q + 1.0)
    }
}

/// The output function of `SplitMix64` after one step (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
/// Generators, OOPSLA 2014; constants of Stafford's variant 13): a bijection whose every output bit depends on every
/// input bit.
pub(super) const fn mixed(value: u64) -> u64 {
    let mut bits = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PURPOSES: [Purpose; 4] =
        [Purpose::WordRotation, Purpose::Indentation, Purpose::NaturalVariation, Purpose::InkFlow];

    #[test]
    fn the_mixer_is_splitmix64() {
        // The first outputs of the published generator from state 0.
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mixed(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn neighbouring_keys_are_uniform_and_uncorrelated() {
        for purpose in PURPOSES {
            let stream = Stream::new(7, purpose);
            let drawn: Vec<f64> = (0..10_000).map(|key| stream.signed_unit(key)).collect();
            let mean = drawn.iter().sum::<f64>() / 1e4;
            let variance = drawn.iter().map(|x| x * x).sum::<f64>() / 1e4;
            let lagged = drawn.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / 1e4;
            // Four standard errors of each for uniform numbers in [-1, 1).
            assert!(mean.abs() < 0.024, "{purpose:?}: mean {mean}");
            assert!((variance - 1.0 / 3.0).abs() < 0.012, "{purpose:?}: variance {variance}");
            assert!(lagged.abs() < 0.014, "{purpose:?}: correlation {lagged}");
        }
    }

    #[test]
    fn neighbouring_seeds_and_other_purposes_share_nothing() {
        let streams: Vec<Stream> = (0..8).flat_map(|seed| PURPOSES.map(|purpose| Stream::new(seed, purpose))).collect();
        for (at, first) in streams.iter().enumerate() {
            for second in &streams[at + 1..] {
                let product: f64 = (0..4096).map(|key| first.signed_unit(key) * second.signed_unit(key)).sum();
                // Five standard errors of the mean product.
                assert!((product / 4096.0).abs() < 0.026, "{first:?} {second:?}: {product}");
            }
        }
    }

    #[test]
    fn normal_draws_are_normal_and_cut() {
        let stream = Stream::new(3, Purpose::InkFlow);
        let draws: Vec<f64> = (0..100_000).map(|key| stream.normal(key)).collect();
        let mean = draws.iter().sum::<f64>() / 1e5;
        let sd = (draws.iter().map(|draw| draw * draw).sum::<f64>() / 1e5).sqrt();
        // Of a normal distribution cut at 2.2: √(1 - 2 · 2.2 φ(2.2) / 0.9722).
        assert!(mean.abs() < 0.01 && (sd - 0.916).abs() < 0.01, "mean {mean}, SD {sd}");
        assert!(draws.iter().all(|draw| draw.abs() <= Stream::CUT + 1e-6));
        let within_one = draws.iter().filter(|draw| draw.abs() < 1.0).count();
        assert!((within_one as f64 / 1e5 - 0.6827 / 0.9722).abs() < 0.01, "{within_one}");
    }
}
