// Displacements of drawn pixels by a field that is too grainy for outlines to follow, appended with `elastic.wgsl` to the
// passes that move them. They bind `effects`, and the texels of the field as `field`, four to a vector.

// Pixel centres are lattice points: four pixels take one load.
override ALIGNED: bool;
// Pixels are displaced by whole page px.
override WHOLE_PX: bool;
// They are, and two pixels side by side are one page px: two move as one.
override PAIRS: bool;

// A row of pixels.
struct Row {
    // Its upper edge, and the middle of the page px that it is part of where PAIRS, else its own, in device px.
    y: f32,
    middle: f32,
    // What its displacements along y are multiplied by.
    room: f32,
    // Pixels from a row to the next, of where pixels are taken from or sent to.
    pitch: u32,
}

fn row_of(lattice: Lattice, y: u32, pitch: u32) -> Row {
    var middle = f32(y) + 0.5;
    if (PAIRS) {
        middle = f32(y | 1u);
    }
    let room = room(lattice, vec4<f32>(middle), lattice.page_size.yyyy).x / FULL_SCALE;
    return Row(f32(y), middle, room, pitch);
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

// The texels of the lattice points that lie nearest to four points of a row.
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

// The texel of the lattice point that lies nearest: between two of noise there is no mean of them.
fn texel(lattice: Lattice, at: vec2<f32>) -> u32 {
    let nearest = nearest_point(lattice, at);
    return field[nearest / 4][nearest % 4];
}

fn nearest_point(lattice: Lattice, at: vec2<f32>) -> i32 {
    let nearest = wrapped(lattice, floor(lattice_place(lattice, at) + 0.5));
    return (nearest.y << lattice.bits) + nearest.x;
}
