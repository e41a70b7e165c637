// The opacity of ink, appended to the pass that resolves it. It binds `effects`, `rows` and `wear`.
//
// opacity = FAINTEST + (1 - FAINTEST) exp(-FADE intensity w): w is how worn the ink is there, 0 to 1. Along the writing
// w follows the pen (`wear`); it varies from stroke to stroke, and the drier the pen, the more shows the paper's grain.
// Lengths are page px, so that 600 DPI and a preview are the same page. `wear` is looked up at the edges of the page's
// tiles and linear between them; nothing depends on where strips or bands begin.

const FAINTEST: f32 = 0.15;
const FADE: f32 = 0.6;
// Page px from one sample of wear to the next.
const SAMPLE_STEP: f32 = 8.0;
const FOUR: vec4<f32> = vec4<f32>(0.0, 1.0, 2.0, 3.0);
const STROKE_VARIATION: f32 = 0.24;
const GRAIN_VARIATION: vec2<f32> = vec2<f32>(0.08, 0.3);

// Opacity of four pixels side by side; `first` is the centre of the leftmost in device px, `pen` the wear of the pen's
// ink at each.
fn opacity(first: vec2<f32>, pen: vec4<f32>) -> vec4<f32> {
    let y = first.y * effects.px_a_device_px;
    let x = (FOUR + first.x) * effects.px_a_device_px;
    let stroke = STROKE_VARIATION * noise(x.xw, y, effects.stroke_cells_a_px, effects.ink_seed);
    let wear = pen + mix(stroke.xxxx, stroke.yyyy, FOUR / 3.0);
    // The grain of the paper: one number each page px.
    let grain = uniform4(vec4<u32>(x), vec4<u32>(u32(y)), effects.ink_seed + 1u);
    let roughness = effects.grain * (GRAIN_VARIATION.x + GRAIN_VARIATION.y * wear);
    let worn = clamp(wear + roughness * grain, vec4<f32>(0.0), vec4<f32>(1.0));
    return FAINTEST + (1.0 - FAINTEST) * exp(-FADE * effects.ink_intensity * worn);
}

// Where a row of pixels finds the wear of its pen: first sample of the line of writing it belongs to, and by how much it
// belongs to the next already.
struct PenRow {
    first: u32,
    share: f32,
}

// The row at a height in device px.
fn pen_row(device_y: f32) -> PenRow {
    let y = device_y * effects.px_a_device_px;
    let row = rows[u32(y)];
    return PenRow(row.line * effects.ink_samples, smoothstep(0.0, 1.0, (y - row.blend_start) * row.blend_rate));
}

// Wear of the pen's ink at a place of a row in device px: that of its line, blended into the next line's.
fn wear_at(row: PenRow, device_x: f32) -> f32 {
    let x = device_x * effects.px_a_device_px / SAMPLE_STEP;
    let here = row.first + u32(x);
    // The last line has none below it, and a share of 0.
    let below = here + select(0u, effects.ink_samples, row.share > 0.0);
    return mix(mix(wear[here], wear[here + 1u], fract(x)), mix(wear[below], wear[below + 1u], fract(x)), row.share);
}

// Value noise in [-1, 1] at two places of a row: uniform at the corners of cells, smooth between them.
fn noise(x: vec2<f32>, y: f32, cells_a_px: f32, seed: u32) -> vec2<f32> {
    let column = floor(x * cells_a_px);
    let row = floor(y * cells_a_px);
    let across = smoothstep(vec2<f32>(0.0), vec2<f32>(1.0), x * cells_a_px - column);
    let down = smoothstep(0.0, 1.0, y * cells_a_px - row);
    let columns = vec4<u32>(vec4<f32>(column, column + 1.0));
    let above = uniform4(columns, vec4<u32>(u32(row)), seed);
    let below = uniform4(columns, vec4<u32>(u32(row) + 1u), seed);
    return mix(mix(above.xy, above.zw, across), mix(below.xy, below.zw, across), down);
}

// Uniform numbers in [-1, 1) by column, row and seed. The mixer is lowbias32 (Wellons, Prospecting for Hash Functions,
// 2018).
fn uniform4(column: vec4<u32>, row: vec4<u32>, seed: u32) -> vec4<f32> {
    var bits = column + (row << vec4<u32>(16u)) + seed * 0x9e3779b9u;
    bits = (bits ^ (bits >> vec4<u32>(16u))) * 0x7feb352du;
    bits = (bits ^ (bits >> vec4<u32>(15u))) * 0x846ca68bu;
    bits = bits ^ (bits >> vec4<u32>(16u));
    return vec4<f32>(bitcast<vec4<i32>>(bits)) / 2147483648.0;
}
