//! Glyphs become instances: page pixels become device pixels here and nowhere else.

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use super::accumulator::AccumulatorFormat;
use super::bands::{Band, split};
use super::displacement::Displacement;
use super::effects::{SceneEffects, Warp};
use super::records::{Instance, TileRow};
use super::rendition::Rendition;
use super::strips::{StripPlan, TileBox};
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Rect, Size};
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::mesh::{Detail, GlyphKey, GlyphMesh, JoinKey, MeshCache, MeshError, MeshKey};
use crate::raster::{Strip, TILE};
use crate::units::{DeviceScale, Px};

/// Device pixels by which an ink box is grown, for what rounding of coordinates may move an edge.
const ROUNDING_REACH: f64 = 1.0 / 64.0;

/// A page as the device draws it.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width and height in device px.
    pub size: Size<u32>,
    /// The distinct meshes, each with what identifies it on the device.
    pub meshes: Vec<(MeshKey, Arc<GlyphMesh>)>,
    /// The glyphs, in the order of the layout.
    pub instances: Vec<Instance>,
    /// Where the tile rows of every instance's box lie.
    pub tile_rows: Vec<TileRow>,
    /// The strips that glyphs are drawn into, ordered by tile row, then by x.
    pub strips: Vec<Strip>,
    /// What is worked on at once, down the page.
    pub bands: Vec<Band>,
    /// How the accumulator holds its sums.
    pub accumulator: AccumulatorFormat,
    /// What happens to the ink.
    pub effects: SceneEffects,
}

/// A page that cannot be made into a scene.
#[derive(Debug, Error)]
pub enum SceneError {
    /// A glyph's outline is beyond the tessellator.
    #[error("{key:?}: {source}")]
    Mesh {
        /// The glyph or join.
        key: MeshKey,
        /// What lyon said.
        source: MeshError,
    },
}

/// Composes the scene of a page as `rendition` says, in bands of at most `band_budget` pixels.
///
/// # Errors
/// When a glyph cannot be tessellated.
pub fn compose(
    layout: &PageLayout,
    rendition: &Rendition,
    catalogue: &FontCatalogue,
    cache: &MeshCache,
    band_budget: usize,
) -> Result<Scene, SceneError> {
    let size = Size { width: whole(layout.size.width, rendition), height: whole(layout.size.height, rendition) };
    let displacement = Displacement::of(rendition);
    let mut drawing = Drawing::new(size, rendition.scale, displacement, catalogue, cache);
    for word in &layout.words {
        drawing.add_word(word)?;
    }
    let Drawing { mut instances, boxes, moved_boxes, meshes, .. } = drawing;
    let (columns, rows) = (size.width.div_ceil(TILE), size.height.div_ceil(TILE));
    let plan = StripPlan::covering(&boxes, rows);
    let bands = split(&plan.strips, &instances, band_budget.min(TileRow::MOST_BAND_PIXELS), u32::MAX);
    let mut tile_rows = Vec::new();
    for (instance, tiles) in instances.iter_mut().zip(&boxes) {
        instance.first_tile_row = tile_rows.len() as u32;
        tile_rows.extend(plan.tile_rows(*tiles, &bands));
    }
    let accumulator = AccumulatorFormat::holding(plan.overlap, displacement);
    let mut effects = SceneEffects::of(layout, rendition, displacement, size);
    if let Some(grain) = displacement.filter(|displacement| displacement.is_grain) {
        let moved = StripPlan::covering(&moved_boxes, rows);
        effects.warp = Some(Warp::new(grain, &plan, moved, [columns, rows], band_budget));
    }
    Ok(Scene { size, meshes, instances, tile_rows, strips: plan.strips, bands, accumulator, effects })
}

impl Scene {
    /// Number of pixels in the strips that glyphs are drawn into.
    #[must_use]
    pub fn drawn_pixels(&self) -> usize {
        self.bands.last().map_or(0, |band| band.pixels.end)
    }

    /// The strips that hold the finished page, and what of them is worked on at once.
    #[must_use]
    pub fn finished(&self) -> (&[Strip], &[Band]) {
        self.effects.warp.as_ref().map_or((&self.strips, &self.bands), |warp| (&warp.strips, &warp.bands))
    }

    /// Number of pixels in the strips of the finished page: what the device sends back.
    #[must_use]
    pub fn finished_pixels(&self) -> usize {
        self.finished().1.last().map_or(0, |band| band.pixels.end)
    }

    /// Number of segments that the device transforms and sums.
    #[must_use]
    pub fn segment_count(&self) -> usize {
        self.instances.iter().map(|instance| self.meshes[instance.mesh as usize].1.segments().len()).sum()
    }
}

