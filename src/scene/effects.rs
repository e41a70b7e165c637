//! The effects of a page, prepared for the device.
//!
//! `resolve` applies ink flow: it reads the loss of ink and the variation from stroke to stroke at three points per
//! tile, interpolates, adds the paper's grain, and multiplies. It also applies the tone of a pen.

use super::bands::{Band, split};
use super::displacement::Displacement;
use super::ink_loss::InkLoss;
use super::ink_tiles::TileBox;
use super::records::EffectsRecord;
use super::render_params::RenderParams;
use super::strips::StripPlan;
use crate::geometry::Size;
use crate::layout::PageLayout;
use crate::noise::{ElasticField, Purpose, Stream};
use crate::pen::{LineEnd, Pen, PenField, least_half_width};
use crate::raster::Strip;

/// Size of stroke-scale variation in ems, and its minimum in page px: it is sampled every eight.
const STROKE_CELL: f64 = 0.22;
const SMALLEST_STROKE_CELL: f64 = 8.0;
/// The key of the grain's seed in the ink stream, which dips use from zero on.
const GRAIN_KEY: u64 = u64::MAX;

/// The effects of a page. The default is plain ink.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneEffects {
    /// Parameters for the shaders.
    pub record: EffectsRecord,
    /// The field that displaces the ink.
    pub field: Option<&'static ElasticField>,
    /// The displacement of drawn pixels by inverse mapping; `None` where outlines are displaced or nothing is.
    pub warp: Option<Warp>,
    /// The loss of ink along the writing.
    pub ink: Option<InkLoss>,
    /// Whether a pen changes outlines.
    pub has_pen: bool,
    /// Whether it shades the ink.
    pub has_tone: bool,
}

/// Writes the parameters of a pen for a page of this scale, in device px per page px.
fn describe_pen(pen: &Pen, scale: f64, record: &mut EffectsRecord) {
    let (marks, darkness, tone) = (pen.marks(), pen.tone_field(), pen.tone());
    let [xx, xy, yy] = marks.nib.0;
    let width = marks.field;
    record.px_per_device_px = (1.0 / scale) as f32;
    [record.pen_seed, record.tone_seed] = [width, darkness].map(|field: PenField| field.seed());
    [record.pen_knots, record.tone_knots] = [width, darkness].map(|field| field.knots_per_px());
    record.nib = [xx, xy, yy, least_half_width().get() as f32];
    [record.line_start, record.line_end] =
        marks.ends.map(|LineEnd { mean, deviation, per_px }| [mean, deviation, per_px, 0.0]);
    record.tone = tone.coefficients;
    // Grain finer than the device's pixels averages out.
    record.tone_limits = [tone.deviation, tone.grain * scale.min(1.0) as f32, tone.most, 0.0];
}

/// A second set of strips, which takes the displaced pixels of the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Warp {
    /// The strips that ink may move to, ordered by tile row, then by x.
    pub strips: Vec<Strip>,
    /// Their bands, into which no instances draw.
    pub bands: Vec<Band>,
    /// Whether pixels move by whole page px.
    pub in_whole_px: bool,
}

