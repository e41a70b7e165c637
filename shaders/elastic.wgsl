// The elastic field, appended to the passes that displace ink. They bind `effects`, and the field where they look it
// up.

// A texel's component of 1, in the high half of a word.
const FULL_SCALE: f32 = 2147418112.0;

// The values that all look-ups of a lane share. They are loaded once, because compilers of software devices load a
// uniform again at each use.
struct Lattice {
    // Steps per device px, and the position of the page's corner.
    step: f32,
    offset: vec2<f32>,
    // The field is square and repeats after a power of two: the bits of a coordinate. To the right it goes on so many
    // points farther down.
    bits: u32,
    skew: i32,
    // Of the page and of the largest displacement, device px.
    page_size: vec2<f32>,
    reach: f32,
}

// A look-up between lattice points.
struct Cell {
    // Texels of the points around it: one, that beside it, that above or below it, and that beside this.
    corners: vec4<u32>,
    // Its distance from the first towards the others.
    weight: vec2<f32>,
}

// The lattice of a field with this number of points.
fn lattice_of(points: u32) -> Lattice {
    return Lattice(
        effects.lattice_step,
        effects.lattice_offset,
        countTrailingZeros(points) / 2u,
        effects.lattice_skew,
        effects.page_size,
        effects.reach,
    );
}

// The position in the field of a point in device px, in lattice steps.
fn lattice_place(lattice: Lattice, at: vec2<f32>) -> vec2<f32> {
    return at * lattice.step + lattice.offset;
}

// A lattice point in the field.
fn wrapped(lattice: Lattice, point: vec2<f32>) -> vec2<i32> {
    let whole = vec2<i32>(point);
    let row = whole.y + (whole.x >> lattice.bits) * lattice.skew;
    return vec2<i32>(whole.x, row) & vec2<i32>((1 << lattice.bits) - 1);
}

// Components of texels, of FULL_SCALE: 16 bits each. What x adds to y below them is less than their rounding.
fn x_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels << vec4<u32>(16u)));
}

fn y_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels));
}

// The factor of a displacement along an axis: its reach, tapered towards both edges of the page so that no ink
// is moved beyond them.
fn room(lattice: Lattice, at: vec4<f32>, size: vec4<f32>) -> vec4<f32> {
    return clamp(min(at, size - at), vec4<f32>(0.0), vec4<f32>(lattice.reach));
}
