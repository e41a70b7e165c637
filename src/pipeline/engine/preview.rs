//! Previews: pages of one width with a watermark.

use std::sync::Arc;

use super::Engine;
use super::layers::{DrawnLayer, add_rules_in, as_inks, layers_of};
use super::production::Production;
use crate::encode::encode_layers_while;
use crate::geometry::{Point, Rect};
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutFile, all_words};
use crate::pipeline::rendered_file::{Preview, RenderedFile};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::pipeline::watermark::Watermark;
use crate::preflight::preview_paper;
use crate::raster::{Coverage, crop, stamp_inks};
use crate::scene::{RenderParams, Scene};
use crate::spec::{RenderSpec, Rgb, Writing};
use crate::units::{DevicePx, DeviceScale, Px};

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

impl Engine {
    /// Makes the same page, or the region that `spec` names, 1200 px wide, drawn at that size, with a watermark. Blocks
    /// while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Preview, RenderError> {
        self.preview_while(spec, times, &JobControl::default())
    }

    /// As [`preview`](Self::preview), stopping when it is no longer wanted.
    pub(in crate::pipeline) fn preview_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Preview, RenderError> {
        let mut production = Production::new(self, times, control);
        let shown = spec.drawn();
        let scale = DeviceScale::fitting(shown.width(), DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let LaidOutFile { pages, calculated_font_size, blocks, warnings } =
            production.prepare(spec, Aim::Preview, scale)?;
        let writings = pages.first().map(Vec::as_slice).unwrap_or_default();
        let window = window_of(shown, scale);
        let params = |spec: &RenderSpec| RenderParams::of(spec, scale).within(window);
        let scenes = production.compose_writings(writings, params)?;
        let size = spec.page.px();
        let catalogue = Arc::clone(&production.catalogue);
        let watermark = self.marks.watermark(size, all_words(writings), &catalogue);
        let scale_of_marks = DeviceScale::fitting(watermark.size().width, size.width.to_device(scale));
        let params = RenderParams::plain(scale_of_marks).within(window);
        let (drawn, mark) = production.draw_with_marks(scenes, &watermark, &params)?;
        let mut layers = production.timed(Stage::Encode, || {
            let memory = self.stamped.lock().pop();
            let (inks, written): (Vec<Rgb>, Vec<Coverage>) =
                layers_of(writings, drawn).into_iter().map(|layer| (layer.ink, crop(layer.coverage, window))).unzip();
            let stamped = stamp_inks(written, &mark, memory.unwrap_or_default());
            let layers = inks.into_iter().zip(stamped).map(|(ink, coverage)| DrawnLayer { coverage, ink });
            let mut layers: Vec<DrawnLayer> = layers.collect();
            add_rules_in(spec, &mut layers, window, scale);
            layers
        });
        let (preview_width, preview_height) =
            layers.first().map(|layer| (layer.coverage.width(), layer.coverage.height())).unwrap_or_default();
        let full = |length: Px| length.to_device(spec.dpi.scale()).get().round() as u32;
        let preview = Preview {
            page: RenderedFile {
                bytes: production.timed(Stage::Encode, || {
                    encode_layers_while(&as_inks(&layers), preview_paper(&spec.inks()), scale, &|| true)
                })?,
                width: full(size.width),
                height: full(size.height),
                calculated_font_size,
                seed: spec.seed,
                writing: Writing::Image,
                blocks,
                warnings,
            },
            width: preview_width,
            height: preview_height,
        };
        if let Some(marked) = layers.pop() {
            self.stamped.lock().push(marked.coverage.into_memory());
        }
        Ok(preview)
    }
}

impl Production<'_> {
    /// Draws the scenes of a preview, and its marks with `params`. Returns both, the marks cut out by the window.
    fn draw_with_marks(
        &mut self,
        mut scenes: Vec<Scene>,
        watermark: &Watermark<'_>,
        params: &RenderParams,
    ) -> Result<(Vec<Coverage>, Coverage), RenderError> {
        let known = self.engine.marks.drawn();
        if let Some(marks) = known.get(watermark, params) {
            return Ok((self.draw_scenes(scenes)?, watermark.kept(&marks, params)));
        }
        scenes.push(self.compose(&watermark.layout(), params)?);
        // The last scene is that of the marks.
        let mut drawn = self.draw_scenes(scenes)?;
        let marks = drawn.pop().ok_or_else(|| RenderError::Failed("the marks were not drawn".to_owned()))?;
        let marks = match params.window {
            Some(window) => crop(marks, window),
            None => marks,
        };
        let kept = watermark.kept(&marks, params);
        known.insert(watermark, params, &marks);
        Ok((drawn, kept))
    }
}

/// The part of the page that a preview shows, in device px: 1200 px wide, and at least 1 px high.
fn window_of(shown: Rect<Px>, scale: DeviceScale) -> Rect<u32> {
    let device = |length: Px| length.to_device(scale).get().round() as u32;
    let min = Point::new(device(shown.min.x), device(shown.min.y));
    Rect { min, max: min + Point::new(PREVIEW_WIDTH, device(shown.height()).max(1)) }
}
