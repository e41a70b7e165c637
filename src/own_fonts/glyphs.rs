//! The outlines of glyphs, for measuring.

use crate::catalogue::{FontFace, GlyphId};
use crate::mesh::{MeshError, Vertex, tessellate};
use crate::units::FontUnits;

/// How far chords may be from curves, in ems.
const TOLERANCE_EM: f64 = 0.002;
/// Most edges of a letter whose thickness is measured.
const MOST_EDGES: usize = 400;

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

    /// Adds, for each edge or a sample of them, the distance from its middle through the ink to the other side, and its
    /// length.
    pub(super) fn thicknesses(&self, edges: &mut Vec<[f64; 2]>) {
        let step = self.0.len().div_ceil(MOST_EDGES).max(1);
        for (own, [from, to]) in self.0.iter().enumerate().step_by(step) {
            let along = [to[0] - from[0], to[1] - from[1]];
            let length = along[0].hypot(along[1]);
            // The ink is on the left.
            let inwards = [-along[1] / length, along[0] / length];
            let middle = [0, 1].map(|axis| f64::midpoint(from[axis], to[axis]));
            let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
            let hits = self.0.iter().enumerate().filter(|(other, _)| *other != own).filter_map(|(_, [from, to])| {
                let edge = [to[0] - from[0], to[1] - from[1]];
                let (away, across) = ([from[0] - middle[0], from[1] - middle[1]], cross(inwards, edge));
                let (distance, share) = (cross(away, edge) / across, cross(away, inwards) / across);
                ((0.0..=1.0).contains(&share) && distance > 1e-6).then_some(distance)
            });
            if let Some(thickness) = hits.reduce(f64::min).filter(|_| length > 0.0) {
                edges.push([thickness, length]);
            }
        }
    }
}
