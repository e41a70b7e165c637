//! What the service needs of whatever renders its pages.

use std::pin::Pin;

use crate::pipeline::{AdapterDescription, Artifact, Preview, RenderPool, Rendered};
use crate::spec::RenderSpec;

/// A page, or a preview, under way. Dropped, it is no longer wanted.
pub type Rendering<'a, T = Artifact> = Pin<Box<dyn Future<Output = Rendered<T>> + Send + 'a>>;

/// Turns specifications into finished pages, on threads of its own.
pub trait Renderer: Send + Sync {
    /// Renders one page.
    fn generate(&self, spec: RenderSpec) -> Rendering<'_>;

    /// Renders the preview of a page.
    fn preview(&self, spec: RenderSpec) -> Rendering<'_, Preview>;

    /// The device that does the work.
    fn adapter(&self) -> &AdapterDescription;

    /// Pages waiting or under way.
    fn queue_depth(&self) -> usize;

    /// Pages that may wait or be under way before further ones are refused.
    fn queue_limit(&self) -> usize;
}

impl Renderer for RenderPool {
    fn generate(&self, spec: RenderSpec) -> Rendering<'_> {
        Box::pin(Self::generate(self, spec))
    }

    fn preview(&self, spec: RenderSpec) -> Rendering<'_, Preview> {
        Box::pin(Self::preview(self, spec))
    }

    fn adapter(&self) -> &AdapterDescription {
        Self::adapter(self)
    }

    fn queue_depth(&self) -> usize {
        Self::queue_depth(self)
    }

    fn queue_limit(&self) -> usize {
        Self::queue_limit(self)
    }
}
