// Adds the signed area and cover of lines to the strips' accumulators, appended to the passes that sum outlines. They
// bind `band`, `tile_rows` and `accumulator`.
//
// A line that crosses a pixel downwards by `cover` (WHOLE is a whole pixel) adds to that pixel `cover` times the part
// of the pixel to its right, and to all pixels farther right the whole `cover`. A prefix sum along the pixels then
// gives the exact area of the ink in each (box filter), as in FreeType's smooth rasteriser. Heights are rounded to
// 1/WHOLE px at the ends of a line and where it leaves a pixel, so the covers of a closed boundary cancel exactly.
// Integer sums do not depend on order, thread and band.
//
// HALVES: area and cover of a pixel share a word and are added at once. Otherwise the word of a pixel is its difference
// from its left neighbour, and each pixel takes two additions.
//
// Loops test their condition at the end: devices that run lanes in lockstep under a mask would otherwise run the whole
// body once more.

// The stride in a record of a tile row.
const STRIDE_BITS: u32 = 10u;
const STRIDE_MASK: u32 = 1023u;

override HALVES: bool;

// Follows a line down from pixel to pixel, clipped to the band and to the instance's box.
fn add_line(instance: Instance, start: vec2<f32>, end: vec2<f32>) {
    let start_y = i32(round(start.y * f32(WHOLE)));
    let stop_y = i32(round(end.y * f32(WHOLE)));
    let down = stop_y >= start_y;
    let turn = select(-1, 1, down);
    let top = select(end.x, start.x, down);
    let bottom = select(start.x, end.x, down);
    let top_y = min(start_y, stop_y);
    let bottom_y = max(start_y, stop_y);

    let first_row = i32(instance.mesh_and_rows.y);
    let rows = i32(instance.mesh_and_rows.z & 0xffffu);
    let width = i32(instance.mesh_and_rows.z >> 16u);
    let first_line = TILE * max(i32(band.first_tile_row) - first_row, 0);
    let end_line = TILE * min(i32(band.end_tile_row) - first_row, rows);
    let end_y = min(bottom_y, end_line << FRACTION_BITS);
    var y = max(top_y, first_line << FRACTION_BITS);
    if (y >= end_y) {
        return;
    }

    let height = f32(bottom_y - top_y);
    let slope = (bottom - top) / height;
    let rise = height / max(abs(bottom - top), 1e-6);
    let rightwards = bottom >= top;
    let step = select(-1, 1, rightwards);
    let far_side = select(0, 1, rightwards);
    var x = top + f32(y - top_y) * slope;
    var column = i32(floor(x));
    var line = y >> FRACTION_BITS;
    var tile_row = -1;
    var stride = 0;
    var goes_on = 0;
    var first_line_address = 0;
    loop {
        if ((line >> TILE_BITS) != tile_row) {
            tile_row = line >> TILE_BITS;
            let row = tile_rows[instance.mesh_and_rows.w + u32(tile_row)];
            stride = i32(row & STRIDE_MASK) << TILE_BITS;
            goes_on = i32(row >> STRIDE_BITS & 1u);
            let address = bitcast<i32>(row) >> (STRIDE_BITS + 1u);
            first_line_address = (address - tile_row * stride) << TILE_BITS;
        }
        // The line leaves the pixel below or at its far side.
        let below = min((line + 1) << FRACTION_BITS, end_y);
        let side = f32(column + far_side);
        let side_y = top_y + i32(round(min(abs(side - top) * rise, height)));
        // The height of a tall line is rounded: its end decides how far it goes.
        let sideways = side_y < below && (bottom - side) * f32(step) > 0.0;
        let next_y = max(select(below, side_y, sideways), y);
        let below_x = select(top + f32(below - top_y) * slope, bottom, below == bottom_y);
        let next_x = select(below_x, side, sideways);

        let cover = turn * (next_y - y);
        let inside = i32(round(f32(cover) * (f32(column + 1) - 0.5 * (x + next_x))));
        add(first_line_address + line * stride, column, width, goes_on, cover, inside);

        x = next_x;
        y = next_y;
        // Derive the column from x at every row, so that bands do not change it.
        column = select(i32(floor(next_x)), column + step, sideways);
        line += select(1, 0, sideways);
        continuing {
            break if y >= end_y;
        }
    }
}

// Adds to a pixel of the line that begins at `address` in the instance's box: `inside` is the area in it, `cover` that
// of each pixel to its right. Ink left of the box covers its first column fully. Ink right of the box covers nothing,
// except the pixel after the box if its strip continues there.
fn add(address: i32, column: i32, width: i32, goes_on: i32, cover: i32, inside: i32) {
    if (HALVES) {
        if (column < width) {
            let area = select(inside, cover, column < 0);
            atomicAdd(&accumulator[address + max(column, 0)], area + (cover << HALF_BITS));
        }
    } else {
        if (column < width) {
            atomicAdd(&accumulator[address + max(column, 0)], inside);
        }
        if (column + 1 < width + goes_on) {
            atomicAdd(&accumulator[address + max(column + 1, 0)], cover - inside);
        }
    }
}
