// The pen's width and nib, appended to the pass that bends outlines: `LinePen::bend` in src/pen/line.rs, which has the
// formula.

// Cosine and sine of twice 105 degrees, the direction of the widest strokes, y up.
const COS_210: f32 = -0.8660254;
const SIN_210: f32 = -0.5;
// The least of a stroke's own width that a nib leaves; the range of what ends lose, and the least that they keep.
const NARROWEST: f32 = 0.5;
const ENDS_BETWEEN: vec2<f32> = vec2<f32>(-0.45, 0.85);
const LEAST_END: f32 = 0.25;
// How much closer the knots of the field are along lines of text: see src/pen/field.rs.
const CLOSER_ALONG_LINES: f32 = 1.6;
// The bit for a start of a stroke, and font units per step of the distance from an end; see src/mesh/path.rs.
const STARTS: u32 = 256u;
const END_STEP: f32 = 2.0;

// The pen in the strokes of an instance.
struct LinePen {
    direction: f32,
    width_sd: f32,
    // The factor of the font's own width.
    scale: f32,
    // The nib's matrix: xx, xy, yy.
    nib: vec3<f32>,
    // Half the thinnest line, in font units, and page px per font unit.
    least: f32,
    unit: f32,
    // 1 where free ends are narrower, else 0.
    ends: f32,
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
        exp(unpack2x16snorm(record & 0xfffe0000u).y),
        select(effects.nib.xyz, vec3<f32>(1.0, 0.0, 1.0), keeps_outline),
        effects.nib.w / unit,
        unit,
        f32((record >> 16u) & 1u),
        effects.pen_knots.xy,
        effects.pen_seed,
    );
}

// From the middle of a stroke, at this point of the page in page px, to the outline. `end` is the end of a stroke near
// the corner.
fn penned(pen: LinePen, normal: vec2<f32>, middle: vec2<f32>, end: u32) -> vec2<f32> {
    let squared = max(dot(normal, normal), 1e-6);
    let turned = (COS_210 * (normal.x * normal.x - normal.y * normal.y) + SIN_210 * (2.0 * normal.x * normal.y)) / -squared;
    let field = pen_noise(pen, middle * vec2<f32>(CLOSER_ALONG_LINES, 1.0));
    let factor = pen.scale * power_of_e(pen.direction * turned + pen.width_sd * field);
    let swept = pen.nib.xy * normal.x + pen.nib.yz * normal.y;
    let across = sqrt(max(dot(normal, swept), 1e-6));
    let length = sqrt(squared);
    let own = length / across;
    let widened = end_factor(pen, end, field) * max(factor, NARROWEST * own);
    return swept * (max(widened, min(pen.least / length, 1.0) * own) * own);
}

// The factor of the width near an end of a stroke: `PenMarks::end_factor` in src/pen/line.rs.
fn end_factor(pen: LinePen, end: u32, field: f32) -> f32 {
    let at = select(effects.line_end.xyz, effects.line_start.xyz, (end & STARTS) != 0u);
    let steps = f32(i32(end & 255u));
    let lost = clamp(at.x - at.y * field, ENDS_BETWEEN.x, ENDS_BETWEEN.y);
    let near = max(1.0 - (255.0 - steps) * (0.25 * END_STEP) * pen.unit * at.z, 0.0);
    let share = select(0.0, pen.ends, steps > 0.0) * (near * near) * (near * near);
    return max(1.0 - lost * share, LEAST_END);
}

// e^x for small x, as `power_of_e` in src/pen/line.rs.
fn power_of_e(x: f32) -> f32 {
    let root = 1.0 + x * (0.25 + x * 0.03125);
    return (root * root) * (root * root);
}

// The field of the pen's width: `PenField::at` in src/pen/field.rs.
fn pen_noise(pen: LinePen, at: vec2<f32>) -> f32 {
    let coarse = at * pen.knots_per_px.x;
    let fine = at * pen.knots_per_px.y;
    let rows = floor(vec2<f32>(coarse.y, fine.y));
    let share = vec2<f32>(coarse.y, fine.y) - rows;
    let down = share * share * (3.0 - 2.0 * share);
    let seeded = noise_rows(rows, pen.seed);
    return field_of(vec2<f32>(value_noise(coarse.x, seeded.x, down.x), value_noise(fine.x, seeded.y, down.y)));
}
