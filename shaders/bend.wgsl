// Bends outlines: corners of closed paths, in font units, become straight pieces in device px from the corner of the
// instance's box.
//
// One lane per run of corners of an instance. A lane bends each of its corners once, and the corner before them, and
// writes the pieces at the positions of their numbers: `accumulate` reads the longest first.
//
// WRITER: corners are first bent by the letter's map (writer.wgsl, appended). PEN: the pen changes their distance from
// the middle of the stroke (pen.wgsl, appended). ELASTIC: then the field displaces them; another appended file reads the
// field. Pieces are so short that the outline follows.
//
// Reads: corner runs, instances, meshes, corners; letters where WRITER; effects where ELASTIC or PEN; field where
// ELASTIC. Writes: pieces.

// The bit of a piece's number that marks the beginning of a path; see src/mesh/path.rs.
const BEGINS: u32 = 0x80000000u;
// Bits of a piece's number; those above are the end of a stroke.
const PIECE_BITS: u32 = 22u;
// Steps of a normal per font unit.
const NORMAL_STEPS: f32 = 16.0;

override LANES: u32;
override ELASTIC: bool = true;
override PEN: bool;
override WRITER: bool;

@group(0) @binding(0) var<uniform> band: Band;
// Instance, first corner of its mesh and one past the last, pen: see CornerRun in src/scene/records.rs.
@group(0) @binding(1) var<storage, read> corner_runs: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> instances: array<Instance>;
// First corner of each mesh, and their number.
@group(0) @binding(3) var<storage, read> meshes: array<vec2<u32>>;
// Bits of x and y, the packed normal, and the piece that ends there.
@group(0) @binding(4) var<storage, read> corners: array<vec4<u32>>;
// The map of each instance.
@group(0) @binding(5) var<storage, read> letters: array<Letter>;
// Bits of both ends of each piece.
@group(0) @binding(6) var<storage, read_write> pieces: array<vec4<u32>>;
@group(0) @binding(7) var<uniform> effects: Effects;

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
    let first_piece = instance.place.w - instances[band.first_instance].place.w;
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
        pen = line_pen(run.w, length(instance.matrix.xy) * px);
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
                to.pen = penned(pen, to.pen, middle * px, corner.w >> PIECE_BITS);
            }
            at = to.middle + to.pen + to.dot;
        }
        at = on_device(instance, at);
        if (ELASTIC) {
            at += displacement(lattice, corner_of(instance) + at);
        }
        let is_own = next >= first;
        let start = select(before, at, vec2<bool>((corner.w & BEGINS) != 0u));
        let piece = stored(bitcast<vec4<u32>>(vec4<f32>(start, at)), is_own);
        if (is_own) {
            pieces[first_piece + (corner.w & ((1u << PIECE_BITS) - 1u))] = piece;
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
