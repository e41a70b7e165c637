//! How much outline the scenes of a request need, known before a mesh is made.

use std::collections::{HashMap, HashSet};

use super::displacement::Displacement;
use super::outline_map::{glyph_key, join_key};
use super::render_params::RenderParams;
use crate::catalogue::FontCatalogue;
use crate::geometry::Rect;
use crate::layout::PageLayout;
use crate::mesh::{Detail, GlyphKey, JoinKey};
use crate::units::Px;

/// Every distinct mesh that [`compose`](super::compose) would ask for, and the records of outline that the device would
/// read. Numbers of records are estimates.
#[derive(Clone, Debug, Default)]
pub struct OutlineDemand {
    glyphs: HashMap<GlyphKey, ExpectedRecords, foldhash::fast::RandomState>,
    joins: HashSet<JoinKey, foldhash::fast::RandomState>,
    /// Records of outline beyond the usual ones of each instance.
    pub unusual_records: f64,
}

/// The records of a mesh, as far as they can be estimated from its outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedRecords {
    /// Chords that follow the curves.
    pub chords: f64,
    /// Chords, or the pieces that they are cut into.
    pub records: f64,
    /// Chords of the mesh that defines the normals; zero without normals.
    pub chords_of_normals: f64,
}

/// Records of an instance that its glyph's price covers.
const USUAL_RECORDS: f64 = 256.0;

impl OutlineDemand {
    /// Adds a page that is drawn with `params`. Instances outside `drawn` are not drawn, but their meshes are made.
    pub fn add(&mut self, layout: &PageLayout, params: &RenderParams, drawn: Rect<Px>, catalogue: &FontCatalogue) {
        let displacement = Displacement::of(params);
        for word in &layout.words {
            for (position, glyph) in word.glyphs.iter().enumerate() {
                let key = glyph_key(
                    glyph,
                    word.letters.get(position),
                    params.pen.is_some(),
                    displacement,
                    params.scale,
                    catalogue,
                );
                let own = self.expected(key, catalogue).records;
                self.draw(own, glyph.ink.touches(drawn));
                if let Some(join) = join_key(key, word, position, catalogue) {
                    let next = self.expected(GlyphKey { glyph: join.second, ..key }, catalogue).records;
                    self.draw(f64::midpoint(own, next), glyph.ink.touches(drawn));
                    self.joins.insert(join);
                }
            }
        }
    }

    /// The distinct glyphs.
    pub fn glyphs(&self) -> impl Iterator<Item = ExpectedRecords> {
        self.glyphs.values().copied()
    }

    /// The distinct joins: both glyphs of each.
    pub fn joins(&self) -> impl Iterator<Item = [ExpectedRecords; 2]> {
        self.joins.iter().filter_map(|JoinKey { first, second, .. }| {
            let second = GlyphKey { glyph: *second, ..*first };
            Some([*self.glyphs.get(first)?, *self.glyphs.get(&second)?])
        })
    }

    fn expected(&mut self, key: GlyphKey, catalogue: &FontCatalogue) -> ExpectedRecords {
        *self.glyphs.entry(key).or_insert_with(|| {
            let face = catalogue.face(key.font);
            let (extent, units) = (face.outline_extent(key.glyph), face.units_per_em());
            let chords = key.detail.expected_chords(&extent, units);
            let has_normals = key.detail.without_normals().is_some();
            ExpectedRecords {
                chords,
                records: key.detail.expected_records(&extent, units),
                chords_of_normals: if has_normals { Detail::OF_NORMALS.expected_chords(&extent, units) } else { 0.0 },
            }
        })
    }

    fn draw(&mut self, records: f64, is_drawn: bool) {
        if is_drawn {
            self.unusual_records += (records - USUAL_RECORDS).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::layout::lay_out;
    use crate::mesh::{MeshCache, MeshKey};
    use crate::scene::compose;
    use crate::spec::{Endpoint, parse_value};
    use serde_json::json;

    #[test]
    fn the_demand_names_the_meshes_that_a_scene_has_and_about_their_records() {
        let (catalogue, meshes) = (FontCatalogue::load().unwrap(), MeshCache::default());
        for (font, size, dpi, effects) in [
            (1, 40, 300, ["", ""]),
            (7, 30, 300, ["enable_writer_variation", ""]),
            (41, 60, 600, ["enable_writer_variation", "enable_natural_variation"]),
            (52, 12, 300, ["enable_natural_variation", ""]),
            (20, 200, 600, ["enable_writer_variation", ""]),
            (61, 40, 600, ["enable_writer_variation", ""]),
        ] {
            let mut request = json!({"text": "Quick wizards box the lazy ® fog & jump", "font_id": font, "seed": 1,
                                     "font_size": size, "dpi": dpi, "page_size": "a3", "overflow": "clip"});
            for effect in effects.iter().filter(|effect| !effect.is_empty()) {
                request[effect] = json!(true);
            }
            let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
            let layout = lay_out(&spec, &catalogue).unwrap();
            let params = RenderParams::of(&spec, spec.dpi.scale());
            let mut demand = OutlineDemand::default();
            demand.add(&layout, &params, spec.drawn(), &catalogue);
            let scene = compose(&layout, &params, &catalogue, &meshes, usize::MAX).unwrap();
            let of = |keys: &dyn Fn(&MeshKey) -> bool| -> HashSet<MeshKey> {
                scene.meshes.iter().map(|(key, _)| *key).filter(|key| keys(key)).collect()
            };
            let glyphs: HashSet<MeshKey> = demand.glyphs.keys().copied().map(MeshKey::Glyph).collect();
            let joins: HashSet<MeshKey> = demand.joins.iter().copied().map(MeshKey::Join).collect();
            assert!(of(&|key| matches!(key, MeshKey::Glyph(_))).is_subset(&glyphs), "{request}");
            assert!(of(&|key| matches!(key, MeshKey::Join(_))).is_subset(&joins), "{request}");
            assert_eq!(demand.joins().count(), joins.len(), "{request}");
            for (key, mesh) in &scene.meshes {
                let MeshKey::Glyph(glyph) = key else { continue };
                let ratio = demand.glyphs[glyph].records / mesh.record_count() as f64;
                assert!((0.5..3.0).contains(&ratio), "{request}: {ratio} times {} records", mesh.record_count());
            }
        }
    }
}
