// The elastic field, appended to the passes that displace ink. They bind `effects` and `field`: of a smooth field for each
// lattice point the texels of the cell it begins, itself, right, below, and right below, so that one load serves a
// look-up; of grain the texels, four a vector.

// A texel's component of 1, in the high half of a word.
const FULL_SCALE: f32 = 2147418112.0;

// Displacement of the ink at a point of the page, both in device px: bilinear between lattice points.
fn displacement(at: vec2<f32>) -> vec2<f32> {
    let place = lattice_place(at);
    let weight = fract(place);
    let cell = field[point_index(place, arrayLength(&field))];
    let x = x_of(cell);
    let y = y_of(cell);
    let left = vec4<f32>(x.xz, y.xz);
    let ends = left + (vec4<f32>(x.yw, y.yw) - left) * weight.x;
    let away = ends.xz + (ends.yw - ends.xz) * weight.y;
    return away * (vec2<f32>(room(at.xxxx, effects.page_size.x).x, room(at.yyyy, effects.page_size.y).x) / FULL_SCALE);
}

// Where a point in device px lies in the field, in lattice steps.
fn lattice_place(at: vec2<f32>) -> vec2<f32> {
    return at * effects.lattice_step + effects.lattice_offset;
}

// Which of so many lattice points is the last before a place. The field is square and repeats after a power of two.
fn point_index(place: vec2<f32>, points: u32) -> i32 {
    let edge_bits = countTrailingZeros(points) / 2u;
    let wrapped = vec2<i32>(floor(place)) & vec2<i32>((1 << edge_bits) - 1);
    return (wrapped.y << edge_bits) + wrapped.x;
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
fn room(at: vec4<f32>, size: f32) -> vec4<f32> {
    return clamp(min(at, size - at), vec4<f32>(0.0), vec4<f32>(effects.reach));
}
