// Where `bend` looks the elastic field up: in cells. For each lattice point the texels of the cell it begins, itself,
// right, below, and right below, so that one load serves a look-up, and the cells of four rows side by side, so that
// what lies close together shares cache lines.

@group(0) @binding(8) var<storage, read> field: array<vec4<u32>>;

// Lattice points of the field.
fn field_points() -> u32 {
    return arrayLength(&field);
}

fn cell_at(lattice: Lattice, place: vec2<f32>) -> Cell {
    let point = floor(place);
    let first = wrapped(lattice, point);
    let corners = field[((first.y >> 2u) << (lattice.bits + 2u)) + (first.x << 2u) + (first.y & 3)];
    return Cell(corners, place - point);
}
