//! What all passes are: a shader, its bindings, and dispatches over bands.

use crate::gpu::shader::{Binding, Shader, bind, bindings};
use crate::scene::MAX_GROUPS_A_DIMENSION;

/// A compiled compute pass.
pub(in crate::gpu) struct Pass {
    shader: Shader,
    bindings: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

impl Pass {
    /// Compiles the shader over one bind group of these bindings.
    pub(super) fn new(device: &wgpu::Device, shader: Shader, kinds: &[Binding]) -> Self {
        let bindings = bindings(device, shader.name, kinds);
        let pipeline = shader.pipeline(device, &bindings);
        Self { shader, bindings, pipeline }
    }

    /// Binds resources in the order of the bindings.
    pub(super) fn bind(&self, device: &wgpu::Device, resources: &[wgpu::BindingResource<'_>]) -> wgpu::BindGroup {
        bind(device, self.shader.name, &self.bindings, resources)
    }

    /// Records `groups` workgroups over the band whose record lies at `band_offset`, folded into y where x is full.
    pub(super) fn record(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        bound: &wgpu::BindGroup,
        band_offset: u32,
        groups: u32,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, bound, &[band_offset]);
        if groups > 0 {
            pass.dispatch_workgroups(groups.min(MAX_GROUPS_A_DIMENSION), groups.div_ceil(MAX_GROUPS_A_DIMENSION), 1);
        }
    }
}
