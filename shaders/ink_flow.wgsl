// The opacity of ink, appended to the pass that resolves it. It binds `effects`, `rows` and `wear`.
//
// opacity = FAINTEST + (1 - FAINTEST) exp(-k w) (1 + k r g), k = FADE intensity: w is how worn the ink is there, 0 to
// 1. It follows the pen along the writing (`wear`) and varies from stroke to stroke; g in [-1, 1] is the paper's grain,
//    which shows the more the drier the pen is (r), and never makes ink more than opaque. Lengths are page px, so that
//    600 DPI and a preview are the same page. All but the grain is smooth: it is looked up at the edges and in the
//    middle of the page's tiles and linear between them, and nothing depends on where strips or bands begin.

// The factor of the area of a covered pixel with full ink.
const OPAQUE: f32 = 255.0 / f32(WHOLE);
const FAINTEST: f32 = 0.15;
const FADE: f32 = 0.6;
// Page px from one sample of wear to the next.
const SAMPLE_STEP: f32 = 8.0;
const FOUR: vec4<f32> = vec4<f32>(0.0, 1.0, 2.0, 3.0);
const STROKE_VARIATION: f32 = 0.1;
const GRAIN_VARIATION: vec2<f32> = vec2<f32>(0.08, 0.3);

// The values that all positions of a row of pixels share.
struct InkLine {
    // First sample of the line of writing it belongs to, and by how much it belongs to the next already.
    first: u32,
    share: f32,
    // Row of cells of the variation from stroke to stroke, and how far down in it.
    cell_row: u32,
    down: f32,
}

// The row at a height in device px.
fn ink_line(device_y: f32) -> InkLine {
    let y = device_y * effects.px_a_device_px;
    let row = rows[u32(y)];
    let cells = y * effects.stroke_cells_a_px;
    return InkLine(
        row.line * effects.ink_samples,
        smoothstep(0.0, 1.0, (y - row.blend_start) * row.blend_rate),
        u32(cells),
        smoothstep(0.0, 1.0, fract(cells)),
    );
}

// Wear of the pen's ink at a place of a row in device px: that of its line, blended into the next line's.
fn pen_wear(row: InkLine, device_x: f32) -> f32 {
    let x = device_x * effects.px_a_device_px / SAMPLE_STEP;
    let cell = wear[row.first + u32(x)];
    let ends = mix(unpack2x16unorm(cell.x), unpack2x16unorm(cell.y), row.share);
    return mix(ends.x, ends.y, fract(x));
}

// Opacity of the ink without grain, and by how much the grain changes it, at a place of a row in device px where the
// pen's ink is as worn as this.
fn ink_at(row: InkLine, device_x: f32, pen: f32) -> vec2<f32> {
    let k = FADE * effects.ink_intensity;
    let worn = clamp(pen + STROKE_VARIATION * stroke_noise(row, device_x * effects.px_a_device_px), 0.0, 1.0);
    let left = (1.0 - FAINTEST) * exp(-k * worn);
    let varied = left * k * effects.grain * (GRAIN_VARIATION.x + GRAIN_VARIATION.y * worn);
    // Never more than the whole of the ink.
    return OPAQUE * vec2<f32>(FAINTEST + left, min(varied, 1.0 - FAINTEST - left) / FULL_GRAIN);
}

// Opacity of four pixels side by side between the inks at both ends of their half of a tile; the leftmost is `pixel`.
fn opacity(start: vec2<f32>, stop: vec2<f32>, pixel: vec2<u32>) -> vec4<f32> {
    let half = u32(TILE) / 2u;
    let along = (FOUR + f32(pixel.x % half) + 0.5) / f32(half);
    let change = stop - start;
    return start.xxxx + change.xxxx * along + (start.yyyy + change.yyyy * along) * grain(pixel);
}

// Grain of 1 as a signed integer.
const FULL_GRAIN: f32 = 2147483648.0;

// The grain of the paper at four pixels side by side, of FULL_GRAIN: one number each page px, or each pixel where these
// are coarser.
fn grain(pixel: vec2<u32>) -> vec4<f32> {
    let finer = u32(effects.px_a_device_px < 0.75);
    let place = (pixel.x >> (2u + finer)) + ((pixel.y >> finer) << 16u);
    let bits = mixed(vec4<u32>(place + (effects.ink_seed + 1u) * GOLDEN)).x;
    // Four numbers, each a byte with what follows it; of finer pixels two take one, and four the upper or the lower
    // two.
    let shifts = vec4<u32>(24u, 16u + 8u * finer, 8u + 8u * finer, 16u * finer) - ((pixel.x & (4u * finer)) << 2u);
    return vec4<f32>(bitcast<vec4<i32>>(vec4<u32>(bits) << shifts));
}

// Value noise in [-1, 1]: uniform at the corners of cells, smooth between them.
fn stroke_noise(row: InkLine, x: f32) -> f32 {
    let cells = x * effects.stroke_cells_a_px;
    let columns = vec4<u32>(u32(cells)) + vec4<u32>(0u, 1u, 0u, 1u);
    let rows = vec4<u32>(row.cell_row) + vec4<u32>(0u, 0u, 1u, 1u);
    let bits = mixed(columns + (rows << vec4<u32>(16u)) + effects.ink_seed * GOLDEN);
    let corners = vec4<f32>(bitcast<vec4<i32>>(bits)) / 2147483648.0;
    let ends = mix(corners.xy, corners.zw, row.down);
    return mix(ends.x, ends.y, smoothstep(0.0, 1.0, fract(cells)));
}

// lowbias32 (Wellons, Prospecting for Hash Functions, 2018), and what keeps seeds apart.
const GOLDEN: u32 = 0x9e3779b9u;

fn mixed(numbers: vec4<u32>) -> vec4<u32> {
    var bits = (numbers ^ (numbers >> vec4<u32>(16u))) * 0x7feb352du;
    bits = (bits ^ (bits >> vec4<u32>(15u))) * 0x846ca68bu;
    return bits ^ (bits >> vec4<u32>(16u));
}
