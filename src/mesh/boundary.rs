//! The boundary of a set of triangles: the edges that no two triangles share.

use super::path::{self, Vertex};
use super::slices::slices;
use super::vector::{Corner, Normals, Segment, corner, span};
use crate::catalogue::FreeEnd;
use crate::units::FontUnits;

/// The closed boundary of a glyph's fill, without overlap. It includes horizontal edges, because words may be rotated.
///
/// Plain outlines are segments in any order. Outlines to be bent are closed paths of short pieces.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphMesh {
    /// The longest first, so that neighbouring vector lanes have about the same work. Empty if there is a path.
    pub(super) segments: Vec<Segment>,
    /// The normals at both ends of each segment; empty where outlines keep their shape.
    pub(super) normals: Vec<Normals>,
    path: Vec<path::Corner>,
    /// The ends of strokes that lie away from all other ink, where outlines have normals.
    ends: Vec<FreeEnd>,
    /// The longest normal in font units, half of the widest stroke. Zero where outlines keep their shape.
    pub(crate) longest_normal: f32,
    /// Boxes of equal height that contain all ink: min x, min y, max x, max y in font units, from the lowest up.
    /// Heights without ink have no box.
    pub(crate) slices: Vec<[f32; 4]>,
}

impl GlyphMesh {
    /// The mesh of these segments.
    pub(super) fn new(mut segments: Vec<Segment>) -> Self {
        segments.sort_by(longest_first);
        Self { slices: slices(&segments), segments, ..Self::default() }
    }

    /// The same boundary as a path in pieces of about `length`.
    #[must_use]
    pub(super) fn cut(&self, length: FontUnits) -> Self {
        let normals = self.normals.iter().copied().chain(std::iter::repeat([0.0; 4]));
        let path = path::along(self.segments.iter().copied().zip(normals), length.get());
        let longest_normal = path::lines(&path).flatten().map(|[_, _, a, b]| a.hypot(b)).fold(0.0, f32::max);
        Self { slices: self.slices.clone(), path, longest_normal, ..Self::default() }
    }

    /// The same boundary with other segments, and the normals at their ends.
    pub(super) fn with(&self, segments: Vec<(Segment, Normals)>) -> Self {
        let (segments, normals) = segments.into_iter().unzip();
        Self { segments, normals, slices: self.slices.clone(), ..Self::default() }
    }

    /// Appends the records that the device reads: segments, or corners of paths.
    pub fn append_records(&self, records: &mut Vec<[u32; 4]>) {
        records.extend(self.segments.iter().map(|segment| segment.map(f32::to_bits)));
        records.extend(self.path.iter().map(|corner| corner.record(&self.ends)));
    }

    /// Number of records that the device reads.
    #[must_use]
    pub const fn record_count(&self) -> usize {
        self.segments.len() + self.path.len()
    }

    /// The same path with these ends of strokes.
    pub(super) fn with_ends(self, ends: Vec<FreeEnd>) -> Self {
        Self { ends, ..self }
    }

    /// The end of a stroke near a corner of its path, as the record of the device has it.
    #[must_use]
    pub fn end_near(&self, vertex: Vertex) -> u32 {
        path::end_near(&self.ends, vertex)
    }

    /// Every line of the boundary with the normals at its ends, in the order of the paths if there are any. Normals are
    /// zero where outlines keep their shape.
    pub fn lines(&self) -> impl Iterator<Item = [Vertex; 2]> {
        self.segments.iter().map(ends).chain(path::lines(&self.path))
    }

    /// Whether it has no segments.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.record_count() == 0
    }

    /// The enclosed area in square font units, by the shoelace formula; positive for ink on the left.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.lines()
            .map(|[[x0, y0, ..], [x1, y1, ..]]| (f64::from(x0) + f64::from(x1)) * (f64::from(y1) - f64::from(y0)) / 2.0)
            .sum()
    }
}

/// Edges of triangles in the order of arrival, each with its direction.
#[derive(Debug, Default)]
pub(super) struct BoundaryEdges {
    edges: Vec<Edge>,
}

/// An undirected edge, `from` before `to` in the order of [`Corner`], and how often it runs in that direction.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Corner,
    to: Corner,
    winding: i32,
}

