// Turns accumulated area and cover into 8-bit coverage.
//
// One lane a line of a strip: coverage(x) = min(|covers left of x + area in x|, 1), the prefix sum that ends what
// `accumulate` began (HALVES: as there), where INK_FLOW times the ink's opacity, rounded to 0..255 and packed four pixels a word, the
// leftmost in the lowest byte.
//
// Reads: strips, accumulator; effects, rows and wear where INK_FLOW. Writes: coverage.

override LANES: u32;
override HALVES: bool;
override INK_FLOW: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> strips: array<Strip>;
@group(0) @binding(2) var<storage, read> accumulator: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read_write> coverage: array<u32>;
@group(0) @binding(4) var<uniform> effects: Effects;
@group(0) @binding(5) var<storage, read> rows: array<InkRow>;
@group(0) @binding(6) var<storage, read> wear: array<vec2<u32>>;

@compute @workgroup_size(LANES)
fn resolve(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = (group.y * MAX_GROUPS + group.x) * LANES + lane;
    let index = band.first_strip + (line >> TILE_BITS);
    if (index >= band.end_strip) {
        return;
    }
    let strip = strips[index];
    let line_of_tile = line & u32(TILE - 1);
    var four = (strip.address - band.first_pixel + line_of_tile * strip.width) / 4u;
    let end = four + strip.width / 4u;
    let output = band.first_coverage / 4u;
    var x = strip.x;
    let y = strip.tile_row * u32(TILE) + line_of_tile;
    // Wear of the pen at the right edge of a tile, and the ink at its edges and in its middle.
    var row: InkLine;
    var worn = 0.0;
    var left = vec2<f32>(0.0);
    var middle = vec2<f32>(0.0);
    var right = vec2<f32>(0.0);
    if (INK_FLOW) {
        row = ink_line(f32(y) + 0.5);
        worn = pen_wear(row, f32(x));
        right = ink_at(row, f32(x), worn);
    }
    var sum = 0;
    loop {
        if (INK_FLOW) {
            let before = worn;
            worn = pen_wear(row, f32(x + u32(TILE)));
            left = right;
            middle = ink_at(row, f32(x + u32(TILE) / 2u), 0.5 * (before + worn));
            right = ink_at(row, f32(x + u32(TILE)), worn);
        }
        var along = 0u;
        loop {
            let change = accumulator[four];
            var areas = vec4<i32>(0);
            if (HALVES) {
                let inside = (change << vec4<u32>(HALF_BITS)) >> vec4<u32>(HALF_BITS);
                let cover = (change - inside) >> vec4<u32>(HALF_BITS);
                let second = sum + cover.x;
                let third = second + cover.y;
                let fourth = third + cover.z;
                areas = vec4<i32>(sum, second, third, fourth) + inside;
                sum = fourth + cover.w;
            } else {
                let first = sum + change.x;
                let second = first + change.y;
                let third = second + change.z;
                sum = third + change.w;
                areas = vec4<i32>(first, second, third, sum);
            }
            var ink = vec4<u32>(min(abs(areas), vec4<i32>(WHOLE))) * 255u;
            if (INK_FLOW) {
                let in_left_half = along < u32(TILE) / 2u;
                let start = select(middle, left, in_left_half);
                let stop = select(right, middle, in_left_half);
                ink = vec4<u32>(vec4<f32>(ink) * opacity(start, stop, vec2<u32>(x + along, y)));
            }
            coverage[output + four] = pack(ink);
            four += 1u;
            along += 4u;
            continuing {
                break if along >= u32(TILE);
            }
        }
        x += u32(TILE);
        continuing {
            break if four >= end;
        }
    }
}

fn pack(ink: vec4<u32>) -> u32 {
    let bytes = (ink + u32(WHOLE) / 2u) >> vec4<u32>(u32(FRACTION_BITS));
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