impl SceneEffects {
    /// The effects of `params` on a page of `size` device px, of which these tiles are `drawn`, without warp.
    pub(super) fn of(
        layout: &PageLayout,
        params: &RenderParams,
        displacement: Option<Displacement>,
        size: Size<u32>,
        drawn: TileBox,
    ) -> Self {
        let mut effects = Self::default();
        if let Some(displacement) = displacement {
            displacement.describe(size, drawn, &mut effects.record);
            effects.field = Some(displacement.field);
        }
        if let Some(flow) = params.ink_flow {
            let has_pen = params.pen.is_some();
            let ink = InkLoss::of(layout, params.seed, params.page, flow.intensity, has_pen);
            let scale = params.scale.get();
            let stream = Stream::new(params.seed, Purpose::InkFlow);
            let stroke_cell = (layout.font_size.get() * STROKE_CELL).max(SMALLEST_STROKE_CELL);
            effects.record.px_per_device_px = (1.0 / scale) as f32;
            effects.record.ink_intensity = flow.intensity as f32;
            effects.record.ink_seed = stream.bits(GRAIN_KEY ^ u64::from(params.page));
            effects.record.ink_samples = ink.samples as u32;
            effects.record.stroke_cells_per_px = (1.0 / stroke_cell) as f32;
            // Grain finer than the device's pixels averages out. A pen has its own.
            effects.record.grain = if has_pen { 0.0 } else { scale.min(1.0) as f32 };
            effects.ink = Some(ink);
        }
        if let Some(pen) = params.page_pen() {
            describe_pen(&pen, params.scale.get(), &mut effects.record);
            (effects.has_pen, effects.has_tone) = (true, params.has_tone);
        }
        effects
    }

    /// Whether the field displaces outlines.
    #[must_use]
    pub const fn bends_outlines(&self) -> bool {
        self.field.is_some() && self.warp.is_none()
    }

    /// Whether drawn pixels are displaced, so that the drawn page is not yet the finished page.
    #[must_use]
    pub const fn displace_pixels(&self) -> bool {
        self.warp.is_some()
    }
}

impl Warp {
    /// The warp into the strips of `moved`, in bands of at most `band_budget` pixels.
    pub(super) fn new(displacement: Displacement, moved: StripPlan, band_budget: usize) -> Self {
        let bands = split(&moved.strips, &[], band_budget);
        Self { strips: moved.strips, bands, in_whole_px: displacement.is_in_whole_px() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{InkFlow, NaturalVariation};
    use crate::units::{Dpi, Px};

    const SIZE: Size<u32> = Size { width: 800, height: 600 };

    fn effects(variation: Option<NaturalVariation>, ink_flow: Option<InkFlow>, seed: u32) -> SceneEffects {
        let params = RenderParams { variation, ink_flow, seed, ..RenderParams::plain(Dpi::Dpi300.scale()) };
        let size = Size { width: Px::new(800.0), height: Px::new(600.0) };
        let layout = PageLayout { size, font_size: Px::new(60.0), ..PageLayout::default() };
        SceneEffects::of(&layout, &params, Displacement::of(&params), SIZE, TileBox::of_page(SIZE))
    }

    const WEAK: Option<NaturalVariation> = Some(NaturalVariation { alpha: 15, sigma: 5 });
    const STRONG: Option<NaturalVariation> = Some(NaturalVariation { alpha: 90, sigma: 2 });

    const INK: Option<InkFlow> = Some(InkFlow { intensity: 1.0 });

    /// The position of a page in its field, in page px, to the bit: lattice steps are powers of two.
    fn place(effects: &SceneEffects) -> Vec<u32> {
        let EffectsRecord { lattice_step, lattice_offset, .. } = effects.record;
        let step = effects.field.unwrap().step() as f32;
        std::iter::once(&lattice_step).chain(&lattice_offset).map(|value| (value * step).to_bits()).collect()
    }

    #[test]
    fn neither_effect_depends_on_the_other() {
        let (both, bent, faded) = (effects(WEAK, INK, 7), effects(WEAK, None, 7), effects(None, INK, 7));
        assert_eq!(place(&both), place(&bent));
        assert_eq!((both.record.ink_seed, both.ink), (faded.record.ink_seed, faded.ink));
    }

    #[test]
    fn strength_and_smoothness_leave_the_page_where_it_lies_in_the_field() {
        let (weak, strong) = (effects(WEAK, None, 7), effects(STRONG, None, 7));
        assert_eq!(place(&weak), place(&strong));
        assert_ne!(place(&weak), place(&effects(WEAK, None, 8)));
    }

    #[test]
    fn plain_ink_has_no_effects() {
        assert_eq!(effects(None, None, 7), SceneEffects::default());
    }
}
