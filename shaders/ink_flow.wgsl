// The opacity of ink, appended to the pass that resolves it. It binds `effects`, `rows` and `wear`.
//
// opacity = FAINTEST + (1 - FAINTEST) exp(-FADE intensity w): w is how worn the ink is there, 0 to 1. Along the writing
// w follows the pen (`wear`); it varies from stroke to stroke, and the drier the pen, the more shows the paper's grain.
// Lengths are page px, so that 600 DPI and a preview are the same page; nothing depends on strips, tiles or bands.

const FAINTEST: f32 = 0.15;
const FADE: f32 = 0.6;
// Page px from one sample of wear to the next.
const SAMPLE_STEP: f32 = 8.0;
const STROKE_VARIATION: f32 = 0.24;
const GRAIN_VARIATION: vec2<f32> = vec2<f32>(0.12, 0.5);
const GRAIN_CELLS_A_PX: f32 = 0.45;

// Opacity of four pixels side by side; `first` is the centre of the leftmost in device px.
fn opacity(first: vec2<f32>) -> vec4<f32> {
    let y = first.y * effects.px_a_device_px;
    let x = (vec4<f32>(0.0, 1.0, 2.0, 3.0) + first.x) * effects.px_a_device_px;
    let steps = vec4<f32>(0.0, 1.0, 2.0, 3.0) / 3.0;
    let pen = mix(vec4<f32>(wear_at(vec2<f32>(x.x, y))), vec4<f32>(wear_at(vec2<f32>(x.w, y))), steps);
    let stroke = noise(x, y, effects.stroke_cells_a_px, effects.ink_seed);
    let grain = noise(x, y, GRAIN_CELLS_A_PX, effects.ink_seed + 1u);
    let roughness = effects.grain * (GRAIN_VARIATION.x + GRAIN_VARIATION.y * pen);
    let worn = clamp(pen + STROKE_VARIATION * stroke + roughness * grain, vec4<f32>(0.0), vec4<f32>(1.0));
    return FAINTEST + (1.0 - FAINTEST) * exp(-FADE * effects.ink_intensity * worn);
}

// Wear of the pen's ink at a place of the page: that of the line the place belongs to, blended into the next line's.
fn wear_at(at: vec2<f32>) -> f32 {
    let row = rows[u32(at.y)];
    let place = at.x / SAMPLE_STEP;
    let here = row.line * effects.ink_samples + u32(place);
    let upper = mix(wear[here], wear[here + 1u], fract(place));
    let share = (at.y - row.blend_start) * row.blend_rate;
    if (share <= 0.0) {
        return upper;
    }
    let lower = mix(wear[here + effects.ink_samples], wear[here + effects.ink_samples + 1u], fract(place));
    return mix(upper, lower, smoothstep(0.0, 1.0, share));
}

// Value noise in [-1, 1] at four places of a row: uniform at the corners of cells, smooth between them.
fn noise(x: vec4<f32>, y: f32, cells_a_px: f32, seed: u32) -> vec4<f32> {
    let u = x * cells_a_px;
    let v = y * cells_a_px;
    let column = vec4<u32>(floor(u));
    let row = vec4<u32>(u32(floor(v)));
    let across = smoothstep(vec4<f32>(0.0), vec4<f32>(1.0), fract(u));
    let down = smoothstep(0.0, 1.0, fract(v));
    let above = mix(lattice(column, row, seed), lattice(column + 1u, row, seed), across);
    let below = mix(lattice(column, row + 1u, seed), lattice(column + 1u, row + 1u, seed), across);
    return mix(above, below, down);
}

// Uniform numbers in [-1, 1) by cell and seed. The mixer is lowbias32 (Wellons, Prospecting for Hash Functions, 2018).
fn lattice(column: vec4<u32>, row: vec4<u32>, seed: u32) -> vec4<f32> {
    var bits = column + (row << vec4<u32>(16u)) + seed * 0x9e3779b9u;
    bits = (bits ^ (bits >> vec4<u32>(16u))) * 0x7feb352du;
    bits = (bits ^ (bits >> vec4<u32>(15u))) * 0x846ca68bu;
    bits = bits ^ (bits >> vec4<u32>(16u));
    return vec4<f32>(bitcast<vec4<i32>>(bits)) / 2147483648.0;
}
