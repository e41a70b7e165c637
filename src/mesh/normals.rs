//! Normals of a boundary, half a stroke long: the directions in which the edges of a stroke move when it gets wider or
//! narrower.

use std::collections::HashMap;

use super::boundary::GlyphMesh;
use super::vector::{Corner, Normals, Segment, Vector, along, corner, cross, dot, ends, length, minus, moved};

/// The most that the normal of a corner may be longer than the normals of its edges, so that it moves both edges.
const LONGEST_CORNER: f64 = 2.0;
/// The largest distance, in font units, of a corner of a correction from its edge.
const ON_EDGE: f64 = 0.1;

/// The mesh of a glyph with normals at the ends of its segments. Strokes count as at most `widest` font units wide. All
/// segments at a corner share its normal.
pub(super) fn with_normals(mesh: &GlyphMesh, widest: f64) -> GlyphMesh {
    // For each corner, the sum of its edges' normals, the sum of their half widths, and the number of edges.
    let mut corners: HashMap<Corner, (Vector, f64, f64)> = HashMap::new();
    for (index, &segment) in mesh.segments.iter().enumerate() {
        let along = along(segment);
        let span = length(along);
        if span <= 0.0 {
            continue;
        }
        // The ink is on the left.
        let normal = [along[1] / span, -along[0] / span];
        let half = 0.5 * thickness(&mesh.segments, index, normal, widest);
        let [x0, y0, x1, y1] = segment;
        for at in [corner([x0, y0]), corner([x1, y1])] {
            let (sum, halves, count) = corners.entry(at).or_default();
            *sum = [sum[0] + normal[0], sum[1] + normal[1]];
            *halves += half;
            *count += 1.0;
        }
    }
    with_corners(mesh, |at| {
        let Some((sum, halves, count)) = corners.get(&corner(at)) else { return [0.0; 2] };
        // The vector whose component along the normal of each edge equals the length of that normal.
        let squared = dot(*sum, *sum).max(1e-9);
        let longest = LONGEST_CORNER / squared.sqrt();
        let factor = (count / squared).min(longest) * halves / count;
        [sum[0] * factor, sum[1] * factor].map(|part| part as f32)
    })
}

/// The mesh with the normal of each corner at the ends of its segments.
fn with_corners(mesh: &GlyphMesh, mut normal: impl FnMut([f32; 2]) -> [f32; 2]) -> GlyphMesh {
    let with_normals = |segment: &Segment| {
        let [x0, y0, x1, y1] = *segment;
        let ([a, b], [c, d]) = (normal([x0, y0]), normal([x1, y1]));
        (*segment, [a, b, c, d])
    };
    mesh.with(mesh.segments.iter().map(with_normals).collect())
}

/// The distance from the middle of a segment through the ink to the other side, at most `most`.
fn thickness(segments: &[Segment], index: usize, normal: Vector, most: f64) -> f64 {
    let Some(&own) = segments.get(index) else { return most };
    let [from, to] = ends(own);
    let start = [f64::midpoint(from[0], to[0]), f64::midpoint(from[1], to[1])];
    let inwards = [-normal[0], -normal[1]];
    let mut nearest = most;
    for (other, &segment) in segments.iter().enumerate() {
        let [from, to] = ends(segment);
        let edge = minus(to, from);
        let across = cross(inwards, edge);
        if other == index || across.abs() < 1e-9 {
            continue;
        }
        let away = minus(from, start);
        let (distance, share) = (cross(away, edge) / across, cross(away, inwards) / across);
        if (0.0..=1.0).contains(&share) && distance > 1e-6 {
            nearest = nearest.min(distance);
        }
    }
    nearest
}

