// Declarations for all passes, appended after each body so that line numbers in errors are right.

// Edge of a tile in px.
const TILE: i32 = 16;
const TILE_BITS: u32 = 4u;
// Fixed-point areas and heights; see src/scene/accumulator.rs.
const FRACTION_BITS: u32 = 9u;
const WHOLE: i32 = 512;
// Bits of half a word of the accumulator.
const HALF_BITS: u32 = 16u;
// Workgroups in x before a dispatch folds into y.
const MAX_GROUPS: u32 = 65535u;

// The portion of a band to be drawn; addresses count the pixels of all strips.
struct Band {
    first_tile_row: u32,
    end_tile_row: u32,
    first_instance: u32,
    end_instance: u32,
    first_strip: u32,
    end_strip: u32,
    first_pixel: u32,
    // Address of the band's first pixel in the buffer of coverage.
    first_coverage: u32,
    first_corner_run: u32,
    end_corner_run: u32,
}

// One glyph: maps font units to px from the corner of its box of whole tiles. In vectors of four words, because
// software devices load a vector in the time of a scalar.
struct Instance {
    matrix: vec4<f32>,
    // Bits of the translation from the box's corner; the box's left edge on the page; the pen in its strokes.
    place: vec4<u32>,
    // Mesh; the box's first tile row on the page; its number of tile rows in the low and its width in px in the high 16
    // bits; and the first of its rows in `tile_rows`.
    mesh_and_rows: vec4<u32>,
}

// From font units to device px from the corner of the instance's box.
fn on_device(instance: Instance, at: vec2<f32>) -> vec2<f32> {
    return instance.matrix.xy * at.x + instance.matrix.zw * at.y + bitcast<vec2<f32>>(instance.place.xy);
}

// The corner of the instance's box on the page in device px.
fn corner_of(instance: Instance) -> vec2<f32> {
    return vec2<f32>(f32(instance.place.z), f32(instance.mesh_and_rows.y * u32(TILE)));
}

struct Strip {
    address: u32,
    width: u32,
    x: u32,
    tile_row: u32,
}

// The effects on the ink of a page; see EffectsRecord in src/scene/records.rs.
struct Effects {
    // Position of the page's corner in the elastic field, in lattice steps.
    lattice_offset: vec2<f32>,
    // Device px.
    page_size: vec2<f32>,
    // The drawn pixels that `warp` reads: corner and size, device px.
    raster_corner: vec2<f32>,
    raster_size: vec2<f32>,
    // Lattice steps per device px.
    lattice_step: f32,
    // Largest displacement, device px.
    largest_displacement: f32,
    px_per_device_px: f32,
    ink_intensity: f32,
    ink_seed: u32,
    ink_samples: u32,
    stroke_cells_per_px: f32,
    grain: f32,
    // How many lattice points higher the field's repetition to the right lies.
    lattice_skew: i32,
    // Seeds of the pen's fields of width and of darkness.
    pen_seed: u32,
    tone_seed: u32,
    // Knots per page px of the coarse and the fine octave of both fields.
    pen_knots: vec2<f32>,
    tone_knots: vec2<f32>,
    // The nib's matrix (xx, xy, yy), and half the thinnest line in page px.
    nib: vec4<f32>,
    // Starts and ends of lines: mean and deviation of what they lose, and one over its length in page px.
    line_start: vec4<f32>,
    line_end: vec4<f32>,
    // Coefficients of the polynomial of the ink's opacity; and its deviation, its grain and the most of its variable.
    tone: vec4<f32>,
    tone_limits: vec4<f32>,
}

// The lines of text between which a row of page px lies, and where their inks blend, in page px.
struct InkRow {
    line: u32,
    blend_start: f32,
    blend_rate: f32,
}

// The number of a workgroup.
fn group_number(group: vec3<u32>) -> u32 {
    return group.y * MAX_GROUPS + group.x;
}

// A line of a strip.
struct StripLine {
    strip: u32,
    of_tile: u32,
}

// The line of a lane, in passes with one lane per line: that of a strip of the band, or none beyond its end.
fn strip_line(group: vec3<u32>, lane: u32) -> StripLine {
    let line = group_number(group) * LANES + lane;
    return StripLine(band.first_strip + (line >> TILE_BITS), line & u32(TILE - 1));
}

// Columns of tiles of a page `width` device px wide.
fn tile_columns(width: f32) -> u32 {
    return (u32(width) + u32(TILE) - 1u) >> TILE_BITS;
}

// The first pixel of a strip's line in a raster whose rows of pixels are contiguous: pixels are bytes, and a line of a
// tile is a vector.
fn first_in_raster(strip: Strip, line_of_tile: u32, corner: vec2<f32>, width: f32) -> u32 {
    let line = strip.tile_row * u32(TILE) + line_of_tile - u32(corner.y);
    return line * tile_columns(width) + ((strip.x - u32(corner.x)) >> TILE_BITS);
}

// The words that a lane stores, unchanged. LLVM, which compiles for software devices, defers the computation of stored
// values until lanes store one after another, and then computes each lane alone; it keeps a choice between vectors
// whole.
fn stored(words: vec4<u32>, is_stored: bool) -> vec4<u32> {
    return select(vec4<u32>(0u), words, vec4<bool>(is_stored));
}

// Rounds numbers from 0 to 2^23 - 1. Floats from 2^23 on are whole numbers whose lowest bits are those of the float. So
// one addition is enough, where a conversion also tests whether the number fits into an integer.
//
// The argument must not be a sum: compilers may add 2^23 to one of its terms first, which then loses its fraction. A
// product, minimum or clamp keeps them from it; a test checks every call.
fn rounded(numbers: vec4<f32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(numbers + 8388608.0) & vec4<u32>(8388607u);
}
