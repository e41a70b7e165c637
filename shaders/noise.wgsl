// Integer-hash noise, appended to passes that vary ink.

const GOLDEN: u32 = 0x9e3779b9u;
// Shares of both octaves of a field of the pen; see src/pen/field.rs.
const OCTAVES: vec2<f32> = vec2<f32>(2.129, 0.946);

// lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
fn mixed(numbers: vec4<u32>) -> vec4<u32> {
    var bits = (numbers ^ (numbers >> vec4<u32>(16u))) * 0x7feb352du;
    bits = (bits ^ (bits >> vec4<u32>(15u))) * 0x846ca68bu;
    return bits ^ (bits >> vec4<u32>(16u));
}

// Value noise in [-1, 1]: uniform at whole places, smooth between them. `row` is a whole number, `down` the smooth share
// of the row below, and `seed` is multiplied by GOLDEN.
fn value_noise(x: f32, row: u32, down: f32, seed: u32) -> f32 {
    let first = floor(x);
    let share = x - first;
    let columns = vec4<u32>(u32(i32(first))) + vec4<u32>(0u, 1u, 0u, 1u);
    let rows = vec4<u32>(row << 16u) + vec4<u32>(0u, 0u, 0x10000u, 0x10000u);
    let corners = vec4<f32>(bitcast<vec4<i32>>(mixed(columns + rows + seed)));
    let ends = corners.xy + (corners.zw - corners.xy) * down;
    return (ends.x + (ends.y - ends.x) * (share * share * (3.0 - 2.0 * share))) / 2147483648.0;
}
