//! A compute pass: a shader, its bindings, and dispatches over bands.

use std::sync::{Arc, OnceLock};

use super::shader::Shader;
use super::slot::Bound;
use crate::scene::MAX_GROUPS_PER_DIMENSION;

/// A compute pass, compiled for each setting of its switches when a scene first needs it, or ahead. Clones share the
/// pipelines.
#[derive(Clone)]
pub(in crate::gpu) struct Pass {
    shader: Shader,
    bindings: wgpu::BindGroupLayout,
    /// The pipelines by setting; each bit is a switch.
    pipelines: Arc<[OnceLock<wgpu::ComputePipeline>]>,
}

/// A pass with the buffers of a scene.
pub(in crate::gpu) struct BoundPass<'a> {
    pipeline: &'a wgpu::ComputePipeline,
    group: wgpu::BindGroup,
    /// Lanes of a workgroup.
    lanes: u32,
}

impl Pass {
    /// The shader over one bind group of its bindings.
    pub(in crate::gpu) fn new(device: &wgpu::Device, shader: Shader) -> Self {
        let entries: Vec<_> =
            (0..).zip(shader.bindings.concat()).map(|(binding, (access, _))| access.layout(binding)).collect();
        let layout = wgpu::BindGroupLayoutDescriptor { label: Some(shader.name), entries: &entries };
        let pipelines = (0..1 << shader.switches.len()).map(|_| OnceLock::new()).collect();
        Self { shader, bindings: device.create_bind_group_layout(&layout), pipelines }
    }

    /// The pipeline of a setting. Waits if another thread compiles it.
    fn pipeline(&self, device: &wgpu::Device, setting: usize) -> &wgpu::ComputePipeline {
        self.pipelines[setting].get_or_init(|| self.shader.pipeline(device, &self.bindings, setting))
    }

    /// Compiles the settings one after another, while it is wanted.
    pub(in crate::gpu) fn compile_while(&self, device: &wgpu::Device, is_wanted: &dyn Fn() -> bool) {
        for setting in (0..self.pipelines.len()).take_while(|_| is_wanted()) {
            self.pipeline(device, setting);
        }
    }

    /// Whether another thread holds the pipelines.
    #[cfg(test)]
    pub(in crate::gpu) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.pipelines) > 1
    }

    /// Number of compiled settings.
    #[cfg(test)]
    pub(in crate::gpu) fn compiled(&self) -> usize {
        self.pipelines.iter().filter(|pipeline| pipeline.get().is_some()).count()
    }

    /// Binds the buffers of a page, with the switches of its scene.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, bound: &Bound<'_>) -> BoundPass<'_> {
        let Shader { name, bindings, lanes, .. } = self.shader;
        let entries: Vec<_> = (0..)
            .zip(bindings.concat())
            .map(|(binding, (_, slot))| wgpu::BindGroupEntry { binding, resource: bound.resource(slot) })
            .collect();
        let layout = &self.bindings;
        let group =
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(name), layout, entries: &entries });
        BoundPass { pipeline: self.pipeline(device, self.shader.setting_of(bound.scene)), group, lanes }
    }
}

impl BoundPass<'_> {
    /// Records `groups` workgroups over the band whose record lies at `band_offset`, folded into y if x is too small.
    pub(in crate::gpu) fn record(&self, pass: &mut wgpu::ComputePass<'_>, band_offset: u32, groups: u32) {
        pass.set_pipeline(self.pipeline);
        pass.set_bind_group(0, &self.group, &[band_offset]);
        if groups > 0 {
            let [x, y] = [groups.min(MAX_GROUPS_PER_DIMENSION), groups.div_ceil(MAX_GROUPS_PER_DIMENSION)];
            pass.dispatch_workgroups(x, y, 1);
        }
    }

    /// As [`record`](Self::record), with one lane for each of `count` runs or lines.
    pub(in crate::gpu) fn record_each(&self, pass: &mut wgpu::ComputePass<'_>, band_offset: u32, count: u32) {
        self.record(pass, band_offset, count.div_ceil(self.lanes));
    }
}
