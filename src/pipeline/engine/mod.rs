//! All stages of a page in order: prepare, compose, draw, encode.
//!
//! Input: a [`RenderSpec`]. Output: a [`RenderedFile`]. An [`Engine`] holds what all pages share; a `Production` holds
//! what the stages of one job share. A PNG is made here, other files in `files` and `svg`, previews in `preview`,
//! reports in `preflight`. `layers` puts the inks and rules of a page together. `warm_up` draws pages at the start. It
//! blocks the thread that calls it, and knows no queue.

mod files;
mod layers;
mod preflight;
mod preview;
pub(super) mod production;
mod svg;
pub(super) mod warm_up;

use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use super::control::JobControl;
use super::error::{RenderError, StartError};
use super::prepare::Aim;
use super::prepare::laid_out::LaidOutFile;
use super::rendered_file::{FilePart, RenderedFile};
use super::stages::{Stage, StageTimes};
use super::watermark::Marks;
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::encode::{OutputProfiles, encode_layers_while};
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStatus, Renderer};
use crate::mesh::MeshCache;
use crate::scene::RenderParams;
use crate::spec::{OutputFormat, RenderSpec, Writing};
use layers::{add_rules, as_inks};
pub use preview::PREVIEW_WIDTH;
use production::Production;

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
    /// The marks of previews.
    marks: Marks,
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
        let (marks, stamped) = (Marks::new(&catalogue), Mutex::default());
        let (catalogue, meshes) = (RwLock::new(catalogue), MeshCache::default());
        Self { catalogue, meshes, renderer: None, profiles, clock, marks, stamped }
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
        if spec.output == OutputFormat::Png {
            return self.generate_png(spec, times, control);
        }
        let (mut whole, mut rest) = (None, Vec::new());
        self.generate_file(spec, times, control, &mut |part| match part {
            FilePart::Start { rendered_file, .. } => whole = Some(rendered_file),
            FilePart::Next(bytes) | FilePart::End(bytes) => rest.push(bytes),
        })?;
        let mut whole = whole.ok_or_else(|| RenderError::Failed("a file without a page".to_owned()))?;
        whole.bytes.extend(rest.into_iter().flatten());
        Ok(whole)
    }

    fn generate_png(
        &self,
        spec: &RenderSpec,
        times: &mut StageTimes,
        control: &JobControl<'_>,
    ) -> Result<RenderedFile, RenderError> {
        let scale = spec.dpi.scale();
        let mut production = Production::new(self, times, control);
        let LaidOutFile { pages, calculated_font_size, blocks, warnings } =
            production.prepare(spec, Aim::File, scale)?;
        let writings = pages.first().map(Vec::as_slice).unwrap_or_default();
        let mut layers = production.draw_inks(writings, |spec| RenderParams::of(spec, scale))?;
        let (width, height) =
            layers.first().map(|layer| (layer.coverage.width(), layer.coverage.height())).unwrap_or_default();
        let encode = || {
            add_rules(spec, &mut layers, scale);
            encode_layers_while(&as_inks(&layers), None, scale, control.is_wanted)
        };
        Ok(RenderedFile {
            bytes: production.timed(Stage::Encode, encode)?,
            width,
            height,
            calculated_font_size,
            seed: spec.seed,
            writing: Writing::Image,
            blocks,
            warnings,
        })
    }

    /// The fonts at present.
    #[must_use]
    pub fn catalogue(&self) -> Arc<FontCatalogue> {
        Arc::clone(&self.catalogue.read())
    }

    /// Replaces the fonts for pages that start from now on. Pages in progress keep theirs.
    pub fn set_catalogue(&self, catalogue: Arc<FontCatalogue>) {
        *self.catalogue.write() = catalogue;
    }

    /// The colour profiles of PDFs.
    pub(super) const fn profiles(&self) -> &OutputProfiles {
        &self.profiles
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
