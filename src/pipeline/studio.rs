//! The story of a page.

use std::sync::Arc;

use super::artifact::Artifact;
use super::error::{RenderError, StartError};
use crate::catalogue::FontCatalogue;
use crate::encode::encode_png;
use crate::gpu::{AdapterDescription, Renderer};
use crate::layout::lay_out;
use crate::mesh::MeshCache;
use crate::scene::compose;
use crate::spec::RenderSpec;

/// Most pixels of strips that the device works on at once: an accumulator of 32 MiB.
const BAND_BUDGET: usize = 8 << 20;

/// Everything a page is made with, shared by all threads.
pub struct Studio {
    catalogue: Arc<FontCatalogue>,
    meshes: MeshCache,
    renderer: Renderer,
}

impl Studio {
    /// A studio on the most capable adapter.
    ///
    /// # Errors
    /// When there is none.
    pub fn open(catalogue: Arc<FontCatalogue>) -> Result<Self, StartError> {
        Ok(Self { catalogue, meshes: MeshCache::default(), renderer: Renderer::start()? })
    }

    /// Makes the page. Blocks while the device draws.
    ///
    /// # Errors
    /// When the text cannot be written as asked, or the device fails.
    pub fn generate(&self, spec: &RenderSpec) -> Result<Artifact, RenderError> {
        let layout = lay_out(spec, &self.catalogue)?;
        let scene = compose(&layout, spec.dpi.scale(), &self.catalogue, &self.meshes, BAND_BUDGET)?;
        let coverage = self.renderer.render(scene)?;
        Ok(Artifact {
            bytes: encode_png(&coverage, spec.ink, spec.dpi),
            width: coverage.width(),
            height: coverage.height(),
            calculated_font_size: layout.calculated_font_size,
            seed: spec.seed,
            warnings: layout.warnings,
        })
    }

    /// The adapter in words.
    #[must_use]
    pub const fn adapter(&self) -> &AdapterDescription {
        self.renderer.adapter()
    }
}
