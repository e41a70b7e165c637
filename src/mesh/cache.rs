//! A cache of meshes of glyphs and joins, shared by all pages.

use std::sync::Arc;

use foldhash::fast::RandomState;
use quick_cache::Weighter;
use quick_cache::sync::{Cache, DefaultLifecycle};

use super::join::join;
use super::normals::{with_normals, with_normals_near, with_normals_of};
use super::{Detail, GlyphMesh, MeshError, tessellate};
use crate::catalogue::{FileNumber, FontCatalogue, FontFace, FontId, GlyphId};
use crate::units::FontUnits;

/// The key of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MeshKey {
    /// A glyph's ink.
    Glyph(GlyphKey),
    /// The correction where two neighbouring glyphs overlap.
    Join(JoinKey),
}

impl MeshKey {
    /// The key of the same mesh with whole chords, and the length of the pieces of this one; `None` if its chords are
    /// whole.
    fn whole(self, catalogue: &FontCatalogue) -> Option<(Self, FontUnits)> {
        let whole = |glyph: GlyphKey| {
            let (detail, piece) = glyph.detail.whole(catalogue.face(glyph.font).units_per_em())?;
            Some((GlyphKey { detail, ..glyph }, piece))
        };
        match self {
            Self::Glyph(glyph) => whole(glyph).map(|(glyph, piece)| (Self::Glyph(glyph), piece)),
            Self::Join(join) => whole(join.first).map(|(first, piece)| (Self::Join(JoinKey { first, ..join }), piece)),
        }
    }

    /// The key of the same mesh without normals; `None` if it has none.
    fn without_normals(self) -> Option<Self> {
        let bare = |glyph: GlyphKey| Some(GlyphKey { detail: glyph.detail.without_normals()?, ..glyph });
        match self {
            Self::Glyph(glyph) => bare(glyph).map(Self::Glyph),
            Self::Join(join) => bare(join.first).map(|first| Self::Join(JoinKey { first, ..join })),
        }
    }
}

/// The key of a glyph's mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlyphKey {
    /// The font.
    pub font: FontId,
    /// Its file: another one after an operator replaced it.
    pub file: FileNumber,
    /// The glyph in it.
    pub glyph: GlyphId,
    /// The detail of its outline.
    pub detail: Detail,
}

impl GlyphKey {
    /// The key of a glyph of `face`.
    #[must_use]
    pub const fn new(face: &FontFace, glyph: GlyphId, detail: Detail) -> Self {
        Self { font: face.id(), file: face.file_number(), glyph, detail }
    }
}

/// The key of the join of two glyphs of one font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JoinKey {
    /// The glyph whose frame the join uses.
    pub first: GlyphKey,
    /// Its neighbour.
    pub second: GlyphId,
    /// From the first glyph's origin to the second's, in 1/64 font units, y up.
    pub offset: [i32; 2],
}

impl JoinKey {
    /// Steps of [`offset`](Self::offset) per font unit.
    pub const STEPS: f64 = 64.0;
}

/// A bounded cache of meshes.
#[derive(Debug)]
pub struct MeshCache(Cache<MeshKey, Arc<GlyphMesh>, Segments, RandomState>);

/// Fixed cost of an entry, in segments.
const ENTRY_COST: usize = 8;
/// Expected segments per entry, higher than for most meshes: the cache splits its capacity into more parts the more
/// entries it expects, and the largest mesh must fit into one part.
const SEGMENTS_PER_ENTRY: usize = 1024;

/// The weight of a mesh: its segments.
#[derive(Clone, Debug)]
struct Segments;

impl Weighter<MeshKey, Arc<GlyphMesh>> for Segments {
    fn weight(&self, _: &MeshKey, mesh: &Arc<GlyphMesh>) -> u64 {
        (mesh.record_count() + mesh.normals.len() + ENTRY_COST) as u64
    }
}

impl MeshCache {
    /// Default capacity: 4 Mi segments of 16 bytes, 64 MiB.
    pub const DEFAULT_CAPACITY: usize = 4 << 20;

