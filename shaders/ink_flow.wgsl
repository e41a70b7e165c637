// The opacity of fading ink, appended to the pass that resolves it. It binds `effects`, `rows` and `losses`.
//
// opacity = FAINTEST + (1 - FAINTEST) exp(-k l) (1 + k r g), where k = LARGEST_LOSS intensity. l is the relative loss of
// ink, 0 to 1: it follows the pen along the writing (`losses`) and varies from stroke to stroke. g in [-1, 1] is the
// paper's grain, which shows more the drier the pen is (r), and never makes ink more than opaque. Lengths are in page
// px, so 600 DPI and a preview show the same page. All but the grain is smooth: it is computed at the edges and in the
// middle of the page's tiles and is linear between them. Nothing depends on where strips or bands begin.

// The factor of a covered pixel's area at full opacity.
const OPAQUE: f32 = 255.0 / f32(WHOLE);
const FAINTEST: f32 = 0.15;
const LARGEST_LOSS: f32 = 0.6;
// Page px between samples of losses.
const SAMPLE_STEP: f32 = 8.0;
const FOUR: vec4<f32> = vec4<f32>(0.0, 1.0, 2.0, 3.0);
const STROKE_VARIATION: f32 = 0.1;
const GRAIN_VARIATION: vec2<f32> = vec2<f32>(0.08, 0.3);

// What the positions in a row of pixels share.
struct InkLine {
    // First sample of the row's line of text, and the weight of the next line.
    first: u32,
    share: f32,
    // Row of cells of the variation from stroke to stroke, and the position in that row.
    cell_row: u32,
    down: f32,
}

// The row at a height in device px.
fn ink_line(device_y: f32) -> InkLine {
    let y = device_y * effects.px_per_device_px;
    let row = rows[u32(y)];
    let cells = y * effects.stroke_cells_per_px;
    return InkLine(
        row.line * effects.ink_samples,
        smoothstep(0.0, 1.0, (y - row.blend_start) * row.blend_rate),
        u32(cells),
        smoothstep(0.0, 1.0, fract(cells)),
    );
}

// Relative loss of ink at a position of a row in device px: that of its line, blended with that of the next line.
fn pen_loss(row: InkLine, device_x: f32) -> f32 {
    let x = device_x * effects.px_per_device_px / SAMPLE_STEP;
    let cell = losses[row.first + u32(x)];
    let ends = mix(unpack2x16unorm(cell.x), unpack2x16unorm(cell.y), row.share);
    return mix(ends.x, ends.y, fract(x));
}

// Opacity of the ink without grain, and how much grain changes it, at a position of a row in device px where the pen's
// ink has this loss.
fn ink_at(row: InkLine, device_x: f32, pen: f32) -> vec2<f32> {
    let k = LARGEST_LOSS * effects.ink_intensity;
    let loss = clamp(pen + STROKE_VARIATION * stroke_noise(row, device_x * effects.px_per_device_px), 0.0, 1.0);
    let left = (1.0 - FAINTEST) * exp(-k * loss);
    let varied = left * k * effects.grain * (GRAIN_VARIATION.x + GRAIN_VARIATION.y * loss);
    // Never more than fully opaque.
    return OPAQUE * vec2<f32>(FAINTEST + left, min(varied, 1.0 - FAINTEST - left) / FULL_GRAIN);
}

// Opacity of four consecutive pixels, between the inks at both ends of their half of a tile; the leftmost is `pixel`.
fn opacity(start: vec2<f32>, stop: vec2<f32>, pixel: vec2<u32>) -> vec4<f32> {
    let half = u32(TILE) / 2u;
    let along = (FOUR + f32(pixel.x % half) + 0.5) / f32(half);
    let change = stop - start;
    return start.xxxx + change.xxxx * along + (start.yyyy + change.yyyy * along) * grain(pixel, effects.ink_seed);
}

// A grain of 1 as a signed integer.
const FULL_GRAIN: f32 = 2147483648.0;

// The grain of the paper at four consecutive pixels, scaled by FULL_GRAIN: one number per page px, or per pixel if
// pixels are larger.
fn grain(pixel: vec2<u32>, seed: u32) -> vec4<f32> {
    return four_numbers(mixed(vec4<u32>(grain_place(pixel) + (seed + 1u) * GOLDEN)).x, pixel);
}

// 1 where pixels are finer than page px, else 0.
fn finer() -> u32 {
    return u32(effects.px_per_device_px < 0.75);
}

// The number of the word that has the grain of four pixels.
fn grain_place(pixel: vec2<u32>) -> u32 {
    return (pixel.x >> (2u + finer())) + ((pixel.y >> finer()) << 16u);
}

// The numbers of four pixels in a word, each a byte and the bits below it. At finer pixels, two pixels share one; four
// pixels take the upper or the lower two.
fn four_numbers(bits: u32, pixel: vec2<u32>) -> vec4<f32> {
    let fine = finer();
    let shifts = vec4<u32>(24u, 16u + 8u * fine, 8u + 8u * fine, 16u * fine) - ((pixel.x & (4u * fine)) << 2u);
    return vec4<f32>(bitcast<vec4<i32>>(vec4<u32>(bits) << shifts));
}

// Value noise in [-1, 1]: uniform at the corners of cells, smooth between them.
fn stroke_noise(row: InkLine, x: f32) -> f32 {
    let cells = x * effects.stroke_cells_per_px;
    let columns = vec4<u32>(u32(cells)) + vec4<u32>(0u, 1u, 0u, 1u);
    let rows = vec4<u32>(row.cell_row) + vec4<u32>(0u, 0u, 1u, 1u);
    let bits = mixed(columns + (rows << vec4<u32>(16u)) + effects.ink_seed * GOLDEN);
    let corners = vec4<f32>(bitcast<vec4<i32>>(bits)) / 2147483648.0;
    let ends = mix(corners.xy, corners.zw, row.down);
    return mix(ends.x, ends.y, smoothstep(0.0, 1.0, fract(cells)));
}
