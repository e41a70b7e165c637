//! Plane vectors in double precision, in font units.

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
