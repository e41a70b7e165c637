//! Bends the outline of a glyph by the map of its page.
//!
//! Renderers of files fill whatever an outline winds around, either way. A map can turn areas over: a steep field folds
//! the paper, and the sides of a thin stroke can change places. Pictures have no ink there, so such areas are left out.
//! They do have ink where the correction of a join is turned over: the letters have parted, and it closes the slit.

use i_overlay::core::fill_rule::FillRule;

use super::boundary::{Contour, boundary, box_of, off_grid, on_grid};
use super::page::PathKind;
use crate::catalogue::FontCatalogue;
use crate::geometry::{PathCommand, append_contour};
use crate::layout::{PlacedGlyph, PlacedWord};
use crate::mesh::{MeshCache, MeshKey, Vertex};
use crate::scene::{ComposeError, GlyphBend, OutlineMap, Placement, join_key};
use crate::variation::LetterMap;

/// Largest deviation of cubics from the bent outline, in page px: 0.0129 pt. A file rounds coordinates to 0.01 pt, so
/// both together stay within 0.02 pt.
const TOLERANCE: f64 = 0.0129 / 0.24;

/// The same for outlines that are united afterwards.
const TOLERANCE_TO_WELD: f64 = 0.4 * TOLERANCE;

/// Steps of the grid on which turned areas are found, per page px.
const STEPS_PER_PX: f64 = 1024.0;
/// Smaller areas are left out, in square steps: those of squares of a tenth of a page px.
const LEAST_AREA: u64 = 102 * 102;

/// The fill rules of the two sides: ink lies at the left of the contours of glyphs, y downwards.
const FACE_UP: FillRule = FillRule::Negative;
const FACE_DOWN: FillRule = FillRule::Positive;

/// Points in page px; the first is not repeated at the end.
type Polygon = Vec<[f64; 2]>;

/// What bends the glyphs of a page.
#[derive(Clone, Copy)]
pub(super) struct Bender<'a> {
    pub(super) map: OutlineMap,
    pub(super) meshes: &'a MeshCache,
    pub(super) catalogue: &'a FontCatalogue,
    /// Largest deviation of cubics from bent outlines, in page px.
    pub(super) tolerance: f64,
}

/// The deviation that paths of a kind may have from bent outlines, in page px.
pub(super) const fn tolerance(kind: PathKind) -> f64 {
    match kind {
        PathKind::ToWeld => TOLERANCE_TO_WELD,
        PathKind::Outlines | PathKind::Strokes => TOLERANCE,
    }
}

