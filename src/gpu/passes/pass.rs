//! What all passes are: a shader, its bindings, and dispatches over bands.

use std::ops::Range;

use crate::gpu::shader::{Binding, Shader, Switch, bind, bindings};
use crate::raster::TILE;
use crate::scene::{MAX_GROUPS_A_DIMENSION, Scene};

/// A compiled compute pass, once for every way its switches can be set.
pub(in crate::gpu) struct Pass {
    shader: Shader,
    bindings: wgpu::BindGroupLayout,
    pipelines: Vec<wgpu::ComputePipeline>,
}

/// A pass with the buffers of a scene.
pub(in crate::gpu) struct BoundPass<'a> {
    pipeline: &'a wgpu::ComputePipeline,
    group: wgpu::BindGroup,
}

impl Pass {
    /// Compiles the shader over one bind group of these bindings. Drivers leave most of the work to the first dispatch,
    /// so that ways nobody asks for cost little.
    pub(super) fn new(device: &wgpu::Device, shader: Shader, kinds: &[Binding]) -> Self {
        let bindings = bindings(device, shader.name, kinds);
        let settings = (0..1 << shader.switches.len()).map(|setting: usize| {
            let is_on = |(bit, switch): (usize, &Switch)| (setting >> bit & 1 == 1).then_some(*switch);
            shader.switches.iter().enumerate().filter_map(is_on).collect::<Vec<_>>()
        });
        let pipelines = settings.map(|on| shader.pipeline(device, &bindings, &on)).collect();
        Self { shader, bindings, pipelines }
    }

    /// Binds resources in the order of the bindings, with the switches on that the scene asks for.
    pub(super) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        resources: &[wgpu::BindingResource<'_>],
    ) -> BoundPass<'_> {
        let bit = |(bit, switch): (usize, &Switch)| usize::from(switch.is_asked_by(scene)) << bit;
        let setting: usize = self.shader.switches.iter().enumerate().map(bit).sum();
        let group = bind(device, self.shader.name, &self.bindings, resources);
        BoundPass { pipeline: &self.pipelines[setting], group }
    }
}

/// Workgroups of so many lanes that these strips take: a lane each of their lines.
pub(super) fn groups_of_lines(strips: &Range<usize>, lanes: u32) -> u32 {
    (strips.len() as u32 * TILE).div_ceil(lanes)
}

impl BoundPass<'_> {
    /// Records `groups` workgroups over the band whose record lies at `band_offset`, folded into y where x is full.
    pub(in crate::gpu) fn record(&self, pass: &mut wgpu::ComputePass<'_>, band_offset: u32, groups: u32) {
        pass.set_pipeline(self.pipeline);
        pass.set_bind_group(0, &self.group, &[band_offset]);
        if groups > 0 {
            let [x, y] = [groups.min(MAX_GROUPS_A_DIMENSION), groups.div_ceil(MAX_GROUPS_A_DIMENSION)];
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}
