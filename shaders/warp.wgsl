// Displaces drawn ink by an elastic field that is too grainy for outlines to follow (sigma 0 and 1).
//
// One lane a line of a strip of the finished page, as far as it lies in one column of the page: coverage(p) =
// drawn(p - displacement(p)), bilinear between pixels (Simard, Steinkraus, Platt 2003, section 2), which are clamped to the
// page. All pixels around a lattice point are displaced as it is, so that finer pixels make the same page.
//
// Reads: effects, strips (of the finished page), field, quads. Writes: coverage.

override LANES: u32;
// Pixel centres are lattice points: four pixels take one load.
override ALIGNED: bool;
// Tiles across a column, which is the workgroup's z. Ink comes from far above and below: what is looked up around a column
// stays in a processor's second cache.
const COLUMN_TILES: u32 = 32u;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<uniform> effects: Effects;
@group(0) @binding(2) var<storage, read> strips: array<Strip>;
@group(0) @binding(3) var<storage, read> field: array<vec4<u32>>;
@group(0) @binding(4) var<storage, read> quads: array<u32>;
@group(0) @binding(5) var<storage, read_write> coverage: array<vec4<u32>>;

@compute @workgroup_size(LANES)
fn warp(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let line = strip_line(group, lane);
    if (line.strip >= band.end_strip) {
        return;
    }
    let strip = strips[line.strip];
    let first = (band.first_coverage + strip.address - band.first_pixel + line.of_tile * strip.width) >> TILE_BITS;
    let y = f32(strip.tile_row * u32(TILE) + line.of_tile) + 0.5;
    let lattice = lattice_of(4u * arrayLength(&field));
    let source = Source(
        i32(tile_columns(lattice.page_size.x)) * TILE,
        i32(band.first_quad_row) * TILE,
        room(lattice, vec4<f32>(y), lattice.page_size.yyyy).x / FULL_SCALE,
    );
    let strip_start = strip.x >> TILE_BITS;
    let column_start = group.z * COLUMN_TILES;
    let start = max(column_start, strip_start) - strip_start;
    let end = min(max(column_start + COLUMN_TILES, strip_start) - strip_start, strip.width >> TILE_BITS);
    var x = f32(strip.x + (start << TILE_BITS)) + 0.5;
    for (var tile = start; tile < end; tile++) {
        let four = vec4<f32>(x, x + 1.0, x + 2.0, x + 3.0);
        let words = vec4<u32>(
            moved(four, y, lattice, source),
            moved(four + 4.0, y, lattice, source),
            moved(four + 8.0, y, lattice, source),
            moved(four + 12.0, y, lattice, source),
        );
        x += 16.0;
        coverage[first + tile] = stored(words, tile < end);
    }
}

// Where the ink of a line comes from.
struct Source {
    // Quads of a row, and the first row that there is.
    pitch: i32,
    first_row: i32,
    // What the line's displacements along y are multiplied by.
    room_y: f32,
}

// The coverage of four pixels of a row side by side, given their centres.
fn moved(x: vec4<f32>, y: f32, lattice: Lattice, source: Source) -> u32 {
    let away = displacements(lattice, x, y, source.room_y);
    let last = lattice.page_size - 1.0;
    let from_x = clamp(x - 0.5 - away.x, vec4<f32>(0.0), vec4<f32>(last.x));
    let from_y = clamp(y - 0.5 - away.y, vec4<f32>(0.0), vec4<f32>(last.y));
    let left = vec4<i32>(from_x);
    let top = vec4<i32>(from_y);
    let place = (top - source.first_row) * source.pitch + left;
    let quad = vec4<u32>(quads[place.x], quads[place.y], quads[place.z], quads[place.w]);
    let across = from_x - vec4<f32>(left);
    let above = mix(byte(quad, 0u), byte(quad, 8u), across);
    let below = mix(byte(quad, 16u), byte(quad, 24u), across);
    let bytes = vec4<u32>(vec4<i32>(mix(above, below, from_y - vec4<f32>(top)) + 0.5));
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

fn byte(quad: vec4<u32>, shift: u32) -> vec4<f32> {
    return vec4<f32>(vec4<i32>((quad >> vec4<u32>(shift)) & vec4<u32>(255u)));
}

// Displacements of four points of a row.
struct Displacements {
    x: vec4<f32>,
    y: vec4<f32>,
}

fn displacements(lattice: Lattice, x: vec4<f32>, y: f32, room_y: f32) -> Displacements {
    var texels: vec4<u32>;
    if (ALIGNED) {
        texels = field[nearest_point(lattice, vec2<f32>(x.x, y)) / 4];
    } else {
        texels = vec4<u32>(
            texel(lattice, vec2<f32>(x.x, y)),
            texel(lattice, vec2<f32>(x.y, y)),
            texel(lattice, vec2<f32>(x.z, y)),
            texel(lattice, vec2<f32>(x.w, y)),
        );
    }
    return Displacements(x_of(texels) * (room(lattice, x, lattice.page_size.xxxx) / FULL_SCALE), y_of(texels) * room_y);
}

// The texel of the lattice point that lies nearest: between two of noise there is no mean of them.
fn texel(lattice: Lattice, at: vec2<f32>) -> u32 {
    let nearest = nearest_point(lattice, at);
    return field[nearest / 4][nearest % 4];
}

fn nearest_point(lattice: Lattice, at: vec2<f32>) -> i32 {
    let nearest = wrapped(lattice, floor(lattice_place(lattice, at) + 0.5));
    return (nearest.y << lattice.bits) + nearest.x;
}
