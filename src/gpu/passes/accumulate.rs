//! Signed areas of every glyph's boundary, summed into the strips' accumulators.

use super::band::band_binding;
use super::pass::Pass;
use crate::gpu::shader::{Binding, Shader};
use crate::scene::Band;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader =
    Shader { name: "accumulate", body: include_str!("../../../shaders/accumulate.wgsl"), lanes: 64 };

/// The compiled pass.
pub(in crate::gpu) struct Accumulate(Pass);

/// What the pass reads, and the accumulator it adds to.
pub(in crate::gpu) struct AccumulateBuffers<'a> {
    pub(in crate::gpu) bands: &'a wgpu::Buffer,
    pub(in crate::gpu) instances: &'a wgpu::Buffer,
    pub(in crate::gpu) meshes: &'a wgpu::Buffer,
    pub(in crate::gpu) segments: &'a wgpu::Buffer,
    pub(in crate::gpu) tile_rows: &'a wgpu::Buffer,
    pub(in crate::gpu) accumulator: &'a wgpu::Buffer,
}

impl Accumulate {
    /// Compiles the pass.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite};
        Self(Pass::new(device, SHADER, &[DynamicUniform, Read, Read, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a scene.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, buffers: &AccumulateBuffers<'_>) -> wgpu::BindGroup {
        let resources = [
            band_binding(buffers.bands),
            buffers.instances.as_entire_binding(),
            buffers.meshes.as_entire_binding(),
            buffers.segments.as_entire_binding(),
            buffers.tile_rows.as_entire_binding(),
            buffers.accumulator.as_entire_binding(),
        ];
        self.0.bind(device, &resources)
    }

    /// Records the band's instances, one workgroup each.
    pub(in crate::gpu) fn record(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &wgpu::BindGroup,
        band: &Band,
        band_offset: u32,
    ) {
        self.0.record(pass, bound, band_offset, band.instances.len() as u32);
    }
}
