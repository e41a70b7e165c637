//! Bends outlines by writer variation and by the elastic field, before they are accumulated.

use super::pass::{BoundPass, Pass};
use crate::gpu::field_store::PlacedField;
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::gpu::shader::{Binding, Shader, Switch};
use crate::scene::{Portion, Scene};

const BODY: &str = include_str!("../../../shaders/bend.wgsl");
const ELASTIC: &str = include_str!("../../../shaders/elastic.wgsl");
const WRITER: &str = include_str!("../../../shaders/writer.wgsl");

/// The pass's shader with the field, if there is one, in storage.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "bend",
    parts: &[BODY, WRITER, ELASTIC, include_str!("../../../shaders/field_in_storage.wgsl")],
    switches: &[Switch::Elastic, Switch::Writer],
    lanes: MOST_LANES,
};

/// The pass's shader with a field in uniforms.
pub(in crate::gpu) const SHADER_WITH_UNIFORMS: Shader = Shader {
    parts: &[BODY, WRITER, ELASTIC, include_str!("../../../shaders/field_in_uniforms.wgsl")],
    switches: &[Switch::Writer],
    ..SHADER
};

/// Lanes of a workgroup.
const MOST_LANES: u32 = 64;

/// The pass on a device.
pub(in crate::gpu) struct Bend {
    lanes: u32,
    pub(super) with_storage: Pass,
    pub(super) with_uniforms: Pass,
}

impl Bend {
    /// The pass for a device that `subgroup` lanes keep busy.
    pub(in crate::gpu) fn new(device: &wgpu::Device, subgroup: u32) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        let kinds = [DynamicUniform, Read, Read, Read, Read, Read, ReadWrite, Uniform];
        let lanes = subgroup.min(MOST_LANES);
        let pass = |shader, field: &[Binding]| Pass::new(device, Shader { lanes, ..shader }, &[&kinds, field].concat());
        Self { lanes, with_storage: pass(SHADER, &[Read]), with_uniforms: pass(SHADER_WITH_UNIFORMS, &[Uniform; 4]) }
    }

    /// The passes, to be compiled ahead.
    pub(in crate::gpu) fn passes(&self) -> [Pass; 2] {
        [self.with_storage.clone(), self.with_uniforms.clone()]
    }

    /// Workgroups that a portion takes: one lane per run of corners.
    pub(in crate::gpu) fn groups(&self, portion: &Portion) -> u32 {
        (portion.corner_runs.len() as u32).div_ceil(self.lanes)
    }

    /// Binds the buffers of a page, and the field that displaces its ink, if one does.
    pub(in crate::gpu) fn bind(
        &self,
        device: &wgpu::Device,
        scene: &Scene,
        page: &PageBuffers,
        outlines: &wgpu::Buffer,
        field: Option<&PlacedField>,
    ) -> BoundPass<'_> {
        let (pass, field) = match field {
            None | Some(PlacedField::Grain(_)) => (&self.with_storage, vec![page.records.unread_binding()]),
            Some(PlacedField::Cells(cells)) => (&self.with_storage, vec![cells.as_entire_binding()]),
            Some(PlacedField::Quarters(quarters)) => {
                (&self.with_uniforms, quarters.iter().map(wgpu::Buffer::as_entire_binding).collect())
            }
        };
        let records = &page.records;
        let mut resources = vec![
            records.band_binding(),
            records.binding(Section::CornerRuns),
            records.binding(Section::Instances),
            records.binding(Section::Meshes),
            outlines.as_entire_binding(),
            records.binding(Section::Letters),
            page.pieces.get().as_entire_binding(),
            records.binding(Section::Effects),
        ];
        resources.extend(field);
        pass.bind(device, scene, &resources)
    }
}
