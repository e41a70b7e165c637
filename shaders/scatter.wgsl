// Displaces drawn ink by noise that throws every pixel far away from those beside it (sigma 0, large alpha).
//
// One lane a line of a strip of drawn pixels: coverage(p + displacement(p)) = max(., drawn(p)), for what has ink. It is the
// forward mapping where `warp` is the inverse (Wolberg, Digital Image Warping, 1990, section 3.1), and costs by the ink, not
// by the pixels that ink may come to: several times as many. Of ink that comes to lie on other ink the darker is seen, in
// whatever order they come. Each page px has a displacement of its own, two numbers of 16 bits that are hashed from where it
// lies, by whole page px; so finer pixels make the same page.
//
// Reads: effects, strips (drawn), drawn (a band as `resolve` left it), sheets (for each strip that is drawn the first of those
// that its ink may be sent to, which are as wide, and one below the other). Writes: coverage, which is blank before the first
// band.

override LANES: u32;
// Two pixels side by side are one page px: they are sent as one.
override PAIRS: bool;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read> drawn: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> sheets: array<Strip>;
@group(0) @binding(5) var<storage, read_write> coverage: array<atomic<u32>>;

@compute @workgroup_size(LANES)
fn scatter(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = (strip.address - band.first_pixel + line.of_tile * strip.width) >> TILE_BITS;
    // Whatever the field, noise has a number a page px and no end.
    let lattice = lattice_of(1u);
    let row = row_of(lattice, strip.tile_row * u32(TILE) + line.of_tile, sheets[line.strip]);
    let tiles = strip.width >> TILE_BITS;
    var x = strip.x;
    var tile = 0u;
    loop {
        let words = drawn[first + tile];
        // One after the other, lanes side by side at pixels of their own: most have no ink.
        var left = inked(words);
        var before = 0u;
        loop {
            let pixel = countTrailingZeros(left | LAST_PIXEL);
            let place = landing(f32(x + pixel), row, lattice);
            let shift = (place & 3u) << 3u;
            let ink = ink_of(words, pixel) << shift;
            if (left != 0u) {
                // Most places are blank yet; if this is not, once more with what it holds.
                let outcome = atomicCompareExchangeWeak(&coverage[place >> 2u], before, darker(before, ink, shift));
                let is_there = outcome.exchanged || darker(outcome.old_value, ink, shift) == outcome.old_value;
                before = select(outcome.old_value, 0u, is_there);
                left &= select(left, left - 1u, is_there);
            }
            continuing {
                break if left == 0u;
            }
        }
        x += u32(TILE);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}

// The last pixel of a tile's line.
const LAST_PIXEL: u32 = 1u << u32(TILE - 1);

// One bit for each pixel of a tile's line that has ink, the leftmost the lowest; where PAIRS, for the first of each that has.
fn inked(words: vec4<u32>) -> u32 {
    let below_highest = vec4<u32>(0x7f7f7f7fu);
    let highest = ((words & below_highest) + below_highest) | words;
    // Bit 8 i times 2^(24 - 7 i) is bit 24 + i.
    let of_words = ((((highest >> vec4<u32>(7u)) & vec4<u32>(0x01010101u)) * 0x01020408u) >> vec4<u32>(24u)) & vec4<u32>(15u);
    let pixels = of_words.x | (of_words.y << 4u) | (of_words.z << 8u) | (of_words.w << 12u);
    if (PAIRS) {
        return (pixels | (pixels >> 1u)) & 0x5555u;
    }
    return pixels;
}

// The coverage of a pixel of a tile's line; where PAIRS, that of the next above it.
fn ink_of(words: vec4<u32>, pixel: u32) -> u32 {
    let half = select(words.xy, words.zw, pixel >= 8u);
    let word = select(half.x, half.y, (pixel & 4u) != 0u);
    return (word >> ((pixel & 3u) << 3u)) & select(0xffu, 0xffffu, PAIRS);
}

// A word of coverage, but the pixel, or pair, that begins at its bit `shift` no lighter than `ink`, which is blank besides.
fn darker(word: u32, ink: u32, shift: u32) -> u32 {
    let first = 0xffu << shift;
    if (PAIRS) {
        let second = first << 8u;
        let pair = max(word & first, ink & first) | max(word & second, ink & second);
        return (word & ~(first | second)) | pair;
    }
    return (word & ~first) | max(word & first, ink);
}

// A row of drawn pixels.
struct Row {
    // Its upper edge, and the middle of its page px where PAIRS, else its own, in device px.
    y: f32,
    middle: f32,
    // What its noise along y is multiplied by.
    room: f32,
    // Device px a page px.
    scale: f32,
    // The last column and row of the page; where PAIRS, the last column that a pair begins in, be its second half cut off.
    last: vec2<f32>,
    // Pixels from a row to the next of where it is sent to, and how many of such rows come before, from the page's corner.
    pitch: u32,
    before: u32,
}

fn row_of(lattice: Lattice, y: u32, sheet: Strip) -> Row {
    var middle = f32(y) + 0.5;
    var last = lattice.page_size - 1.0;
    if (PAIRS) {
        middle = f32(y | 1u);
        last.x = 2.0 * floor(0.5 * last.x);
    }
    let room = room(lattice, vec4<f32>(middle), lattice.page_size.yyyy).x * (1.0 / FULL_SCALE);
    let before = sheet.tile_row * u32(TILE) * sheet.width + sheet.x - sheet.address;
    return Row(f32(y), middle, room, 1.0 / lattice.step, last, sheet.width, before);
}

// Where the ink of the pixel, or pair, that begins at x goes. What lies beyond the page's edge, in its last tiles, stays.
fn landing(x: f32, row: Row, lattice: Lattice) -> u32 {
    let from_corner = vec2<f32>(x, row.y);
    let middle = vec2<f32>(x + select(0.5, 1.0, PAIRS), row.middle);
    let page_px = vec2<u32>(vec2<i32>(floor(lattice_place(lattice, middle) + 0.5)));
    let noise = mixed(vec4<u32>(page_px.x + (page_px.y << 16u) + GOLDEN));
    let rooms = vec2<f32>(room(lattice, middle.xxxx, lattice.page_size.xxxx).x * (1.0 / FULL_SCALE), row.room);
    let away = vec2<f32>(x_of(noise).x, y_of(noise).x) * rooms;
    let whole = round(away * lattice.step) * row.scale;
    let to = clamp(from_corner + whole, vec2<f32>(0.0), max(from_corner, row.last));
    let place = rounded(to.xyxy);
    return place.y * row.pitch + place.x - row.before;
}
