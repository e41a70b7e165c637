//! The parameters with which a layout is drawn.

use crate::geometry::Rect;
use crate::spec::{InkFlow, NaturalVariation, RenderSpec};
use crate::units::DeviceScale;

/// The input of a scene besides the layout: scale and effects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderParams {
    /// Device px per px of the layout.
    pub scale: DeviceScale,
    /// Elastic distortion; `None` if it is off or moves nothing.
    pub variation: Option<NaturalVariation>,
    /// Fading ink; `None` if it is off or fades nothing.
    pub ink_flow: Option<InkFlow>,
    /// Source of all randomness.
    pub seed: u32,
    /// The page of the text, from 0. Pages of one text differ.
    pub page: u32,
    /// The part of the page that is drawn, in device px; `None` is all of it. Positions stay those of the page.
    pub window: Option<Rect<u32>>,
}

impl RenderParams {
    /// Plain black ink, exactly as the fonts have it.
    #[must_use]
    pub const fn plain(scale: DeviceScale) -> Self {
        Self { scale, variation: None, ink_flow: None, seed: 0, page: 0, window: None }
    }

    /// The first page of `spec` at a scale. Effects of zero strength are off.
    #[must_use]
    pub fn of(spec: &RenderSpec, scale: DeviceScale) -> Self {
        let variation = spec.effects.natural_variation.filter(|variation| variation.alpha > 0);
        let ink_flow = spec.effects.ink_flow.filter(|flow| flow.intensity > 0.0);
        Self { scale, variation, ink_flow, seed: spec.seed, page: 0, window: None }
    }

    /// The same parameters for a part of the page, in device px.
    #[must_use]
    pub const fn within(self, window: Rect<u32>) -> Self {
        Self { window: Some(window), ..self }
    }

    /// The same parameters for another page of the text.
    #[must_use]
    pub const fn on_page(self, page: u32) -> Self {
        Self { page, ..self }
    }
}
