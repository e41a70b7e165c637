// The darkness of a pen's ink, appended to the pass that resolves it: `Tone` in src/pen/tone.rs, which has the formula.
//
// The smooth field is computed every four pixels and is linear between them; grain is added per pixel. Lengths are page
// px.

// What the positions in a row of pixels share: rows of knots of both octaves, and the smooth shares of the rows below.
struct ToneLine {
    rows: vec2<u32>,
    down: vec2<f32>,
}

// The row at a height in device px.
fn tone_line(device_y: f32) -> ToneLine {
    let y = device_y * effects.px_per_device_px * effects.tone_knots.xy;
    return ToneLine(vec2<u32>(y), smoothstep(vec2<f32>(0.0), vec2<f32>(1.0), fract(y)));
}

// The smooth part of the polynomial's variable at a position of a row in device px.
fn tone_at(row: ToneLine, device_x: f32) -> f32 {
    let x = device_x * effects.px_per_device_px * effects.tone_knots.xy;
    let seeds = vec2<u32>(effects.tone_seed, effects.tone_seed + 1u) * GOLDEN;
    let octaves = vec2<f32>(
        value_noise(x.x, row.rows.x, row.down.x, seeds.x),
        value_noise(x.y, row.rows.y, row.down.y, seeds.y),
    );
    return dot(OCTAVES, octaves) * effects.tone_limits.x;
}

// Opacity of four consecutive pixels between two values of the smooth part; the leftmost is `pixel`.
fn tone(start: f32, stop: f32, pixel: vec2<u32>) -> vec4<f32> {
    let smooth_part = vec4<f32>(start) + (stop - start) * (FOUR + 0.5) / 4.0;
    let varied = smooth_part + grain(pixel, effects.tone_seed) * (effects.tone_limits.y / FULL_GRAIN);
    let z = clamp(varied, vec4<f32>(-effects.tone_limits.z), vec4<f32>(effects.tone_limits.z));
    let c = effects.tone;
    return clamp(c.x + z * (c.y + z * (c.z + z * c.w)), vec4<f32>(0.0), vec4<f32>(1.0));
}
