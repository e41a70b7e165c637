// Displaces drawn ink by an elastic field that throws every pixel far away from those beside it (sigma 0, large alpha).
//
// One lane a line of a strip of drawn pixels: coverage(p + displacement(p)) = max(., drawn(p)), for what has ink. It is the
// forward mapping where `warp` is the inverse (Wolberg, Digital Image Warping, 1990, section 3.1), and costs by the ink, not
// by the pixels that ink may come to: several times as many. Of ink that comes to lie on other ink the darker is seen, in
// whatever order they come. By whole page px.
//
// Reads: effects, strips (drawn), field, drawn (a band as `resolve` left it), sheets (for each strip that is drawn the first
// of those that its ink may be sent to, which are as wide, and one below the other). Writes: coverage, which is blank before
// the first band.

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read> field: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> drawn: array<vec4<u32>>;
@group(0) @binding(5) var<storage, read> sheets: array<Strip>;
@group(0) @binding(6) var<storage, read_write> coverage: array<atomic<u32>>;

@compute @workgroup_size(LANES)
fn scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = (strip.address - band.first_pixel + line.of_tile * strip.width) >> TILE_BITS;
    let lattice = lattice_of(4u * arrayLength(&field));
    let sheet = sheets[line.strip];
    let row = row_of(lattice, strip.tile_row * u32(TILE) + line.of_tile, sheet.width);
    let bounds = Bounds(last_px(lattice), sheet.tile_row * u32(TILE) * sheet.width + sheet.x - sheet.address);
    let tiles = strip.width >> TILE_BITS;
    var x = f32(strip.x);
    var tile = 0u;
    loop {
        let words = drawn[first + tile];
        if (PAIRS) {
            send_pairs(words.xy, x, row, lattice, bounds);
            send_pairs(words.zw, x + 8.0, row, lattice, bounds);
        } else {
            send_pixels(words.x, x, row, lattice, bounds);
            send_pixels(words.y, x + 4.0, row, lattice, bounds);
            send_pixels(words.z, x + 8.0, row, lattice, bounds);
            send_pixels(words.w, x + 12.0, row, lattice, bounds);
        }
        x += f32(TILE);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}

// Where ink may go.
struct Bounds {
    // The last column and row of the page.
    last: vec2<f32>,
    // What lies in a place of the page does so many pixels before it in the coverage, if rows are as wide as the sheet's.
    before: u32,
}

// The last column and row of the page; where PAIRS, the last column that a pair begins in, be its second half cut off.
fn last_px(lattice: Lattice) -> vec2<f32> {
    let last = lattice.page_size - 1.0;
    if (PAIRS) {
        return vec2<f32>(2.0 * floor(0.5 * last.x), last.y);
    }
    return last;
}

// Sends eight pixels of a row side by side, the first of which begins at x.
fn send_pairs(words: vec2<u32>, x: f32, row: Row, lattice: Lattice, bounds: Bounds) {
    let left = x + vec4<f32>(0.0, 2.0, 4.0, 6.0);
    let texels = field[nearest_point(lattice, vec2<f32>(x + 1.0, row.middle)) / 4];
    let pairs = (words.xxyy >> vec4<u32>(0u, 16u, 0u, 16u)) & vec4<u32>(0xffffu);
    send(pairs, left, displacements(texels, left + 1.0, row, lattice), row, bounds);
}

// Sends four pixels of a row side by side, the first of which begins at x.
fn send_pixels(word: u32, x: f32, row: Row, lattice: Lattice, bounds: Bounds) {
    let left = x + vec4<f32>(0.0, 1.0, 2.0, 3.0);
    let centres = left + 0.5;
    let pixels = (vec4<u32>(word) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
    let away = displacements(texels_at(lattice, centres, row.middle), centres, row, lattice);
    send(pixels, left, away, row, bounds);
}

// Sends ink, a pixel or a pair, that begins in the columns `left`. What lies beyond the page's edge, in its last tiles, stays.
fn send(ink: vec4<u32>, left: vec4<f32>, away: Displacements, row: Row, bounds: Bounds) {
    let x = rounded(clamp(left + away.x, vec4<f32>(0.0), max(left, bounds.last.xxxx)));
    let y = rounded(clamp(row.y + away.y, vec4<f32>(0.0), vec4<f32>(max(row.y, bounds.last.y))));
    let places = y * row.pitch + x - bounds.before;
    let words = places >> vec4<u32>(2u);
    let bits = ink << ((places & vec4<u32>(3u)) << vec4<u32>(3u));
    // The bits of every byte are alike.
    let is_solid = ((ink ^ (ink << vec4<u32>(1u))) & vec4<u32>(0xfefeu)) == vec4<u32>(0u);
    put(words.x, bits.x, is_solid.x);
    put(words.y, bits.y, is_solid.y);
    put(words.z, bits.z, is_solid.z);
    put(words.w, bits.w, is_solid.w);
}

// Makes the pixels of a word at least as dark as `ink` has them. What is solid makes them so whatever they were.
fn put(word: u32, ink: u32, is_solid: bool) {
    if (is_solid && ink != 0u) {
        atomicOr(&coverage[word], ink);
    }
    if (!is_solid) {
        // Most are blank yet.
        var before = 0u;
        loop {
            let darker = pack4xU8(max(unpack4xU8(before), unpack4xU8(ink)));
            let outcome = atomicCompareExchangeWeak(&coverage[word], before, darker);
            before = outcome.old_value;
            let is_done = outcome.exchanged;
            continuing {
                break if is_done;
            }
        }
    }
}
