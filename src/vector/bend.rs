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
        let polygons = self.polygons(glyph, letter, placement)?;
        let mut path = Vec::new();
        for points in &polygons {
            append_contour(points, TOLERANCE, &mut path);
        }
        let bounds = polygons.iter().flatten().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |around, [x, y]| {
            [around[0].min(*x), around[1].min(*y), around[2].max(*x), around[3].max(*y)]
        });
        Ok((path, bounds))
    }

    /// The contours of a glyph as closed polygons whose points are moved, in page px.
    fn polygons(
        &self,
        glyph: &PlacedGlyph,
        letter: Option<&Letter>,
        placement: &Placement,
    ) -> Result<Vec<Vec<[f64; 2]>>, ComposeError> {
        let key = self.map.key(glyph, letter, self.catalogue);
        let mesh = self
            .meshes
            .mesh(MeshKey::Glyph(key), self.catalogue)
            .map_err(|source| ComposeError::Mesh { key: MeshKey::Glyph(key), source })?;
        let moved = |[x, y, normal_x, normal_y]: [f32; 4]| {
            let [x, y] = letter.map_or([x, y], |letter| letter.bend([x, y], [normal_x, normal_y])).map(f64::from);
            self.map.displaced(placement.applied([x, y]))
        };
        let mut polygons: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut previous = None;
        for [from, to] in mesh.lines() {
            match polygons.last_mut() {
                Some(points) if previous == Some(from) => points.push(moved(to)),
                _ => polygons.push(vec![moved(to)]),
            }
            previous = Some(to);
        }
        Ok(polygons)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::layout::lay_out;
    use crate::scene::{RenderParams, WordRotation};
    use crate::spec::{Endpoint, parse_value};
    use crate::units::Dpi;

    /// The most that an outline in a file may deviate, in page px: 0.02 pt.
    const MOST: f64 = 0.02 / 0.24;
    /// The step of coordinates in a file, in page px: 0.01 pt.
    const STEP: f64 = 0.01 / 0.24;

    /// Every bent letter of a font, as polygons.
    fn polygons(font: u16) -> Vec<Vec<Vec<[f64; 2]>>> {
        let request = json!({"text": "Sphinx of black quartz, judge my vow & façade 1234567890?", "font_id": font,
                             "page_size": "a6", "font_size": 56, "seed": 5, "enable_writer_variation": true,
                             "enable_natural_variation": true, "natural_variation_sigma": 3,
                             "enable_word_rotation": true});
        let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
        let catalogue = FontCatalogue::load().unwrap();
        let layout = lay_out(&spec, &catalogue).unwrap();
        let params = RenderParams::of(&spec, spec.dpi.scale());
        let meshes = MeshCache::default();
        let bender = Bender { map: OutlineMap::of(&params, layout.size), meshes: &meshes, catalogue: &catalogue };
        let letters = layout.words.iter().flat_map(|word| {
            let rotation = WordRotation::of(word, Dpi::default().scale());
            let bender = &bender;
            word.glyphs.iter().zip(&word.letters).map(move |(glyph, letter)| {
                let units = bender.catalogue.face(glyph.font).units_per_em();
                bender.polygons(glyph, Some(letter), &rotation.placement(glyph, units)).unwrap()
            })
        });
        letters.collect()
    }

    /// Points along a fitted contour, from coordinates as a file has them.
    fn along(path: &[PathCommand]) -> Vec<[f64; 2]> {
        let rounded = |[x, y]: [f64; 2]| [x, y].map(|length| (length / STEP).round() * STEP);
        let (mut points, mut from) = (Vec::new(), [0.0; 2]);
        for command in path {
            match command.mapped(rounded) {
                PathCommand::MoveTo(to) => from = to,
                PathCommand::LineTo(to) => {
                    points.extend(
                        (0..8).map(|step| {
                            [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * f64::from(step) / 8.0)
                        }),
                    );
                    from = to;
                }
                PathCommand::CubicTo(first, second, to) => {
                    points.extend((0..64).map(|step| f64::from(step) / 64.0).map(|part| {
                        let rest = 1.0 - part;
                        let weights = [rest.powi(3), 3.0 * rest * rest * part, 3.0 * rest * part * part, part.powi(3)];
                        [0, 1].map(|axis| {
                            let at = [from[axis], first[axis], second[axis], to[axis]];
                            weights.iter().zip(at).map(|(weight, at)| weight * at).sum()
                        })
                    }));
                    from = to;
                }
                PathCommand::Close => {}
            }
        }
        points
    }

    /// The largest distance of points from a closed polygon.
    fn farthest(points: &[[f64; 2]], polygon: &[[f64; 2]]) -> f64 {
        let distance = |[x, y]: [f64; 2]| {
            let edges = polygon.iter().zip(polygon.iter().cycle().skip(1));
            let squared = edges.map(|(&[from_x, from_y], &[to_x, to_y])| {
                let (across, down) = (to_x - from_x, to_y - from_y);
                let length = (across * across + down * down).max(1e-18);
                let part = (((x - from_x) * across + (y - from_y) * down) / length).clamp(0.0, 1.0);
                (x - from_x - part * across).powi(2) + (y - from_y - part * down).powi(2)
            });
            squared.fold(f64::MAX, f64::min)
        };
        points.iter().copied().map(distance).fold(0.0, f64::max).sqrt()
    }

    /// The largest distance between the bent letters of a font and the cubics fitted to them within `tolerance`.
    fn deviation(letters: &[Vec<Vec<[f64; 2]>>], tolerance: f64) -> f64 {
        let contours = letters.iter().flatten().map(|polygon| {
            let mut path = Vec::new();
            append_contour(polygon, tolerance, &mut path);
            let curve = along(&path);
            farthest(&curve, polygon).max(farthest(polygon, &curve))
        });
        contours.fold(0.0, f64::max)
    }

    /// Hands with rough edges, hairlines, joined and bold letters.
    #[test]
    fn bent_letters_of_every_kind_of_hand_stay_within_a_fiftieth_of_a_point() {
        for font in [1, 8, 20, 41, 70, 75, 88] {
            let letters = polygons(font);
            assert!(letters.len() > 40);
            let [fitted, loose] = [TOLERANCE, 3.0 * TOLERANCE].map(|tolerance| deviation(&letters, tolerance));
            assert!(fitted <= MOST, "font {font}: {fitted} px");
            assert!(loose > MOST, "font {font}: a fit three times as loose is not found: {loose} px");
        }
    }
}
