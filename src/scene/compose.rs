//! Turns glyphs into instances. Only here page px become device px.

use std::collections::HashMap;
use std::sync::Arc;

use thiserror::Error;

use super::accumulator::AccumulatorFormat;
use super::bands::{Band, limit_corners, split};
use super::corner_runs::corner_runs as corner_runs_of;
use super::displacement::Displacement;
use super::effects::{SceneEffects, Warp};
use super::ink_tiles::{InkTiles, TileBox, around};
use super::outline_map::{glyph_key, join_key};
use super::placement::WordRotation;
use super::records::{CornerRun, Instance, TileRow};
use super::render_params::RenderParams;
use super::strips::StripPlan;
use crate::catalogue::FontCatalogue;
use crate::geometry::Size;
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::mesh::{GlyphMesh, MeshCache, MeshError, MeshKey};
use crate::pen::{LinePen, Pen};
use crate::raster::{Strip, TILE};
use crate::units::{DeviceScale, Px};
use crate::variation::LetterMap;
use crate::work::{IsWanted, Stopped};

/// Most corners that are bent in one dispatch: those of two dense pages. Another page is drawn between two dispatches.
const MOST_CORNERS: usize = 1 << 18;

/// A page as the device draws it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width and height in device px.
    pub size: Size<u32>,
    /// The distinct meshes, each with its key.
    pub meshes: Vec<(MeshKey, Arc<GlyphMesh>)>,
    /// The glyphs, in the order of the layout.
    pub instances: Vec<Instance>,
    /// The map that bends each instance, in their order; empty without writer variation.
    pub letters: Vec<LetterMap>,
    /// The corners of the instances' outlines, shared out among lanes; none where outlines keep their shape.
    pub corner_runs: Vec<CornerRun>,
    /// The positions of the tile rows of every instance's box.
    pub tile_rows: Vec<TileRow>,
    /// The strips into which glyphs are drawn, ordered by tile row, then by x.
    pub strips: Vec<Strip>,
    /// The parts that are drawn one after another, down the page.
    pub bands: Vec<Band>,
    /// The format of the accumulator.
    pub accumulator: AccumulatorFormat,
    /// The effects on the ink.
    pub effects: SceneEffects,
}

/// Why a page cannot be composed, as a scene or as paths.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// A glyph cannot be tessellated.
    #[error("{key:?}: {source}")]
    Mesh {
        /// The glyph or join.
        key: MeshKey,
        /// The error of the tessellator.
        source: MeshError,
    },
    /// The client does not want the page any more.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Composes the scene of a page with `params`, in bands of at most `band_budget` pixels.
///
/// # Errors
/// When a glyph cannot be tessellated.
pub fn compose(
    layout: &PageLayout,
    params: &RenderParams,
    catalogue: &FontCatalogue,
    cache: &MeshCache,
    band_budget: usize,
) -> Result<Scene, ComposeError> {
    compose_while(layout, params, catalogue, cache, band_budget, &|| true)
}

