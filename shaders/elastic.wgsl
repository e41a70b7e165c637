// The elastic field, appended to the passes that displace ink. They bind `effects` and `field`: of a smooth field for each
// lattice point the texels of the cell it begins, itself, right, below, and right below, so that one load serves a
// look-up, and the cells of four rows side by side, so that what lies close together shares cache lines; of grain the
// texels row by row, four a vector.

// A texel's component of 1, in the high half of a word.
const FULL_SCALE: f32 = 2147418112.0;

// What all look-ups of a lane have in common. Loaded once: compilers of software devices load uniforms anew wherever they
// are named.
struct Lattice {
    // Steps for each device px, and where the page's corner lies.
    step: f32,
    offset: vec2<f32>,
    // The field is square and repeats after a power of two: the bits of a coordinate.
    bits: u32,
    // Of the page and of the largest displacement, device px.
    page_size: vec2<f32>,
    reach: f32,
}

// The lattice of a field with so many points.
fn lattice_of(points: u32) -> Lattice {
    return Lattice(
        effects.lattice_step,
        effects.lattice_offset,
        countTrailingZeros(points) / 2u,
        effects.page_size,
        effects.reach,
    );
}

// Displacement of the ink at a point of the page, both in device px: bilinear between lattice points.
fn displacement(lattice: Lattice, at: vec2<f32>) -> vec2<f32> {
    let place = lattice_place(lattice, at);
    let point = floor(place);
    let weight = place - point;
    let first = wrapped(lattice, point);
    let cell = field[((first.y >> 2u) << (lattice.bits + 2u)) + (first.x << 2u) + (first.y & 3)];
    let x = x_of(cell);
    let y = y_of(cell);
    let left = vec4<f32>(x.xz, y.xz);
    let ends = left + (vec4<f32>(x.yw, y.yw) - left) * weight.x;
    let away = ends.xz + (ends.yw - ends.xz) * weight.y;
    return away * (room(lattice, at.xyxy, lattice.page_size.xyxy).xy / FULL_SCALE);
}

// Where a point in device px lies in the field, in lattice steps.
fn lattice_place(lattice: Lattice, at: vec2<f32>) -> vec2<f32> {
    return at * lattice.step + lattice.offset;
}

// A lattice point in the field.
fn wrapped(lattice: Lattice, point: vec2<f32>) -> vec2<i32> {
    return vec2<i32>(point) & vec2<i32>((1 << lattice.bits) - 1);
}

// Components of texels, of FULL_SCALE: 16 bits each. What x adds to y below them is less than their rounding.
fn x_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels << vec4<u32>(16u)));
}

fn y_of(texels: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(bitcast<vec4<i32>>(texels));
}

// What a displacement along an axis is multiplied by: its reach, tapered towards both edges of the page so that no ink is
// moved beyond them.
fn room(lattice: Lattice, at: vec4<f32>, size: vec4<f32>) -> vec4<f32> {
    return clamp(min(at, size - at), vec4<f32>(0.0), vec4<f32>(lattice.reach));
}
