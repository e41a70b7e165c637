//! Composes and draws the writings of a page.

use super::Engine;
use crate::catalogue::FontCatalogue;
use crate::gpu::Renderer;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::laid_out::LaidOutWriting;
use crate::pipeline::layers::{DrawnLayer, layers_of};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::raster::Coverage;
use crate::scene::{RenderParams, Scene, compose_while};
use crate::spec::RenderSpec;

impl Engine {
    /// Draws the writings of a page, each with the parameters that `params` gives for its specification: one layer for
    /// each ink, in the order of first use.
    pub(super) fn draw_inks(
        &self,
        writings: &[LaidOutWriting],
        params: impl Fn(&RenderSpec) -> RenderParams,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<DrawnLayer>, RenderError> {
        let scenes = self.compose_writings(writings, params, catalogue, times, control)?;
        Ok(layers_of(writings, self.draw_scenes(scenes, times, control)?))
    }

    /// Composes the writings of a page, each with the parameters that `params` gives for its specification.
    pub(super) fn compose_writings(
        &self,
        writings: &[LaidOutWriting],
        params: impl Fn(&RenderSpec) -> RenderParams,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<Scene>, RenderError> {
        let compose = |LaidOutWriting { spec, layout, .. }: &LaidOutWriting| {
            self.compose(layout, &params(spec), catalogue, times, control)
        };
        writings.iter().map(compose).collect()
    }

    /// Draws one layout.
    pub(super) fn draw(
        &self,
        layout: &PageLayout,
        params: &RenderParams,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Coverage, RenderError> {
        let scene = self.compose(layout, params, catalogue, times, control)?;
        let drawn = self.draw_scenes(vec![scene], times, control)?;
        drawn.into_iter().next().ok_or_else(|| RenderError::Failed("a page was not drawn".to_owned()))
    }

    /// Composes one layout.
    pub(super) fn compose(
        &self,
        layout: &PageLayout,
        params: &RenderParams,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Scene, RenderError> {
        let band_pixels = self.renderer()?.band_pixels();
        Ok(times.time(Stage::Compose, &self.clock, || {
            compose_while(layout, params, catalogue, &self.meshes, band_pixels, control.is_wanted)
        })?)
    }

    /// Draws the scenes of one page, in order.
    pub(super) fn draw_scenes(
        &self,
        scenes: Vec<Scene>,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<Coverage>, RenderError> {
        let renderer = self.renderer()?;
        Ok(times.time(Stage::Draw, &self.clock, || renderer.render_all_while(scenes, control.is_wanted))?)
    }

    /// The devices.
    fn renderer(&self) -> Result<&Renderer, RenderError> {
        self.renderer.as_ref().ok_or_else(|| RenderError::DeviceUnavailable("none was opened".to_owned()))
    }
}
