//! All stages of a page in order: lay out, compose, draw, encode.

mod files;
mod preflight;
mod specimens;
mod svg;

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use super::bounds::{check_cost, layout_budget};
use super::control::JobControl;
use super::error::{RenderError, StartError};
use super::layers::{DrawnLayer, as_inks};
use super::preflight::refuse_errors;
use super::rendered_file::{FilePart, Preview, RenderedFile};
use super::stages::{Stage, StageTimes};
use super::watermark::watermark;
use crate::catalogue::{FontCatalogue, FontId};
use crate::clock::Clock;
use crate::encode::{OutputProfiles, encode_layers_while};
use crate::geometry::{Point, Rect};
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStatus, Renderer};
use crate::layout::{PageLayout, lay_out_pages_within, lay_out_within};
use crate::mesh::MeshCache;
use crate::preflight::{invisible_ink, mail_warnings, preview_paper, spec_warnings};
use crate::raster::{Coverage, crop, stamp};
use crate::scene::{RenderParams, compose_while};
use crate::spec::{OutputFormat, RenderSpec, Writing};
use crate::units::{DevicePx, DeviceScale, Px};
use crate::work::WorkMeter;
pub use specimens::SheetFormat;

/// Largest number of pixels of strips in one band: an accumulator of 8 MiB. A dense A4 page at 300 DPI fits, and the
/// accumulator is still in a processor's caches when it is read.
pub const BAND_BUDGET: usize = 2 << 20;

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

/// All that is needed to make a page, shared by all threads.
pub struct Engine {
    /// The fonts at present. Each page takes them once, at its start.
    catalogue: RwLock<Arc<FontCatalogue>>,
    /// Of the fonts at present and before: the keys name the files.
    meshes: MeshCache,
    /// Draws; `None` where only files without pixels are made.
    renderer: Option<Renderer>,
    profiles: OutputProfiles,
    /// Dates the files and times the stages.
    clock: Clock,
    /// Memory of stamped previews, for the next ones: as much as were stamped at once.
    stamped: Mutex<Vec<Vec<u8>>>,
}