    /// A cache of at most `capacity` segments.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        let (entries, weight) = (capacity / SEGMENTS_PER_ENTRY, capacity as u64);
        Self(Cache::with(entries, weight, Segments, RandomState::default(), DefaultLifecycle::default()))
    }

    /// The mesh of a key of the fonts of `catalogue`, made on first use. A mesh in pieces is made from the one with
    /// whole chords. A blank glyph and an empty join have no segments.
    ///
    /// # Errors
    /// When a glyph cannot be tessellated.
    pub fn mesh(&self, key: MeshKey, catalogue: &FontCatalogue) -> Result<Arc<GlyphMesh>, MeshError> {
        if let Some(mesh) = self.0.get(&key) {
            return Ok(mesh);
        }
        let mesh = Arc::new(match (key.whole(catalogue), key.without_normals(), key) {
            (Some((whole, piece)), None, _) | (Some((whole, piece)), _, MeshKey::Join(_)) => {
                self.mesh(whole, catalogue)?.cut(piece)
            }
            (Some((whole, piece)), Some(_), MeshKey::Glyph(key)) => {
                self.mesh(whole, catalogue)?.cut(piece).with_ends(catalogue.face(key.font).free_ends(key.glyph))
            }
            (None, Some(MeshKey::Glyph(bare)), _) if bare.detail == Detail::OF_NORMALS => {
                let face = catalogue.face(bare.font);
                with_normals(self.mesh(MeshKey::Glyph(bare), catalogue)?.as_ref(), 2.0 * face.widest_half_stroke())
            }
            (None, Some(MeshKey::Glyph(bare)), _) => {
                let source = GlyphKey { detail: Detail::OF_NORMALS.with_normals(), ..bare };
                let source = self.mesh(MeshKey::Glyph(source), catalogue)?;
                with_normals_near(self.mesh(MeshKey::Glyph(bare), catalogue)?.as_ref(), &source)
            }
            (None, Some(bare), MeshKey::Join(key)) => {
                let [first, second] = self.glyphs(key, catalogue)?;
                with_normals_of(self.mesh(bare, catalogue)?.as_ref(), &first, &second, offset_of(key))
            }
            (None, _, MeshKey::Glyph(key)) => glyph_mesh(key, catalogue)?,
            (None, _, MeshKey::Join(key)) => {
                let [first, second] = self.glyphs(key, catalogue)?;
                join(&first, &second, offset_of(key))?
            }
        });
        self.0.insert(key, Arc::clone(&mesh));
        Ok(mesh)
    }

    /// The meshes of both glyphs of a join, with its detail.
    fn glyphs(&self, key: JoinKey, catalogue: &FontCatalogue) -> Result<[Arc<GlyphMesh>; 2], MeshError> {
        let first = self.mesh(MeshKey::Glyph(key.first), catalogue)?;
        Ok([first, self.mesh(MeshKey::Glyph(GlyphKey { glyph: key.second, ..key.first }), catalogue)?])
    }
}

/// The offset from the first glyph of a join to the second, in font units.
fn offset_of(key: JoinKey) -> [f32; 2] {
    key.offset.map(|steps| (f64::from(steps) / JoinKey::STEPS) as f32)
}

fn glyph_mesh(key: GlyphKey, catalogue: &FontCatalogue) -> Result<GlyphMesh, MeshError> {
    let face = catalogue.face(key.font);
    match face.outline(key.glyph) {
        Some(outline) => tessellate(&outline, key.detail.tolerance(face.units_per_em())),
        None => Ok(GlyphMesh::default()),
    }
}

impl Default for MeshCache {
    fn default() -> Self {
        Self::new(Self::DEFAULT_CAPACITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::DevicePx;

    #[test]
    fn a_full_cache_stays_within_its_capacity() {
        let catalogue = FontCatalogue::load().unwrap();
        let cache = MeshCache::new(2_000);
        let detail = Detail::for_em(DevicePx::new(60.0));
        for glyph in 0..200 {
            let key = MeshKey::Glyph(GlyphKey::new(catalogue.face(FontId::DEFAULT), GlyphId(glyph), detail));
            cache.mesh(key, &catalogue).unwrap();
            assert!(cache.0.weight() <= 2_000, "{} segments", cache.0.weight());
        }
    }

    #[test]
    fn a_mesh_is_made_once() {
        let catalogue = FontCatalogue::load().unwrap();
        let cache = MeshCache::default();
        let glyph = catalogue.face(FontId::DEFAULT).glyph_for('a').unwrap();
        let key = GlyphKey::new(catalogue.face(FontId::DEFAULT), glyph, Detail::for_em(DevicePx::new(60.0)));
        let key = MeshKey::Glyph(key);
        let first = cache.mesh(key, &catalogue).unwrap();
        assert!(Arc::ptr_eq(&first, &cache.mesh(key, &catalogue).unwrap()));
    }
}
