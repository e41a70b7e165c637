//! Elastic fields that stay on the device: 16 MiB each, one a sigma.

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
            let cells = cells(field.texels());
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("elastic field"),
                size: size_of_val(cells.as_slice()) as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&cells));
            buffer
        });
    }

    /// The cells of a field that has been placed.
    pub(super) fn get(&self, field: &ElasticField) -> Option<&wgpu::Buffer> {
        self.by_sigma.get(&field.sigma())
    }
}

/// For each lattice point the texels at the corners of the cell it begins: itself, right, below, right below. Four times
/// the bytes, and one load where a look-up between the points would take four.
fn cells(texels: &[u32]) -> Vec<[u32; 4]> {
    const SIZE: usize = ElasticField::SIZE;
    let row = |y: usize| &texels[y % SIZE * SIZE..][..SIZE];
    let cells_of_row = |y: usize| {
        let (here, below) = (row(y), row(y + 1));
        (0..SIZE).map(move |x| [here[x], here[(x + 1) % SIZE], below[x], below[(x + 1) % SIZE]])
    };
    (0..SIZE).flat_map(cells_of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_its_corners_and_the_field_repeats() {
        const SIZE: usize = ElasticField::SIZE;
        let texels: Vec<u32> = (0..(SIZE * SIZE) as u32).collect();
        let cells = cells(&texels);
        assert_eq!(cells[0], [0, 1, 1024, 1025]);
        assert_eq!(cells[SIZE - 1], [1023, 0, 2047, 1024]);
        assert_eq!(cells[SIZE * SIZE - 1], [1024 * 1024 - 1, 1024 * 1023, 1023, 0]);
    }
}
