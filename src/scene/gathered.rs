//! Combines several small pages into one scene, so that they share dispatches.

use super::accumulator::AccumulatorFormat;
use super::bands::{Band, Portion};
use super::compose::Scene;
use super::effects::SceneEffects;
use super::records::Instance;
use crate::geometry::Size;
use crate::raster::Strip;

impl Scene {
    /// Whether the page can be part of a gathered scene: it has ink, no effects, one band, and the common accumulator
    /// format.
    #[must_use]
    pub fn can_be_gathered(&self) -> bool {
        let is_usual = self.accumulator == AccumulatorFormat::Halves && self.effects == SceneEffects::default();
        is_usual && self.bands.len() == 1 && self.letters.is_empty()
    }

    /// One scene whose finished pixels are those of `pages`, one page after another. Every page must be
    /// [gatherable](Self::can_be_gathered); other members of the scene are undefined.
    #[must_use]
    pub fn gathered<'a>(pages: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut all = Self::default();
        let (mut end_row, mut pixels) = (0, 0);
        for page in pages {
            all.take_in(page, pixels);
            end_row = end_row.max(page.bands.last().map_or(0, |band| band.tile_rows.end));
            pixels += page.drawn_pixels();
        }
        all.bands.push(Band {
            tile_rows: 0..end_row,
            strips: 0..all.strips.len(),
            pixels: 0..pixels,
            portions: vec![Portion { instances: 0..all.instances.len(), corner_runs: 0..0 }],
        });
        all
    }

    /// Appends a page whose first pixel gets the address `first_pixel`.
    fn take_in(&mut self, page: &Self, first_pixel: usize) {
        let (first_mesh, first_row) = (self.meshes.len() as u32, self.tile_rows.len() as u32);
        let size = &mut self.size;
        *size = Size { width: size.width.max(page.size.width), height: size.height.max(page.size.height) };
        self.meshes.extend(page.meshes.iter().cloned());
        self.instances.extend(page.instances.iter().map(|instance| Instance {
            mesh: first_mesh + instance.mesh,
            first_tile_row: first_row + instance.first_tile_row,
            ..*instance
        }));
        self.tile_rows.extend(page.tile_rows.iter().map(|row| row.moved(first_pixel)));
        self.strips.extend(page.strips.iter().map(|strip| Strip { offset: first_pixel + strip.offset, ..*strip }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::TileRow;
    use bytemuck::Zeroable as _;

    /// A page of one instance in one strip of `width` px.
    fn page(width: u32, tile_row: u32) -> Scene {
        let pixels = width as usize * 16;
        Scene {
            size: Size { width, height: 16 },
            meshes: Vec::new(),
            letters: Vec::new(),
            corner_runs: Vec::new(),
            instances: vec![Instance { tile_row, tile_rows: 1, ..Instance::zeroed() }],
            tile_rows: vec![TileRow::new(0, width, false)],
            strips: vec![Strip { tile_row, x: 0, width, offset: 0 }],
            bands: vec![Band {
                tile_rows: tile_row..tile_row + 1,
                strips: 0..1,
                pixels: 0..pixels,
                portions: vec![Portion { instances: 0..1, corner_runs: 0..0 }],
            }],
            accumulator: AccumulatorFormat::Halves,
            effects: SceneEffects::default(),
        }
    }

    #[test]
    fn the_pixels_of_gathered_pages_follow_one_another() {
        let pages = [page(32, 0), page(16, 7)];
        let all = Scene::gathered(&pages);
        assert_eq!(all.finished_pixels(), 48 * 16);
        assert_eq!(all.strips.iter().map(|strip| strip.offset).collect::<Vec<_>>(), [0, 32 * 16]);
        assert_eq!(all.tile_rows, [TileRow::new(0, 32, false), TileRow::new(32 * 16, 16, false)]);
        assert_eq!(
            all.instances.iter().map(|one| (one.tile_row, one.first_tile_row)).collect::<Vec<_>>(),
            [(0, 0), (7, 1)]
        );
        assert_eq!(all.bands[0].tile_rows, 0..8);
    }

    #[test]
    fn pages_in_bands_without_ink_or_with_effects_are_drawn_by_themselves() {
        let plain = page(16, 0);
        let bands = Scene { bands: [plain.bands.clone(), plain.bands.clone()].concat(), ..plain.clone() };
        let blank = Scene { bands: Vec::new(), ..plain.clone() };
        let mut faded = plain.clone();
        faded.effects.record.ink_intensity = 1.0;
        let crowded = Scene { accumulator: AccumulatorFormat::Whole, ..plain.clone() };
        assert!(plain.can_be_gathered());
        assert_eq!([bands, blank, faded, crowded].map(|scene| scene.can_be_gathered()), [false; 4]);
    }
}
