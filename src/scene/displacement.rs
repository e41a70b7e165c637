//! Elastic distortion of a page: its position in the field, its size, and how it is applied.
//!
//! There are two ways. From sigma 2 on, outlines are cut into pieces of about 3 page px, and `bend` displaces the ends
//! of the pieces; no pixel is resampled. At sigma 0 and 1 the field is too grainy for outlines, and `warp` displaces
//! drawn pixels by inverse mapping: with interpolation where the field is weak, and by whole page px if displacements
//! reach 8 page px, which takes a quarter of the look-ups.
//!
//! Displacements taper towards the page's edges, so nothing is cut off. All are in page px, so 600 DPI and a preview
//! show the same page.

use super::ink_tiles::TileBox;
use super::records::EffectsRecord;
use super::render_params::RenderParams;
use crate::geometry::Size;
use crate::mesh::Detail;
use crate::noise::{ElasticField, Purpose, Stream};
use crate::raster::TILE;
use crate::spec::NaturalVariation;
use crate::units::{DevicePx, Px};

/// Largest displacement, in page px, from which on grain moves pixels by whole page px: neighbouring pixels then come
/// from positions so far apart that fractions of a pixel are not visible (from alpha 9 at sigma 0, from 12 at sigma 1).
const WHOLE_PX_FROM: f64 = 8.0;
/// Length of the pieces of outlines, in page px and in sigmas: longer ones would smooth the field. Segments shorter
/// than one and a half pieces stay whole.
const PIECE: f64 = 3.0;
const PIECE_IN_SIGMAS: f64 = 0.6;
/// Shortest piece worth bending on its own, in page px.
const SHORTEST_PIECE: f64 = 0.5;
/// Standard deviation of the field's derivatives up to which they stay below 1 within six standard deviations.
const GENTLE: f64 = 1.0 / 6.0;
/// Largest deviation of chords from outlines that a gentle field bends: a share of the RMS displacement, and a limit in
/// device px. Where all points of an outline move by half a pixel, a twentieth is not visible.
const TOLERANCE_IN_RMS: f64 = 0.1;
const LARGEST_TOLERANCE: f64 = 0.05;
/// Largest difference of a position in the field between CPU and device, in page px.
const POSITION_SLACK: f64 = 1.0 / 64.0;
/// Largest deviation of a bent piece from the curve of its points, in page px (two standard deviations).
const CHORD_ERROR: f64 = 0.04;

/// How a field displaces the ink of a page.
#[derive(Clone, Copy, Debug)]
pub(super) struct Displacement {
    /// The field.
    pub(super) field: &'static ElasticField,
    /// Largest displacement along either axis in device px.
    pub(super) largest: f64,
    /// Whether drawn pixels are displaced (grain), not outlines.
    pub(super) is_grain: bool,
    /// Length of the pieces of outlines, in device px.
    pub(super) piece: f64,
    /// Standard deviation of the displacement's derivatives.
    steepness: f64,
    /// Standard deviation of the displacement along either axis in device px.
    rms: f64,
    /// Intensity of the field.
    alpha: f64,
    /// Device px per page px.
    scale: f64,
    /// Position of the page's corner in the field, in page px.
    corner: [f64; 2],
}

impl Displacement {
    /// The displacement of `params`; `None` if nothing moves.
    pub(super) fn of(params: &RenderParams) -> Option<Self> {
        let variation @ NaturalVariation { alpha, sigma } = params.variation?;
        let (alpha, scale) = (f64::from(alpha), params.scale.get());
        let field = ElasticField::of(sigma)?;
        let rms = rms(alpha, f64::from(sigma));
        Some(Self {
            field,
            largest: alpha * field.full_scale * scale,
            is_grain: variation.is_grain(),
            piece: piece(alpha, f64::from(sigma)) * scale,
            steepness: rms / (2.0_f64.sqrt() * f64::from(sigma)),
            rms: rms * scale,
            alpha,
            scale,
            corner: corner(params),
        })
    }

    /// The most windings of a displaced outline around any point. In a gentle field, points keep their order, and only
    /// chords may cross; a steep field folds the paper.
    pub(super) fn windings(self) -> u32 {
        match (self.is_grain, self.is_gentle()) {
            (true, _) => 1,
            (false, true) => 2,
            (false, false) => 8,
        }
    }

    fn is_gentle(self) -> bool {
        self.steepness < GENTLE
    }