/// As [`compose`], until the scene is no longer wanted.
///
/// # Errors
/// As [`compose`], and [`ComposeError::Stopped`] when it is no longer wanted.
pub fn compose_while(
    layout: &PageLayout,
    params: &RenderParams,
    catalogue: &FontCatalogue,
    cache: &MeshCache,
    band_budget: usize,
    is_wanted: IsWanted<'_>,
) -> Result<Scene, ComposeError> {
    let size = Size { width: whole(layout.size.width, params), height: whole(layout.size.height, params) };
    let displacement = Displacement::of(params);
    let page = TileBox::of_page(size);
    let growth = displacement.filter(|displacement| displacement.is_grain).map_or(0.0, Displacement::pixel_growth);
    let drawn = params.window.map_or(page, |window| page.around(window, growth));
    let finished = params.window.map_or(page, |window| page.around(window, 0.0));
    let mut drawing = Drawing {
        drawn,
        finished,
        scale: params.scale,
        displacement,
        pen: params.page_pen(),
        catalogue,
        cache,
        is_wanted,
        index: HashMap::default(),
        scene: Scene { size, ..Scene::default() },
        slices: Vec::new(),
        ink: InkTiles::default(),
        moved_ink: InkTiles::default(),
    };
    // A glyph may be followed by a join.
    let sum = |of: fn(&PlacedWord) -> usize| -> usize { layout.words.iter().map(of).sum() };
    let most = 2 * sum(|word| word.glyphs.len());
    drawing.scene.letters.reserve(2 * sum(|word| word.letters.len()));
    drawing.scene.instances.reserve(most);
    drawing.ink.reserve(most);
    for word in &layout.words {
        drawing.add_word(word)?;
    }
    let Drawing { mut scene, ink, moved_ink, pen, .. } = drawing;
    let rows = size.height.div_ceil(TILE);
    let plan = StripPlan::covering(&ink, rows);
    scene.bands = split(&plan.strips, &scene.instances, band_budget.min(TileRow::MOST_BAND_PIXELS));
    for (instance, (tiles, runs)) in scene.instances.iter_mut().zip(ink.iter()) {
        instance.first_tile_row = scene.tile_rows.len() as u32;
        scene.tile_rows.extend(plan.tile_rows(tiles, runs, &scene.bands));
    }
    // A bent outline may wind around a point twice, because its chords may cross.
    let windings = if scene.letters.is_empty() && pen.is_none() { 1 } else { 2 };
    scene.accumulator = AccumulatorFormat::holding(plan.overlap.saturating_mul(windings), displacement);
    scene.strips = plan.strips;
    scene.effects = SceneEffects::of(layout, params, displacement, size, drawn);
    if let Some(grain) = displacement.filter(|displacement| displacement.is_grain) {
        let moved = StripPlan::covering(&moved_ink, rows);
        scene.effects.warp = Some(Warp::new(grain, moved, band_budget));
    }
    let is_bent = scene.effects.has_pen || !scene.letters.is_empty() || scene.effects.bends_outlines();
    Ok(if is_bent { scene.bent_in_portions(MOST_CORNERS) } else { scene })
}

impl Scene {
    /// Number of pixels in the strips that glyphs are drawn into.
    #[must_use]
    pub fn drawn_pixels(&self) -> usize {
        self.bands.last().map_or(0, |band| band.pixels.end)
    }

    /// Whether no glyph is drawn.
    #[must_use]
    pub fn is_blank(&self) -> bool {
        self.drawn_pixels() == 0
    }

    /// The strips of the finished page, and their bands.
    #[must_use]
    pub fn finished(&self) -> (&[Strip], &[Band]) {
        self.effects.warp.as_ref().map_or((&self.strips, &self.bands), |warp| (&warp.strips, &warp.bands))
    }

    /// Number of pixels in the strips of the finished page, which the device returns.
    #[must_use]
    pub fn finished_pixels(&self) -> usize {
        self.finished().1.last().map_or(0, |band| band.pixels.end)
    }

    /// The scene with outlines that are bent in portions of at most `most` corners, unless a single instance has more.
    pub(crate) fn bent_in_portions(mut self, most: usize) -> Self {
        let records = |instance: &Instance| self.meshes[instance.mesh as usize].1.record_count() as u32;
        let corners: Vec<u32> = self.instances.iter().map(records).collect();
        limit_corners(&mut self.bands, &corners, most);
        self.corner_runs = corner_runs_of(&corners, &mut self.bands);
        self
    }

    /// Whether outlines are bent before they are drawn.
    #[must_use]
    pub const fn bends_outlines(&self) -> bool {
        !self.corner_runs.is_empty()
    }
}

fn whole(length: Px, params: &RenderParams) -> u32 {
    length.to_device(params.scale).get().round() as u32
}

/// An unfinished scene: instances with their boxes, and the meshes that they use.
struct Drawing<'a> {
    /// The tiles that are drawn.
    drawn: TileBox,
    /// The tiles of the finished page.
    finished: TileBox,
    scale: DeviceScale,
    displacement: Option<Displacement>,
    pen: Option<Pen>,
    catalogue: &'a FontCatalogue,
    cache: &'a MeshCache,
    is_wanted: IsWanted<'a>,
    index: HashMap<MeshKey, Option<u32>, foldhash::fast::RandomState>,
    /// The instances and meshes.
    scene: Scene,
    /// Boxes around slices of the latest mesh.
    slices: Vec<[f64; 4]>,
    /// The tiles of each instance.
    ink: InkTiles,
    /// The tiles after displacement, where drawn pixels are displaced.
    moved_ink: InkTiles,
}

