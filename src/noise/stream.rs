//! Uniform random numbers by seed, purpose and key.

/// What the numbers of a stream are for. Streams of different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Angles of words.
    WordRotation,
    /// Starts of lines.
    Indentation,
    /// Where the page lies in the elastic field.
    NaturalVariation,
    /// Where the pen is dipped, and the grain of the ink.
    InkFlow,
}

/// The random numbers of one page for one purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    state: u64,
}

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
}
