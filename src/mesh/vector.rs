//! Plane vectors in double precision and directed edges in single, in font units.

/// x and y.
pub(super) type Vector = [f64; 2];

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1]]
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive where `b` points to the left of `a`, y up.
pub(super) fn cross(a: Vector, b: Vector) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(super) fn length(a: Vector) -> f64 {
    a[0].hypot(a[1])
}

/// A directed straight edge in font units, y up: x0, y0, x1, y1. The ink is on its left.
pub(super) type Segment = [f32; 4];

/// Normals at both ends of a segment: vectors out of the ink, half a stroke long: x0, y0, x1, y1 in font units.
pub(super) type Normals = [f32; 4];

/// The extent of a segment along both axes: about the number of pixels that it crosses.
pub(super) fn span([x0, y0, x1, y1]: Segment) -> f32 {
    (x1 - x0).abs() + (y1 - y0).abs()
}

/// The ends of a segment.
pub(super) fn ends([x0, y0, x1, y1]: Segment) -> [Vector; 2] {
    [[f64::from(x0), f64::from(y0)], [f64::from(x1), f64::from(y1)]]
}

/// The vector from the start of a segment to its end.
pub(super) fn along(segment: Segment) -> Vector {
    let [from, to] = ends(segment);
    minus(to, from)
}

/// The segment, moved by `offset`.
pub(super) fn moved([x0, y0, x1, y1]: Segment, [x, y]: [f32; 2]) -> Segment {
    [x0 + x, y0 + y, x1 + x, y1 + y]
}

/// A position as bits, so that equal positions are equal corners.
pub(super) type Corner = [u32; 2];

/// The corner at a position.
pub(super) fn corner(at: [f32; 2]) -> Corner {
    // Adding zero turns -0 into +0.
    at.map(|part| (part + 0.0).to_bits())
}
