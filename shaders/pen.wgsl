// The pen's width and nib, appended to the pass that bends outlines: `LinePen::bend` in src/pen/line.rs, which has the
// formula.

// Cosine and sine of twice 105 degrees, the direction of the widest strokes, y up.
const COS_210: f32 = -0.8660254;
const SIN_210: f32 = -0.5;

// The pen in the strokes of an instance.
struct LinePen {
    direction: f32,
    width_sd: f32,
    scale: f32,
    // The nib's matrix: xx, xy, yy.
    nib: vec3<f32>,
    // Half the thinnest line, in font units.
    least: f32,
    knots_per_px: vec2<f32>,
    seed: u32,
}

// The pen of a record of src/pen/line.rs, for an instance that is drawn `unit` page px per font unit.
fn line_pen(record: u32, unit: f32) -> LinePen {
    let shares = unpack4x8unorm(record).xy * 0.5;
    let keeps_outline = (record & 255u) == 0u;
    return LinePen(
        shares.x,
        shares.y,
        unpack2x16snorm(record).y,
        select(effects.nib.xyz, vec3<f32>(1.0, 0.0, 1.0), keeps_outline),
        effects.nib.w / unit,
        effects.pen_knots.xy,
        effects.pen_seed,
    );
}

// From the middle of a stroke, at this point of the page in page px, to the outline.
fn penned(pen: LinePen, normal: vec2<f32>, middle: vec2<f32>) -> vec2<f32> {
    let squared = max(dot(normal, normal), 1e-6);
    let turned = (COS_210 * (normal.x * normal.x - normal.y * normal.y) + SIN_210 * (2.0 * normal.x * normal.y)) / -squared;
    let f = pen.direction * turned + pen.width_sd * pen_noise(pen, middle) + pen.scale;
    let swept = pen.nib.xy * normal.x + pen.nib.yz * normal.y;
    let across = sqrt(max(dot(normal, swept), 1e-6));
    let length = sqrt(squared);
    let least = min(pen.least / length, 1.0);
    return swept * (max(exp(f), least * length / across) * length / across);
}

// The field of the pen's width: `PenField::at` in src/pen/field.rs.
fn pen_noise(pen: LinePen, at: vec2<f32>) -> f32 {
    let coarse = at * pen.knots_per_px.x;
    let fine = at * pen.knots_per_px.y;
    let rows = floor(vec2<f32>(coarse.y, fine.y));
    let share = vec2<f32>(coarse.y, fine.y) - rows;
    let down = share * share * (3.0 - 2.0 * share);
    let whole = bitcast<vec2<u32>>(vec2<i32>(rows));
    let seeds = vec2<u32>(pen.seed, pen.seed + 1u) * GOLDEN;
    return dot(OCTAVES, vec2<f32>(
        value_noise(coarse.x, whole.x, down.x, seeds.x),
        value_noise(fine.x, whole.y, down.y, seeds.y),
    ));
}
