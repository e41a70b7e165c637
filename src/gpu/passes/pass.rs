//! What all passes are: a shader, its bindings, and dispatches over bands.

use crate::gpu::shader::{Binding, Effect, Shader, bind, bindings};
use crate::scene::MAX_GROUPS_A_DIMENSION;

/// A compiled compute pass, its effect off or on.
pub(in crate::gpu) struct Pass {
    shader: Shader,
    bindings: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
}

/// A pass with the buffers of a scene.
pub(in crate::gpu) struct BoundPass<'a> {
    pass: &'a Pass,
    group: wgpu::BindGroup,
}

impl Pass {
    /// Compiles the shader over one bind group of these bindings.
    pub(super) fn new(device: &wgpu::Device, shader: Shader, kinds: &[Binding], effect: Effect) -> Self {
        let bindings = bindings(device, shader.name, kinds);
        let pipeline = shader.pipeline(device, &bindings, effect);
        Self { shader, bindings, pipeline }
    }

    /// Binds resources in the order of the bindings.
    pub(super) fn bind(&self, device: &wgpu::Device, resources: &[wgpu::BindingResource<'_>]) -> BoundPass<'_> {
        BoundPass { pass: self, group: bind(device, self.shader.name, &self.bindings, resources) }
    }
}

impl BoundPass<'_> {
    /// Records `groups` workgroups over the band whose record lies at `band_offset`, folded into y where x is full.
    pub(in crate::gpu) fn record(&self, pass: &mut wgpu::ComputePass<'_>, band_offset: u32, groups: u32) {
        pass.set_pipeline(&self.pass.pipeline);
        pass.set_bind_group(0, &self.group, &[band_offset]);
        if groups > 0 {
            pass.dispatch_workgroups(groups.min(MAX_GROUPS_A_DIMENSION), groups.div_ceil(MAX_GROUPS_A_DIMENSION), 1);
        }
    }
}
