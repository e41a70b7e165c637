// Writer variation, appended to the pass that bends outlines: the map of `LetterMap::bend` in src/variation/letter.rs,
// which has the formulas. All lengths are font units from the glyph's origin, y up.

// The form of one letter; see Form in src/variation/letter.rs.
struct Form {
    size: vec4<f32>,
    zones: vec4<f32>,
    waves: mat4x4<f32>,
}

struct Letter {
    own: Form,
    before: Form,
    after: Form,
    ramps: vec4<f32>,
    frame: vec4<f32>,
    dot: vec4<f32>,
    dot_form: vec4<f32>,
    font: vec4<f32>,
}

// Wave vectors in turns per x-height: of all four waves along x, then along y.
const WAVES_X: vec4<f32> = vec4<f32>(0.631, 0.2944, -0.1071, -0.3648);
const WAVES_Y: vec4<f32> = vec4<f32>(0.1342, 0.4711, 0.4639, 0.2192);
// Height in x-heights over which a zone reaches its own stretch.
const ZONE_ONSET: f32 = 0.3;

// Where a point of the outline goes: the middle of its stroke, from there to the outline, and what its dot adds.
struct Varied {
    middle: vec2<f32>,
    pen: vec2<f32>,
    dot: vec2<f32>,
}

// Maps a point of the outline. `normal` points out of the ink and is half a stroke long.
fn varied(letter: Letter, at: vec2<f32>, normal: vec2<f32>) -> Varied {
    let x_height = letter.font.x;
    // The middle of the stroke.
    let x = at.x - normal.x;
    let y = at.y - normal.y + letter.frame.w;
    let place = vec2<f32>(letter.ramps.x - x, x - letter.ramps.z) * letter.ramps.yw + 0.5;
    let share = step_of(place);
    let size = letter.own.size + share.x * letter.before.size + share.y * letter.after.size;
    let zones = letter.own.zones + share.x * letter.before.zones + share.y * letter.after.zones;

    let passed = integral_of(place) * vec2<f32>(letter.before.size.x, letter.after.size.x) / letter.ramps.yw;
    let gaps = share * letter.frame.xy;
    let beyond = max(vec2<f32>(y - x_height, -y), vec2<f32>(0.0));
    let stretched = beyond * beyond / (beyond + ZONE_ONSET * x_height) * zones.xy;
    let raised = y * (1.0 + size.y) + stretched.x - stretched.y;
    let along = x * (1.0 + letter.own.size.x) + passed.y - passed.x + gaps.y - gaps.x + size.z * raised;

    let phase = (WAVES_X * (x + letter.frame.z) + WAVES_Y * y) / x_height;
    let c = sine_of(phase + 0.25);
    let s = sine_of(phase);
    let waves = transpose(letter.own.waves + share.x * letter.before.waves + share.y * letter.after.waves);
    let moved = vec2<f32>(dot(waves[0], c) + dot(waves[1], s), dot(waves[2], c) + dot(waves[3], s));

    let in_dot = step_of(vec2<f32>((at.y - letter.dot.z) * letter.dot.w + 1.0)).x;
    let from_middle = at - letter.font.zw;
    let dot = letter.dot.xy + letter.dot_form.xy * from_middle.x + letter.dot_form.yz * from_middle.y;
    let pen = normal * (1.0 + zones.z);
    return Varied(vec2<f32>(along, raised + size.w - letter.frame.w) + moved, pen, in_dot * dot);
}

// The sine of an angle in turns; see `sine` in src/variation/letter.rs.
fn sine_of(turns: vec4<f32>) -> vec4<f32> {
    let turn = turns - floor(turns + 0.5);
    let parabola = turn * (8.0 - 16.0 * abs(turn));
    return parabola * (0.775 + 0.225 * abs(parabola));
}

// A smooth step from 0 at 0 to 1 at 1.
fn step_of(at: vec2<f32>) -> vec2<f32> {
    let inside = clamp(at, vec2<f32>(0.0), vec2<f32>(1.0));
    return inside * inside * (3.0 - 2.0 * inside);
}

// Its integral.
fn integral_of(at: vec2<f32>) -> vec2<f32> {
    let inside = clamp(at, vec2<f32>(0.0), vec2<f32>(1.0));
    return inside * inside * inside * (1.0 - 0.5 * inside) + max(at - 1.0, vec2<f32>(0.0));
}
