//! A compute pass: a shader, its bindings, and dispatches over bands.

use std::sync::{Arc, OnceLock};

use crate::gpu::shader::{Binding, Shader, Switch, bind, bindings};
use crate::raster::TILE;
use crate::scene::{Band, MAX_GROUPS_PER_DIMENSION, Scene};

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
    /// The shader over one bind group of these bindings.
    pub(super) fn new(device: &wgpu::Device, shader: Shader, kinds: &[Binding]) -> Self {
        let bindings = bindings(device, shader.name, kinds);
        let pipelines = (0..1 << shader.switches.len()).map(|_| OnceLock::new()).collect();
        Self { shader, bindings, pipelines }
    }

    /// The pipeline of a setting. Waits if another thread compiles it.
    fn pipeline(&self, device: &wgpu::Device, setting: usize) -> &wgpu::ComputePipeline {
        let is_on = |(bit, switch): (usize, &Switch)| (setting >> bit & 1 == 1).then_some(*switch);
        self.pipelines[setting].get_or_init(|| {
            let on: Vec<Switch> = self.shader.switches.iter().enumerate().filter_map(is_on).collect();
            self.shader.pipeline(device, &self.bindings, &on)
        })
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

    /// Binds resources in the order of the bindings, with the switches of the scene.
    pub(super) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        resources: &[wgpu::BindingResource<'_>],
    ) -> BoundPass<'_> {
        let bit = |(bit, switch): (usize, &Switch)| usize::from(switch.is_asked_by(scene)) << bit;
        let setting: usize = self.shader.switches.iter().enumerate().map(bit).sum();
        let group = bind(device, self.shader.name, &self.bindings, resources);
        BoundPass { pipeline: self.pipeline(device, setting), group, lanes: self.shader.lanes }
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

    /// Records one lane per line of the strips of `band`, whose record lies at `band_offset`.
    pub(in crate::gpu) fn record_lines(&self, pass: &mut wgpu::ComputePass<'_>, band_offset: u32, band: &Band) {
        self.record(pass, band_offset, (band.strips.len() as u32 * TILE).div_ceil(self.lanes));
    }
}
