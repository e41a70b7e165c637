// Sums the signed area and cover of every glyph's boundary into the strips' accumulators.
//
// One workgroup an instance, one lane a segment. A segment that crosses a line of pixels downwards by `cover` (65536 is
// a whole pixel) adds, in the pixel that it crosses, the part of `cover` times pixel width that lies to its right, and
// in the next pixel the rest: a prefix sum along the line then gives the exact area of the ink in each pixel
// (box filter), as in FreeType's smooth rasteriser. Heights are rounded to 1/65536 px once, at the ends of a segment,
// and split without remainder, so that the sums of a closed boundary cancel to zero exactly. Integer addition makes the
// result independent of order, thread and band.
//
// Where ELASTIC, segments are cut into pieces and the ends of each piece displaced: the outline follows the field.
//
// Reads: instances, meshes, segments, tile rows; effects and field where ELASTIC. Adds to: accumulator.

override LANES: u32;
override ELASTIC: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
@group(0) @binding(2) var<storage, read> meshes: array<MeshRange>;
@group(0) @binding(3) var<storage, read> segments: array<vec4<f32>>;
@group(0) @binding(4) var<storage, read> tile_rows: array<TileRow>;
@group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<i32>>;
@group(0) @binding(6) var<uniform> effects: Effects;
@group(0) @binding(7) var<storage, read> field: array<u32>;

@compute @workgroup_size(LANES)
fn accumulate(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = band.first_instance + group.y * MAX_GROUPS + group.x;
    if (index >= band.end_instance) {
        return;
    }
    let instance = instances[index];
    let mesh = meshes[instance.mesh];
    for (var i = lane; i < mesh.count; i += LANES) {
        add_segment(instance, segments[mesh.first + i]);
    }
}

fn add_segment(instance: Instance, segment: vec4<f32>) {
    let start = place(instance, segment.xy);
    let end = place(instance, segment.zw);
    if (!ELASTIC) {
        add_line(instance, start, end);
        return;
    }
    let corner = vec2<f32>(vec2<u32>(instance.tile_column, instance.tile_row) * u32(TILE));
    let pieces = max(u32(round(distance(start, end) / effects.piece)), 1u);
    var bent = vec2<f32>(0.0);
    for (var i = 0u; i <= pieces; i++) {
        // The very ends, so that neighbouring segments meet to the bit.
        let inner = mix(start, end, f32(i) / f32(pieces));
        let point = select(select(inner, end, i == pieces), start, i == 0u);
        let next = point + displacement(corner + point);
        if (i > 0u) {
            add_line(instance, bent, next);
        }
        bent = next;
    }
}

// Walks a line down the lines of pixels it crosses, clipped to the band and to the instance's box.
fn add_line(instance: Instance, start: vec2<f32>, end: vec2<f32>) {
    let start_y = i32(round(start.y * f32(WHOLE)));
    let stop_y = i32(round(end.y * f32(WHOLE)));
    let down = stop_y >= start_y;
    let top = select(end.x, start.x, down);
    let bottom = select(start.x, end.x, down);
    let top_y = min(start_y, stop_y);
    let bottom_y = max(start_y, stop_y);
    let turn = select(-1, 1, down);
    let slope = (bottom - top) / f32(max(bottom_y - top_y, 1));

    let first_line = TILE * max(i32(band.first_tile_row) - i32(instance.tile_row), 0);
    let end_line = TILE * min(i32(band.end_tile_row) - i32(instance.tile_row), i32(instance.tile_rows));
    let end_y = min(bottom_y, end_line << FRACTION_BITS);
    var y = max(top_y, first_line << FRACTION_BITS);
    var x = top + f32(y - top_y) * slope;
    while (y < end_y) {
        let line = y >> FRACTION_BITS;
        let next_y = min((line + 1) << FRACTION_BITS, end_y);
        let next_x = select(top + f32(next_y - top_y) * slope, bottom, next_y == bottom_y);
        add_crossing(instance, line, min(x, next_x), max(x, next_x), turn * (next_y - y));
        y = next_y;
        x = next_x;
    }
}

// Adds the crossing of one line of pixels between columns `left` and `right`.
fn add_crossing(instance: Instance, line: i32, left: f32, right: f32, cover: i32) {
    let row = tile_rows[instance.first_tile_row + u32(line / TILE)];
    let start = i32(row.address - band.first_pixel + u32(line % TILE) * row.stride);
    let reach = i32(row.reach);
    let end = i32(floor(right));
    let cover_a_pixel = f32(cover) / max(right - left, 1e-6);
    var column = i32(floor(left));
    var entry = left;
    var spent = 0;
    var carried = 0;
    while (column < end) {
        let border = f32(column + 1);
        let reached = i32(round((border - left) * cover_a_pixel));
        let piece = reached - spent;
        let inside = i32(round(f32(piece) * (border - 0.5 * (entry + border))));
        add(start, column, reach, carried + inside);
        carried = piece - inside;
        spent = reached;
        entry = border;
        column += 1;
    }
    let piece = cover - spent;
    let inside = i32(round(f32(piece) * (f32(end + 1) - 0.5 * (entry + right))));
    add(start, end, reach, carried + inside);
    add(start, end + 1, reach, piece - inside);
}

// What lies left of the box covers its first column whole; what lies right of the strip covers nothing in it.
fn add(start: i32, column: i32, reach: i32, value: i32) {
    if (column < reach && value != 0) {
        atomicAdd(&accumulator[start + max(column, 0)], value);
    }
}

// From font units to device px from the corner of the instance's box.
fn place(instance: Instance, at: vec2<f32>) -> vec2<f32> {
    return instance.matrix.xy * at.x + instance.matrix.zw * at.y + instance.translation;
}
