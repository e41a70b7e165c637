//! All stages of a page in order: prepare, compose, draw, encode.
//!
//! Input: a [`RenderSpec`]. Output: a [`RenderedFile`]. An [`Engine`] holds what all pages share; a `Production` holds
//! what the stages of one job share. Files are made in `files` and `svg`, previews in `preview`, reports in `preflight`.
//! `layers` puts the inks and rules of a page together, and `artwork` what lies under them. `warm_up` draws pages at
//! the start. It blocks the thread that calls it, and knows no queue.

mod artwork;
mod files;
mod layers;
mod preflight;
mod preview;
pub(super) mod production;
mod svg;
pub(super) mod warm_up;

use std::sync::Arc;

use parking_lot::{Mutex, RwLock};

use super::artwork_cache::ArtworkCache;
use super::control::JobControl;
use super::error::{RenderError, StartError};
use super::prepare::preflight::Preflight;
use super::rendered_file::{Preview, PreviewMark, RenderedFile};
use super::stages::StageTimes;
use super::watermark::Marks;
use crate::catalogue::FontCatalogue;
use crate::clock::Clock;
use crate::encode::OutputProfiles;
use crate::gpu::{DeviceHealth, DeviceOptions, DeviceStatus, Renderer};
use crate::mesh::MeshCache;
use crate::spec::RenderSpec;
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
    /// The colour profiles of PDFs.
    pub(super) profiles: OutputProfiles,
    /// Dates the files and times the stages.
    pub(super) clock: Clock,
    /// Artwork that pages showed.
    artwork: ArtworkCache,
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
        let artwork = ArtworkCache::default();
        Self { catalogue, meshes, renderer: None, profiles, clock, artwork, marks, stamped }
    }

    /// Makes the page at full quality, or all pages of its file. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked or costs too much, or the device fails.
    pub fn generate(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<RenderedFile, RenderError> {
        self.produce(times, |production| production.generate(spec))
    }

    /// Makes the same page, or the region that `spec` names, 1200 px wide, drawn at that size, with this mark. Blocks
    /// while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(
        &self,
        spec: &RenderSpec,
        mark: PreviewMark,
        times: &mut StageTimes,
    ) -> Result<Preview, RenderError> {
        self.produce(times, |production| production.preview(spec, mark))
    }

    /// Lays the text out and reports what the file would be and what is wrong with it. No device draws. A text that
    /// does not fit or cannot be written is a finding.
    ///
    /// # Errors
    /// Where the request is not to blame: as [`generate`](Self::generate).
    pub fn preflight(&self, spec: &RenderSpec, times: &mut StageTimes) -> Result<Preflight, RenderError> {
        self.produce(times, |production| production.preflight(spec))
    }

    /// Does a job with the fonts at present, to its end.
    pub(super) fn produce<T>(
        &self,
        times: &mut StageTimes,
        make: impl FnOnce(&mut Production<'_>) -> Result<T, RenderError>,
    ) -> Result<T, RenderError> {
        let catalogue = self.catalogue();
        make(&mut Production { engine: self, control: JobControl::new(&catalogue), times })
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