impl Bender<'_> {
    /// The bent outline of a glyph of a word in page px, and a box around its points.
    ///
    /// # Errors
    /// The glyph cannot be tessellated.
    pub(super) fn bent(
        &self,
        word: &PlacedWord,
        position: usize,
        glyph: &PlacedGlyph,
        placement: &Placement,
    ) -> Result<(Vec<PathCommand>, [f64; 4]), ComposeError> {
        let letter = word.letters.get(position);
        let key = self.map.key(glyph, letter, self.catalogue);
        let join = join_key(key, word, position, self.catalogue);
        let before = position.checked_sub(1).and_then(|before| join_key(key, word, before, self.catalogue));
        let is_joined = join.is_some() || before.is_some();
        let bend = self.map.of_glyph(glyph, letter, is_joined, placement, self.catalogue);
        let mut polygons = self.polygons(MeshKey::Glyph(key), &bend)?;
        let outline = contours(&polygons);
        if !boundary(&outline, FACE_DOWN, LEAST_AREA).is_empty() {
            polygons = polygons_of(&boundary(&outline, FACE_UP, LEAST_AREA));
        }
        if let Some(join) = join {
            // Dots move independently, and joins do not move with them.
            let letter = letter.map(LetterMap::without_dot);
            let bend = self.map.of_glyph(glyph, letter.as_ref(), true, placement, self.catalogue);
            let correction = self.polygons(MeshKey::Join(join), &bend)?;
            let slits = boundary(&contours(&correction), FACE_UP, LEAST_AREA);
            polygons.extend(polygons_of(&slits));
        }
        let mut path = Vec::new();
        for points in &polygons {
            append_contour(points, self.tolerance, &mut path);
        }
        Ok((path, box_of(polygons.into_iter().flatten())))
    }

    /// The contours of a mesh as closed polygons whose points are moved, in page px.
    fn polygons(&self, key: MeshKey, bend: &GlyphBend<'_>) -> Result<Vec<Polygon>, ComposeError> {
        let mesh = self.meshes.mesh(key, self.catalogue).map_err(|source| ComposeError::Mesh { key, source })?;
        let moved = |corner: Vertex| self.map.displaced(bend.applied(&mesh, corner));
        let mut polygons: Vec<Polygon> = Vec::new();
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

fn contours(polygons: &[Polygon]) -> Vec<Contour> {
    polygons.iter().map(|points| points.iter().map(|point| on_grid(*point, STEPS_PER_PX)).collect()).collect()
}

fn polygons_of(contours: &[Contour]) -> Vec<Polygon> {
    contours.iter().map(|points| points.iter().map(|point| off_grid(*point, STEPS_PER_PX)).collect()).collect()
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
    fn polygons(font: u16) -> Vec<Vec<Polygon>> {
        let request = json!({"text": "Sphinx of black quartz, judge my vow & façade 1234567890?", "font_id": font,
                             "page_size": "a6", "font_size": 56, "seed": 5, "enable_writer_variation": true,
                             "enable_natural_variation": true, "natural_variation_sigma": 3,
                             "enable_word_rotation": true});
        polygons_of_page(&request, &FontCatalogue::load().unwrap())
    }

    /// Every bent letter of a page, as polygons.
    fn polygons_of_page(request: &serde_json::Value, catalogue: &FontCatalogue) -> Vec<Vec<Polygon>> {
        let spec = parse_value(request, Endpoint::Generate, || 1).unwrap();
        let layout = lay_out(&spec, catalogue).unwrap();
        let params = RenderParams::of(&spec, spec.dpi.scale());
        let meshes = MeshCache::default();
        let bender =
            Bender { map: OutlineMap::of(&params, layout.size), meshes: &meshes, catalogue, tolerance: TOLERANCE };
        let letters = layout.words.iter().flat_map(|word| {
            let rotation = WordRotation::of(word, Dpi::default().scale());
            let bender = &bender;
            word.glyphs.iter().enumerate().map(move |(position, glyph)| {
                let (units, letter) = (bender.catalogue.face(glyph.font).units_per_em(), word.letters.get(position));
                let key = bender.map.key(glyph, letter, bender.catalogue);
                let placement = rotation.placement(glyph, units);
                let bend = bender.map.of_glyph(glyph, letter, true, &placement, bender.catalogue);
                bender.polygons(MeshKey::Glyph(key), &bend).unwrap()
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

    /// At these sizes, fields and hands met polygons for which another fit never ended.
    #[test]
    fn twenty_thousand_small_bent_letters_of_all_hands_stay_within_a_fiftieth_of_a_point() {
        let catalogue = FontCatalogue::load().unwrap();
        let text = "Dear Ms Quimby, the seven wizards box & jump quickly over 13 lazy dogs; ".repeat(4);
        let mut letters = 0;
        for font in 1..=90_u16 {
            let size = 12 + font % 9;
            let mut request = json!({"text": text.trim(), "font_id": font, "page_size": "a5", "font_size": size,
                                     "overflow": "clip", "seed": font, "enable_natural_variation": true});
            if font % 3 == 0 {
                request["enable_writer_variation"] = json!(true);
            }
            let polygons = polygons_of_page(&request, &catalogue);
            letters += polygons.len();
            for (number, letter) in polygons.iter().enumerate() {
                let mut path = Vec::new();
                for polygon in letter {
                    append_contour(polygon, TOLERANCE, &mut path);
                }
                let points: usize = letter.iter().map(Vec::len).sum();
                assert!(path.len() <= 2 * points + 2, "font {font}: {} commands of {points} points", path.len());
                if number % 16 == 0 {
                    let fitted = deviation(std::slice::from_ref(letter), TOLERANCE);
                    assert!(fitted <= MOST, "font {font}: {fitted} px");
                }
            }
        }
        assert!(letters >= 20_000, "{letters}");
    }

    #[test]
    fn contours_of_glyphs_lie_face_up() {
        for font in [1, 8, 75] {
            for letter in polygons(font).iter().filter(|letter| !letter.is_empty()) {
                assert!(!boundary(&contours(letter), FACE_UP, LEAST_AREA).is_empty(), "font {font}: {letter:?}");
            }
        }
    }

    /// A quarter of a square, and beyond its crossing a larger area that runs the other way.
    #[test]
    fn each_side_of_a_crossing_is_filled_by_its_own_rule() {
        let crossed = vec![[0.3, 0.0], [5.3, 5.0], [10.3, 10.0], [20.3, 10.0], [20.3, 0.0], [10.3, 0.0], [0.3, 10.0]];
        for (rule, ink) in [(FACE_DOWN, 25.0), (FACE_UP, 125.0)] {
            let found = polygons_of(&boundary(&contours(std::slice::from_ref(&crossed)), rule, LEAST_AREA));
            let [contour] = &found[..] else { panic!("{found:?}") };
            let next = contour.iter().cycle().skip(1);
            let area: f64 = contour.iter().zip(next).map(|([a, b], [c, d])| (a * d - b * c) / 2.0).sum();
            assert!((area.abs() - ink).abs() < 0.01, "{found:?}");
        }
    }
}
