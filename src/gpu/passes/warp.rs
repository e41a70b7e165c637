//! Displaces drawn pixels by a field that is too grainy for outlines.

use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::gpu::shader::{Binding, Shader, Switch};
use crate::scene::Scene;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "warp",
    parts: &[include_str!("../../../shaders/warp.wgsl"), include_str!("../../../shaders/elastic.wgsl")],
    switches: &[Switch::Aligned, Switch::WholePx, Switch::Pairs],
    lanes: 64,
};

/// The pass on a device.
pub(in crate::gpu) struct Warp(pub(in crate::gpu) Pass);

impl Warp {
    /// The pass for a device.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        Self(Pass::new(device, SHADER, &[DynamicUniform, Uniform, Read, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a page. The result goes to `finished`.
    pub(in crate::gpu) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        page: &PageBuffers,
        field: &wgpu::Buffer,
        finished: &wgpu::Buffer,
    ) -> BoundPass<'_> {
        let records = &page.records;
        let resources = [
            records.band_binding(),
            records.binding(Section::Effects),
            records.binding(Section::LandingStrips),
            field.as_entire_binding(),
            page.drawn.get().as_entire_binding(),
            finished.as_entire_binding(),
        ];
        self.0.bind(device, scene, &resources)
    }
}
