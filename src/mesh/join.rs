//! Where two neighbouring glyphs overlap: what must be taken away so that their ink counts once.
//!
//! Joined hands overlap at every join. Summed coverage would darken the edges that both glyphs share; a maximum would
//! leave seams where they only touch. Their union is exact: for signed areas `union = first + second + correction`,
//! and the correction is the boundary of the union less both boundaries, which cancels but for the few segments at the
//! join. It depends on the two glyphs and their distance only, so it is cached like a glyph.

use std::collections::BTreeMap;

use lyon::math::point;
use lyon::path::Path;

use super::boundary::{GlyphMesh, Segment};
use super::tessellate::{MeshError, fill};

/// Share of the smaller glyph's area below which an overlap is rounding.
const NEGLIGIBLE_SHARE: f64 = 1e-5;

/// The mesh that makes `first` and `second` moved by `offset` (font units, y up) add up to their union, in the frame
/// of `first`. It is empty where they do not overlap. Its signed area is negative: that of the overlap.
///
/// # Errors
/// When lyon gives up, as for a glyph.
pub(super) fn join(first: &GlyphMesh, second: &GlyphMesh, offset: [f32; 2]) -> Result<GlyphMesh, MeshError> {
    let second: Vec<Segment> = second.segments().iter().map(|segment| moved(*segment, offset)).collect();
    let mut path = Path::builder();
    for contour in contours(first.segments()).into_iter().chain(contours(&second)) {
        let mut corners = contour.into_iter().map(|[x, y]| point(x, y));
        if let Some(start) = corners.next() {
            path.begin(start);
            corners.for_each(|corner| {
                path.line_to(corner);
            });
            path.end(true);
        }
    }
    // Everything is straight already; the tolerance has nothing to act on.
    let mut edges = fill(&path.build(), 1.0)?;
    for &segment in first.segments().iter().chain(&second) {
        edges.remove(segment);
    }
    Ok(without_noise(edges.into_mesh(), first.area()))
}

fn without_noise(correction: GlyphMesh, area: f64) -> GlyphMesh {
    if correction.area().abs() < NEGLIGIBLE_SHARE * area { GlyphMesh::default() } else { correction }
}

fn moved([x0, y0, x1, y1]: Segment, [x, y]: [f32; 2]) -> Segment {
    [x0 + x, y0 + y, x1 + x, y1 + y]
}

/// The segments strung into closed contours. Every corner has as many segments in as out, so each walk ends where it
/// began.
fn contours(segments: &[Segment]) -> Vec<Vec<[f32; 2]>> {
    let corner = |x: f32, y: f32| (x.to_bits(), y.to_bits());
    let mut leaving: BTreeMap<(u32, u32), Vec<[f32; 2]>> = BTreeMap::new();
    for &[x0, y0, x1, y1] in segments {
        leaving.entry(corner(x0, y0)).or_default().push([x1, y1]);
    }
    let mut contours = Vec::new();
    for &[x0, y0, ..] in segments {
        let mut contour = Vec::new();
        let mut at = [x0, y0];
        while let Some(next) = leaving.get_mut(&corner(at[0], at[1])).and_then(Vec::pop) {
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
    use crate::mesh::boundary::BoundaryEdges;

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
        // The pieces of the four edges that cross, and nothing of the others.
        for [x0, y0, x1, y1] in correction.segments() {
            let on_a_crossing_edge = [x0, x1].iter().all(|x| **x >= 75.0) || [y0, y1].iter().all(|y| **y >= 50.0);
            assert!(on_a_crossing_edge, "{x0} {y0} {x1} {y1}");
        }
        assert!(correction.segments().len() <= 12, "{:?}", correction.segments());
    }

    #[test]
    fn glyphs_apart_need_no_correction() {
        assert!(join(&square(100.0), &square(100.0), [101.0, 0.0]).unwrap().segments().is_empty());
    }

    #[test]
    fn contours_that_meet_in_a_corner_are_walked_to_the_end() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [10.0, 0.0], [10.0, 10.0]);
        edges.add_triangle([10.0, 10.0], [20.0, 10.0], [20.0, 20.0]);
        let walked: usize = contours(edges.into_mesh().segments()).iter().map(Vec::len).sum();
        assert_eq!(walked, 6);
    }
}
