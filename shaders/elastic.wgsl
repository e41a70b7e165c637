// The elastic field, appended to the passes that displace ink. They bind `effects` and `field`: for each lattice point
// the texels of the cell it begins, itself, right, below, and right below, so that one load serves a look-up.

// Displacement of the ink at a point of the page, both in device px: bilinear between lattice points, and tapered
// towards the page's edges so that no ink is moved beyond them.
fn displacement(at: vec2<f32>) -> vec2<f32> {
    let place = effects.lattice_matrix.xy * at.x + effects.lattice_matrix.zw * at.y + effects.lattice_offset;
    let corner = vec2<i32>(floor(place));
    let weight = fract(place);
    // The field is square and repeats after a power of two.
    let edge_bits = countTrailingZeros(arrayLength(&field)) / 2u;
    let wrapped = corner & vec2<i32>((1 << edge_bits) - 1);
    let cell = field[(wrapped.y << edge_bits) + wrapped.x];
    let above = mix(unpack2x16snorm(cell.x), unpack2x16snorm(cell.y), weight.x);
    let below = mix(unpack2x16snorm(cell.z), unpack2x16snorm(cell.w), weight.x);
    let room = max(min(at, effects.page_size - at), vec2<f32>(0.0));
    return mix(above, below, weight.y) * min(room, vec2<f32>(effects.reach));
}
