//! The interface of a renderer of pages.

use std::pin::Pin;

use crate::catalogue::FontId;
use crate::pipeline::{
    DeviceHealth, DeviceStatus, FileStart, PartSink, Preflight, Preview, PreviewMark, QueueStatus, RenderPool,
    Rendered, RenderedFile, SpecimenWords, Tenant,
};
use crate::spec::RenderSpec;

/// A rendering in progress. Dropping it cancels it.
pub type Rendering<'a, T = RenderedFile> = Pin<Box<dyn Future<Output = Rendered<T>> + Send + 'a>>;

/// Turns specifications into finished pages, on its own threads.
pub trait Renderer: Send + Sync {
    /// Renders one page in the tenant's turn.
    fn generate(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_>;

    /// Renders a PDF or an SVG in the tenant's turn, and gives the parts after the first to `sink`. This default implementation
    /// makes one part.
    fn generate_file(&self, spec: RenderSpec, tenant: Tenant, sink: Box<dyn PartSink>) -> Rendering<'_, FileStart> {
        drop(sink);
        Box::pin(async move {
            let Rendered { outcome, stages } = self.generate(spec, tenant).await;
            Rendered { outcome: outcome.map(|rendered_file| FileStart { rendered_file, is_whole: true }), stages }
        })
    }

    /// Lays out what [`generate`](Self::generate) would render, in the tenant's turn. It counts as a preview. The file has
    /// no bytes.
    fn lay_out(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_>;

    /// Renders a file for which nobody waits, in the tenant's turn, while no page is asked for.
    fn generate_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_>;

    /// Lays out what [`generate_in_background`](Self::generate_in_background) would render.
    fn lay_out_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_>;

    /// Renders the preview of a page with this mark, in the tenant's turn.
    fn preview(&self, spec: RenderSpec, mark: PreviewMark, tenant: Tenant) -> Rendering<'_, Preview>;

    /// Reports what a page would be in the tenant's turn, without drawing it.
    fn preflight(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_, Preflight>;

    /// Renders a specimen of a font, with writer variation if it `varies`, as PNG.
    fn specimen(&self, font: FontId, varies: bool) -> Rendering<'_, Vec<u8>>;

    /// Renders these words in all fonts in the tenant's turn, as PNG.
    fn specimen_words(&self, words: SpecimenWords, tenant: Tenant) -> Rendering<'_, Vec<u8>>;

    /// The devices that render; at least one.
    fn devices(&self) -> Vec<DeviceStatus>;

    /// The health of all devices together.
    fn device_health(&self) -> DeviceHealth;

    /// The state of the queue.
    fn queue(&self) -> QueueStatus;
}

impl Renderer for RenderPool {
    fn generate(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        Box::pin(Self::generate(self, spec, tenant))
    }

    fn generate_file(&self, spec: RenderSpec, tenant: Tenant, sink: Box<dyn PartSink>) -> Rendering<'_, FileStart> {
        Box::pin(Self::generate_file(self, spec, tenant, sink))
    }

    fn lay_out(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        Box::pin(Self::lay_out(self, spec, tenant))
    }

    fn generate_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        Box::pin(Self::generate_in_background(self, spec, tenant))
    }

    fn lay_out_in_background(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        Box::pin(Self::lay_out_in_background(self, spec, tenant))
    }

    fn preview(&self, spec: RenderSpec, mark: PreviewMark, tenant: Tenant) -> Rendering<'_, Preview> {
        Box::pin(Self::preview(self, spec, mark, tenant))
    }

    fn preflight(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_, Preflight> {
        Box::pin(Self::preflight(self, spec, tenant))
    }

    fn specimen(&self, font: FontId, varies: bool) -> Rendering<'_, Vec<u8>> {
        Box::pin(Self::specimen(self, font, varies))
    }

    fn specimen_words(&self, words: SpecimenWords, tenant: Tenant) -> Rendering<'_, Vec<u8>> {
        Box::pin(Self::specimen_words(self, words, tenant))
    }

    fn devices(&self) -> Vec<DeviceStatus> {
        Self::devices(self)
    }

    fn device_health(&self) -> DeviceHealth {
        Self::device_health(self)
    }

    fn queue(&self) -> QueueStatus {
        Self::queue(self)
    }
}
