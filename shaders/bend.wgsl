// Bends outlines, and sums them into the strips' accumulators.
//
// One lane per run of corners of an instance: corners of closed paths, in font units. A lane bends each of its corners
// once, and the corner before them. lines.wgsl, appended, adds the straight pieces between them to the pixels that they
// cross. They are never stored: software devices load and store lane by lane, which would take a third more time.
//
// WRITER: corners are first bent by the letter's map (writer.wgsl, appended). PEN: the pen changes their distance from
// the middle of the stroke (pen.wgsl, appended). ELASTIC: then the field displaces them; another appended file reads the
// field. Pieces are so short that the outline follows.
//
// Reads: corner runs, instances, meshes, corners, tile rows; letters where WRITER; effects where ELASTIC or PEN; field
// where ELASTIC. Adds to: accumulator.

// The bit of a corner's last word that marks the beginning of a path; the other bits are the end of a stroke. See
// src/mesh/path.rs.
const BEGINS: u32 = 0x80000000u;
// Steps of a normal per font unit.
const NORMAL_STEPS: f32 = 16.0;

override LANES: u32;
override ELASTIC: bool = true;
override PEN: bool;
override WRITER: bool;

@group(0) @binding(0) var<uniform> band: Band;
// Instance, first corner of its mesh and one past the last, zero: see CornerRun in src/scene/records.rs.
@group(0) @binding(1) var<storage, read> corner_runs: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
// First corner of each mesh, and their number.
@group(0) @binding(3) var<storage, read> meshes: array<vec2<u32>>;
// Bits of x and y, the packed normal, and the end of a stroke near the corner.
@group(0) @binding(4) var<storage, read> corners: array<vec4<u32>>;
// The map of each instance.
@group(0) @binding(5) var<storage, read> letters: array<Letter>;
@group(0) @binding(6) var<uniform> effects: Effects;
// As in `accumulate`.
@group(0) @binding(7) var<storage, read> tile_rows: array<u32>;
@group(0) @binding(8) var<storage, read_write> accumulator: array<atomic<i32>>;

@compute @workgroup_size(LANES)
fn bend(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = band.first_corner_run + group_number(group) * LANES + lane;
    if (number >= band.end_corner_run) {
        return;
    }
    let run = corner_runs[number];
    let first = run.y;
    let end = run.z;
    let instance = instances[run.x];
    let first_corner = meshes[instance.mesh_and_rows.x].x;
    var lattice: Lattice;
    if (ELASTIC) {
        lattice = lattice_of(field_points());
    }
    var letter: Letter;
    if (WRITER) {
        letter = letters[run.x];
    }
    var pen: LinePen;
    let px = effects.px_per_device_px;
    if (PEN) {
        pen = line_pen(instance.place.w, length(instance.matrix.xy) * px);
    }
    var before = vec2<f32>(0.0);
    var next = max(first, 1u) - 1u;
    loop {
        let corner = corners[first_corner + next];
        var at = bitcast<vec2<f32>>(corner.xy);
        if (WRITER || PEN) {
            let normal = normal_of(corner.z);
            var to = Varied(at - normal, normal, vec2<f32>(0.0));
            if (WRITER) {
                to = varied(letter, at, normal);
            }
            if (PEN) {
                let middle = on_device(instance, to.middle + to.dot) + corner_of(instance);
                to.pen = penned(pen, to.pen, middle * px, corner.w);
            }
            at = to.middle + to.pen + to.dot;
        }
        at = on_device(instance, at);
        if (ELASTIC) {
            at += displacement(lattice, corner_of(instance) + at);
        }
        if (next >= first && (corner.w & BEGINS) == 0u) {
            add_line(instance, before, at);
        }
        before = at;
        next += 1u;
        continuing {
            break if next >= end;
        }
    }
}

fn normal_of(packed: u32) -> vec2<f32> {
    let parts = vec2<i32>(bitcast<i32>(packed << 16u), bitcast<i32>(packed)) >> vec2<u32>(16u);
    return vec2<f32>(parts) / NORMAL_STEPS;
}

// Displacement of the ink at a point of the page, both in device px: bilinear between lattice points.
fn displacement(lattice: Lattice, at: vec2<f32>) -> vec2<f32> {
    let cell = cell_at(lattice, lattice_place(lattice, at));
    let x = x_of(cell.corners);
    let y = y_of(cell.corners);
    let left = vec4<f32>(x.xz, y.xz);
    let ends = left + (vec4<f32>(x.yw, y.yw) - left) * cell.weight.x;
    let away = ends.xz + (ends.yw - ends.xz) * cell.weight.y;
    return away * (room(lattice, at.xyxy, lattice.page_size.xyxy).xy / FULL_SCALE);
}
