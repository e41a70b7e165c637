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

// What the corners of value noise are made of: an odd number for each axis, and one that mixes their sum.
const COLUMN_STEP: u32 = 0x9e3779b1u;
const ROW_STEP: u32 = 0x85ebca77u;
const MIXER: u32 = 0x2c1b3c6du;

// The rows above and below a place of value noise.
fn noise_rows(row: vec2<f32>, seed: u32) -> vec2<u32> {
    return bitcast<vec2<u32>>(vec2<i32>(row)) * ROW_STEP + vec2<u32>(seed, seed + 1u) * GOLDEN;
}

// Value noise, scaled by 2^31: uniform at whole places, smooth between them. `row` is one of `noise_rows`, and `down` the
// smooth share of the row below.
fn value_noise(x: f32, row: u32, down: f32) -> f32 {
    let first = floor(x);
    let share = x - first;
    let columns = vec2<u32>(u32(i32(first)) * COLUMN_STEP) + vec2<u32>(0u, COLUMN_STEP);
    let numbers = columns.xyxy ^ vec4<u32>(row, row, row + ROW_STEP, row + ROW_STEP);
    let corners = vec4<f32>(bitcast<vec4<i32>>((numbers ^ (numbers >> vec4<u32>(15u))) * MIXER));
    let ends = corners.xy + (corners.zw - corners.xy) * down;
    return ends.x + (ends.y - ends.x) * (share * share * (3.0 - 2.0 * share));
}

// A field of the pen, from its octaves: about a standard deviation of 1.
fn field_of(octaves: vec2<f32>) -> f32 {
    return dot(octaves, OCTAVES / 2147483648.0);
}
