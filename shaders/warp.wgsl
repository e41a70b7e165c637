// Displaces drawn ink by an elastic field that is too grainy for outlines to follow (sigma 0 and 1).
//
// One lane a line of a strip of the finished page: coverage(p) = drawn(p - displacement(p)), bilinear between pixels (Simard,
// Steinkraus, Platt 2003, section 2), which are clamped to the page. All pixels around a lattice point are displaced as it
// is, so that finer pixels make the same page. Where WHOLE_PX, the field reaches so far that parts of a pixel are not seen:
// displacements are rounded to whole page px.
//
// Reads: effects, strips (of the finished page), field, drawn (the page as `resolve` left it). Writes: coverage.

override LANES: u32;
// Pixel centres are lattice points: four pixels take one load.
override ALIGNED: bool;
override WHOLE_PX: bool;

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
    let y = f32(strip.tile_row * u32(TILE) + line.of_tile) + 0.5;
    let lattice = lattice_of(4u * arrayLength(&field));
    let room_y = room(lattice, vec4<f32>(y), lattice.page_size.yyyy).x / FULL_SCALE;
    let pitch = tile_columns(lattice.page_size.x) << TILE_BITS;
    let tiles = strip.width >> TILE_BITS;
    var x = f32(strip.x) + 0.5;
    var tile = 0u;
    loop {
        let four = vec4<f32>(x, x + 1.0, x + 2.0, x + 3.0);
        let words = vec4<u32>(
            moved(four, y, lattice, room_y, pitch),
            moved(four + 4.0, y, lattice, room_y, pitch),
            moved(four + 8.0, y, lattice, room_y, pitch),
            moved(four + 12.0, y, lattice, room_y, pitch),
        );
        coverage[first + tile] = stored(words, tile < tiles);
        x += f32(TILE);
        tile += 1u;
        continuing {
            break if tile >= tiles;
        }
    }
}

// The coverage of four pixels of a row side by side, given their centres, what the row's displacements along y are
// multiplied by, and the bytes of a row of drawn pixels.
fn moved(x: vec4<f32>, y: f32, lattice: Lattice, room_y: f32, pitch: u32) -> u32 {
    let away = displacements(lattice, x, y, room_y);
    let last = lattice.page_size - 1.0;
    let from_x = clamp(x - 0.5 - away.x, vec4<f32>(0.0), vec4<f32>(last.x));
    let from_y = clamp(y - 0.5 - away.y, vec4<f32>(0.0), vec4<f32>(last.y));
    var bytes: vec4<u32>;
    if (WHOLE_PX) {
        bytes = pixels(rounded(from_y) * pitch + rounded(from_x));
    } else {
        let left = floor(from_x);
        let top = floor(from_y);
        let first = vec4<u32>(vec4<i32>(top)) * pitch + vec4<u32>(vec4<i32>(left));
        let across = from_x - left;
        let above = mix(between(first), between(first + 1u), across);
        let below = mix(between(first + pitch), between(first + pitch + 1u), across);
        bytes = rounded(mix(above, below, from_y - top));
    }
    return bytes.x | (bytes.y << 8u) | (bytes.z << 16u) | (bytes.w << 24u);
}

fn between(places: vec4<u32>) -> vec4<f32> {
    return vec4<f32>(vec4<i32>(pixels(places)));
}

// The drawn pixels at four places, from 0 to 255.
fn pixels(places: vec4<u32>) -> vec4<u32> {
    let words = places >> vec4<u32>(2u);
    let found = vec4<u32>(drawn[words.x], drawn[words.y], drawn[words.z], drawn[words.w]);
    return (found >> ((places & vec4<u32>(3u)) << vec4<u32>(3u))) & vec4<u32>(255u);
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
    let away_x = x_of(texels) * (room(lattice, x, lattice.page_size.xxxx) / FULL_SCALE);
    let away_y = y_of(texels) * room_y;
    if (WHOLE_PX && !ALIGNED) {
        // Lattice steps are page px.
        return Displacements(round(away_x * lattice.step) / lattice.step, round(away_y * lattice.step) / lattice.step);
    }
    return Displacements(away_x, away_y);
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
