//! The format of a word of the accumulator, and whether a page's sums fit into it.
//!
//! Heights are rounded to 1/512 px at the ends of a segment and where it leaves a pixel, so the covers of a closed
//! boundary cancel exactly. Sums of integers do not depend on order, thread and band.

use super::displacement::Displacement;

/// Fractional bits of heights and areas: a pixel covered once is 512, twice as fine as FreeType's smooth rasteriser.
pub const FRACTION_BITS: u32 = 9;

/// How the accumulator stores, for each pixel, the signed area inside it and the cover of all pixels to its right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AccumulatorFormat {
    /// One word: the area in the low half, the cover in the high half. One addition per pixel that an outline crosses.
    #[default]
    Halves,
    /// One whole word, and two additions: the area to its pixel, and the rest of the cover to the next pixel. Sums have
    /// room for any number of outlines.
    Whole,
}

impl AccumulatorFormat {
    /// The format for pages where at most `overlap` glyphs touch any tile.
    ///
    /// A mesh winds around any point at most once. So the area and the cover of an instance in a pixel are between -1
    /// and 1, whatever the number of its segments.
    pub(super) fn holding(overlap: u32, displacement: Option<Displacement>) -> Self {
        let windings = displacement.map_or(1, Displacement::windings);
        // Signed, minus a few pixels for rounding.
        let room = (i16::MAX as u32 >> FRACTION_BITS) - 3;
        if overlap.saturating_mul(windings) <= room { Self::Halves } else { Self::Whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_hold_as_many_glyphs_as_sixteen_bits_have_room_for() {
        assert_eq!(AccumulatorFormat::holding(60, None), AccumulatorFormat::Halves);
        assert_eq!(AccumulatorFormat::holding(61, None), AccumulatorFormat::Whole);
        assert_eq!(AccumulatorFormat::holding(u32::MAX, None), AccumulatorFormat::Whole);
    }
}
