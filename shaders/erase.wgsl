// Blanks what `quads` has spread out: only the lines of drawn strips are not blank, so that the work grows with the ink and
// not with the page.
//
// One lane a line of a drawn strip.
//
// Reads: effects, strips (that were spread out). Writes: spread, as `quads`.

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read_write> spread: array<vec4<u32>>;

@compute @workgroup_size(LANES)
fn erase(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let columns = tile_columns(effects.page_size.x);
    let first = first_quads(strip, line.of_tile, band.first_quad_row, columns);
    let quads = strip.width / 4u;
    var done = 0u;
    loop {
        spread[first + done] = vec4<u32>(0u);
        done += 1u;
        continuing {
            break if done >= quads;
        }
    }
}
