//! Drawn pixels sent to where noise throws them.

use super::band::band_binding;
use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::shader::{Binding, Shader, Switch};
use crate::scene::Scene;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "scatter",
    parts: &[
        include_str!("../../../shaders/scatter.wgsl"),
        include_str!("../../../shaders/elastic.wgsl"),
        include_str!("../../../shaders/hash.wgsl"),
    ],
    switches: &[Switch::Pairs],
    lanes: 64,
};

/// The pass on a device.
pub(in crate::gpu) struct Scatter(pub(super) Pass);

impl Scatter {
    /// The pass for a device.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        Self(Pass::new(device, SHADER, &[DynamicUniform, Uniform, Read, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a page.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, scene: &Scene, page: &PageBuffers) -> BoundPass<'_> {
        let resources = [
            band_binding(page.bands.get()),
            page.effects.get().as_entire_binding(),
            page.strips.get().as_entire_binding(),
            page.drawn.get().as_entire_binding(),
            page.landing_strips.get().as_entire_binding(),
            page.finished().as_entire_binding(),
        ];
        self.0.bind(device, scene, &resources)
    }
}
