// Turns accumulated area and cover into 8-bit coverage.
//
// One lane a line of a strip: coverage(x) = min(|sum of accumulator(0..=x)|, 1), the prefix sum that ends what
// `accumulate` began, where INK_FLOW times the ink's opacity, rounded to 0..255 and packed four pixels a word, the
// leftmost in the lowest byte.
//
// Reads: strips, accumulator; effects, rows and wear where INK_FLOW. Writes: coverage.

override LANES: u32;
override INK_FLOW: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> strips: array<Strip>;
@group(0) @binding(2) var<storage, read> accumulator: array<i32>;
@group(0) @binding(3) var<storage, read_write> coverage: array<u32>;
@group(0) @binding(4) var<uniform> effects: Effects;
@group(0) @binding(5) var<storage, read> rows: array<InkRow>;
@group(0) @binding(6) var<storage, read> wear: array<f32>;

@compute @workgroup_size(LANES)
fn resolve(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = (group.y * MAX_GROUPS + group.x) * LANES + lane;
    let index = band.first_strip + line / u32(TILE);
    if (index >= band.end_strip) {
        return;
    }
    let strip = strips[index];
    let start = strip.address - band.first_pixel + line % u32(TILE) * strip.width;
    let y = f32(strip.tile_row * u32(TILE) + line % u32(TILE)) + 0.5;
    // Wear of the pen's ink at the left and the right edge of a tile; it is linear between them.
    var pen = vec2<f32>(0.0);
    if (INK_FLOW) {
        pen.y = wear_at(vec2<f32>(f32(strip.x), y));
    }
    var sum = 0;
    for (var x = 0u; x < strip.width; x += 4u) {
        let pixel = start + x;
        let first = sum + accumulator[pixel];
        let second = first + accumulator[pixel + 1u];
        let third = second + accumulator[pixel + 2u];
        sum = third + accumulator[pixel + 3u];
        let areas = min(abs(vec4<i32>(first, second, third, sum)), vec4<i32>(WHOLE));
        var ink = vec4<u32>(areas) * 255u;
        if (INK_FLOW) {
            let along = x % u32(TILE);
            if (along == 0u) {
                pen = vec2<f32>(pen.y, wear_at(vec2<f32>(f32(strip.x + x + u32(TILE)), y)));
            }
            if (any(areas != vec4<i32>(0))) {
                let wear = mix(pen.xxxx, pen.yyyy, (f32(along) + 0.5 + FOUR) / f32(TILE));
                ink = vec4<u32>(vec4<f32>(ink) * opacity(vec2<f32>(f32(strip.x + x) + 0.5, y), wear));
            }
        }
        coverage[(band.first_coverage + pixel) / 4u] = pack(ink);
    }
}

fn pack(ink: vec4<u32>) -> u32 {
    let bytes = (ink + u32(WHOLE) / 2u) >> vec4<u32>(u32(FRACTION_BITS));
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
