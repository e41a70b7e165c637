//! Finds the pixels that differ from the ones to their left.

#![expect(clippy::inline_always, reason = "only inlined functions are compiled for the processor's instructions")]

use fearless_simd::{Simd, prelude::*, u8x16};

/// Most pixels of one call of [`changes`].
pub(super) const MOST_PIXELS: usize = 64;

/// Pixels that are compared at once.
const BLOCK: usize = 16;

/// The places of the pixels that differ from the one to their left, from left to right. Left of the first is `left`.
/// There are at most [`MOST_PIXELS`] pixels.
#[inline(always)]
pub(super) fn changes<S: Simd>(simd: S, pixels: &[u8], mut left: u8) -> Changes {
    debug_assert!(pixels.len() <= MOST_PIXELS, "a word has one bit for each");
    let (blocks, rest) = pixels.as_chunks::<BLOCK>();
    let mut which = 0;
    for (block, place) in blocks.iter().zip((0..).step_by(BLOCK)) {
        let before = (u128::from_le_bytes(*block) << 8 | u128::from(left)).to_le_bytes();
        let is_equal = u8x16::from_slice(simd, block).simd_eq(u8x16::from_slice(simd, &before));
        which |= (!is_equal.to_bitmask() & u64::from(u16::MAX)) << place;
        left = block[BLOCK - 1];
    }
    for (&pixel, place) in rest.iter().zip(blocks.len() * BLOCK..) {
        which |= u64::from(pixel != left) << place;
        left = pixel;
    }
    Changes(which)
}

/// Places of pixels: one bit for each that changes, the leftmost in the lowest bit.
#[derive(Debug)]
pub(super) struct Changes(u64);

impl Iterator for Changes {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        let place = (self.0 != 0).then_some(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_change_is_found(
            pixels in proptest::collection::vec(prop_oneof![0_u8..3, any::<u8>()], 0..=MOST_PIXELS),
            left in 0_u8..3,
        ) {
            let before = std::iter::once(&left).chain(&pixels);
            let pairs = pixels.iter().zip(before).enumerate();
            let expected: Vec<usize> = pairs.filter_map(|(place, (a, b))| (a != b).then_some(place)).collect();
            let found = |changes: Changes| changes.collect::<Vec<_>>();
            for level in [Level::new(), Level::baseline()] {
                let found = dispatch!(level, simd => found(changes(simd, &pixels, left)));
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
