//! The boundary of a set of triangles: the edges that no two triangles share.

use super::slices::slices;
use crate::units::FontUnits;

/// A directed straight edge in font units, y up: x0, y0, x1, y1. The ink lies on its left.
pub type Segment = [f32; 4];

/// Vectors out of the ink at both ends of a segment, as long as half the stroke is wide there: x0, y0, x1, y1 in font units.
pub type Normals = [f32; 4];

/// The closed boundary of a glyph's fill, without overlap. Horizontal edges are part of it: words may turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GlyphMesh {
    segments: Vec<Segment>,
    /// At both ends of each segment; none where outlines keep their shape.
    normals: Vec<Normals>,
    slices: Vec<[f32; 4]>,
}

impl GlyphMesh {
    /// The boundary of these segments.
    pub(super) fn new(mut segments: Vec<Segment>) -> Self {
        segments.sort_by(longest_first);
        Self { slices: slices(&segments), segments, normals: Vec::new() }
    }

    /// The same boundary in pieces of about `length`: segments shorter than one and a half stay whole. Where two run along
    /// each other to and fro, so do their pieces, to the bit.
    #[must_use]
    pub(super) fn cut(&self, length: FontUnits) -> Self {
        let mut segments: Vec<Segment> =
            self.segments.iter().flat_map(|&segment| pieces(segment, length.get())).collect();
        if self.normals.is_empty() {
            segments.sort_by(longest_first);
            return Self { segments, normals: Vec::new(), slices: self.slices.clone() };
        }
        let counted = self.segments.iter().zip(&self.normals);
        let normals = counted.flat_map(|(segment, normals)| shares(*normals, count(*segment, length.get())));
        self.with(segments.into_iter().zip(normals).collect())
    }

    /// The same boundary with these segments and the normals at their ends.
    pub(super) fn with(&self, mut segments: Vec<(Segment, Normals)>) -> Self {
        segments.sort_by(|a, b| longest_first(&a.0, &b.0));
        let (segments, normals) = segments.into_iter().unzip();
        Self { segments, normals, slices: self.slices.clone() }
    }

    /// The normals at the ends of the segments, in their order; none where outlines keep their shape.
    #[must_use]
    pub fn normals(&self) -> &[Normals] {
        &self.normals
    }

    /// The segments, the longest first: neighbours in the list cost a vector lane about the same work.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Boxes that hold all ink, each as high as the next: min x, min y, max x, max y in font units, from the lowest up.
    /// Heights without ink have none.
    #[must_use]
    pub fn slices(&self) -> &[[f32; 4]] {
        &self.slices
    }

    /// The enclosed area in square font units, by the shoelace formula; positive for ink on the left.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.segments
            .iter()
            .map(|&[x0, y0, x1, y1]| (f64::from(x0) + f64::from(x1)) * (f64::from(y1) - f64::from(y0)) / 2.0)
            .sum()
    }
}

/// Edges of triangles as they come, each with the direction it was walked in.
#[derive(Debug, Default)]
pub(super) struct BoundaryEdges {
    edges: Vec<Edge>,
}

/// An undirected edge, `from` before `to` in the order of [`Corner`], and how often it was walked that way.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Corner,
    to: Corner,
    turns: i32,
}

/// A vertex position as bits, so that corners at the same place are the same corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Corner(u32, u32);

impl Corner {
    fn new([x, y]: [f32; 2]) -> Self {
        // Adding zero turns -0 into +0.
        Self((x + 0.0).to_bits(), (y + 0.0).to_bits())
    }

    const fn position(self) -> [f32; 2] {
        [f32::from_bits(self.0), f32::from_bits(self.1)]
    }
}

