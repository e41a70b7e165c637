//! The parameters with which a layout is drawn.

use crate::geometry::Rect;
use crate::pen::Pen;
use crate::spec::{InkFlow, NaturalVariation, PenUse, RenderSpec};
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
    /// The pen; `None` for solid ink in the outlines of the fonts.
    pub pen: Option<PenUse>,
    /// Whether the pen shades its ink. A press would print shades as dots, so ink for a press is solid,
    /// except a pencil's, whose shades become grain.
    pub has_tone: bool,
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
        Self { scale, variation: None, ink_flow: None, pen: None, has_tone: false, seed: 0, page: 0, window: None }
    }

    /// The first page of `spec` at a scale. Effects of zero strength are off.
    #[must_use]
    pub fn of(spec: &RenderSpec, scale: DeviceScale) -> Self {
        let variation = spec.effects.natural_variation.filter(|variation| variation.alpha > 0);
        let pen = spec.effects.pen.in_use();
        let is_solid = pen.is_some() && spec.is_for_press();
        let ink_flow = spec.effects.ink_flow.filter(|flow| flow.fades(pen) && !is_solid);
        let has_tone = pen.is_some() && (!is_solid || spec.prints_grain());
        Self { scale, variation, ink_flow, pen, has_tone, seed: spec.seed, page: 0, window: None }
    }

    /// The pen of the page.
    #[must_use]
    pub fn page_pen(&self) -> Option<Pen> {
        self.pen.map(|pen| Pen::new(pen, self.seed, self.page))
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
