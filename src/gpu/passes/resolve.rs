//! Prefix sums along the strips' lines, times the ink's opacity, packed to 8-bit coverage.

use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::gpu::shader::{Binding, Shader, Switch};
use crate::scene::Scene;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "resolve",
    parts: &[include_str!("../../../shaders/resolve.wgsl"), include_str!("../../../shaders/ink_flow.wgsl")],
    switches: &[Switch::Grain, Switch::Halves, Switch::InkFlow],
    lanes: 64,
};

/// The pass on a device.
pub(in crate::gpu) struct Resolve(pub(in crate::gpu) Pass);

impl Resolve {
    /// The pass for a device.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        let kinds = [DynamicUniform, Read, Read, ReadWrite, Uniform, Read, Read];
        Self(Pass::new(device, SHADER, &kinds))
    }

    /// Binds the buffers of a page. The result goes to `resolved`.
    pub(in crate::gpu) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        page: &PageBuffers,
        resolved: &wgpu::Buffer,
    ) -> BoundPass<'_> {
        let records = &page.records;
        let resources = [
            records.band_binding(),
            records.binding(Section::Strips),
            page.accumulator.get().as_entire_binding(),
            resolved.as_entire_binding(),
            records.binding(Section::Effects),
            records.binding(Section::InkRows),
            records.binding(Section::InkWear),
        ];
        self.0.bind(device, scene, &resources)
    }
}