impl Drawing<'_> {
    /// Adds the word's glyphs, and a correction at each join of neighbours.
    fn add_word(&mut self, word: &PlacedWord) -> Result<(), ComposeError> {
        self.ask()?;
        let rotation = WordRotation::of(word, self.scale);
        let mut is_joined = false;
        for (position, glyph) in word.glyphs.iter().enumerate() {
            let letter = word.letters.get(position);
            let key = glyph_key(glyph, letter, self.pen.is_some(), self.displacement, self.scale, self.catalogue);
            let join = join_key(key, word, position, self.catalogue);
            let has_ends = !is_joined && join.is_none();
            is_joined = join.is_some();
            self.add(&rotation, glyph, letter, has_ends, MeshKey::Glyph(key))?;
            if let Some(join) = join {
                // Dots move independently, and joins do not move with them.
                let letter = letter.map(LetterMap::without_dot);
                self.add(&rotation, glyph, letter.as_ref(), false, MeshKey::Join(join))?;
            }
        }
        Ok(())
    }

    /// Asks whether the scene is still wanted.
    fn ask(&self) -> Result<(), ComposeError> {
        if (self.is_wanted)() { Ok(()) } else { Err(Stopped::Unwanted.into()) }
    }

    /// Adds a mesh in the frame of `glyph`, bent by its letter and a pen that may have free ends, unless all of it is outside the drawn tiles.
    fn add(
        &mut self,
        rotation: &WordRotation,
        glyph: &PlacedGlyph,
        letter: Option<&LetterMap>,
        has_ends: bool,
        key: MeshKey,
    ) -> Result<(), ComposeError> {
        let Some(mesh) = self.mesh_index(key)? else { return Ok(()) };
        let placement = rotation.placement(glyph, self.catalogue.face(glyph.font).units_per_em());
        let outline = &self.scene.meshes[mesh as usize].1;
        let bounds = letter.map(|letter| letter.bounds(outline.longest_normal));
        let pen = self.pen.map(|pen| pen.line(self.catalogue.face(glyph.font), glyph.em).with_ends(has_ends));
        let shift = self.pen.zip(pen).map_or(0.0, |(page, line)| line.most_shift(page.nib()));
        let growth = outline.longest_normal * shift;
        let bent = |slice: [f32; 4]| {
            let [left, bottom, right, top] = bounds.as_ref().map_or(slice, |bounds| bounds.around(slice));
            [left - growth, bottom - growth, right + growth, top + growth]
        };
        self.slices.clear();
        self.slices.extend(placement.device_slices(&outline.slices, bent));
        let growth_of = |displacement: &Displacement| Some(displacement.outline_growth(around(&self.slices)?));
        let growth = self.displacement.as_ref().and_then(growth_of).unwrap_or_default();
        let Some(tiles) = self.ink.push(&self.slices, growth, self.drawn) else { return Ok(()) };
        self.scene.instances.push(placement.instance(mesh, pen.map_or(0, LinePen::bits), tiles));
        self.scene.letters.extend(letter);
        if let Some(grain) = self.displacement.filter(|grain| grain.is_grain) {
            self.moved_ink.push(&self.slices, [grain.pixel_growth(); 4], self.finished);
        }
        Ok(())
    }

    /// The index of a mesh in the scene; `None` if it has no area.
    fn mesh_index(&mut self, key: MeshKey) -> Result<Option<u32>, ComposeError> {
        if let Some(&index) = self.index.get(&key) {
            return Ok(index);
        }
        // To make a mesh may take a millisecond; all else that a glyph needs takes less than a microsecond.
        self.ask()?;
        let mesh = self.cache.mesh(key, self.catalogue).map_err(|source| ComposeError::Mesh { key, source })?;
        let index = (!mesh.is_empty()).then_some(self.scene.meshes.len() as u32);
        if index.is_some() {
            self.scene.meshes.push((key, mesh));
        }
        self.index.insert(key, index);
        Ok(index)
    }
}

#[cfg(test)]
mod tests;
