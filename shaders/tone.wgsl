// The darkness of a pen's ink, appended to the pass that resolves it: `Tone` in src/pen/tone.rs, which has the formula.
//
// The smooth field, the opacity there and how much grain changes it are computed every eight pixels and are linear between
// them. Lengths are page px.

// What the positions in a row of pixels share: rows of knots of both octaves, and the smooth shares of the rows below.
struct ToneLine {
    rows: vec2<u32>,
    down: vec2<f32>,
}

// The row at a height in device px.
fn tone_line(device_y: f32) -> ToneLine {
    let y = device_y * effects.px_per_device_px * effects.tone_knots.xy;
    return ToneLine(noise_rows(floor(y), effects.tone_seed), smoothstep(vec2<f32>(0.0), vec2<f32>(1.0), fract(y)));
}

// Opacity of the ink without grain, and how much a grain of FULL_GRAIN adds, both times `whole`, at a position of a row
// in device px.
fn tone_at(row: ToneLine, device_x: f32, whole: f32) -> vec2<f32> {
    let x = device_x * effects.px_per_device_px * effects.tone_knots.xy;
    let octaves =
        vec2<f32>(value_noise(x.x, row.rows.x, row.down.x), value_noise(x.y, row.rows.y, row.down.y));
    let z = clamp(field_of(octaves) * effects.tone_limits.x, -effects.tone_limits.z, effects.tone_limits.z);
    let c = effects.tone;
    let opacity = clamp(c.x + z * (c.y + z * (c.z + z * c.w)), 0.0, 1.0);
    let slope = c.y + z * (2.0 * c.z + z * (3.0 * c.w));
    return whole * vec2<f32>(opacity, clamp(slope * effects.tone_limits.y, 0.0, opacity));
}

// Opacity of four consecutive pixels between two values of `tone_at`; the leftmost is `pixel`, the number `first` of
// eight.
fn tone(start: vec2<f32>, stop: vec2<f32>, first: f32, pixel: vec2<u32>, whole: f32) -> vec4<f32> {
    let along = (FOUR + (first + 0.5)) / 8.0;
    let change = stop - start;
    let grains = soft_grain(pixel) / FULL_GRAIN;
    let opacity = start.xxxx + change.xxxx * along + (start.yyyy + change.yyyy * along) * grains;
    return min(opacity, vec4<f32>(whole));
}

// The grain of the paper at four consecutive pixels, as soft as a scanner shows it: means over two rows and two columns
// of numbers as in `grain`. The last column of a word has the first beside it.
fn soft_grain(pixel: vec2<u32>) -> vec4<f32> {
    let place = grain_place(pixel) + (effects.tone_seed + 1u) * GOLDEN;
    let rows = mixed(vec4<u32>(place, place + 0x10000u, place, place)).xy;
    let row = mean_of_bytes(rows.x, rows.y);
    let numbers = mean_of_bytes(row, (row >> 8u) | (row << 24u));
    return four_numbers(numbers ^ 0x80808080u, pixel);
}

// The means of the four bytes of two words.
fn mean_of_bytes(one: u32, other: u32) -> u32 {
    return (one & other) + (((one ^ other) >> 1u) & 0x7f7f7f7fu);
}
