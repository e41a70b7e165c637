//! The outlines of glyphs, for measuring.

use crate::catalogue::{FontFace, GlyphId};
use crate::mesh::{MeshError, Vertex, tessellate};
use crate::units::FontUnits;

/// How far chords may be from curves, in ems.
const TOLERANCE_EM: f64 = 0.002;

/// The boundary of a glyph's ink as straight lines, without overlaps, in font units.
pub(super) struct Boundary(pub(super) Vec<[[f64; 2]; 2]>);

impl Boundary {
    /// The boundaries of those of the letters that the font has; that of a blank one is empty.
    pub(super) fn of_letters(face: &FontFace, letters: impl Iterator<Item = char>) -> Result<Vec<Self>, MeshError> {
        letters.filter_map(|letter| face.glyph_for(letter)).map(|glyph| Self::of(face, glyph)).collect()
    }

    fn of(face: &FontFace, glyph: GlyphId) -> Result<Self, MeshError> {
        let Some(outline) = face.outline(glyph) else { return Ok(Self(Vec::new())) };
        let mesh = tessellate(&outline, FontUnits::new(TOLERANCE_EM * f64::from(face.units_per_em())))?;
        let corner = |[x, y, ..]: Vertex| [x, y].map(f64::from);
        Ok(Self(mesh.lines().map(|ends| ends.map(corner)).collect()))
    }

    /// Adds the lengths of the runs of ink on lines that are `step` apart: horizontal for axis 0, vertical for axis 1.
    pub(super) fn runs(&self, axis: usize, step: f64, runs: &mut Vec<f64>) {
        let across = 1 - axis;
        let ends = || self.0.iter().flatten().map(|at| at[across]);
        let (least, most) = (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
        let mut level = least + step / 2.0;
        let mut crossings = Vec::new();
        while level < most {
            crossings.clear();
            for [from, to] in &self.0 {
                if (from[across] <= level) != (to[across] <= level) {
                    let part = (level - from[across]) / (to[across] - from[across]);
                    crossings.push(from[axis] + part * (to[axis] - from[axis]));
                }
            }
            crossings.sort_by(f64::total_cmp);
            runs.extend(crossings.chunks_exact(2).map(|run| run[1] - run[0]));
            level += step;
        }
    }
}
