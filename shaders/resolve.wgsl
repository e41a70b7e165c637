// Turns accumulated area and cover into 8-bit coverage.
//
// One lane per line of a strip. coverage(x) = covers left of x + area in x, clamped to 0..1: the prefix sum that
// completes the sums of lines.wgsl (HALVES: as there). Where a steep field folds the paper, ink that lies face down
// counts below zero and does not show. INK_FLOW, TONE: the coverage is multiplied by the opacity of the ink, as it fades
// and as the pen leaves it. It is rounded to 0..255 and packed four pixels per word, the leftmost in the lowest byte.
// GRAIN: the output is not strips but the page, for `warp` to read; pixels outside the strips are blank.
//
// Reads: strips, accumulator; effects where GRAIN, INK_FLOW or TONE; rows and losses where INK_FLOW. Writes: coverage.

override LANES: u32;
override HALVES: bool;
override INK_FLOW: bool;
override GRAIN: bool;
override TONE: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> strips: array<Strip>;
@group(0) @binding(2) var<storage, read> accumulator: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read_write> coverage: array<vec4<u32>>;
@group(0) @binding(4) var<uniform> effects: Effects;
@group(0) @binding(5) var<storage, read> rows: array<InkRow>;
@group(0) @binding(6) var<storage, read> losses: array<vec2<u32>>;

@compute @workgroup_size(LANES)
fn resolve(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = strip.address - band.first_pixel + line.of_tile * strip.width;
    let tiles = strip.width >> TILE_BITS;
    var output = (band.first_coverage + first) >> TILE_BITS;
    if (GRAIN) {
        output = first_in_raster(strip, line.of_tile, effects.raster_corner, effects.raster_size.x);
    }
    let y = strip.tile_row * u32(TILE) + line.of_tile;
    // Loss of the pen at the right edge of a tile, and the ink at its edges and in its middle.
    var row: InkLine;
    var loss = 0.0;
    var left = vec2<f32>(0.0);
    var middle = vec2<f32>(0.0);
    var right = vec2<f32>(0.0);
    if (INK_FLOW) {
        row = ink_line(f32(y) + 0.5);
        loss = pen_loss(row, f32(strip.x));
        right = ink_at(row, f32(strip.x), loss);
    }
    // The pen's tone at the same places.
    var tone_row: ToneLine;
    var tone_left = vec2<f32>(0.0);
    var tone_middle = vec2<f32>(0.0);
    var tone_right = vec2<f32>(0.0);
    if (TONE) {
        tone_row = tone_line(f32(y) + 0.5);
        tone_right = tone_at(tone_row, f32(strip.x), full_tone());
    }
    var sum = 0;
    var tile = 0u;
    loop {
        let x = strip.x + (tile << TILE_BITS);
        if (INK_FLOW) {
            let before = loss;
            loss = pen_loss(row, f32(x + u32(TILE)));
            left = right;
            middle = ink_at(row, f32(x + u32(TILE) / 2u), 0.5 * (before + loss));
            right = ink_at(row, f32(x + u32(TILE)), loss);
        }
        if (TONE) {
            tone_left = tone_right;
            tone_middle = tone_at(tone_row, f32(x + u32(TILE) / 2u), full_tone());
            tone_right = tone_at(tone_row, f32(x + u32(TILE)), full_tone());
        }
        let four = first / 4u + tile * 4u;
        let a = areas(accumulator[four], sum);
        let b = areas(accumulator[four + 1u], a.sum);
        let c = areas(accumulator[four + 2u], b.sum);
        let d = areas(accumulator[four + 3u], c.sum);
        sum = d.sum;
        let words = vec4<u32>(
            ink(a.inside, left, middle, tone_left, tone_middle, 0.0, vec2<u32>(x, y)),
            ink(b.inside, left, middle, tone_left, tone_middle, 4.0, vec2<u32>(x + 4u, y)),
            ink(c.inside, middle, right, tone_middle, tone_right, 0.0, vec2<u32>(x + 8u, y)),
            ink(d.inside, middle, right, tone_middle, tone_right, 4.0, vec2<u32>(x + 12u, y)),
        );
        // A line of a tile at once: software devices store four words in little more time than one.
        coverage[output + tile] = stored(words, tile < tiles);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}

// The tone of solid ink. If ink flows, its opacity has the factor from areas to bytes.
fn full_tone() -> f32 {
    return select(OPAQUE, 1.0, INK_FLOW);
}

// The areas of four consecutive pixels, and the sum of covers up to the last.
struct Areas {
    inside: vec4<i32>,
    sum: i32,
}

// Completes the prefix sum over four words that follow words whose covers add up to `sum`.
fn areas(words: vec4<i32>, sum: i32) -> Areas {
    if (HALVES) {
        let inside = (words << vec4<u32>(HALF_BITS)) >> vec4<u32>(HALF_BITS);
        let cover = (words - inside) >> vec4<u32>(HALF_BITS);
        let second = sum + cover.x;
        let third = second + cover.y;
        let fourth = third + cover.z;
        return Areas(vec4<i32>(sum, second, third, fourth) + inside, fourth + cover.w);
    }
    let first = sum + words.x;
    let second = first + words.y;
    let third = second + words.z;
    let fourth = third + words.w;
    return Areas(vec4<i32>(first, second, third, fourth), fourth);
}

// Coverage of four pixels, packed: their areas times the opacity, interpolated between the inks and tones at both ends of
// their half of a tile. The leftmost is `pixel`, and the number `first` of the half.
fn ink(
    areas: vec4<i32>,
    start: vec2<f32>,
    stop: vec2<f32>,
    tone_start: vec2<f32>,
    tone_stop: vec2<f32>,
    first: f32,
    pixel: vec2<u32>,
) -> u32 {
    let covered = clamp(areas, vec4<i32>(0), vec4<i32>(WHOLE));
    var bytes: vec4<u32>;
    if (INK_FLOW || TONE) {
        var opaque = vec4<f32>(1.0);
        if (TONE) {
            opaque = tone(tone_start, tone_stop, first, pixel, full_tone());
        }
        if (INK_FLOW) {
            opaque *= opacity(start, stop, pixel);
        }
        // The compiler sees that the packed values are bytes.
        bytes = rounded(vec4<f32>(covered) * opaque) & vec4<u32>(255u);
    } else {
        bytes = vec4<u32>(covered * 255 + WHOLE / 2) >> vec4<u32>(FRACTION_BITS);
    }
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}