    /// The detail of outlines of glyphs whose em is `em`: in pieces whose ends are displaced, unless drawn pixels are
    /// displaced.
    pub(super) fn outline_detail(self, em: DevicePx) -> Detail {
        let chords = Detail::within(self.outline_tolerance(), em);
        if self.is_grain { chords } else { chords.in_pieces(DevicePx::new(self.piece), em) }
    }

    /// Largest deviation of chords from outlines, in device px. A steep field would make larger ones visible.
    fn outline_tolerance(self) -> f64 {
        let bent = (TOLERANCE_IN_RMS * self.rms).clamp(Detail::TOLERANCE, LARGEST_TOLERANCE);
        if self.is_grain || !self.is_gentle() { Detail::TOLERANCE } else { bent }
    }

    /// How much a box of ink has to grow to the left, up, to the right and down because its outlines move, in device
    /// px. The box (min x, min y, max x, max y) is in device px too.
    pub(super) fn outline_growth(&self, ink: [f64; 4]) -> [f64; 4] {
        if self.is_grain {
            return [0.0; 4];
        }
        // Rounding must not move a position into a neighbouring block.
        let slack = [-POSITION_SLACK, -POSITION_SLACK, POSITION_SLACK, POSITION_SLACK];
        let in_field = |edge: usize| ink[edge] / self.scale + self.corner[edge % 2] + slack[edge];
        let [left, top, right, bottom] = self.field.range_within([0, 1, 2, 3].map(in_field));
        [-left, -top, right, bottom].map(|edge| edge * self.alpha * self.scale)
    }

    /// How much a box of ink has to grow to each side because its drawn pixels move, in device px: by the largest
    /// displacement, and by a pixel for interpolation or half a page px and half a device px for rounding.
    pub(super) fn pixel_growth(self) -> f64 {
        self.largest + (0.5 + 0.5 * self.scale).max(1.0)
    }

    /// Whether drawn pixels move by whole page px.
    pub(super) fn is_in_whole_px(self) -> bool {
        self.largest >= WHOLE_PX_FROM * self.scale
    }

    /// Where a point of a page goes, in page px, as `displacement` of `shaders/bend.wgsl` has it: bilinear between
    /// lattice points, tapered towards the edges of the page.
    pub(super) fn displaced(&self, at: [f64; 2], page: Size<Px>) -> [f64; 2] {
        let step = self.field.step() as f64;
        let place = [0, 1].map(|axis| (at[axis] + self.corner[axis]) / step);
        let [first, share] = [place.map(f64::floor), place.map(|place| place - place.floor())];
        let corner = |right: f64, down: f64| self.field.value([(first[0] + right) as i64, (first[1] + down) as i64]);
        let between = |a: [f64; 2], b: [f64; 2], share: f64| [0, 1].map(|axis| a[axis] + (b[axis] - a[axis]) * share);
        let above = between(corner(0.0, 0.0), corner(1.0, 0.0), share[0]);
        let below = between(corner(0.0, 1.0), corner(1.0, 1.0), share[0]);
        let away = between(above, below, share[1]);
        let largest = self.largest / self.scale;
        let size = [page.width.get(), page.height.get()];
        [0, 1].map(|axis| at[axis] + away[axis] * at[axis].min(size[axis] - at[axis]).clamp(0.0, largest))
    }

    /// Writes the parameters of the field for a page of `size` device px, of which these tiles are `drawn`.
    pub(super) fn describe(&self, size: Size<u32>, drawn: TileBox, record: &mut EffectsRecord) {
        let px = 1.0 / self.field.step() as f32;
        record.lattice_step = px / self.scale as f32;
        record.lattice_offset = self.corner.map(|offset| offset as f32 * px);
        record.lattice_skew = self.field.skew() as u32;
        record.page_size = [size.width as f32, size.height as f32];
        let corner = [drawn.left, drawn.top].map(|tiles| tiles * TILE);
        let end = [(drawn.right * TILE).min(size.width), (drawn.bottom * TILE).min(size.height)];
        record.raster_corner = corner.map(|edge| edge as f32);
        record.raster_size = [0, 1].map(|axis| (end[axis] - corner[axis]) as f32);
        record.largest_displacement = self.largest as f32;
    }
}