fn whole(length: Px, rendition: &Rendition) -> u32 {
    length.to_device(rendition.scale).get().round() as u32
}

/// A scene under way: instances with their boxes, and the meshes they use.
struct Drawing<'a> {
    size: Size<u32>,
    scale: DeviceScale,
    displacement: Option<Displacement>,
    catalogue: &'a FontCatalogue,
    cache: &'a MeshCache,
    index: HashMap<MeshKey, Option<u32>>,
    meshes: Vec<(MeshKey, Arc<GlyphMesh>)>,
    instances: Vec<Instance>,
    boxes: Vec<TileBox>,
    /// The boxes of the drawn ink once it is displaced, where drawn pixels are.
    moved_boxes: Vec<TileBox>,
}

impl<'a> Drawing<'a> {
    fn new(
        size: Size<u32>,
        scale: DeviceScale,
        displacement: Option<Displacement>,
        catalogue: &'a FontCatalogue,
        cache: &'a MeshCache,
    ) -> Self {
        let (index, meshes) = (HashMap::new(), Vec::new());
        let (instances, boxes, moved_boxes) = (Vec::new(), Vec::new(), Vec::new());
        Self { size, scale, displacement, catalogue, cache, index, meshes, instances, boxes, moved_boxes }
    }

    /// Draws the word's glyphs, and at each join of neighbours what makes their overlap count once.
    fn add_word(&mut self, word: &PlacedWord) -> Result<(), SceneError> {
        let turn = Turn::of(word, self.scale);
        for (position, glyph) in word.glyphs.iter().enumerate() {
            self.add(&turn, glyph, MeshKey::Glyph(self.glyph_key(glyph)), turn.device_box(glyph.ink))?;
            if let Some(next) = word.glyphs.get(position + 1)
                && let Some(overlap) = glyph.ink.intersection(next.ink)
                && let Some(join) = self.join_key(glyph, next)
            {
                self.add(&turn, glyph, MeshKey::Join(join), turn.device_box(overlap))?;
            }
        }
        Ok(())
    }

    /// Draws a mesh in the frame of `glyph`, whose ink lies in `ink_box`.
    fn add(&mut self, turn: &Turn, glyph: &PlacedGlyph, key: MeshKey, ink_box: [f64; 4]) -> Result<(), SceneError> {
        let outline_reach = self.displacement.map_or(0.0, Displacement::outline_reach);
        let Some(tiles) = touched_tiles(ink_box, outline_reach, self.size) else { return Ok(()) };
        let Some(mesh) = self.mesh_index(key)? else { return Ok(()) };
        let units_per_em = self.catalogue.face(glyph.font).units_per_em();
        self.instances.push(turn.instance(glyph, units_per_em, mesh, tiles));
        self.boxes.push(tiles);
        let reach_of_grain = self.displacement.filter(|displacement| displacement.is_grain).map(|grain| grain.reach);
        self.moved_boxes.extend(reach_of_grain.and_then(|reach| touched_tiles(ink_box, reach, self.size)));
        Ok(())
    }

    fn glyph_key(&self, glyph: &PlacedGlyph) -> GlyphKey {
        GlyphKey { font: glyph.font, glyph: glyph.glyph, detail: Detail::for_em(glyph.em.to_device(self.scale)) }
    }

    /// The join of two neighbours, if they are of one font and size.
    fn join_key(&self, glyph: &PlacedGlyph, next: &PlacedGlyph) -> Option<JoinKey> {
        let first = self.glyph_key(glyph);
        let second = self.glyph_key(next);
        let steps = JoinKey::STEPS * f64::from(self.catalogue.face(glyph.font).units_per_em()) / glyph.em.get();
        let away = next.origin - glyph.origin;
        let offset = [away.x.get() * steps, -away.y.get() * steps].map(|offset| offset.round() as i32);
        (first.font == second.font && glyph.em == next.em).then_some(JoinKey { first, second: second.glyph, offset })
    }

    /// The scene's index of a mesh; `None` where it has no area.
    fn mesh_index(&mut self, key: MeshKey) -> Result<Option<u32>, SceneError> {
        if let Some(&index) = self.index.get(&key) {
            return Ok(index);
        }
        let mesh = self.cache.mesh(key, self.catalogue).map_err(|source| SceneError::Mesh { key, source })?;
        let index = (!mesh.segments().is_empty()).then_some(self.meshes.len() as u32);
        if index.is_some() {
            self.meshes.push((key, mesh));
        }
        self.index.insert(key, index);
        Ok(index)
    }
}

