//! The lines at which a plane crosses zero: marching squares (W. Lorensen, H. Cline, 1987, in two dimensions).

use std::collections::HashMap;

use super::Plane;

/// An edge between two neighbouring pixels: the first of them, and whether the second is below it, not beside it.
type Edge = (usize, bool);

/// The closed lines around the pixels above zero, clockwise around the outside of them. Places between pixels are
/// found by linear interpolation. Pixels at the edges of the plane count as below zero.
pub(in crate::own_hand) fn zero_contours(plane: &Plane) -> Vec<Vec<[f64; 2]>> {
    let (width, height) = (plane.width, plane.height);
    let inner = |x: usize, y: usize| x > 0 && y > 0 && x + 1 < width && y + 1 < height;
    let value = |at: usize| {
        let value = plane.values[at];
        if inner(at % width, at / width) { value } else { value.min(-f32::EPSILON) }
    };
    // From the edge at which a line enters a cell to that at which it leaves.
    let mut next: HashMap<Edge, Edge, foldhash::fast::FixedState> = HashMap::default();
    let mut starts: Vec<Edge> = Vec::new();
    for y in 0..height.saturating_sub(1) {
        for x in 0..width.saturating_sub(1) {
            let at = y * width + x;
            let corners = [at, at + 1, at + width + 1, at + width];
            let above = corners.map(|corner| value(corner) > 0.0);
            if above.iter().all(|each| *each == above[0]) {
                continue;
            }
            // Edges clockwise from the top.
            let edges: [Edge; 4] = [(at, false), (at + 1, true), (at + width, false), (at, true)];
            let middle: f32 = corners.iter().map(|corner| value(*corner)).sum();
            let is_saddle = above[0] == above[2] && above[1] == above[3];
            for side in 0..4 {
                // A line enters where, clockwise, what is above zero ends.
                if !above[side] || above[(side + 1) % 4] {
                    continue;
                }
                // Around the corners below zero, or, where the middle of a saddle is above zero, around those that follow.
                let mut out = (side + 1) % 4;
                while above[out] || !above[(out + 1) % 4] {
                    out = (out + 1) % 4;
                }
                if is_saddle && middle <= 0.0 {
                    out = (side + 3) % 4;
                }
                next.insert(edges[side], edges[out]);
                starts.push(edges[side]);
            }
        }
    }
    let crossing = |(at, down): Edge| {
        let other = if down { at + width } else { at + 1 };
        let (one, two) = (f64::from(value(at)), f64::from(value(other)));
        let share = one / (one - two);
        let (x, y) = ((at % width) as f64, (at / width) as f64);
        if down { [x, y + share] } else { [x + share, y] }
    };
    let mut contours = Vec::new();
    for start in starts {
        let mut contour = Vec::new();
        let mut at = start;
        while let Some(after) = next.remove(&at) {
            contour.push(crossing(at));
            at = after;
        }
        if contour.len() > 2 {
            contours.push(contour);
        }
    }
    contours
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(contour: &[[f64; 2]]) -> f64 {
        let pairs = contour.iter().zip(contour.iter().cycle().skip(1));
        pairs.map(|(one, other)| one[0] * other[1] - one[1] * other[0]).sum::<f64>() / 2.0
    }

    #[test]
    fn a_ring_has_two_lines_of_opposite_directions() {
        let mut plane = Plane::new(40, 40);
        for (at, value) in plane.values.iter_mut().enumerate() {
            let radius = ((at % 40) as f32 - 19.3).hypot((at / 40) as f32 - 20.1);
            *value = 4.0 - (radius - 10.0).abs();
        }
        let contours = zero_contours(&plane);
        let mut areas: Vec<f64> = contours.iter().map(|contour| area(contour)).collect();
        areas.sort_by(f64::total_cmp);
        assert_eq!(areas.len(), 2);
        for (area, radius) in areas.iter().zip([-6.0_f64, 14.0]) {
            let expected = std::f64::consts::PI * radius * radius.abs();
            assert!((area / expected - 1.0).abs() < 0.01, "{areas:?}");
        }
    }

    #[test]
    fn every_line_is_closed_also_at_the_edge_and_at_saddles() {
        let values =
            (0_u32..400).map(|at| if at.wrapping_mul(2_654_435_761) >> 31 == 0 { 1.0 } else { -0.7 }).collect();
        for contour in zero_contours(&Plane { width: 20, height: 20, values }) {
            for (one, other) in contour.iter().zip(contour.iter().cycle().skip(1)) {
                assert!((one[0] - other[0]).hypot(one[1] - other[1]) < 1.5, "{contour:?}");
            }
        }
    }
}
