//! A job in the making: its stages, with what they share.

use super::Engine;
use super::layers::{DrawnLayer, layers_of};
use crate::gpu::Renderer;
use crate::layout::PageLayout;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::laid_out::{LaidOutFile, LaidOutSheet, LaidOutText};
use crate::pipeline::prepare::{Aim, prepare, prepare_side};
use crate::pipeline::stages::{Stage, StageTimes};
use crate::raster::Coverage;
use crate::scene::{RenderParams, Scene, compose_while};
use crate::spec::RenderSpec;

/// Data that the stages of a job share. Each stage is timed.
pub(in crate::pipeline) struct Production<'a> {
    pub(in crate::pipeline) engine: &'a Engine,
    pub(in crate::pipeline) control: JobControl<'a>,
    pub(in crate::pipeline) times: &'a mut StageTimes,
}

impl<'a> Production<'a> {
    /// Does a part of a stage.
    pub(in crate::pipeline) fn timed<T>(&mut self, stage: Stage, work: impl FnOnce() -> T) -> T {
        self.times.time(stage, &self.engine.clock, work)
    }

    /// Lays a request out; see [`prepare`].
    pub(in crate::pipeline) fn prepare<'s>(
        &mut self,
        spec: &'s RenderSpec,
        aim: Aim,
    ) -> Result<LaidOutSheet<'s>, RenderError> {
        let control = self.control;
        self.timed(Stage::LayOut, || prepare(spec, aim, &control))
    }

    /// Lays out the page of a file that has one; see [`prepare_side`].
    pub(super) fn prepare_page(&mut self, spec: &RenderSpec) -> Result<LaidOutFile, RenderError> {
        let control = self.control;
        self.timed(Stage::LayOut, || prepare_side(spec, Aim::File, &control))
    }

    /// Draws the texts of a page, each with the parameters that `params` gives for its specification: one layer for
    /// each ink, in the order of first use.
    pub(super) fn draw_inks(
        &mut self,
        texts: &[LaidOutText],
        params: impl Fn(&RenderSpec) -> RenderParams,
    ) -> Result<Vec<DrawnLayer>, RenderError> {
        let scenes = self.compose_texts(texts, params)?;
        Ok(layers_of(texts, self.draw_scenes(scenes)?))
    }

    /// Composes the texts of a page, each with the parameters that `params` gives for its specification.
    pub(super) fn compose_texts(
        &mut self,
        texts: &[LaidOutText],
        params: impl Fn(&RenderSpec) -> RenderParams,
    ) -> Result<Vec<Scene>, RenderError> {
        texts.iter().map(|text| self.compose(&text.layout, &params(&text.spec))).collect()
    }

    /// Draws one layout.
    pub(in crate::pipeline) fn draw(
        &mut self,
        layout: &PageLayout,
        params: &RenderParams,
    ) -> Result<Coverage, RenderError> {
        let scene = self.compose(layout, params)?;
        let drawn = self.draw_scenes(vec![scene])?;
        drawn.into_iter().next().ok_or_else(|| RenderError::Failed("a page was not drawn".to_owned()))
    }

    /// Composes one layout.
    pub(in crate::pipeline) fn compose(
        &mut self,
        layout: &PageLayout,
        params: &RenderParams,
    ) -> Result<Scene, RenderError> {
        let (band_pixels, meshes) = (self.renderer()?.band_pixels(), &self.engine.meshes);
        let JobControl { catalogue, is_wanted, .. } = self.control;
        let compose = || compose_while(layout, params, catalogue, meshes, band_pixels, is_wanted);
        Ok(self.timed(Stage::Compose, compose)?)
    }

    /// Draws the scenes of one page, in order.
    pub(super) fn draw_scenes(&mut self, scenes: Vec<Scene>) -> Result<Vec<Coverage>, RenderError> {
        let (renderer, is_wanted) = (self.renderer()?, self.control.is_wanted);
        Ok(self.timed(Stage::Draw, || renderer.render_all_while(scenes, is_wanted))?)
    }

    /// The devices.
    fn renderer(&self) -> Result<&'a Renderer, RenderError> {
        let renderer = self.engine.renderer.as_ref();
        renderer.ok_or_else(|| RenderError::DeviceUnavailable("none was opened".to_owned()))
    }
}
