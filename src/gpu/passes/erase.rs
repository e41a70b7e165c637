//! Clears the raster that `resolve` wrote for `warp`.

use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::gpu::shader::{Binding, Shader};
use crate::scene::Scene;

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader =
    Shader { name: "erase", parts: &[include_str!("../../../shaders/erase.wgsl")], switches: &[], lanes: 64 };

/// The pass on a device.
pub(in crate::gpu) struct Erase(pub(in crate::gpu) Pass);

impl Erase {
    /// The pass for a device.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        Self(Pass::new(device, SHADER, &[DynamicUniform, Uniform, Read, ReadWrite]))
    }

    /// Binds the buffers of a page.
    pub(in crate::gpu) fn bind(&self, device: &wgpu::Device, scene: &Scene, page: &PageBuffers) -> BoundPass<'_> {
        let records = &page.records;
        let resources = [
            records.band_binding(),
            records.binding(Section::Effects),
            records.binding(Section::Strips),
            page.drawn.get().as_entire_binding(),
        ];
        self.0.bind(device, scene, &resources)
    }
}
