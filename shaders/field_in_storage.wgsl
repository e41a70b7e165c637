// Stores the elastic field for `bend` in cells. The cell of a lattice point has the texels of the point and of its
// neighbours to the right, below, and below right, so one load serves a look-up. The cells of four rows are side by
// side, so that close points share cache lines.

@group(0) @binding(9) var<storage, read> field: array<vec4<u32>>;

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
