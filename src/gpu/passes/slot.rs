//! What passes bind.

use crate::gpu::field_store::PlacedField;
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::page_records::Section;
use crate::scene::Scene;

/// How a pass uses a binding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Access {
    /// As a uniform with an offset that each dispatch sets.
    DynamicUniform,
    /// As a uniform for the whole page.
    Uniform,
    /// As storage that it only reads.
    Read,
    /// As storage that it also writes.
    ReadWrite,
}

/// What a pass binds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    /// The record of the band that a dispatch works on.
    Band,
    /// Records of the page.
    Records(Section),
    /// The outlines that outlive the page.
    Outlines,
    /// The sums of a band.
    Accumulator,
    /// What `resolve` writes: the drawn pixels where they are displaced, or else the finished ones.
    Resolved,
    /// The drawn pixels, if they are displaced.
    Drawn,
    /// The finished pixels.
    Finished,
    /// The elastic field in one buffer.
    Field,
    /// A quarter of the elastic field.
    QuarterOfField(usize),
}

/// The buffers from which the passes of a page bind.
#[derive(Clone, Copy)]
pub(in crate::gpu) struct Bound<'a> {
    pub(in crate::gpu) scene: &'a Scene,
    pub(in crate::gpu) page: &'a PageBuffers,
    /// The outlines that outlive the page.
    pub(in crate::gpu) outlines: &'a wgpu::Buffer,
    /// The field that displaces ink, if one does.
    pub(in crate::gpu) field: Option<&'a PlacedField>,
    /// The finished pixels.
    pub(in crate::gpu) finished: &'a wgpu::Buffer,
}

impl Access {
    /// The entry of a layout for this binding.
    pub(super) fn layout(self, binding: u32) -> wgpu::BindGroupLayoutEntry {
        let ty = match self {
            Self::DynamicUniform | Self::Uniform => wgpu::BufferBindingType::Uniform,
            Self::Read => wgpu::BufferBindingType::Storage { read_only: true },
            Self::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
        };
        let has_dynamic_offset = matches!(self, Self::DynamicUniform);
        wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
            count: None,
        }
    }
}

impl<'a> Bound<'a> {
    /// What lies in a slot.
    pub(super) fn resource(&self, slot: Slot) -> wgpu::BindingResource<'a> {
        let Self { scene, page, outlines, field, finished } = *self;
        let buffer = match (slot, field) {
            (Slot::Band, _) => return page.records.band_binding(),
            (Slot::Records(section), _) => return page.records.binding(section),
            (Slot::Outlines, _) => outlines,
            (Slot::Accumulator, _) => &page.accumulator.buffer,
            (Slot::Drawn, _) => &page.drawn.buffer,
            (Slot::Resolved, _) if scene.effects.displace_pixels() => &page.drawn.buffer,
            (Slot::Resolved | Slot::Finished, _) => finished,
            (Slot::Field, Some(PlacedField::Grain(field) | PlacedField::Cells(field))) => field,
            (Slot::QuarterOfField(quarter), Some(PlacedField::Quarters(quarters))) => &quarters[quarter],
            (Slot::Field | Slot::QuarterOfField(_), _) => return page.records.unread_binding(),
        };
        buffer.as_entire_binding()
    }
}
