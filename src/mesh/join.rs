//! The correction where two neighbouring glyphs overlap, so that their ink counts once.
//!
//! Letters of joined handwriting overlap at every join. Adding their coverage would darken shared edges; taking the
//! maximum would leave seams. The union is exact. For signed areas, `union = first + second + correction`, where the
//! correction is the boundary of the union minus both boundaries. All but a few segments at the join cancel. The
//! correction depends only on the two glyphs and their distance, so it is cached like a glyph.

use std::collections::BTreeMap;

use super::boundary::GlyphMesh;
use super::tessellate::{MeshError, fill};
use super::vector::{Corner, Segment, along, corner, cross, dot, length, moved};

/// Overlaps below this share of the smaller glyph's area are rounding errors.
const NEGLIGIBLE_SHARE: f64 = 1e-5;

/// Spikes narrower than this, in font units, are rounding errors.
const NARROWEST: f64 = 1.0 / 256.0;

/// The mesh whose sum with `first` and with `second` moved by `offset` (font units, y up) is their union, in the frame
/// of `first`. It is empty where they do not overlap. Its signed area is negative: minus the overlap.
///
/// # Errors
/// When lyon fails, as for a glyph.
pub(super) fn join(first: &GlyphMesh, second: &GlyphMesh, offset: [f32; 2]) -> Result<GlyphMesh, MeshError> {
    let second: Vec<Segment> = second.segments.iter().map(|segment| moved(*segment, offset)).collect();
    let mut edges = fill(contours(&first.segments).into_iter().chain(contours(&second)))?;
    for &segment in first.segments.iter().chain(&second) {
        edges.remove(segment);
    }
    Ok(without_noise(without_spikes(&edges.into_mesh()), first.area()))
}

/// The same boundary without edges that return on themselves. Where lyon cuts an edge, the whole edge and its parts run
/// in opposite directions, and the cut may lie beside the edge by a rounding error.
fn without_spikes(correction: &GlyphMesh) -> GlyphMesh {
    let mut kept: Vec<Segment> = Vec::new();
    let mut rest = correction.segments.clone();
    while let Some(segment) = rest.pop() {
        let joined = kept.iter().enumerate().find_map(|(at, &other)| {
            let joined = turned_back(segment, other).or_else(|| turned_back(other, segment));
            joined.map(|joined| (at, joined))
        });
        match joined {
            Some((at, joined)) => {
                kept.swap_remove(at);
                rest.extend((joined[..2] != joined[2..]).then_some(joined));
            }
            None => kept.push(segment),
        }
    }
    GlyphMesh::new(kept)
}

/// The segment from the start of `first` to the end of `second`, if `second` starts at the end of `first` and leads
/// straight back.
fn turned_back(first @ [x0, y0, x1, y1]: Segment, second @ [x2, y2, x3, y3]: Segment) -> Option<Segment> {
    let meet = [x1, y1].map(f32::to_bits) == [x2, y2].map(f32::to_bits);
    let (out, back) = (along(first), along(second));
    let width = cross(out, back).abs() / length(out).max(length(back));
    (meet && dot(out, back) < 0.0 && width < NARROWEST).then_some([x0, y0, x3, y3])
}

fn without_noise(correction: GlyphMesh, area: f64) -> GlyphMesh {
    if correction.area().abs() < NEGLIGIBLE_SHARE * area { GlyphMesh::default() } else { correction }
}

