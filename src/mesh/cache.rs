//! Meshes of glyphs already seen, shared by all pages.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;

use super::{Detail, GlyphMesh, MeshError, tessellate};
use crate::catalogue::{FontCatalogue, FontId, GlyphId};

/// What a mesh depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MeshKey {
    /// The font.
    pub font: FontId,
    /// The glyph in it.
    pub glyph: GlyphId,
    /// How fine its curves are cut.
    pub detail: Detail,
}

/// A bounded cache of meshes. When it is full it starts afresh: at most a few milliseconds are lost, and the bound
/// needs no bookkeeping on the way in.
#[derive(Debug)]
pub struct MeshCache {
    meshes: DashMap<MeshKey, Arc<GlyphMesh>>,
    segments: AtomicUsize,
    capacity: usize,
}

impl MeshCache {
    /// Segments kept by default: 4 Mi of 16 bytes, 64 MiB.
    pub const DEFAULT_CAPACITY: usize = 4 << 20;

    /// A cache of at most `capacity` segments, besides the mesh being asked for.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { meshes: DashMap::new(), segments: AtomicUsize::new(0), capacity }
    }

    /// The mesh of a glyph, tessellated when it is asked for the first time. A blank glyph has no segments.
    ///
    /// # Errors
    /// When the glyph cannot be tessellated.
    pub fn mesh(&self, key: MeshKey, catalogue: &FontCatalogue) -> Result<Arc<GlyphMesh>, MeshError> {
        if let Some(mesh) = self.meshes.get(&key) {
            return Ok(Arc::clone(&mesh));
        }
        let face = catalogue.face(key.font);
        let mesh = match face.outline(key.glyph) {
            Some(outline) => Arc::new(tessellate(&outline, key.detail.tolerance(face.units_per_em()))?),
            None => Arc::default(),
        };
        let held = self.segments.fetch_add(mesh.segments().len(), Ordering::Relaxed);
        if held > self.capacity {
            self.meshes.clear();
            self.segments.store(mesh.segments().len(), Ordering::Relaxed);
        }
        self.meshes.insert(key, Arc::clone(&mesh));
        Ok(mesh)
    }
}

impl Default for MeshCache {
    fn default() -> Self {
        Self::new(Self::DEFAULT_CAPACITY)
    }
}
