//! Signed areas of every glyph's boundary, summed into the strips' accumulators.

use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::gpu::shader::{Binding, Shader, Switch};
use crate::scene::{Portion, Scene};

/// The pass's shader.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "accumulate",
    parts: &[include_str!("../../../shaders/accumulate.wgsl")],
    switches: &[Switch::Bent, Switch::Halves],
    lanes: MOST_LANES,
};

/// Lanes of a workgroup: a glyph has one to two hundred segments.
const MOST_LANES: u32 = 64;
/// Subgroups of a workgroup. Each loads the glyph's record again, so a device with narrow subgroups gets few.
const SUBGROUPS: u32 = 2;

/// The pass on a device.
pub(in crate::gpu) struct Accumulate(pub(in crate::gpu) Pass);

impl Accumulate {
    /// The pass for a device that `subgroup` lanes keep busy.
    pub(in crate::gpu) fn new(device: &wgpu::Device, subgroup: u32) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite};
        let shader = Shader { lanes: (SUBGROUPS * subgroup).min(MOST_LANES), ..SHADER };
        Self(Pass::new(device, shader, &[DynamicUniform, Read, Read, Read, Read, ReadWrite]))
    }

    /// Binds the buffers of a page, and the outlines that outlive it.
    pub(in crate::gpu) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        page: &PageBuffers,
        outlines: &wgpu::Buffer,
    ) -> BoundPass<'_> {
        let segments = if scene.bends_outlines() { page.pieces.get() } else { outlines };
        let records = &page.records;
        let resources = [
            records.band_binding(),
            records.binding(Section::Instances),
            records.binding(Section::Meshes),
            segments.as_entire_binding(),
            records.binding(Section::TileRows),
            page.accumulator.get().as_entire_binding(),
        ];
        self.0.bind(device, scene, &resources)
    }

    /// Workgroups that a portion takes: one per instance.
    pub(in crate::gpu) fn groups(portion: &Portion) -> u32 {
        portion.instances.len() as u32
    }
}
