//! Outlines to be bent: closed paths of short pieces, so that the device bends each corner once.
//!
//! Input: segments and the normals at their ends. Output: the corners of closed paths, one path after another. Phases:
//! cut each segment into pieces of about equal length; order the pieces, the longest first; join them into paths, which
//! begin in that order.

use std::collections::HashMap;

use crate::catalogue::FreeEnd;

use super::vector::{self, Normals, Segment, length, span};

/// A position x, y in font units, and the normal there: a vector out of the ink, half a stroke long.
pub type Vertex = [f32; 4];

/// A corner of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) vertex: Vertex,
    /// Whether a path begins here; else a piece ends here.
    pub(super) begins: bool,
}

/// Steps of packed normals per font unit.
pub(crate) const NORMAL_STEPS: f32 = 16.0;
/// The bit of a corner's last word that marks the beginning of a path; the other bits are the end of a stroke.
pub(crate) const BEGINS: u32 = 1 << 31;
/// Font units per step of the distance from an end of a stroke.
pub(crate) const END_STEP: f32 = 2.0;
/// The farthest steps that count.
const FARTHEST_END: f32 = 255.0;
/// The bit that marks the start of a stroke.
pub(crate) const STARTS: u32 = 1 << 8;

/// The nearest of these ends to the middle of the stroke at a corner: 255 less the steps of the distance, with the bit
/// for a start; 0 where all are farther.
pub(super) fn end_near(ends: &[FreeEnd], [x, y, a, b]: Vertex) -> u32 {
    let steps = |end: &FreeEnd| (end.at[0] - (x - a)).hypot(end.at[1] - (y - b)) / END_STEP;
    let nearest = ends.iter().map(|end| (steps(end), end)).min_by(|one, other| one.0.total_cmp(&other.0));
    nearest
        .filter(|(steps, _)| *steps < FARTHEST_END)
        .map_or(0, |(steps, end)| (FARTHEST_END - steps.round()) as u32 | if end.is_start { STARTS } else { 0 })
}

impl Corner {
    /// The record that the device reads: bits of x and y; both components of the normal as signed 16 bits in 1/16 font
    /// units, x in the low half; the end of a stroke near it, with the bit for the beginning of a path.
    pub(super) fn record(&self, ends: &[FreeEnd]) -> [u32; 4] {
        let [x, y, a, b] = self.vertex;
        let packed = |part: f32| u32::from((part * NORMAL_STEPS).round() as i16 as u16);
        [
            x.to_bits(),
            y.to_bits(),
            packed(a) | packed(b) << 16,
            end_near(ends, self.vertex) | if self.begins { BEGINS } else { 0 },
        ]
    }
}

/// The closed paths of segments, cut into pieces of about `length` font units. Segments shorter than one and a half
/// pieces stay whole. Two segments in opposite directions are cut at bit-identical corners.
pub(super) fn along(segments: impl Iterator<Item = (Segment, Normals)>, length: f64) -> Vec<Corner> {
    let mut pieces: Vec<[Vertex; 2]> = segments
        .flat_map(|(segment, normals)| {
            let count = count(segment, length);
            let vertex = |[x, y]: [f32; 2], [a, b]: [f32; 2]| [x, y, a, b];
            shares(segment, count)
                .zip(shares(normals, count))
                .map(move |([x0, y0, x1, y1], [a, b, c, d])| [vertex([x0, y0], [a, b]), vertex([x1, y1], [c, d])])
        })
        .collect();
    let length = |[[x0, y0, ..], [x1, y1, ..]]: &[Vertex; 2]| span([*x0, *y0, *x1, *y1]);
    // Files of outlines begin each path so.
    pieces.sort_by(|a, b| length(b).total_cmp(&length(a)));
    strung(&pieces)
}

/// The pieces of paths.
pub(super) fn lines(path: &[Corner]) -> impl Iterator<Item = [Vertex; 2]> {
    let ends = |pair: &[Corner]| match pair {
        [from, to] => (!to.begins).then_some([from.vertex, to.vertex]),
        _ => None,
    };
    path.windows(2).filter_map(ends)
}