/// The mesh of a glyph with the normals of another mesh of the same glyph at the nearest points. All segments at a
/// corner share its normal.
pub(super) fn with_normals_near(mesh: &GlyphMesh, other: &GlyphMesh) -> GlyphMesh {
    let edges: Vec<(Segment, &Normals)> = other.segments.iter().copied().zip(&other.normals).collect();
    let mut corners: HashMap<Corner, [f32; 2]> = HashMap::new();
    with_corners(mesh, |at @ [x, y]| {
        *corners.entry(corner(at)).or_insert_with(|| {
            let [a, b, ..] = normals_on([x, y, x, y], &edges, f64::INFINITY);
            [a, b]
        })
    })
}

/// The correction of a join, with the normals of the glyphs on whose edges it runs. `second` is moved by `offset`.
/// Where it changes from one glyph to the other, a segment of zero length connects both normals, so the boundary stays
/// closed.
pub(super) fn with_normals_of(
    correction: &GlyphMesh,
    first: &GlyphMesh,
    second: &GlyphMesh,
    offset: [f32; 2],
) -> GlyphMesh {
    let of_first = first.segments.iter().copied().zip(&first.normals);
    let of_second = second.segments.iter().map(|segment| moved(*segment, offset)).zip(&second.normals);
    let edges: Vec<(Segment, &Normals)> = of_first.chain(of_second).collect();
    let mut segments: Vec<(Segment, Normals)> =
        correction.segments.iter().map(|segment| (*segment, normals_on(*segment, &edges, ON_EDGE))).collect();
    // For each corner, the normals of incoming and of outgoing segments.
    let mut at_corners: HashMap<Corner, [Vec<[f32; 2]>; 2]> = HashMap::new();
    for &([x0, y0, x1, y1], [a, b, c, d]) in &segments {
        at_corners.entry(corner([x1, y1])).or_default()[0].push([c, d]);
        at_corners.entry(corner([x0, y0])).or_default()[1].push([a, b]);
    }
    let mut at_corners: Vec<_> = at_corners.into_iter().collect();
    at_corners.sort_by_key(|(at, _)| *at);
    for ([x, y], [coming, going]) in at_corners {
        let [x, y] = [x, y].map(f32::from_bits);
        for ([a, b], [c, d]) in coming.into_iter().zip(going) {
            if [a, b].map(f32::to_bits) != [c, d].map(f32::to_bits) {
                segments.push(([x, y, x, y], [a, b, c, d]));
            }
        }
    }
    correction.with(segments)
}

/// The normals at both ends of a segment that runs along one of the edges, in either direction; zeros if no edge is
/// closer than `limit` font units.
fn normals_on(segment: Segment, edges: &[(Segment, &Normals)], limit: f64) -> Normals {
    let [from, to] = ends(segment);
    let mut best = (limit, [0.0; 4]);
    // A little more than the shortest distance yet: farther edges are skipped before their distance is found.
    let mut reach = limit * 1.000_001;
    for (edge, normals) in edges {
        let [start, end] = ends(*edge);
        let is_apart = |axis: usize| {
            let [low, high] = [start[axis].min(end[axis]) - reach, start[axis].max(end[axis]) + reach];
            from[axis] < low || from[axis] > high || to[axis] < low || to[axis] > high
        };
        if is_apart(0) || is_apart(1) {
            continue;
        }
        let along = minus(end, start);
        let squared = dot(along, along).max(1e-12);
        let place = |at: Vector| (dot(minus(at, start), along) / squared).clamp(0.0, 1.0);
        let shares = [place(from), place(to)];
        let distance =
            |at: Vector, share: f64| length(minus(at, [start[0] + along[0] * share, start[1] + along[1] * share]));
        let far = distance(from, shares[0]).max(distance(to, shares[1]));
        if far < best.0 {
            let [a, b, c, d] = normals.map(f64::from);
            let at = |share: f64| [a + (c - a) * share, b + (d - b) * share].map(|part| part as f32);
            let ([a, b], [c, d]) = (at(shares[0]), at(shares[1]));
            best = (far, [a, b, c, d]);
            reach = far * 1.000_001;
        }
    }
    best.1
}
