// Displaces drawn ink by an elastic field that is too grainy for outlines to follow (sigma 0 and 1).
//
// One lane a line of a strip of the finished page: coverage(p) = drawn(p - displacement(p)), bilinear between pixels
// (Simard, Steinkraus, Platt 2003, section 2). What no strip holds is paper.
//
// Reads: effects, strips (of the finished page), field, tiles, drawn. Writes: coverage.

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read> field: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> tiles: array<TilePlace>;
@group(0) @binding(5) var<storage, read> drawn: array<u32>;
@group(0) @binding(6) var<storage, read_write> coverage: array<u32>;

@compute @workgroup_size(LANES)
fn warp(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = (group.y * MAX_GROUPS + group.x) * LANES + lane;
    let index = band.first_strip + line / u32(TILE);
    if (index >= band.end_strip) {
        return;
    }
    let strip = strips[index];
    let start = strip.address - band.first_pixel + line % u32(TILE) * strip.width;
    let y = f32(strip.tile_row * u32(TILE) + line % u32(TILE)) + 0.5;
    for (var x = 0u; x < strip.width; x += 4u) {
        var word = 0u;
        for (var i = 0u; i < 4u; i++) {
            let at = vec2<f32>(f32(strip.x + x + i) + 0.5, y);
            word |= drawn_at(at - displacement(at)) << (8u * i);
        }
        coverage[(start + x) / 4u] = word;
    }
}

// The drawn coverage at a point in device px, bilinear between the centres of pixels, rounded.
fn drawn_at(point: vec2<f32>) -> u32 {
    let centre = point - 0.5;
    let corner = vec2<i32>(floor(centre));
    let weight = fract(centre);
    let above = mix(pixel(corner), pixel(corner + vec2<i32>(1, 0)), weight.x);
    let below = mix(pixel(corner + vec2<i32>(0, 1)), pixel(corner + vec2<i32>(1, 1)), weight.x);
    return u32(mix(above, below, weight.y) + 0.5);
}

fn pixel(at: vec2<i32>) -> f32 {
    let size = vec2<i32>(effects.page_size);
    if (any(at < vec2<i32>(0)) || any(at >= size)) {
        return 0.0;
    }
    let columns = (size.x + TILE - 1) / TILE;
    let tile = tiles[at.y / TILE * columns + at.x / TILE];
    if (tile.stride == 0u) {
        return 0.0;
    }
    let address = tile.address + u32(at.y % TILE) * tile.stride + u32(at.x % TILE);
    return f32(drawn[address / 4u] >> (8u * (address % 4u)) & 255u);
}
