//! How a layout is to be drawn.

use crate::spec::{InkFlow, NaturalVariation, RenderSpec};
use crate::units::DeviceScale;

/// What a scene is made with besides the layout: how large, and what happens to the ink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderParams {
    /// Device px for each px of the layout.
    pub scale: DeviceScale,
    /// Elastic distortion; `None` where it is off or moves nothing.
    pub variation: Option<NaturalVariation>,
    /// Fading ink; `None` where it is off or fades nothing.
    pub ink_flow: Option<InkFlow>,
    /// Source of all randomness.
    pub seed: u32,
    /// Which page of the text this is, from 0: pages of one text are not alike.
    pub page: u32,
}

impl RenderParams {
    /// Plain black ink, exactly as the fonts have it.
    #[must_use]
    pub const fn plain(scale: DeviceScale) -> Self {
        Self { scale, variation: None, ink_flow: None, seed: 0, page: 0 }
    }

    /// The first page of `spec` at a scale. Effects of zero strength are off.
    #[must_use]
    pub fn of(spec: &RenderSpec, scale: DeviceScale) -> Self {
        let variation = spec.effects.natural_variation.filter(|variation| variation.alpha > 0);
        let ink_flow = spec.effects.ink_flow.filter(|flow| flow.intensity > 0.0);
        Self { scale, variation, ink_flow, seed: spec.seed, page: 0 }
    }

    /// The same for another page of the text.
    #[must_use]
    pub const fn on_page(self, page: u32) -> Self {
        Self { page, ..self }
    }
}
