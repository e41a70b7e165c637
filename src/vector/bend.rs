//! Bends the outline of a glyph by the map of its page.

use super::fit::append_contour;
use super::path::PathCommand;
use crate::catalogue::FontCatalogue;
use crate::layout::PlacedGlyph;
use crate::mesh::{MeshCache, MeshKey};
use crate::scene::{ComposeError, OutlineMap, Placement};
use crate::variation::Letter;

/// Largest deviation of cubics from the bent outline, in page px: 0.0129 pt. A file rounds coordinates to 0.01 pt, so
/// both together stay within 0.02 pt.
const TOLERANCE: f64 = 0.0129 / 0.24;

/// What bends the glyphs of a page.
#[derive(Clone, Copy)]
pub(super) struct Bender<'a> {
    pub(super) map: OutlineMap,
    pub(super) meshes: &'a MeshCache,
    pub(super) catalogue: &'a FontCatalogue,
}

impl Bender<'_> {
    /// The bent outline of a glyph in page px, and a box around its points.
    ///
    /// # Errors
    /// The glyph cannot be tessellated.
    pub(super) fn bent(
        &self,
        glyph: &PlacedGlyph,
        letter: Option<&Letter>,
        placement: &Placement,
    ) -> Result<(Vec<PathCommand>, [f64; 4]), ComposeError> {
        let key = self.map.key(glyph, letter, self.catalogue);
        let mesh = self
            .meshes
            .mesh(MeshKey::Glyph(key), self.catalogue)
            .map_err(|source| ComposeError::Mesh { key: MeshKey::Glyph(key), source })?;
        let moved = |[x, y, normal_x, normal_y]: [f32; 4]| {
            let [x, y] = letter.map_or([x, y], |letter| letter.bend([x, y], [normal_x, normal_y])).map(f64::from);
            self.map.displaced(placement.applied([x, y]))
        };
        let (mut path, mut points): (Vec<PathCommand>, Vec<[f64; 2]>) = (Vec::new(), Vec::new());
        let mut bounds = [f64::MAX, f64::MAX, f64::MIN, f64::MIN];
        let mut previous = None;
        for [from, to] in mesh.lines() {
            if previous != Some(from) {
                append_contour(&points, TOLERANCE, &mut path);
                points.clear();
            }
            let [x, y] = moved(to);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
            points.push([x, y]);
            previous = Some(to);
        }
        append_contour(&points, TOLERANCE, &mut path);
        Ok((path, bounds))
    }
}