/// Pieces joined into closed paths. Every vertex has as many incoming as outgoing pieces, so each walk ends at its
/// start.
fn strung(pieces: &[[Vertex; 2]]) -> Vec<Corner> {
    // Adding zero turns -0 into +0.
    let bits = |vertex: Vertex| vertex.map(|part| (part + 0.0).to_bits());
    let mut leaving: HashMap<[u32; 4], Vec<Vertex>, foldhash::fast::FixedState> = HashMap::default();
    for [from, to] in pieces {
        leaving.entry(bits(*from)).or_default().push(*to);
    }
    let mut path = Vec::with_capacity(pieces.len() + 8);
    for [start, _] in pieces {
        let mut at = *start;
        let mut is_begun = false;
        while let Some(next) = leaving.get_mut(&bits(at)).and_then(Vec::pop) {
            if !is_begun {
                path.push(Corner { vertex: at, begins: true });
                is_begun = true;
            }
            path.push(Corner { vertex: next, begins: false });
            at = next;
        }
    }
    path
}

/// The number of pieces of about `length` in a segment.
fn count(segment: Segment, piece: f64) -> u32 {
    (length(vector::along(segment)) / piece).round().max(1.0) as u32
}

/// The line from one point to another in equal parts. Their corners are the same in both directions.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(segment: Segment, length: f64) -> Vec<Segment> {
        shares(segment, count(segment, length)).collect()
    }

    #[test]
    fn segments_are_cut_into_pieces_that_meet_to_the_bit() {
        let (there, back) = ([0.1, 0.7, 9.3, -4.4], [9.3, -4.4, 0.1, 0.7]);
        let cut = pieces(there, 3.2);
        assert_eq!(cut.len(), 3);
        assert_eq!((&cut[0][..2], &cut[2][2..]), (&there[..2], &there[2..]));
        assert!(cut.windows(2).all(|pair| pair[0][2..] == pair[1][..2]), "{cut:?}");
        let turned: Vec<Segment> = pieces(back, 3.2).into_iter().map(|[x0, y0, x1, y1]| [x1, y1, x0, y0]).collect();
        assert!(cut.iter().eq(turned.iter().rev()), "{cut:?} and back {turned:?}");
        // Shorter than one and a half.
        assert_eq!(pieces([0.0, 0.0, 0.0, 4.4], 3.0).len(), 1);
        assert_eq!(pieces([0.0; 4], 3.0).len(), 1);
    }

    #[test]
    fn paths_are_closed_and_hold_every_piece_once() {
        let square =
            |x: f32| [[x, 0.0, x + 4.0, 0.0], [x + 4.0, 0.0, x + 4.0, 4.0], [x + 4.0, 4.0, x, 4.0], [x, 4.0, x, 0.0]];
        // In no order.
        let mut segments = [square(0.0), square(9.0)].concat();
        segments.swap(1, 6);
        let path = along(segments.iter().map(|segment| (*segment, [1.0, 0.0, 1.0, 0.0])), 2.0);
        // Two closed paths of eight pieces.
        assert_eq!(path.len(), 2 * 9);
        assert_eq!((path[0].vertex, path[9].vertex), (path[8].vertex, path[17].vertex));
        assert_eq!(path.iter().filter(|corner| corner.begins).count(), 2);
        let lines: Vec<_> = lines(&path).collect();
        assert!(lines.iter().all(|[from, to]| (to[0] - from[0]).abs() + (to[1] - from[1]).abs() <= 2.0));
        let halves = |[x0, y0, x1, y1]: Segment| {
            let middle = [x0.midpoint(x1), y0.midpoint(y1)];
            [[[x0, y0], middle], [middle, [x1, y1]]]
        };
        let mut pieces = segments.into_iter().flat_map(halves);
        let is_there = |[from, to]: [[f32; 2]; 2]| lines.iter().any(|line| line.map(|[x, y, ..]| [x, y]) == [from, to]);
        assert!(lines.len() == 16 && pieces.all(is_there));
    }

    #[test]
    fn a_record_has_normals_in_sixteenths_of_a_font_unit() {
        let corner = Corner { vertex: [1.5, -2.0, -3.25, 7.0625], begins: true };
        let [x, y, normal, end] = corner.record(&[]);
        assert_eq!((f32::from_bits(x), f32::from_bits(y), end), (1.5, -2.0, 1 << 31));
        assert_eq!([normal as u16 as i16, (normal >> 16) as i16], [-52, 113]);
        // The middle of the stroke is at (4.75, -9.0625).
        let end = |x: f32, is_start| FreeEnd { at: [x, -9.0625], is_start };
        let bits = |ends: &[FreeEnd]| corner.record(ends)[3] & !BEGINS;
        assert_eq!(bits(&[end(604.75, true), end(24.75, false)]), 245);
        assert_eq!(bits(&[end(4.75, true)]), 255 | STARTS);
        assert_eq!(bits(&[end(604.75, true)]), 0);
    }
}