/// The position of a page's corner in its field, in page px, chosen by the seed. At 300 DPI all, every second or every
/// fourth pixel centre is a lattice point, and groups of four pixels start at multiples of four points.
fn corner(params: &RenderParams) -> [f64; 2] {
    let stream = Stream::new(params.seed, Purpose::NaturalVariation);
    let key = u64::from(params.page) << 1;
    let [x, y] = [0, 1].map(|axis| stream.bits(key | axis) % ElasticField::LONGEST_PERIOD as u32);
    [x & !3, y].map(|offset| f64::from(offset) - 0.5)
}

/// The longest piece of an outline that follows the field, in page px. A chord of length L deviates by L²/8 times the
/// curvature; the second derivative of a field of variance v, smoothed with a Gaussian of sigma, has the standard
/// deviation √(3v) / (2 sigma²).
fn piece(alpha: f64, sigma: f64) -> f64 {
    if sigma == 0.0 {
        return PIECE;
    }
    let curvature = 3.0_f64.sqrt() * rms(alpha, sigma) / (2.0 * sigma * sigma);
    let longest = PIECE.min(PIECE_IN_SIGMAS * sigma);
    (8.0 * CHORD_ERROR / (2.0 * curvature)).sqrt().min(longest).max(SHORTEST_PIECE)
}

/// Standard deviation of the displacement along either axis, in page px, for a sigma above zero.
fn rms(alpha: f64, sigma: f64) -> f64 {
    alpha / (3.0_f64.sqrt() * 2.0 * std::f64::consts::PI.sqrt() * sigma)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Dpi;

    #[test]
    fn no_ink_moves_farther_than_its_reach() {
        for sigma in 0..=ElasticField::LARGEST_SIGMA {
            let variation = NaturalVariation { alpha: 100, sigma };
            let params = RenderParams { variation: Some(variation), ..RenderParams::plain(Dpi::Dpi300.scale()) };
            let (largest, reach) = (Displacement::of(&params).unwrap().largest, variation.reach().get() - 1.0);
            assert!(largest <= reach && reach < largest + 0.1, "sigma {sigma}: {largest} and {reach}");
        }
        assert_eq!(NaturalVariation { alpha: 0, sigma: 5 }.reach(), Px::ZERO);
    }

    #[test]
    fn outlines_are_cut_finer_the_more_they_are_bent() {
        assert!((piece(15.0, 5.0) - PIECE).abs() < 1e-9);
        assert!(piece(100.0, 5.0) < PIECE);
        assert!(piece(100.0, 2.0) < piece(100.0, 3.0));
        assert!((piece(1.0, 2.0) - 1.2).abs() < 1e-9);
        assert!(piece(100.0, 1.0) >= SHORTEST_PIECE);
    }

    #[test]
    fn outlines_are_followed_the_closer_the_less_they_are_bent() {
        let assert_tolerance = |alpha, sigma, expected: f64| {
            let variation = Some(NaturalVariation { alpha, sigma });
            let params = RenderParams { variation, ..RenderParams::plain(Dpi::Dpi300.scale()) };
            let tolerance = Displacement::of(&params).unwrap().outline_tolerance();
            assert!((tolerance - expected).abs() < 1e-9, "{alpha}, {sigma}: {tolerance}");
        };
        assert_tolerance(1, 10, Detail::TOLERANCE);
        assert_tolerance(8, 5, 0.1 * rms(8.0, 5.0));
        assert_tolerance(15, 5, 0.1 * rms(15.0, 5.0));
        assert_tolerance(30, 5, LARGEST_TOLERANCE);
        assert_tolerance(40, 3, Detail::TOLERANCE);
        // Drawn pixels are displaced, and the outlines stay as they are.
        assert_tolerance(100, 1, Detail::TOLERANCE);
    }

    #[test]
    fn how_drawn_pixels_are_moved_goes_by_how_far_at_any_resolution() {
        for scale in [Dpi::Dpi300.scale(), Dpi::Dpi600.scale()] {
            let displacement = |alpha, sigma| {
                let variation = Some(NaturalVariation { alpha, sigma });
                Displacement::of(&RenderParams { variation, ..RenderParams::plain(scale) }).unwrap()
            };
            let is_in_whole_px = |alpha, sigma| displacement(alpha, sigma).is_in_whole_px();
            assert_eq!([7, 9, 100].map(|alpha| is_in_whole_px(alpha, 0)), [false, true, true]);
            assert_eq!([7, 9, 100].map(|alpha| is_in_whole_px(alpha, 1)), [false, false, true]);
        }
    }
}
