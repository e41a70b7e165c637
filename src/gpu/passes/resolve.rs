//! Prefix sums along the strips' lines, packed to 8-bit coverage.

use super::band::band_binding;
use super::dispatch;
use crate::gpu::shader::{Binding, Shader, bind, bindings};
use crate::raster::TILE;
use crate::scene::Band;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader =
    Shader { name: "resolve", body: include_str!("../../../shaders/resolve.wgsl"), lanes: 64 };

/// The pipeline and the shape of its bindings.
pub(in crate::gpu) struct Resolve {
    bindings: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

/// What the pass reads, and the coverage it writes.
pub(in crate::gpu) struct ResolveBuffers<'a> {
    pub(in crate::gpu) bands: &'a wgpu::Buffer,
    pub(in crate::gpu) strips: &'a wgpu::Buffer,
    pub(in crate::gpu) accumulator: &'a wgpu::Buffer,
    pub(in crate::gpu) coverage: &'a wgpu::Buffer,
}

impl Resolve {
    /// Compiles the pass.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite};
        let bindings = bindings(device, SHADER.name, &[DynamicUniform, Read, Read, ReadWrite]);
        let pipeline = SHADER.pipeline(device, &bindings);
        Self { bindings, pipeline }
    }

    /// Binds the buffers of a scene.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, buffers: &ResolveBuffers<'_>) -> wgpu::BindGroup {
        let resources = [
            band_binding(buffers.bands),
            buffers.strips.as_entire_binding(),
            buffers.accumulator.as_entire_binding(),
            buffers.coverage.as_entire_binding(),
        ];
        bind(device, SHADER.name, &self.bindings, &resources)
    }

    /// Records the band's strips, one lane a line.
    pub(in crate::gpu) fn record(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        group: &wgpu::BindGroup,
        band: &Band,
        band_offset: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, group, &[band_offset]);
        dispatch(pass, (band.strips.len() as u32 * TILE).div_ceil(SHADER.lanes));
    }
}
