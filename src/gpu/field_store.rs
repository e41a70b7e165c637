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

/// Rows of cells that lie side by side: outlines are looked up a glyph at a time, and rows are a power of two apart, so that
/// a glyph's cells would all want the same place in the cache.
const ROWS: usize = 4;

/// For each of `points` × `points` lattice points the texels at the corners of the cell it begins: itself, right, below,
/// right below. Four times the bytes, and one load where a look-up between the points would take four. Of each [`ROWS`]
/// rows the cells of a column follow one another.
fn cells(texels: &[u32], points: usize) -> Vec<[u32; 4]> {
    let mut cells = Vec::with_capacity(texels.len());
    for top in (0..points).step_by(ROWS) {
        let rows: [&[u32]; ROWS + 1] = std::array::from_fn(|row| &texels[(top + row) % points * points..][..points]);
        for x in 0..points {
            let right = (x + 1) % points;
            let corners = |pair: &[&[u32]]| [pair[0][x], pair[0][right], pair[1][x], pair[1][right]];
            cells.extend(rows.windows(2).map(corners));
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_holds_its_corners_and_the_field_repeats() {
        let texels: Vec<u32> = (0..64).collect();
        let cells = cells(&texels, 8);
        assert_eq!([0, 1, 4].map(|place| cells[place]), [[0, 1, 8, 9], [8, 9, 16, 17], [1, 2, 9, 10]]);
        assert_eq!(cells[32], [32, 33, 40, 41], "the fifth row begins behind four whole ones");
        assert_eq!(cells[63], [63, 56, 7, 0]);
    }
}
