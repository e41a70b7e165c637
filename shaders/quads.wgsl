// Spreads rows of drawn ink out for `warp`: for every pixel of the page its coverage and that of its neighbours to the
// right, below and right below, in the bytes of one word from the lowest. A look-up between pixels then takes one load.
//
// One lane a line of a drawn strip. Around the ink a strip ends in a blank pixel, so that what no strip holds is paper.
//
// Reads: effects, strips (that are drawn), tiles, drawn. Writes: spread, for the rows from `first_quad_row` on.

// In place of a tile's address: no strip holds it.
const PAPER: u32 = 0xffffffffu;

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
// Address of the first pixel of each of the page's tiles, counted over all strips, and a row of paper below them.
@group(0) @binding(3) var<storage, read> tiles: array<u32>;
@group(0) @binding(4) var<storage, read> drawn: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read_write> spread: array<vec4<u32>>;

@compute @workgroup_size(LANES)
fn quads(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let count = strip.width >> TILE_BITS;
    let columns = tile_columns(effects.page_size.x);
    let first = (strip.address + line.of_tile * strip.width) >> TILE_BITS;
    let tile_below = (strip.tile_row + 1u) * columns + (strip.x >> TILE_BITS);
    let is_last = line.of_tile == u32(TILE - 1);
    var output = first_quads(strip, line.of_tile, band.first_quad_row, columns);
    var here = drawn[first];
    var below = line_below(is_last, first + count, tile_below);
    var tile = 0u;
    loop {
        tile += 1u;
        var right = vec4<u32>(0u);
        var right_below = vec4<u32>(0u);
        if (tile < count) {
            right = drawn[first + tile];
            right_below = line_below(is_last, first + count + tile, tile_below + tile);
        }
        spread[output] = stored(quads_of(here.x, here.y, below.x, below.y), tile <= count);
        spread[output + 1u] = stored(quads_of(here.y, here.z, below.y, below.z), tile <= count);
        spread[output + 2u] = stored(quads_of(here.z, here.w, below.z, below.w), tile <= count);
        spread[output + 3u] = stored(quads_of(here.w, right.x, below.w, right_below.x), tile <= count);
        output += 4u;
        here = right;
        below = right_below;
        continuing {
            break if tile >= count;
        }
    }
}

// A tile's next line: in the same strip, or below the tile's last line the first of the tile below.
fn line_below(is_last: bool, in_strip: u32, tile_below: u32) -> vec4<u32> {
    var address = in_strip;
    if (is_last) {
        address = tiles[tile_below];
        if (address == PAPER) {
            return vec4<u32>(0u);
        }
        address >>= TILE_BITS;
    }
    return drawn[address];
}

// The quads of four pixels, given them and the four to their right, and both below.
fn quads_of(here: u32, right: u32, below: u32, right_below: u32) -> vec4<u32> {
    return pairs(here, right) | (pairs(below, right_below) << vec4<u32>(16u));
}

fn pairs(here: u32, right: u32) -> vec4<u32> {
    let shifted = vec4<u32>(here, here >> 8u, here >> 16u, (here >> 24u) | (right << 8u));
    return shifted & vec4<u32>(0xffffu);
}