impl BoundaryEdges {
    /// Adds a triangle whose inside lies to the left of the way through its corners. What counts is what the tessellator
    /// says: rounding may have turned a sliver over, and its edges cancel those of its neighbours all the same.
    pub(super) fn add_triangle(&mut self, a: [f32; 2], b: [f32; 2], c: [f32; 2]) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            self.add_edge(Corner::new(from), Corner::new(to));
        }
    }

    /// Takes a segment away: adds it the other way round.
    pub(super) fn remove(&mut self, [x0, y0, x1, y1]: Segment) {
        self.add_edge(Corner::new([x1, y1]), Corner::new([x0, y0]));
    }

    fn add_edge(&mut self, from: Corner, to: Corner) {
        match from.cmp(&to) {
            std::cmp::Ordering::Less => self.edges.push(Edge { from, to, turns: 1 }),
            std::cmp::Ordering::Greater => self.edges.push(Edge { from: to, to: from, turns: -1 }),
            std::cmp::Ordering::Equal => {}
        }
    }

    /// Whether triangles overlap: an edge remains that was walked more often one way than the other by two or more.
    pub(super) fn overlap(&mut self) -> bool {
        self.sort();
        same(&self.edges).any(|same| turns(same).abs() > 1)
    }

    /// Cancels the edges that two triangles walked in opposite directions and returns the rest.
    pub(super) fn into_mesh(mut self) -> GlyphMesh {
        self.sort();
        let mut segments = Vec::new();
        for same in same(&self.edges) {
            let turns = turns(same);
            let ([x0, y0], [x1, y1]) = (same[0].from.position(), same[0].to.position());
            let segment = if turns > 0 { [x0, y0, x1, y1] } else { [x1, y1, x0, y0] };
            segments.extend(std::iter::repeat_n(segment, turns.unsigned_abs() as usize));
        }
        GlyphMesh::new(segments)
    }

    fn sort(&mut self) {
        self.edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
    }
}

/// The runs of sorted edges that are the same but for the way they were walked.
fn same(edges: &[Edge]) -> impl Iterator<Item = &[Edge]> {
    edges.chunk_by(|a, b| (a.from, a.to) == (b.from, b.to))
}

/// How much more often they were walked forwards than backwards.
fn turns(same: &[Edge]) -> i32 {
    same.iter().map(|edge| edge.turns).sum()
}

/// A segment in equal pieces of about `length`, at least one. Their corners are the same whichever way it leads.
fn pieces(segment: Segment, length: f64) -> impl Iterator<Item = Segment> {
    shares(segment, count(segment, length))
}

/// How many pieces of about `length` a segment makes.
fn count([x0, y0, x1, y1]: Segment, length: f64) -> u32 {
    let [x, y] = [f64::from(x1) - f64::from(x0), f64::from(y1) - f64::from(y0)];
    (x.hypot(y) / length).round().max(1.0) as u32
}

/// The way from one point to another in equal parts.
fn shares(ends: [f32; 4], count: u32) -> impl Iterator<Item = [f32; 4]> {
    let [x0, y0, x1, y1] = ends.map(f64::from);
    let corner = move |number: u32| {
        let [share, rest] = [number, count - number].map(|pieces| f64::from(pieces) / f64::from(count));
        [x0 * rest + x1 * share, y0 * rest + y1 * share].map(|coordinate| coordinate as f32)
    };
    (0..count).map(move |number| {
        let ([x0, y0], [x1, y1]) = (corner(number), corner(number + 1));
        [x0, y0, x1, y1]
    })
}

/// The order of segments in a mesh.
fn longest_first(a: &Segment, b: &Segment) -> std::cmp::Ordering {
    length(b).total_cmp(&length(a))
}

/// How far a segment reaches along both axes: about as many pixels as it crosses.
fn length([x0, y0, x1, y1]: &Segment) -> f32 {
    (x1 - x0).abs() + (y1 - y0).abs()
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
        assert_eq!(mesh.segments().len(), 4);
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
        assert_eq!(mesh.segments().len(), 4);
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
        assert!(mesh.segments().is_sorted_by(|a, b| length(a) >= length(b)));
    }

    #[test]
    fn segments_are_cut_into_pieces_that_meet_to_the_bit() {
        let (there, back) = ([0.1, 0.7, 9.3, -4.4], [9.3, -4.4, 0.1, 0.7]);
        let cut: Vec<Segment> = pieces(there, 3.2).collect();
        assert_eq!(cut.len(), 3);
        assert_eq!((&cut[0][..2], &cut[2][2..]), (&there[..2], &there[2..]));
        assert!(cut.windows(2).all(|pair| pair[0][2..] == pair[1][..2]), "{cut:?}");
        let turned: Vec<Segment> = pieces(back, 3.2).map(|[x0, y0, x1, y1]| [x1, y1, x0, y0]).collect();
        assert!(cut.iter().eq(turned.iter().rev()), "{cut:?} and back {turned:?}");
        // Shorter than one and a half.
        assert_eq!(pieces([0.0, 0.0, 0.0, 4.4], 3.0).count(), 1);
        assert_eq!(pieces([0.0; 4], 3.0).count(), 1);
    }

    #[test]
    fn negative_zero_is_the_same_corner() {
        assert_eq!(Corner::new([-0.0, 0.0]), Corner::new([0.0, -0.0]));
    }
}
