// Stores a field of 256 × 256 lattice points for `bend` on software devices: in uniforms, which they load without a
// branch per lane and component. A uniform holds 64 KiB: even and odd columns of even and odd rows each have their own,
// so every look-up takes one texel of each.

const QUARTER_BITS: u32 = 7u;
const QUARTER_MASK: i32 = 127;

// Texels at even columns of even rows, at odd columns of even rows, and the same of odd rows; row by row, four per
// vector.
@group(0) @binding(9) var<uniform> even_even: array<vec4<u32>, 4096>;
@group(0) @binding(10) var<uniform> odd_even: array<vec4<u32>, 4096>;
@group(0) @binding(11) var<uniform> even_odd: array<vec4<u32>, 4096>;
@group(0) @binding(12) var<uniform> odd_odd: array<vec4<u32>, 4096>;

// Lattice points of the field.
fn field_points() -> u32 {
    return 1u << (2u * QUARTER_BITS + 2u);
}

fn cell_at(lattice: Lattice, place: vec2<f32>) -> Cell {
    let point = floor(place);
    let weight = place - point;
    let first = vec2<i32>(point);
    // Of the two columns and the two rows around the position, the even and the odd one, counted in quarters; to the
    // right, the field continues farther down.
    let even = (first + 1) >> vec2<u32>(1u);
    let odd = first >> vec2<u32>(1u);
    let columns = vec4<i32>(even.x, odd.x, even.x, odd.x);
    let rows = vec4<i32>(even.yy, odd.yy) + (columns >> vec4<u32>(QUARTER_BITS)) * (lattice.skew / 2);
    let places = ((rows & vec4<i32>(QUARTER_MASK)) << vec4<u32>(QUARTER_BITS)) + (columns & vec4<i32>(QUARTER_MASK));
    let vectors = places >> vec4<u32>(2u);
    let components = places & vec4<i32>(3);
    let corners = vec4<u32>(
        even_even[vectors.x][components.x],
        odd_even[vectors.y][components.y],
        even_odd[vectors.z][components.z],
        odd_odd[vectors.w][components.w],
    );
    return Cell(corners, select(weight, 1.0 - weight, (first & vec2<i32>(1)) != vec2<i32>(0)));
}
