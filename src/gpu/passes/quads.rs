//! Drawn pixels spread out over the page, each with its neighbours, for look-ups between them.

use super::band::band_binding;
use super::pass::{BoundPass, Pass, groups_of_lines};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::shader::{Binding, Shader};
use crate::scene::{Scene, Source};

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader =
    Shader { name: "quads", parts: &[include_str!("../../../shaders/quads.wgsl")], switches: &[], lanes: 64 };

/// The compiled pass.
pub(in crate::gpu) struct Quads(Pass);

impl Quads {
    /// Compiles the pass.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        Self(Pass::new(device, SHADER, &[DynamicUniform, Uniform, Read, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a page.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, scene: &Scene, page: &PageBuffers) -> BoundPass<'_> {
        let resources = [
            band_binding(page.bands.get()),
            page.effects.get().as_entire_binding(),
            page.strips.get().as_entire_binding(),
            page.tile_places.get().as_entire_binding(),
            page.resolved(scene).as_entire_binding(),
            page.spread.get().as_entire_binding(),
        ];
        self.0.bind(device, scene, &resources)
    }

    /// Workgroups that a source takes: a lane each line of its strips.
    pub(in crate::gpu) fn groups(source: &Source) -> u32 {
        groups_of_lines(&source.strips, SHADER.lanes)
    }
}
