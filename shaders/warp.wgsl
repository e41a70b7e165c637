// Displaces drawn ink by an elastic field that is too grainy for outlines to follow (sigma 0 and 1).
//
// One lane per line of a strip of the finished page. coverage(p) = drawn(p - displacement(p)), bilinear between pixels
// (Simard, Steinkraus, Platt 2003, section 2) and clamped to the page. All pixels around a lattice point have its
// displacement, so finer pixels make the same page. WHOLE_PX: displacements are so large that fractions of a pixel are
// not visible, and are rounded to whole page px.
//
// Reads: effects, strips (of the finished page), field, drawn (the page as `resolve` left it). Writes: coverage.

override LANES: u32;
// Pixel centres are lattice points: four pixels take one load.
override ALIGNED: bool;
override WHOLE_PX: bool;
// Two consecutive pixels are one page px, and displacements are whole page px: two pixels take one load.
override PAIRS: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read> field: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> drawn: array<u32>;
@group(0) @binding(5) var<storage, read_write> coverage: array<vec4<u32>>;

@compute @workgroup_size(LANES)
fn warp(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = (band.first_coverage + strip.address - band.first_pixel + line.of_tile * strip.width) >> TILE_BITS;
    let lattice = lattice_of(4u * arrayLength(&field));
    let row = row_of(lattice, strip.tile_row * u32(TILE) + line.of_tile);
    let tiles = strip.width >> TILE_BITS;
    var x = f32(strip.x);
    var tile = 0u;
    loop {
        var words: vec4<u32>;
        if (PAIRS) {
            words = vec4<u32>(moved_pairs(x, row, lattice), moved_pairs(x + 8.0, row, lattice));
        } else {
            words = vec4<u32>(
                moved(x, row, lattice),
                moved(x + 4.0, row, lattice),
                moved(x + 8.0, row, lattice),
                moved(x + 12.0, row, lattice),
            );
        }
        coverage[first + tile] = stored(words, tile < tiles);
        x += f32(TILE);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}

// A row of the finished page.
struct Row {
    // Its upper edge and, for PAIRS, the middle of its page px, else its own middle, in device px.
    y: f32,
    middle: f32,
    // The factor of its displacements along y.
    room: f32,
    // Bytes between rows of drawn pixels.
    pitch: u32,
    // The raster of drawn pixels: its corner, and one past its last pixel, in device px.
    corner: vec2<f32>,
    end: vec2<f32>,
}

fn row_of(lattice: Lattice, y: u32) -> Row {
    var middle = f32(y) + 0.5;
    if (PAIRS) {
        middle = f32(y | 1u);
    }
    let room = room(lattice, vec4<f32>(middle), lattice.page_size.yyyy).x / FULL_SCALE;
    let corner = effects.raster_corner;
    let size = effects.raster_size;
    return Row(f32(y), middle, room, tile_columns(size.x) << TILE_BITS, corner, corner + size);
}

// Where pixels of the page lie in the raster of drawn pixels. The corner is taken off after positions are rounded: a
// compiler may split a sum inside `rounded`.
fn on_raster(x: vec4<u32>, y: vec4<u32>, row: Row) -> vec4<u32> {
    let corner = vec2<u32>(vec2<i32>(row.corner));
    return (y - corner.y) * row.pitch + (x - corner.x);
}

// The coverage of eight consecutive pixels of a row, the first of which begins at x.
fn moved_pairs(x: f32, row: Row, lattice: Lattice) -> vec2<u32> {
    let left = x + vec4<f32>(0.0, 2.0, 4.0, 6.0);
    let texels = field[nearest_point(lattice, vec2<f32>(x + 1.0, row.middle)) / 4];
    let away = displacements(texels, left + 1.0, row, lattice);
    let last = row.end - vec2<f32>(2.0, 1.0);
    let from_x = clamp(left - away.x, vec4<f32>(row.corner.x), vec4<f32>(last.x));
    let from_y = clamp(row.y - away.y, vec4<f32>(row.corner.y), vec4<f32>(last.y));
    let places = on_raster(rounded(from_x), rounded(from_y), row);
    let pairs = drawn_from(places) & vec4<u32>(0xffffu);
    return pairs.xz | (pairs.yw << vec2<u32>(16u));
}

// The coverage of four consecutive pixels of a row, the first of which begins at x.
fn moved(x: f32, row: Row, lattice: Lattice) -> u32 {
    let left = x + vec4<f32>(0.0, 1.0, 2.0, 3.0);
    let centres = left + 0.5;
    let away = displacements(texels_at(lattice, centres, row.middle), centres, row, lattice);
    let last = row.end - 1.0;
    let from_x = clamp(left - away.x, vec4<f32>(row.corner.x), vec4<f32>(last.x));
    let from_y = clamp(row.y - away.y, vec4<f32>(row.corner.y), vec4<f32>(last.y));
    var bytes: vec4<u32>;
    if (WHOLE_PX) {
        bytes = pixels(on_raster(rounded(from_x), rounded(from_y), row));
    } else {
        let before = floor(from_x);
        let over = floor(from_y);
        let first = on_raster(vec4<u32>(vec4<i32>(before)), vec4<u32>(vec4<i32>(over)), row);
        let across = from_x - before;
        let above = mix(between(first), between(first + 1u), across);
        let below = mix(between(first + row.pitch), between(first + row.pitch + 1u), across);
        bytes = rounded(min(mix(above, below, from_y - over), vec4<f32>(255.0)));
    }
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

fn between(places: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(vec4<i32>(pixels(places)));
}

// The drawn pixels at four positions, from 0 to 255.
fn pixels(places: vec4<u32>) -> vec4<u32> {
    return drawn_from(places) & vec4<u32>(255u);
}

// Words whose lowest bytes are the drawn pixels at four positions; the bytes above are the pixels that follow in the
// same word.
fn drawn_from(places: vec4<u32>) -> vec4<u32> {
    let words = places >> vec4<u32>(2u);
    let found = vec4<u32>(drawn[words.x], drawn[words.y], drawn[words.z], drawn[words.w]);
    return found >> ((places & vec4<u32>(3u)) << vec4<u32>(3u));
}

// Displacements of four points of a row, in device px.
struct Displacements {
    x: vec4<f32>,
    y: vec4<f32>,
}

fn displacements(texels: vec4<u32>, x: vec4<f32>, row: Row, lattice: Lattice) -> Displacements {
    let away_x = x_of(texels) * (room(lattice, x, lattice.page_size.xxxx) / FULL_SCALE);
    let away_y = y_of(texels) * row.room;
    if (WHOLE_PX && !ALIGNED) {
        // Lattice steps are page px.
        return Displacements(round(away_x * lattice.step) / lattice.step, round(away_y * lattice.step) / lattice.step);
    }
    return Displacements(away_x, away_y);
}

// The texels of the lattice points nearest to four points of a row.
fn texels_at(lattice: Lattice, x: vec4<f32>, y: f32) -> vec4<u32> {
    if (ALIGNED) {
        return field[nearest_point(lattice, vec2<f32>(x.x, y)) / 4];
    }
    return vec4<u32>(
        texel(lattice, vec2<f32>(x.x, y)),
        texel(lattice, vec2<f32>(x.y, y)),
        texel(lattice, vec2<f32>(x.z, y)),
        texel(lattice, vec2<f32>(x.w, y)),
    );
}

// The texel of the nearest lattice point. Noise must not be averaged.
fn texel(lattice: Lattice, at: vec2<f32>) -> u32 {
    let nearest = nearest_point(lattice, at);
    return field[nearest / 4][nearest % 4];
}

fn nearest_point(lattice: Lattice, at: vec2<f32>) -> i32 {
    let nearest = wrapped(lattice, floor(lattice_place(lattice, at) + 0.5));
    return (nearest.y << lattice.bits) + nearest.x;
}
