// The elastic field, appended to the passes that displace ink. They bind `effects`, and the field that they read.

// A texel component of 1, in the high half of a word.
const FULL_SCALE: f32 = 2147418112.0;

// What all look-ups of a lane share. Loaded once, because compilers of software devices load uniforms at every use.
struct Lattice {
    // Lattice steps per device px, and the position of the page's corner.
    step: f32,
    offset: vec2<f32>,
    // The field is square and repeats after a power of two: the bits of a coordinate. To the right, the field continues
    // this number of points farther down.
    bits: u32,
    skew: i32,
    // Size of the page and largest displacement, in device px.
    page_size: vec2<f32>,
    largest_displacement: f32,
}

// A look-up between lattice points.
struct Cell {
    // Texels of the surrounding points: one, its horizontal neighbour, its vertical neighbour, and the diagonal one.
    corners: vec4<u32>,
    // Distance from the first point towards the others.
    weight: vec2<f32>,
}

// The lattice of a field with `points` points along each axis.
fn lattice_of(points: u32) -> Lattice {
    return Lattice(
        effects.lattice_step,
        effects.lattice_offset,
        countTrailingZeros(points) / 2u,
        effects.lattice_skew,
        effects.page_size,
        effects.largest_displacement,
    );
}

// The position of a point in device px in the field, in lattice steps.
fn lattice_place(lattice: Lattice, at: vec2<f32>) -> vec2<f32> {
    return at * lattice.step + lattice.offset;
}

// A lattice point in the field.
fn wrapped(lattice: Lattice, point: vec2<f32>) -> vec2<i32> {
    let whole = vec2<i32>(point);
    let row = whole.y + (whole.x >> lattice.bits) * lattice.skew;
    return vec2<i32>(whole.x, row) & vec2<i32>((1 << lattice.bits) - 1);
}

// Components of texels, 16 bits each, scaled by FULL_SCALE. The error that x adds to y is below their rounding.
fn x_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels << vec4<u32>(16u)));
}

fn y_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels));
}

// The factor of a displacement along an axis: the largest displacement, tapered towards both edges of the page so that
// no ink moves beyond them.
fn room(lattice: Lattice, at: vec4<f32>, size: vec4<f32>) -> vec4<f32> {
    return clamp(min(at, size - at), vec4<f32>(0.0), vec4<f32>(lattice.largest_displacement));
}
