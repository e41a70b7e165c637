//! Finds the pixels that differ from the ones to their left.

/// Most pixels of one call of [`changes`].
pub(super) const MOST_PIXELS: usize = 64;

/// The places of the pixels that differ from the one to their left, from left to right. Left of the first is `left`.
/// There are at most [`MOST_PIXELS`] pixels.
#[inline]
pub(super) fn changes(pixels: &[u8], mut left: u8) -> Changes {
    debug_assert!(pixels.len() <= MOST_PIXELS, "a word has one bit for each");
    let (words, rest) = pixels.as_chunks::<8>();
    let mut which = 0;
    for (&word, place) in words.iter().zip((0..).step_by(8)) {
        let of_word = u64::from_le_bytes(word);
        which |= u64::from(nonzero_bytes(of_word ^ (of_word << 8 | u64::from(left)))) << place;
        left = (of_word >> 56) as u8;
    }
    for (&pixel, place) in rest.iter().zip(words.len() * 8..) {
        which |= u64::from(pixel != left) << place;
        left = pixel;
    }
    Changes(which)
}

/// Places of pixels: one bit for each that changes, the leftmost in the lowest bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes(u64);

impl Iterator for Changes {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let place = (self.0 != 0).then_some(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// One bit per byte that is not 0, the lowest first.
const fn nonzero_bytes(bytes: u64) -> u8 {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let highest_bits = (((bytes & LOW_BITS) + LOW_BITS) | bytes) & !LOW_BITS;
    // Bit 8 i times 2^(56 - 7 i) is bit 56 + i.
    ((highest_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_has_its_bit() {
        for which in 0..=255_u8 {
            let byte =
                |fill: u8| (0..8).fold(0, |bytes, bit| bytes | u64::from(fill * (which >> bit & 1)) << (8 * bit));
            for fill in [1, 0x7F, 0x80, 0xFF] {
                assert_eq!(nonzero_bytes(byte(fill)), which, "of {fill}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_change_is_found(
            pixels in proptest::collection::vec(prop_oneof![0_u8..3, any::<u8>()], 0..=MOST_PIXELS),
            left in 0_u8..3,
        ) {
            let before = std::iter::once(&left).chain(&pixels);
            let pairs = pixels.iter().zip(before).enumerate();
            let expected: Vec<usize> = pairs.filter_map(|(place, (a, b))| (a != b).then_some(place)).collect();
            prop_assert_eq!(changes(&pixels, left).collect::<Vec<_>>(), expected);
        }
    }
}
