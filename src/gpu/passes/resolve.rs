//! Prefix sums along the strips' lines, packed to 8-bit coverage.

use super::band::band_binding;
use super::pass::Pass;
use crate::gpu::shader::{Binding, Shader};
use crate::raster::TILE;
use crate::scene::Band;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader =
    Shader { name: "resolve", body: include_str!("../../../shaders/resolve.wgsl"), lanes: 64 };

/// The compiled pass.
pub(in crate::gpu) struct Resolve(Pass);

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
        Self(Pass::new(device, SHADER, &[DynamicUniform, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a scene.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, buffers: &ResolveBuffers<'_>) -> wgpu::BindGroup {
        let resources = [
            band_binding(buffers.bands),
            buffers.strips.as_entire_binding(),
            buffers.accumulator.as_entire_binding(),
            buffers.coverage.as_entire_binding(),
        ];
        self.0.bind(device, &resources)
    }

    /// Records the band's strips, one lane a line.
    pub(in crate::gpu) fn record(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &wgpu::BindGroup,
        band: &Band,
        band_offset: u32,
    ) {
        let lines = band.strips.len() as u32 * TILE;
        self.0.record(pass, bound, band_offset, lines.div_ceil(SHADER.lanes));
    }
}
