//! How fine a curve is cut into segments: classes of size, so that glyphs of nearly the same size share a mesh.

use crate::units::{DevicePx, FontUnits};

/// Size classes an octave of the em size.
const CLASSES_AN_OCTAVE: f64 = 2.0;

/// A class of em sizes in device pixels; the tolerance holds for the largest of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Detail(u8);

impl Detail {
    /// Largest distance between a curve and its chords, in device pixels.
    ///
    /// At 0.02 px the mean error of inked pixels is 0.001 of full ink and the largest 0.03.
    pub const TOLERANCE: f64 = 0.02;

    /// The class of glyphs whose em is `em` device pixels. Sizes below one pixel share the class of one pixel.
    #[must_use]
    pub fn for_em(em: DevicePx) -> Self {
        let octaves = em.get().max(1.0).log2();
        Self((octaves * CLASSES_AN_OCTAVE).ceil() as u8)
    }

    /// The class of glyphs of that size whose chords may be as far from their curves as `tolerance` device px: that of
    /// smaller glyphs.
    #[must_use]
    pub fn within(tolerance: f64, em: DevicePx) -> Self {
        Self::for_em(DevicePx::new(em.get() * Self::TOLERANCE / tolerance))
    }

    /// Largest em size of the class.
    #[must_use]
    pub fn largest_em(self) -> DevicePx {
        DevicePx::new((f64::from(self.0) / CLASSES_AN_OCTAVE).exp2())
    }

    /// The flattening tolerance in font units that keeps chords within the tolerance on the device.
    #[must_use]
    pub fn tolerance(self, units_per_em: u16) -> FontUnits {
        FontUnits::new(Self::TOLERANCE * f64::from(units_per_em) / self.largest_em().get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_every_size_up_to_its_largest() {
        for em in [0.1, 1.0, 12.0, 29.9, 60.0, 64.0, 65.0, 400.0, 800.0] {
            let detail = Detail::for_em(DevicePx::new(em));
            let largest = detail.largest_em().get();
            assert!(em <= largest * (1.0 + 1e-12), "{em} is above its class, {largest}");
            assert!(em < 1.0 || largest < em * 2_f64.sqrt() * (1.0 + 1e-12), "{em} is far below its class, {largest}");
        }
    }

    #[test]
    fn chords_keep_within_a_tolerance_that_is_asked_for() {
        for (tolerance, em) in [(0.02, 60.0), (0.03, 60.0), (0.05, 83.0), (0.05, 400.0)] {
            let chords = Detail::within(tolerance, DevicePx::new(em)).tolerance(1000).get() * em / 1000.0;
            assert!(chords <= tolerance * (1.0 + 1e-12), "{chords} px where {tolerance} were asked for");
            assert!(chords > tolerance / 2_f64.sqrt(), "{chords} px where {tolerance} were enough");
        }
    }

    #[test]
    fn larger_glyphs_are_cut_finer() {
        let small = Detail::for_em(DevicePx::new(60.0)).tolerance(1000);
        let large = Detail::for_em(DevicePx::new(240.0)).tolerance(1000);
        assert!(large.get() < small.get() / 3.9);
    }
}
