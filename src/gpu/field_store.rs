//! Elastic fields that stay on the device: 4 MiB each, one a sigma.

use std::collections::HashMap;

use crate::noise::ElasticField;

/// The fields that pages have asked for so far.
#[derive(Default)]
pub(super) struct FieldStore {
    by_sigma: HashMap<u8, wgpu::Buffer>,
}

impl FieldStore {
    /// The field's texels on the device, brought there when it is asked for the first time.
    pub(super) fn place(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, field: &ElasticField) {
        self.by_sigma.entry(field.sigma()).or_insert_with(|| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("elastic field"),
                size: size_of_val(field.texels()) as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(field.texels()));
            buffer
        });
    }

    /// The texels of a field that has been placed.
    pub(super) fn get(&self, field: &ElasticField) -> Option<&wgpu::Buffer> {
        self.by_sigma.get(&field.sigma())
    }
}
