//! The format of a word of the accumulator, and whether a page's sums fit into it.
//!
//! Heights are rounded to 1/512 px at the ends of a segment and where it leaves a pixel, so that the covers of a closed
//! boundary cancel exactly. Integers make the sums independent of order, thread and band.

use super::displacement::Displacement;

/// Fractional bits of heights and areas: a pixel covered once is 512, twice as fine as FreeType's smooth rasteriser.
pub const FRACTION_BITS: u32 = 9;

/// How the accumulator holds the signed area inside each pixel and the cover of all to its right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccumulatorFormat {
    /// The area in the low and the cover in the high half of a word: one addition a pixel that an outline passes.
    Halves,
    /// Two additions: what the area adds to its pixel, and what the cover adds beyond that to the next. A sum has room
    /// for any number of outlines.
    Whole,
}

impl AccumulatorFormat {
    /// The format for pages on which no tile is touched by more than `overlap` glyphs.
    ///
    /// A mesh winds around any point at most once, so that in each pixel the area and the cover of an instance are
    /// between -1 and 1, whatever the number of its segments.
    pub(super) fn holding(overlap: u32, displacement: Option<Displacement>) -> Self {
        let windings = displacement.map_or(1, Displacement::windings);
        // Signed; and less a few pixels for what rounding adds.
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