/// The segments joined into closed contours. Every corner has as many incoming as outgoing segments, so each walk ends
/// at its start.
fn contours(segments: &[Segment]) -> Vec<Vec<[f32; 2]>> {
    let mut leaving: BTreeMap<Corner, Vec<[f32; 2]>> = BTreeMap::new();
    for &[x0, y0, x1, y1] in segments {
        leaving.entry(corner([x0, y0])).or_default().push([x1, y1]);
    }
    let mut contours = Vec::new();
    for &[x0, y0, ..] in segments {
        let mut contour = Vec::new();
        let mut at = [x0, y0];
        while let Some(next) = leaving.get_mut(&corner(at)).and_then(Vec::pop) {
            contour.push(at);
            at = next;
        }
        if !contour.is_empty() {
            contours.push(contour);
        }
    }
    contours
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{FontCatalogue, FontId};
    use crate::mesh::boundary::BoundaryEdges;
    use crate::mesh::{Detail, tessellate};
    use crate::units::DevicePx;

    fn square(size: f32) -> GlyphMesh {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [size, 0.0], [size, size]);
        edges.add_triangle([0.0, 0.0], [size, size], [0.0, size]);
        edges.into_mesh()
    }

    #[test]
    fn an_overlap_is_taken_away_once() {
        let correction = join(&square(100.0), &square(100.0), [75.0, 50.0]).unwrap();
        assert!((correction.area() + 25.0 * 50.0).abs() < 1e-3, "{}", correction.area());
    }

    #[test]
    fn the_correction_stays_at_the_join() {
        let correction = join(&square(100.0), &square(100.0), [75.0, 50.0]).unwrap();
        // The parts of the four edges that cross, and nothing of the others.
        for [x0, y0, x1, y1] in &correction.segments {
            let on_a_crossing_edge = [x0, x1].iter().all(|x| **x >= 75.0) || [y0, y1].iter().all(|y| **y >= 50.0);
            assert!(on_a_crossing_edge, "{x0} {y0} {x1} {y1}");
        }
        assert!(correction.segments.len() <= 12, "{:?}", correction.segments);
    }

    #[test]
    fn an_edge_that_was_cut_leaves_its_far_piece_only() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [60.0, 40.000_1], [55.0, 80.0]);
        edges.remove([0.0, 0.0, 90.0, 60.0]);
        let left = without_spikes(&edges.into_mesh());
        assert_eq!(left.segments.len(), 3);
        assert!(left.segments.contains(&[90.0, 60.0, 60.0, 40.000_1]), "{:?}", left.segments);
    }

    #[test]
    fn glyphs_apart_need_no_correction() {
        assert!(join(&square(100.0), &square(100.0), [101.0, 0.0]).unwrap().segments.is_empty());
    }

    #[test]
    fn contours_that_meet_in_a_corner_are_walked_to_the_end() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [10.0, 0.0], [10.0, 10.0]);
        edges.add_triangle([10.0, 10.0], [20.0, 10.0], [20.0, 20.0]);
        let walked: usize = contours(&edges.into_mesh().segments).iter().map(Vec::len).sum();
        assert_eq!(walked, 6);
    }

    /// The crossings of a horizontal line at `y` with a boundary, from left to right, each with the change of the
    /// winding number.
    fn crossings<'a>(segments: impl Iterator<Item = &'a Segment>, y: f64) -> Vec<(f64, i32)> {
        let crosses = |&[x0, y0, x1, y1]: &Segment| {
            let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(f64::from);
            let x = x0 + (y - y0) / (y1 - y0) * (x1 - x0);
            ((y0 <= y) != (y1 <= y)).then_some((x, if y0 > y1 { 1 } else { -1 }))
        };
        let mut crossings: Vec<_> = segments.filter_map(crosses).collect();
        crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
        crossings
    }

    /// The length of the line where `counts` is true for the winding number.
    fn covered(crossings: &[(f64, i32)], counts: impl Fn(i32) -> bool) -> f64 {
        let mut winding = 0;
        let between = crossings.windows(2).map(|pair| {
            winding += pair[0].1;
            if counts(winding) { pair[1].0 - pair[0].0 } else { 0.0 }
        });
        between.sum()
    }

    #[test]
    fn neighbours_of_all_fonts_make_a_union_that_winds_once() {
        let catalogue = FontCatalogue::load().unwrap();
        let mut overlaps = 0;
        for font in 1..=90 {
            let face = catalogue.face(FontId::new(font).unwrap());
            let tolerance = Detail::for_em(DevicePx::new(80.0)).tolerance(face.units_per_em());
            for (left, right) in [('_', '_'), ('o', 'n'), ('a', 'g')] {
                let outlines = [left, right].map(|letter| face.outline(face.glyph_for(letter).unwrap()).unwrap());
                let [first, second] = outlines.map(|outline| tessellate(&outline, tolerance).unwrap());
                let [end, start] = [&first, &second].map(|mesh| mesh.segments.iter().map(|segment| segment[0]));
                let touch = end.fold(f32::MIN, f32::max) - start.fold(f32::MAX, f32::min);
                for share in [0.8, 0.93, 0.935, 0.97, 0.971, 0.99] {
                    let offset = [(touch * share * 64.0).round() / 64.0, 0.0];
                    let correction = join(&first, &second, offset).unwrap();
                    let second: Vec<Segment> = second.segments.iter().map(|segment| moved(*segment, offset)).collect();
                    overlaps += usize::from(!correction.segments.is_empty());
                    let both = || first.segments.iter().chain(&second);
                    let span = both().fold([f32::MAX, f32::MIN], |[low, high], at| [low.min(at[1]), high.max(at[1])]);
                    for step in 1..50 {
                        let y = f64::from(span[0]) + f64::from(span[1] - span[0]) * f64::from(step) * 0.019_87;
                        let union = covered(&crossings(both(), y), |winding| winding > 0);
                        let drawn = crossings(both().chain(&correction.segments), y);
                        let once = covered(&drawn, |winding| winding == 1);
                        let wrong = covered(&drawn, |winding| winding != 1 && winding != 0);
                        assert!(
                            (once - union).abs() < tolerance.get() && wrong < tolerance.get(),
                            "font {font} {left}{right} {offset:?} at {y}: {once} of {union}, {wrong} wrong"
                        );
                    }
                }
            }
        }
        assert!(overlaps > 500, "only {overlaps} joins overlap");
    }
}
