//! What the service needs from a renderer of pages.

use std::pin::Pin;

use crate::catalogue::FontId;
use crate::pipeline::{
    Artifact, DeviceHealth, DeviceStanding, FileStart, PartSink, Preview, QueueStanding, RenderPool, Rendered, Tenant,
};
use crate::spec::RenderSpec;

/// A page, or a preview, under way. Dropped, it is no longer wanted.
pub type Rendering<'a, T = Artifact> = Pin<Box<dyn Future<Output = Rendered<T>> + Send + 'a>>;

/// Turns specifications into finished pages, on threads of its own.
pub trait Renderer: Send + Sync {
    /// Renders one page in the tenant's turn.
    fn generate(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_>;

    /// Renders a PDF in the tenant's turn, and gives the parts behind the first to `sink`. As it stands here, all of it is
    /// one part.
    fn generate_file(&self, spec: RenderSpec, tenant: Tenant, sink: Box<dyn PartSink>) -> Rendering<'_, FileStart> {
        drop(sink);
        Box::pin(async move {
            let Rendered { outcome, stages } = self.generate(spec, tenant).await;
            Rendered { outcome: outcome.map(|artifact| FileStart { artifact, is_whole: true }), stages }
        })
    }

    /// Renders the preview of a page in the tenant's turn.
    fn preview(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_, Preview>;

    /// Renders what a hand looks like, as PNG.
    fn specimen(&self, font: FontId) -> Rendering<'_, Vec<u8>>;

    /// The devices that do the work; at least one.
    fn devices(&self) -> Vec<DeviceStanding>;

    /// How they are, taken together.
    fn device_health(&self) -> DeviceHealth;

    /// How its queue stands.
    fn queue(&self) -> QueueStanding;
}

impl Renderer for RenderPool {
    fn generate(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_> {
        Box::pin(Self::generate(self, spec, tenant))
    }

    fn generate_file(&self, spec: RenderSpec, tenant: Tenant, sink: Box<dyn PartSink>) -> Rendering<'_, FileStart> {
        Box::pin(Self::generate_file(self, spec, tenant, sink))
    }

    fn preview(&self, spec: RenderSpec, tenant: Tenant) -> Rendering<'_, Preview> {
        Box::pin(Self::preview(self, spec, tenant))
    }

    fn specimen(&self, font: FontId) -> Rendering<'_, Vec<u8>> {
        Box::pin(Self::specimen(self, font))
    }

    fn devices(&self) -> Vec<DeviceStanding> {
        Self::devices(self)
    }

    fn device_health(&self) -> DeviceHealth {
        Self::device_health(self)
    }

    fn queue(&self) -> QueueStanding {
        Self::queue(self)
    }
}
