//! Elastic fields that stay on the device, one per sigma, up to 16 MiB each.
//!
//! Software devices read fields of 256 × 256 points from uniforms, because their lanes load a storage buffer one by
//! one.

use std::collections::HashMap;

use wgpu::BufferUsages;

use super::buffer::create;
use crate::scene::Scene;

/// The fields used so far, by sigma.
pub(super) struct FieldStore {
    fields: HashMap<u8, PlacedField>,
    is_software: bool,
}

/// A field on the device.
pub(super) enum PlacedField {
    /// The texels of grain, row by row, four per vector: for look-ups at neighbouring lattice points.
    Grain(wgpu::Buffer),
    /// The [`cells`] of a smooth field, for look-ups anywhere.
    Cells(wgpu::Buffer),
    /// The [`quarters`] of a smooth field, for the same in uniforms.
    Quarters([wgpu::Buffer; 4]),
}

impl FieldStore {
    /// An empty store. On a software device, fields of [`SIDE`] × [`SIDE`] points go to uniforms.
    pub(super) fn new(is_software: bool) -> Self {
        Self { fields: HashMap::new(), is_software }
    }

    /// Uploads the field of a scene when it is first used.
    pub(super) fn place(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, scene: &Scene) {
        let Some(field) = scene.effects.field else { return };
        let (is_grain, is_software) = (scene.effects.warp.is_some(), self.is_software);
        self.fields.entry(field.sigma).or_insert_with(|| {
            let filled = |usage, records: &[u8]| filled(device, queue, usage, records);
            if is_grain {
                PlacedField::Grain(filled(BufferUsages::STORAGE, bytemuck::cast_slice(&field.texels)))
            } else if is_software && field.points() == SIDE {
                let quarter = |texels: Vec<u32>| filled(BufferUsages::UNIFORM, bytemuck::cast_slice(&texels));
                PlacedField::Quarters(quarters(&field.texels).map(quarter))
            } else {
                let cells = cells(field.points(), |point| field.texel(point));
                PlacedField::Cells(filled(BufferUsages::STORAGE, bytemuck::cast_slice(&cells)))
            }
        });
    }

    /// The field of a scene, if it was uploaded.
    pub(super) fn get(&self, scene: &Scene) -> Option<&PlacedField> {
        scene.effects.field.and_then(|field| self.fields.get(&field.sigma))
    }
}

/// A buffer of these bytes.
fn filled(device: &wgpu::Device, queue: &wgpu::Queue, usage: BufferUsages, bytes: &[u8]) -> wgpu::Buffer {
    let buffer = create(device, "elastic field", usage | BufferUsages::COPY_DST, bytes.len() as u64);
    queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// Lattice points per side of a field whose quarters fill one uniform each: 64 KiB, which every device allows.
pub(super) const SIDE: usize = 256;

/// The texels of a field of [`SIDE`] × [`SIDE`] points at even columns of even rows, at odd columns of even rows, and
/// the same of odd rows: a look-up between the points takes one of each.
fn quarters(texels: &[u32]) -> [Vec<u32>; 4] {
    [[0, 0], [1, 0], [0, 1], [1, 1]].map(|[column, row]| {
        let rows = texels.chunks_exact(SIDE).skip(row).step_by(2);
        rows.flat_map(|texels| texels.iter().skip(column).step_by(2).copied()).collect()
    })
}

/// Rows of cells that are stored together. Outlines are looked up one glyph at a time, and rows are a power of two
/// apart, so the cells of a glyph would otherwise share one line of the cache.
const ROWS: usize = 4;

/// For each of `points` × `points` lattice points the texels at the corners of the cell it begins: itself, right,
/// below, right below. This takes four times the bytes, but a look-up between the points takes one load instead of
/// four. Within [`ROWS`] rows the cells of a column are adjacent.
fn cells(points: usize, texel: impl Fn([usize; 2]) -> u32) -> Vec<[u32; 4]> {
    let cell = |x: usize, y: usize| [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]].map(&texel);
    let blocks = (0..points).step_by(ROWS).flat_map(|top| (0..points).map(move |x| (x, top)));
    blocks.flat_map(|(x, top)| (top..top + ROWS).map(move |y| (x, y))).map(|(x, y)| cell(x, y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_points_around_a_place_are_of_a_quarter_each() {
        let texels: Vec<u32> = (0..(SIDE * SIDE) as u32).collect();
        let quarters = quarters(&texels);
        assert_eq!(quarters.each_ref().map(Vec::len), [SIDE * SIDE / 4; 4]);
        let of_row = |row: u32, column: u32| row * SIDE as u32 + column;
        let expected = [of_row(4, 6), of_row(4, 7), of_row(5, 6), of_row(5, 7)];
        assert_eq!(quarters.map(|quarter| quarter[2 * SIDE / 2 + 3]), expected);
    }

    #[test]
    fn a_cell_holds_its_corners_and_the_field_repeats() {
        let cells = cells(8, |[x, y]| (y as u32 & 7) * 8 + (x as u32 & 7));
        assert_eq!([0, 1, 4].map(|place| cells[place]), [[0, 1, 8, 9], [8, 9, 16, 17], [1, 2, 9, 10]]);
        assert_eq!(cells[32], [32, 33, 40, 41], "the fifth row begins behind four whole ones");
        assert_eq!(cells[63], [63, 56, 7, 0]);
    }
}
