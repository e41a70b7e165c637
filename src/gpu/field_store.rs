//! Elastic fields that stay on the device: up to 16 MiB each, one a sigma.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::scene::Scene;

/// The fields that pages have asked for so far, by sigma: of a smooth one its cells, for look-ups anywhere, and of grain the
/// texels, four to a vector, for look-ups at lattice points side by side.
#[derive(Default)]
pub(super) struct FieldStore {
    fields: HashMap<u8, wgpu::Buffer>,
}

impl FieldStore {
    /// Brings the field of a scene to the device when it is asked for the first time.
    pub(super) fn place(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene) {
        let Some(field) = scene.effects.field else { return };
        self.fields.entry(field.sigma()).or_insert_with(|| {
            let is_grain = scene.effects.warp.is_some();
            let vectors = if is_grain {
                Cow::Borrowed(bytemuck::cast_slice(field.texels()))
            } else {
                Cow::Owned(cells(field.texels(), field.points()))
            };
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("elastic field"),
                size: size_of_val::<[[u32; 4]]>(&vectors) as u64,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytemuck::cast_slice(&vectors));
            buffer
        });
    }

    /// The field of a scene that has been placed.
    pub(super) fn get(&self, scene: &Scene) -> Option<&wgpu::Buffer> {
        scene.effects.field.and_then(|field| self.fields.get(&field.sigma()))
    }
}

/// For each of `points` × `points` lattice points the texels at the corners of the cell it begins: itself, right, below, right below. Four times
/// the bytes, and one load where a look-up between the points would take four.
fn cells(texels: &[u32], points: usize) -> Vec<[u32; 4]> {
    let row = |y: usize| &texels[y % points * points..][..points];
    let cells_of_row = |y: usize| {
        let (here, below) = (row(y), row(y + 1));
        (0..points).map(move |x| [here[x], here[(x + 1) % points], below[x], below[(x + 1) % points]])
    };
    (0..points).flat_map(cells_of_row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_its_corners_and_the_field_repeats() {
        let texels: Vec<u32> = (0..9).collect();
        let cells = cells(&texels, 3);
        assert_eq!((cells[0], cells[2], cells[8]), ([0, 1, 3, 4], [2, 0, 5, 3], [8, 6, 2, 0]));
    }
}