/// A word's turn about its pivot, from page pixels to device pixels.
struct Turn {
    sin: f64,
    cos: f64,
    pivot: Point<Px>,
    scale: DeviceScale,
}

impl Turn {
    fn of(word: &PlacedWord, scale: DeviceScale) -> Self {
        let (sin, cos) = word.rotation.get().to_radians().sin_cos();
        Self { sin, cos, pivot: word.pivot, scale }
    }

    /// Where a point of the page lands on the device, in device px from the page's corner.
    fn device_from_page(&self, at: Point<Px>) -> [f64; 2] {
        let (x, y) = ((at.x - self.pivot.x).get(), (at.y - self.pivot.y).get());
        let scale = self.scale.get();
        [
            (self.pivot.x.get() + x * self.cos - y * self.sin) * scale,
            (self.pivot.y.get() + x * self.sin + y * self.cos) * scale,
        ]
    }

    /// The box around a box of the page that turns: min x, min y, max x, max y in device px.
    fn device_box(&self, Rect { min, max }: Rect<Px>) -> [f64; 4] {
        let corners =
            [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)].map(|at| self.device_from_page(at));
        let unbounded = [f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
        corners.iter().fold(unbounded, |[left, top, right, bottom], [x, y]| {
            [left.min(*x), top.min(*y), right.max(*x), bottom.max(*y)]
        })
    }

    /// The record of a glyph whose ink lies in `tiles`; fonts have y up, the device has y down.
    fn instance(&self, glyph: &PlacedGlyph, units_per_em: u16, mesh: u32, tiles: TileBox) -> Instance {
        let unit = glyph.em.get() * self.scale.get() / f64::from(units_per_em);
        let [x, y] = self.device_from_page(glyph.origin);
        let (left, top) = (tiles.left * TILE, tiles.top * TILE);
        Instance {
            matrix: [unit * self.cos, unit * self.sin, unit * self.sin, -unit * self.cos].map(|value| value as f32),
            translation: [(x - f64::from(left)) as f32, (y - f64::from(top)) as f32],
            corner: [left as f32, top as f32],
            mesh,
            tile_row: tiles.top,
            tile_rows: (tiles.bottom - tiles.top) as u16,
            reach: ((tiles.right - tiles.left) * TILE) as u16,
            first_tile_row: 0,
        }
    }
}

/// The tiles an ink box touches when it is grown by `reach`, or `None` where it lies outside the page.
fn touched_tiles([left, top, right, bottom]: [f64; 4], reach: f64, size: Size<u32>) -> Option<TileBox> {
    let (tile, reach) = (f64::from(TILE), reach + ROUNDING_REACH);
    let first = |edge: f64| ((edge - reach) / tile).floor().max(0.0) as u32;
    let end = |edge: f64, limit: u32| (((edge + reach) / tile).ceil().max(0.0) as u32).min(limit.div_ceil(TILE));
    let tiles =
        TileBox { left: first(left), top: first(top), right: end(right, size.width), bottom: end(bottom, size.height) };
    (tiles.left < tiles.right && tiles.top < tiles.bottom).then_some(tiles)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A_PAGE: Size<u32> = Size { width: 100, height: 50 };

    #[test]
    fn an_ink_box_touches_whole_tiles() {
        let tiles = touched_tiles([17.0, 1.0, 31.0, 33.0], 0.0, A_PAGE).unwrap();
        assert_eq!(tiles, TileBox { left: 1, top: 0, right: 2, bottom: 3 });
    }

    #[test]
    fn an_ink_box_on_a_tile_border_reaches_for_both_tiles() {
        let tiles = touched_tiles([16.0, 16.0, 32.0, 32.0], 0.0, A_PAGE).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 3, bottom: 3 });
    }

    #[test]
    fn a_displaced_ink_box_reaches_for_the_tiles_around_it() {
        let tiles = touched_tiles([17.0, 17.0, 31.0, 31.0], 2.0, A_PAGE).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 3, bottom: 3 });
    }

    #[test]
    fn ink_beyond_the_page_is_cut_at_its_edge() {
        let tiles = touched_tiles([-40.0, -40.0, 1000.0, 1000.0], 0.0, A_PAGE).unwrap();
        assert_eq!(tiles, TileBox { left: 0, top: 0, right: 7, bottom: 4 });
        assert_eq!(touched_tiles([200.0, 0.0, 210.0, 10.0], 0.0, A_PAGE), None);
        assert_eq!(touched_tiles([-20.0, 0.0, -10.0, 10.0], 0.0, A_PAGE), None);
    }
}
