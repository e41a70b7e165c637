//! Glyphs become instances. Only here page px become device px.

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use super::accumulator::AccumulatorFormat;
use super::bands::{Band, split};
use super::displacement::Displacement;
use super::effects::{Scatter, SceneEffects, Warp};
use super::ink_tiles::{InkTiles, TileBox, around};
use super::records::{Instance, TileRow};
use super::rendition::Rendition;
use super::sheets::Sheets;
use super::strips::StripPlan;
use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Size};
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::mesh::{Detail, GlyphKey, GlyphMesh, JoinKey, MeshCache, MeshError, MeshKey};
use crate::raster::{Strip, TILE};
use crate::units::{DeviceScale, Px};
use crate::work::{IsWanted, Stopped};

/// Height of slices of a glyph in device px, below which they tell little more of the tiles that it touches: half a tile.
const THINNEST_SLICE: f64 = 8.0;

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
    /// The scene is not wanted any more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
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
    compose_while(layout, rendition, catalogue, cache, band_budget, &|| true)
}

/// As [`compose`], as long as the scene is wanted.
///
/// # Errors
/// As [`compose`], and [`SceneError::Stopped`] once it is not.
pub fn compose_while(
    layout: &PageLayout,
    rendition: &Rendition,
    catalogue: &FontCatalogue,
    cache: &MeshCache,
    band_budget: usize,
    is_wanted: IsWanted<'_>,
) -> Result<Scene, SceneError> {
    let size = Size { width: whole(layout.size.width, rendition), height: whole(layout.size.height, rendition) };
    let displacement = Displacement::of(rendition);
    let mut drawing = Drawing::new(size, rendition.scale, displacement, catalogue, cache);
    for word in &layout.words {
        drawing.add_word(word, is_wanted)?;
    }
    let Drawing { mut instances, ink, moved_ink, meshes, .. } = drawing;
    let rows = size.height.div_ceil(TILE);
    let plan = StripPlan::covering(&ink, rows);
    let bands = split(&plan.strips, &instances, band_budget.min(TileRow::MOST_BAND_PIXELS));
    let mut tile_rows = Vec::new();
    for (instance, (tiles, runs)) in instances.iter_mut().zip(ink.iter()) {
        instance.first_tile_row = tile_rows.len() as u32;
        tile_rows.extend(plan.tile_rows(tiles, runs, &bands));
    }
    let accumulator = AccumulatorFormat::holding(plan.overlap, displacement);
    let mut effects = SceneEffects::of(layout, rendition, displacement, size);
    if let Some(noise) = displacement.filter(|displacement| displacement.is_scattered()) {
        effects.scatter = Some(Scatter::new(Sheets::around(&plan.strips, noise.landing_reach(), size)));
    } else if let Some(grain) = displacement.filter(|displacement| displacement.is_grain) {
        let moved = StripPlan::covering(&moved_ink, rows);
        effects.warp = Some(Warp::new(grain, moved, band_budget));
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
        match (&self.effects.warp, &self.effects.scatter) {
            (Some(warp), _) => (&warp.strips, &warp.bands),
            (_, Some(scatter)) => (&scatter.strips, &scatter.bands),
            _ => (&self.strips, &self.bands),
        }
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
    index: HashMap<MeshKey, Option<u32>, foldhash::fast::RandomState>,
    meshes: Vec<(MeshKey, Arc<GlyphMesh>)>,
    instances: Vec<Instance>,
    /// Boxes around slices of the latest mesh.
    slices: Vec<[f64; 4]>,
    /// The tiles of each instance.
    ink: InkTiles,
    /// Those of the drawn ink once it is displaced, where drawn pixels are taken from there.
    moved_ink: InkTiles,
}

impl<'a> Drawing<'a> {
    fn new(
        size: Size<u32>,
        scale: DeviceScale,
        displacement: Option<Displacement>,
        catalogue: &'a FontCatalogue,
        cache: &'a MeshCache,
    ) -> Self {
        let (index, meshes, instances) = (HashMap::default(), Vec::new(), Vec::new());
        let (slices, ink, moved_ink) = (Vec::new(), InkTiles::default(), InkTiles::default());
        Self { size, scale, displacement, catalogue, cache, index, meshes, instances, slices, ink, moved_ink }
    }

    /// Draws the word's glyphs, and at each join of neighbours what makes their overlap count once.
    fn add_word(&mut self, word: &PlacedWord, is_wanted: IsWanted<'_>) -> Result<(), SceneError> {
        let turn = Turn::of(word, self.scale);
        for (position, glyph) in word.glyphs.iter().enumerate() {
            if !is_wanted() {
                return Err(Stopped::Unwanted.into());
            }
            let key = self.glyph_key(glyph);
            self.add(&turn, glyph, MeshKey::Glyph(key))?;
            if let Some(next) = word.glyphs.get(position + 1)
                && glyph.ink.touches(next.ink)
                && (glyph.font, glyph.em) == (next.font, next.em)
            {
                self.add(&turn, glyph, MeshKey::Join(self.join_key(key, glyph, next)))?;
            }
        }
        Ok(())
    }

    /// Draws a mesh in the frame of `glyph`, unless nothing of it lies on the page.
    fn add(&mut self, turn: &Turn, glyph: &PlacedGlyph, key: MeshKey) -> Result<(), SceneError> {
        let Some(mesh) = self.mesh_index(key)? else { return Ok(()) };
        let placement = turn.placement(glyph, self.catalogue.face(glyph.font).units_per_em());
        self.slices.clear();
        self.slices.extend(placement.device_slices(self.meshes[mesh as usize].1.slices()));
        let outline_reach = |displacement: &Displacement| Some(displacement.outline_reach(around(&self.slices)?));
        let reach = self.displacement.as_ref().and_then(outline_reach).unwrap_or_default();
        let Some(tiles) = self.ink.push(&self.slices, reach, self.size) else { return Ok(()) };
        self.instances.push(placement.instance(mesh, tiles));
        if let Some(grain) = self.displacement.filter(|grain| grain.is_grain && !grain.is_scattered()) {
            self.moved_ink.push(&self.slices, [grain.landing_reach(); 4], self.size);
        }
        Ok(())
    }

    fn glyph_key(&self, glyph: &PlacedGlyph) -> GlyphKey {
        let em = glyph.em.to_device(self.scale);
        let detail =
            self.displacement.map_or_else(|| Detail::for_em(em), |displacement| displacement.outline_detail(em));
        GlyphKey { font: glyph.font, glyph: glyph.glyph, detail }
    }

    /// The join of a glyph, whose key is `first`, with its neighbour of the same font and size.
    fn join_key(&self, first: GlyphKey, glyph: &PlacedGlyph, next: &PlacedGlyph) -> JoinKey {
        let steps = JoinKey::STEPS * f64::from(self.catalogue.face(glyph.font).units_per_em()) / glyph.em.get();
        let away = next.origin - glyph.origin;
        let offset = [away.x.get() * steps, -away.y.get() * steps].map(|offset| offset.round() as i32);
        JoinKey { first, second: next.glyph, offset }
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

    /// Where a glyph stands; fonts have y up, the device has y down.
    fn placement(&self, glyph: &PlacedGlyph, units_per_em: u16) -> Placement {
        let unit = glyph.em.get() * self.scale.get() / f64::from(units_per_em);
        let matrix = [unit * self.cos, unit * self.sin, unit * self.sin, -unit * self.cos];
        Placement { matrix, origin: self.device_from_page(glyph.origin) }
    }
}

/// An affine map from font units to device px of the page.
struct Placement {
    /// Columns of the linear part: xx, yx, xy, yy.
    matrix: [f64; 4],
    origin: [f64; 2],
}

impl Placement {
    /// The boxes around slices of the glyph's height, of so many at once that each is as high as half a tile.
    fn device_slices(&self, of_glyph: &[[f32; 4]]) -> impl Iterator<Item = [f64; 4]> {
        let [xx, yx, ..] = self.matrix;
        let height = of_glyph.first().map_or(0.0, |slice| f64::from(slice[3] - slice[1])) * xx.hypot(yx);
        let at_once = ((THINNEST_SLICE / height.max(1e-3)).ceil() as usize).max(1);
        let around = move |slices: &[[f32; 4]]| {
            slices
                .iter()
                .copied()
                .reduce(|[left, bottom, right, _], next| [left.min(next[0]), bottom, right.max(next[2]), next[3]])
        };
        of_glyph.chunks(at_once).filter_map(around).map(|slice| self.device_box(slice))
    }

    /// The box around a box of the glyph: min x, min y, max x, max y, of font units and of device px.
    fn device_box(&self, of_glyph: [f32; 4]) -> [f64; 4] {
        let [left, bottom, right, top] = of_glyph.map(f64::from);
        let ([x, y], [half_width, half_height]) =
            ([0.5 * (left + right), 0.5 * (bottom + top)], [0.5 * (right - left), 0.5 * (top - bottom)]);
        let [xx, yx, xy, yy] = self.matrix;
        let centre = [self.origin[0] + xx * x + xy * y, self.origin[1] + yx * x + yy * y];
        let reach = [xx.abs() * half_width + xy.abs() * half_height, yx.abs() * half_width + yy.abs() * half_height];
        [centre[0] - reach[0], centre[1] - reach[1], centre[0] + reach[0], centre[1] + reach[1]]
    }

    /// The record of a glyph whose ink lies in `tiles`.
    fn instance(&self, mesh: u32, tiles: TileBox) -> Instance {
        let corner = [tiles.left * TILE, tiles.top * TILE];
        Instance {
            matrix: self.matrix.map(|value| value as f32),
            translation: [0, 1].map(|axis| (self.origin[axis] - f64::from(corner[axis])) as f32),
            corner: corner.map(|edge| edge as f32),
            mesh,
            tile_row: tiles.top,
            tile_rows: tiles.rows() as u16,
            reach: (tiles.columns() as u32 * TILE) as u16,
            first_tile_row: 0,
        }
    }
}

#[cfg(test)]
mod tests;