impl BoundaryEdges {
    /// Adds a triangle whose inside is on the left of its edges. The order that the tessellator reports counts, not the
    /// sign of the area: rounding may flip a sliver, but its edges still cancel those of its neighbours.
    pub(super) fn add_triangle(&mut self, a: [f32; 2], b: [f32; 2], c: [f32; 2]) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            self.add_edge(corner(from), corner(to));
        }
    }

    /// Removes a segment by adding its reverse.
    pub(super) fn remove(&mut self, [x0, y0, x1, y1]: Segment) {
        self.add_edge(corner([x1, y1]), corner([x0, y0]));
    }

    fn add_edge(&mut self, from: Corner, to: Corner) {
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.edges.push(Edge { from, to, winding: 1 }),
            std::cmp::Ordering::Greater => self.edges.push(Edge { from: to, to: from, winding: -1 }),
            std::cmp::Ordering::Equal => {}
        }
    }

    /// Whether triangles overlap: some edge has a net count of two or more.
    pub(super) fn overlap(&mut self) -> bool {
        self.sort();
        same(&self.edges).any(|same| winding(same).abs() > 1)
    }

    /// Cancels edges that two triangles share in opposite directions, and returns the mesh of the rest.
    pub(super) fn into_mesh(mut self) -> GlyphMesh {
        self.sort();
        let mut segments = Vec::new();
        for same in same(&self.edges) {
            let winding = winding(same);
            let ([x0, y0], [x1, y1]) = (same[0].from.map(f32::from_bits), same[0].to.map(f32::from_bits));
            let segment = if winding > 0 { [x0, y0, x1, y1] } else { [x1, y1, x0, y0] };
            segments.extend(std::iter::repeat_n(segment, winding.unsigned_abs() as usize));
        }
        GlyphMesh::new(segments)
    }

    fn sort(&mut self) {
        self.edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
    }
}

/// Groups of sorted edges that are equal except for their direction.
fn same(edges: &[Edge]) -> impl Iterator<Item = &[Edge]> {
    edges.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to))
}

/// The net count of a group: forward edges minus backward edges.
fn winding(same: &[Edge]) -> i32 {
    same.iter().map(|edge| edge.winding).sum()
}

/// The ends of a segment, without normals.
fn ends(&[x0, y0, x1, y1]: &Segment) -> [Vertex; 2] {
    [[x0, y0, 0.0, 0.0], [x1, y1, 0.0, 0.0]]
}

/// The order of segments in a mesh.
fn longest_first(a: &Segment, b: &Segment) -> std::cmp::Ordering {
    span(*b).total_cmp(&span(*a))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shared_edge_of_two_triangles_vanishes() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [2.0, 1.0], [0.0, 2.0]);
        edges.add_triangle([2.0, 1.0], [2.0, 3.0], [0.0, 2.0]);
        let mesh = edges.into_mesh();
        assert_eq!(mesh.segments.len(), 4);
        assert!((mesh.area() - 4.0).abs() < 1e-12);
    }

    #[test]
    fn a_boundary_has_its_ink_on_the_left() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [2.0, 1.0], [0.0, 2.0]);
        assert!(edges.into_mesh().area() > 0.0);
    }

    #[test]
    fn a_sliver_that_rounding_turned_over_cancels_its_neighbour() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [4.0, 0.0], [4.0, 4.0]);
        edges.add_triangle([0.0, 0.0], [4.0, 4.0], [2.0, 1.999]);
        assert!(!edges.overlap());
        let mesh = edges.into_mesh();
        assert_eq!(mesh.segments.len(), 4);
        assert!((mesh.area() - 7.998).abs() < 1e-6, "{}", mesh.area());
    }

    #[test]
    fn a_triangle_turned_over_by_mistake_is_seen() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [4.0, 0.0], [4.0, 4.0]);
        edges.add_triangle([0.0, 0.0], [2.0, 2.5], [4.0, 4.0]);
        assert!(edges.overlap());
    }

    #[test]
    fn the_longest_segments_come_first() {
        let mut edges = BoundaryEdges::default();
        edges.add_triangle([0.0, 0.0], [4.0, 1.0], [0.0, 9.0]);
        let mesh = edges.into_mesh();
        assert!(mesh.segments.is_sorted_by(|a, b| span(*a) >= span(*b)));
    }

    #[test]
    fn negative_zero_is_the_same_corner() {
        assert_eq!(corner([-0.0, 0.0]), corner([0.0, -0.0]));
    }
}
