// Sums the boundaries of glyphs that keep their shape into the strips' accumulators.
//
// One workgroup per instance, one lane per segment; lines.wgsl, appended, adds each to the pixels that it crosses.
//
// Reads: instances, meshes, segments, tile rows. Adds to: accumulator.

override LANES: u32;

@group(0) @binding(0) var<uniform> band: Band;
@group(0) @binding(1) var<storage, read> instances: array<Instance>;
// First segment of each mesh, and their number.
@group(0) @binding(2) var<storage, read> meshes: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read> segments: array<vec4<f32>>;
// Positions of the tile rows of the instances' boxes; see TileRow in src/scene/records.rs.
@group(0) @binding(4) var<storage, read> tile_rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> accumulator: array<atomic<i32>>;

@compute @workgroup_size(LANES)
fn accumulate(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let index = band.first_instance + group_number(group);
    if (index >= band.end_instance) {
        return;
    }
    let instance = instances[index];
    let mesh = meshes[instance.mesh_and_rows.x];
    var next = mesh.x + lane;
    let end = mesh.x + mesh.y;
    if (next >= end) {
        return;
    }
    loop {
        let segment = segments[next];
        add_line(instance, on_device(instance, segment.xy), on_device(instance, segment.zw));
        next += LANES;
        continuing {
            break if next >= end;
        }
    }
}