impl Engine {
    /// An engine on the most capable adapters.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(catalogue: Arc<FontCatalogue>, profiles: OutputProfiles, clock: Clock) -> Result<Self, StartError> {
        Self::open_with(DeviceOptions::default(), catalogue, profiles, clock)
    }

    /// As [`open`](Self::open), with options for the devices.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(
        device: DeviceOptions,
        catalogue: Arc<FontCatalogue>,
        profiles: OutputProfiles,
        clock: Clock,
    ) -> Result<Self, StartError> {
        let renderer = Renderer::start_with(device, &clock)?;
        Ok(Self { renderer: Some(renderer), ..Self::without_device(catalogue, profiles, clock) })
    }

    /// An engine for specifications that [need no device](RenderSpec::needs_device). It fails on others.
    #[must_use]
    pub fn without_device(catalogue: Arc<FontCatalogue>, profiles: OutputProfiles, clock: Clock) -> Self {
        let (catalogue, meshes, stamped) = (RwLock::new(catalogue), MeshCache::default(), Mutex::default());
        Self { catalogue, meshes, renderer: None, profiles, clock, stamped }
    }

    /// Makes the page at full quality, or all pages of its file. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked or costs too much, or the device fails.
    pub fn generate(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<RenderedFile, RenderError> {
        self.generate_while(spec, times, &JobControl::default())
    }

    /// As [`generate`](Self::generate), stopping when it is no longer wanted.
    pub(super) fn generate_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        match &spec.output {
            OutputFormat::Png => self.generate_png(spec, times, control),
            OutputFormat::Svg(options) => self.generate_svg(spec, options, times, control),
            OutputFormat::Pdf(_) => {
                let (mut whole, mut rest) = (None, Vec::new());
                self.generate_file(spec, times, control, &mut |part| match part {
                    FilePart::Start { rendered_file, .. } => whole = Some(rendered_file),
                    FilePart::Next(bytes) | FilePart::End(bytes) => rest.push(bytes),
                })?;
                let mut whole = whole.ok_or_else(|| RenderError::Failed("a file without a page".to_owned()))?;
                whole.bytes.extend(rest.into_iter().flatten());
                Ok(whole)
            }
        }
    }

    fn generate_png(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        let (scale, catalogue) = (spec.dpi.scale(), &*self.catalogue_for(spec.font)?);
        let layout = self.lay_out_one(spec, scale, catalogue, times, control)?;
        refuse_errors(spec, std::slice::from_ref(&layout), catalogue)?;
        let coverage = self.draw(&layout, &RenderParams::of(spec, scale), catalogue, times, control)?;
        let (width, height) = (coverage.width(), coverage.height());
        let encode = || {
            let rules = layout.rules.as_ref().map(|rules| DrawnLayer::of_rules(rules, &coverage, scale));
            let layers: Vec<DrawnLayer> = rules.into_iter().chain([DrawnLayer { coverage, ink: spec.ink }]).collect();
            encode_layers_while(&as_inks(&layers), None, scale, control.is_wanted)
        };
        Ok(RenderedFile {
            bytes: times.time(Stage::Encode, &self.clock, encode)?,
            width,
            height,
            calculated_font_size: layout.calculated_font_size,
            seed: spec.seed,
            writing: Writing::Image,
            warnings: layout.warnings.into_iter().chain(spec_warnings(spec)).collect(),
        })
    }

    /// Makes the same page, or the region that `spec` names, 1200 px wide, drawn at that size, with a watermark. Blocks
    /// while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Preview, RenderError> {
        self.preview_while(spec, times, &JobControl::default())
    }

    /// As [`preview`](Self::preview), stopping when it is no longer wanted.
    pub(super) fn preview_while(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Preview, RenderError> {
        let catalogue = &*self.catalogue_for(spec.font)?;
        let shown = spec.drawn();
        let scale = DeviceScale::fitting(shown.width(), DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let layout = self.lay_out_one(spec, scale, catalogue, times, control)?;
        let window = window_of(shown, scale);
        let writing = self.draw(&layout, &RenderParams::of(spec, scale).within(window), catalogue, times, control)?;
        let marks = watermark(&layout, catalogue);
        let scale_of_marks = DeviceScale::fitting(marks.size.width, layout.size.width.to_device(scale));
        let params = RenderParams::plain(scale_of_marks).within(window);
        let mark = self.draw(&marks, &params, catalogue, times, control)?;
        let rules = layout.rules.as_ref().map(|rules| DrawnLayer::of_rules(rules, &writing, scale));
        let marked = times.time(Stage::Encode, &self.clock, || {
            let memory = self.stamped.lock().unwrap_or_else(PoisonError::into_inner).pop();
            stamp(&crop(writing, window), &crop(mark, window), memory.unwrap_or_default())
        });
        let (preview_width, preview_height) = (marked.width(), marked.height());
        let rules = rules.map(|rules| DrawnLayer { coverage: crop(rules.coverage, window), ..rules });
        let mut layers: Vec<DrawnLayer> =
            rules.into_iter().chain([DrawnLayer { coverage: marked, ink: spec.ink }]).collect();
        let PageLayout { calculated_font_size, mut warnings, size, .. } = layout;
        warnings.extend(mail_warnings(spec));
        warnings.extend(invisible_ink(spec.ink));
        let full = |length: Px| length.to_device(spec.dpi.scale()).get().round() as u32;
        let preview = Preview {
            page: RenderedFile {
                bytes: times.time(Stage::Encode, &self.clock, || {
                    encode_layers_while(&as_inks(&layers), preview_paper(spec.ink), scale, &|| true)
                })?,
                width: full(size.width),
                height: full(size.height),
                calculated_font_size,
                seed: spec.seed,
                writing: Writing::Image,
                warnings,
            },
            width: preview_width,
            height: preview_height,
        };
        if let Some(marked) = layers.pop() {
            self.stamped.lock().unwrap_or_else(PoisonError::into_inner).push(marked.coverage.into_memory());
        }
        Ok(preview)
    }

    /// Lays a text out on one page, to be drawn at `scale`.
    fn lay_out_one(
        &self,
        spec: &RenderSpec,
        scale: DeviceScale,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<PageLayout, RenderError> {
        let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
        let layout = times.time(Stage::LayOut, &self.clock, || lay_out_within(spec, catalogue, &work));
        let page = layout.as_ref().map(std::slice::from_ref).unwrap_or_default();
        check_cost(spec, page, scale, &work, control)?;
        Ok(layout?)
    }

    /// Lays a text out on all pages of a file, at least one.
    fn lay_out_all(
        &self,
        spec: &RenderSpec,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Vec<PageLayout>, RenderError> {
        let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
        let layouts = times.time(Stage::LayOut, &self.clock, || lay_out_pages_within(spec, catalogue, &work));
        check_cost(spec, layouts.as_deref().unwrap_or_default(), spec.drawn_dpi().scale(), &work, control)?;
        Ok(layouts?)
    }

    fn draw(
        &self,
        layout: &PageLayout,
        params: &RenderParams,
        catalogue: &FontCatalogue,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<Coverage, RenderError> {
        let scene = times.time(Stage::Compose, &self.clock, || {
            compose_while(layout, params, catalogue, &self.meshes, BAND_BUDGET, control.is_wanted)
        })?;
        let renderer = self.renderer.as_ref();
        let renderer = renderer.ok_or_else(|| RenderError::DeviceUnavailable("none was opened".to_owned()))?;
        Ok(times.time(Stage::Draw, &self.clock, || renderer.render_while(scene, control.is_wanted))?)
    }

    /// The fonts at present.
    #[must_use]
    pub fn catalogue(&self) -> Arc<FontCatalogue> {
        Arc::clone(&self.catalogue.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the fonts for pages that start from now on. Pages in progress keep theirs.
    pub fn set_catalogue(&self, catalogue: Arc<FontCatalogue>) {
        *self.catalogue.write().unwrap_or_else(PoisonError::into_inner) = catalogue;
    }

    /// The fonts at present, which must include this one.
    fn catalogue_for(&self, font: FontId) -> Result<Arc<FontCatalogue>, RenderError> {
        let catalogue = self.catalogue();
        if catalogue.has(font) { Ok(catalogue) } else { Err(RenderError::FontNotLoaded(font)) }
    }

    /// The clock that times the stages.
    pub(super) const fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The devices that draw; none only without device.
    #[must_use]
    pub fn devices(&self) -> Vec<DeviceStatus> {
        self.renderer.as_ref().map(Renderer::devices).unwrap_or_default()
    }

    /// The health of all devices together.
    #[must_use]
    pub fn device_health(&self) -> DeviceHealth {
        self.renderer.as_ref().map_or(DeviceHealth::Working, Renderer::health)
    }
}

/// The part of the page that a preview shows, in device px: 1200 px wide, and at least 1 px high.
fn window_of(shown: Rect<Px>, scale: DeviceScale) -> Rect<u32> {
    let device = |length: Px| length.to_device(scale).get().round() as u32;
    let min = Point::new(device(shown.min.x), device(shown.min.y));
    Rect { min, max: min + Point::new(PREVIEW_WIDTH, device(shown.height()).max(1)) }
}
