// Blanks what `resolve` drew for `warp`. Only lines of strips have ink, so the work grows with the ink and not with the
// page.
//
// One lane per line of a strip.
//
// Reads: effects, strips. Writes: drawn.

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read_write> drawn: array<vec4<u32>>;

@compute @workgroup_size(LANES)
fn erase(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = first_in_raster(strip, line.of_tile, effects.raster_corner, effects.raster_size.x);
    let tiles = strip.width >> TILE_BITS;
    var tile = 0u;
    loop {
        drawn[first + tile] = vec4<u32>(0u);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}
