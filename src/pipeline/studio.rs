//! The story of a page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::artifact::{Artifact, Preview};
use super::error::{RenderError, StartError};
use super::watermark::watermark;
use crate::catalogue::FontCatalogue;
use crate::encode::encode_png;
use crate::geometry::Size;
use crate::gpu::{AdapterDescription, Renderer};
use crate::layout::{PageLayout, lay_out};
use crate::mesh::MeshCache;
use crate::raster::{Coverage, stamp};
use crate::scene::{Rendition, compose};
use crate::spec::RenderSpec;
use crate::units::{DevicePx, DeviceScale, Px};

/// Most pixels of strips that the device works on at once: an accumulator of 32 MiB.
const BAND_BUDGET: usize = 8 << 20;

/// Width of every preview in px.
pub const PREVIEW_WIDTH: u32 = 1200;

/// Everything a page is made with, shared by all threads.
pub struct Studio {
    catalogue: Arc<FontCatalogue>,
    meshes: MeshCache,
    renderer: Renderer,
    /// Watermarks by the preview's height: at most one for each page format.
    watermarks: Mutex<HashMap<u32, Arc<Coverage>>>,
}

impl Studio {
    /// A studio on the most capable adapter.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(catalogue: Arc<FontCatalogue>) -> Result<Self, StartError> {
        Ok(Self { catalogue, meshes: MeshCache::default(), renderer: Renderer::start()?, watermarks: Mutex::default() })
    }

    /// Makes the page at full quality. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked, or the device fails.
    pub fn generate(&self, spec: &RenderSpec) -> Result<Artifact, RenderError> {
        let layout = lay_out(spec, &self.catalogue)?;
        let scale = spec.dpi.scale();
        let coverage = self.draw(&layout, &Rendition::of(spec, scale))?;
        Ok(Artifact {
            bytes: encode_png(&coverage, spec.ink, scale),
            width: coverage.width(),
            height: coverage.height(),
            calculated_font_size: layout.calculated_font_size,
            seed: spec.seed,
            warnings: layout.warnings,
        })
    }

    /// Makes the same page 1200 px wide, drawn at that size, with a watermark. Blocks while the device draws.
    ///
    /// # Errors
    /// As [`generate`](Self::generate).
    pub fn preview(&self, spec: &RenderSpec) -> Result<Preview, RenderError> {
        let layout = lay_out(spec, &self.catalogue)?;
        let scale = DeviceScale::fitting(layout.size.width, DevicePx::new(f64::from(PREVIEW_WIDTH)));
        let writing = self.draw(&layout, &Rendition::of(spec, scale))?;
        let marked = stamp(&writing, &*self.watermark_for(&writing)?);
        let full = |length: Px| length.to_device(spec.dpi.scale()).get().round() as u32;
        Ok(Preview {
            page: Artifact {
                bytes: encode_png(&marked, spec.ink, scale),
                width: full(layout.size.width),
                height: full(layout.size.height),
                calculated_font_size: layout.calculated_font_size,
                seed: spec.seed,
                warnings: layout.warnings,
            },
            width: marked.width(),
            height: marked.height(),
        })
    }

    /// The mark for a preview, drawn when its height is met for the first time.
    fn watermark_for(&self, writing: &Coverage) -> Result<Arc<Coverage>, RenderError> {
        let drawn = || self.watermarks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mark) = drawn().get(&writing.height()) {
            return Ok(Arc::clone(mark));
        }
        let [width, height] = [writing.width(), writing.height()].map(|length| Px::new(f64::from(length)));
        let layout = watermark(Size { width, height }, &self.catalogue);
        let actual_size = DeviceScale::fitting(Px::new(1.0), DevicePx::new(1.0));
        let mark = Arc::new(self.draw(&layout, &Rendition::plain(actual_size))?);
        drawn().insert(writing.height(), Arc::clone(&mark));
        Ok(mark)
    }

    fn draw(&self, layout: &PageLayout, rendition: &Rendition) -> Result<Coverage, RenderError> {
        let scene = compose(layout, rendition, &self.catalogue, &self.meshes, BAND_BUDGET)?;
        Ok(self.renderer.render(scene)?)
    }

    /// The adapter in words.
    #[must_use]
    pub const fn adapter(&self) -> &AdapterDescription {
        self.renderer.adapter()
    }
}
