//! How finely outlines are approximated: size classes, so that glyphs of similar size share a mesh.

use crate::catalogue::OutlineExtent;
use crate::units::{DevicePx, FontUnits};

/// Size classes per octave of the em size.
const CLASSES_PER_OCTAVE: f64 = 2.0;

/// Chords of a curve per square root of its length in tolerances, measured over all fonts.
const USUAL_TURN: f64 = 0.15;

/// Length classes of pieces per octave.
const LENGTHS_PER_OCTAVE: f64 = 4.0;

/// How finely an outline is approximated: the deviation of chords from curves, and the length of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Detail {
    /// A class of em sizes in device pixels; the tolerance holds for the largest of them.
    size: u8,
    /// A length class of pieces relative to the em; `None` if chords stay whole.
    pieces: Option<u8>,
    /// Whether segments have normals at their ends.
    has_normals: bool,
}

impl Detail {
    /// Largest deviation of chords from curves, in device px.
    ///
    /// At 0.02 px the mean error of inked pixels is 0.001 of full ink, and the largest is 0.03.
    pub const TOLERANCE: f64 = 0.02;

    /// The detail of the meshes that define the normals of all others, so that normals are the same at every size: for
    /// an em of 256 device px.
    pub const OF_NORMALS: Self = Self { size: 16, pieces: None, has_normals: false };

    /// The class of glyphs whose em is `em` device pixels. Sizes below one pixel share the class of one pixel.
    #[must_use]
    pub fn for_em(em: DevicePx) -> Self {
        let octaves = em.get().max(1.0).log2();
        Self { size: (octaves * CLASSES_PER_OCTAVE).ceil() as u8, pieces: None, has_normals: false }
    }

    /// The detail for glyphs of this em size with chords that may deviate by `tolerance` device px: the class of
    /// smaller glyphs.
    #[must_use]
    pub fn within(tolerance: f64, em: DevicePx) -> Self {
        Self::for_em(DevicePx::new(em.get() * Self::TOLERANCE / tolerance))
    }

    /// The same detail with chords cut into pieces of about `length` for an em of `em`, within a tenth. Pieces are no
    /// longer than the em.
    #[must_use]
    pub fn in_pieces(self, length: DevicePx, em: DevicePx) -> Self {
        let octaves = (em.get() / length.get()).max(1.0).log2();
        Self { pieces: Some((octaves * LENGTHS_PER_OCTAVE).round() as u8), ..self }
    }

    /// The same detail with normals.
    #[must_use]
    pub const fn with_normals(self) -> Self {
        Self { has_normals: true, ..self }
    }

    /// The same detail without normals; `None` if it has none.
    #[must_use]
    pub const fn without_normals(self) -> Option<Self> {
        if self.has_normals { Some(Self { has_normals: false, ..self }) } else { None }
    }

    /// The same detail with whole chords, and the length of the pieces of this one; `None` if its chords are whole.
    #[must_use]
    pub fn whole(self, units_per_em: u16) -> Option<(Self, FontUnits)> {
        let an_em = (f64::from(self.pieces?) / LENGTHS_PER_OCTAVE).exp2();
        Some((Self { pieces: None, ..self }, FontUnits::new(f64::from(units_per_em) / an_em)))
    }

    /// Largest em size of the class.
    #[must_use]
    pub fn largest_em(self) -> DevicePx {
        DevicePx::new((f64::from(self.size) / CLASSES_PER_OCTAVE).exp2())
    }

    /// The number of chords that an outline is expected to have, within a factor of two for usual glyphs. A curve of
    /// the length L that turns by a usual angle takes √L chords per √tolerance.
    #[must_use]
    pub fn expected_chords(self, extent: &OutlineExtent, units_per_em: u16) -> f64 {
        let in_tolerances = extent.length_of_curves / self.tolerance(units_per_em).get();
        f64::from(extent.lines) + USUAL_TURN * (f64::from(extent.curves) * in_tolerances).sqrt()
    }

    /// The number of records that the mesh of an outline is expected to have: its chords, or the pieces of these.
    #[must_use]
    pub fn expected_records(self, extent: &OutlineExtent, units_per_em: u16) -> f64 {
        let chords = self.expected_chords(extent, units_per_em);
        let length = extent.length_of_lines + extent.length_of_curves;
        chords + self.whole(units_per_em).map_or(0.0, |(_, piece)| length / piece.get())
    }

    /// The tolerance in font units that corresponds to the tolerance on the device.
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
    fn pieces_have_about_the_length_that_is_asked_for() {
        let em = DevicePx::new(83.0);
        let detail = Detail::for_em(em);
        assert_eq!(detail.whole(1000), None);
        for length in [0.5, 1.2, 3.0, 6.0, 83.0] {
            let (whole, piece) = detail.in_pieces(DevicePx::new(length), em).whole(1000).unwrap();
            let ratio = piece.get() * em.get() / 1000.0 / length;
            assert!((0.91..1.1).contains(&ratio), "{length} px: {ratio} times");
            assert_eq!(whole, detail);
        }
    }

    #[test]
    fn larger_glyphs_are_cut_finer() {
        let small = Detail::for_em(DevicePx::new(60.0)).tolerance(1000);
        let large = Detail::for_em(DevicePx::new(240.0)).tolerance(1000);
        assert!(large.get() < small.get() / 3.9);
    }
}
