//! The compute passes, listed in `shaders`.
//!
//! Input: the buffers of a scene on the device. Output: dispatches recorded into a compute pass. In the order they run:
//!
//! 1. `accumulate`: one workgroup per instance, one lane per segment. Adds the signed area and the cover of each
//!    segment to the pixels that it crosses. Both are halves of one word, so a pixel takes one atomic addition; pages
//!    on which too many glyphs overlap use whole words and two additions.
//! 2. `bend` instead, on pages whose outlines are bent: one lane per run of corners of an instance. Bends the corners,
//!    and adds the straight pieces between them as `accumulate` does.
//! 3. `resolve`: one lane per line of a strip. A prefix sum gives coverage, clamped and packed four pixels per word.
//! 4. `warp`, on pages whose drawn pixels are displaced: one lane per line of a strip. Reads each pixel from where the
//!    field points back to; `resolve` wrote the page as a raster for it.
//! 5. `erase` clears the raster that `warp` read.
//!
//! Buffers that passes accumulate into are zero before a page. Buffers that are kept are cleared after it, in a
//! submission of their own, while the page is read back and encoded. A pass knows its bindings and its number of
//! workgroups. It owns no buffer and submits nothing.

mod pass;
mod shader;
mod shaders;
mod slot;

pub(super) use pass::Pass;
pub(super) use slot::Bound;

use super::field_store::PlacedField;
use shader::Shader;
use shaders::{ACCUMULATE, BEND, BEND_WITH_UNIFORMS, ERASE, RESOLVE, WARP};

/// Subgroups of a workgroup of `accumulate`. Each loads the glyph's record again, so a device with narrow subgroups gets
/// few.
const SUBGROUPS: u32 = 2;

/// The passes on a device, those of plain pages first.
pub(super) struct Passes {
    pub(super) accumulate: Pass,
    pub(super) resolve: Pass,
    bend: Pass,
    bend_with_uniforms: Pass,
    pub(super) warp: Pass,
    pub(super) erase: Pass,
}

impl Passes {
    /// The passes for a device that `subgroup` lanes keep busy.
    pub(super) fn new(device: &wgpu::Device, subgroup: u32) -> Self {
        let pass = |shader| Pass::new(device, shader);
        let of_lanes = |shader: Shader, lanes: u32| pass(Shader { lanes: lanes.min(shader.lanes), ..shader });
        Self {
            accumulate: of_lanes(ACCUMULATE, SUBGROUPS * subgroup),
            resolve: pass(RESOLVE),
            bend: of_lanes(BEND, subgroup),
            bend_with_uniforms: of_lanes(BEND_WITH_UNIFORMS, subgroup),
            warp: pass(WARP),
            erase: pass(ERASE),
        }
    }

    /// All passes, in the order in which they are compiled ahead.
    pub(super) fn all(&self) -> [&Pass; 6] {
        let Self { accumulate, resolve, bend, bend_with_uniforms, warp, erase } = self;
        [accumulate, resolve, bend, bend_with_uniforms, warp, erase]
    }

    /// The pass that bends outlines by this field, if one displaces ink.
    pub(super) const fn bend(&self, field: Option<&PlacedField>) -> &Pass {
        match field {
            Some(PlacedField::Quarters(_)) => &self.bend_with_uniforms,
            Some(PlacedField::Grain(_) | PlacedField::Cells(_)) | None => &self.bend,
        }
    }
}

#[cfg(test)]
mod tests {
    mod constants;
    mod translation;

    use std::collections::BTreeMap;
    use std::mem::offset_of;

    use super::shader::SHARED;
    use super::*;
    use crate::gpu::band::BandRecord;
    use crate::gpu::segment_store::MeshRange;
    use crate::scene::{EffectsRecord, InkRow, Instance, StripRecord};

    const SHADERS: [Shader; 6] = [ACCUMULATE, BEND, BEND_WITH_UNIFORMS, ERASE, RESOLVE, WARP];

    fn parsed(shader: &Shader) -> naga::Module {
        naga::front::wgsl::parse_str(&shader.source()).unwrap_or_else(|error| panic!("{}: {error}", shader.name))
    }

    #[test]
    fn every_shader_file_belongs_to_a_pass() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders");
        let parts: Vec<&str> = SHADERS.iter().flat_map(|shader| shader.parts.concat()).chain([SHARED]).collect();
        for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let is_shader = file.extension().is_some_and(|extension| extension == "wgsl");
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(!is_shader || parts.contains(&text.as_str()), "no pass has {}", file.display());
        }
        for Shader { name, parts, .. } in SHADERS {
            assert_eq!(std::fs::read_to_string(folder.join(format!("{name}.wgsl"))).unwrap(), parts[0][0]);
        }
    }

    #[test]
    fn every_pass_compiles_on_a_device_without_a_driver() {
        let (device, _queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let complaints = std::sync::Arc::new(parking_lot::Mutex::new(Vec::new()));
        let heard = std::sync::Arc::clone(&complaints);
        device.on_uncaptured_error(std::sync::Arc::new(move |error: wgpu::Error| {
            heard.lock().push(error.to_string());
        }));
        for pass in Passes::new(&device, 32).all() {
            pass.compile_while(&device, &|| true);
        }
        assert_eq!(*complaints.lock(), Vec::<String>::new());
    }

    #[test]
    fn a_shader_that_does_not_match_its_bindings_is_refused_without_a_driver() {
        let (device, _queue) = wgpu::Device::noop(&wgpu::DeviceDescriptor::default());
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let too_few = Shader { bindings: &[&[]], ..ACCUMULATE };
        Pass::new(&device, too_few).compile_while(&device, &|| true);
        assert!(pollster::block_on(scope.pop()).is_some());
    }

    /// The members of a struct of the shared declarations with their offsets, and its size.
    fn shape(module: &naga::Module, name: &str) -> (BTreeMap<String, usize>, usize) {
        let (_, found) = module.types.iter().find(|(_, kind)| kind.name.as_deref() == Some(name)).unwrap();
        let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
        let offsets = members.iter().map(|member| (member.name.clone().unwrap(), member.offset as usize)).collect();
        (offsets, *span as usize)
    }

    macro_rules! assert_same_shape {
        ($module:expr, $wgsl:literal, $record:ty, [$($member:ident),+]) => {
            let expected: BTreeMap<String, usize> =
                [$((stringify!($member).to_owned(), offset_of!($record, $member))),+].into();
            assert_eq!(shape($module, $wgsl), (expected, size_of::<$record>()), "{}", $wgsl);
        };
    }

    #[test]
    fn records_have_the_same_shape_in_rust_and_wgsl() {
        for module in SHADERS.iter().map(parsed) {
            assert_same_shape!(
                &module,
                "Band",
                BandRecord,
                [
                    first_tile_row,
                    end_tile_row,
                    first_instance,
                    end_instance,
                    first_strip,
                    end_strip,
                    first_pixel,
                    first_coverage,
                    first_corner_run,
                    end_corner_run
                ]
            );
            assert_same_shape!(&module, "Strip", StripRecord, [address, width, x, tile_row]);
            assert_same_shape!(&module, "InkRow", InkRow, [line, blend_start, blend_rate]);
            assert_same_shape!(
                &module,
                "Effects",
                EffectsRecord,
                [
                    lattice_offset,
                    page_size,
                    raster_corner,
                    raster_size,
                    lattice_step,
                    largest_displacement,
                    px_per_device_px,
                    ink_intensity,
                    ink_seed,
                    ink_samples,
                    stroke_cells_per_px,
                    grain,
                    lattice_skew,
                    pen_seed,
                    tone_seed,
                    pen_knots,
                    tone_knots,
                    nib,
                    line_start,
                    line_end,
                    tone,
                    tone_limits
                ]
            );
        }
    }

    /// Offsets of the members that a vector of the shaders stands for, from the first.
    macro_rules! offsets {
        ($record:ty, [$first:ident $(, $member:ident)*]) => {
            [0, $(offset_of!($record, $member) - offset_of!($record, $first)),*]
        };
    }

    #[test]
    fn members_that_the_shaders_read_as_one_vector_follow_one_another() {
        let (members, size) = shape(&parsed(&ACCUMULATE), "Instance");
        assert_eq!(size, size_of::<Instance>());
        assert_eq!(members["matrix"], offset_of!(Instance, matrix));
        assert_eq!(members["place"], offset_of!(Instance, translation));
        assert_eq!(offsets!(Instance, [translation, left, pen]), [0, 8, 12]);
        assert_eq!(members["mesh_and_rows"], offset_of!(Instance, mesh));
        assert_eq!(offsets!(Instance, [mesh, tile_row, tile_rows, width, first_tile_row]), [0, 4, 8, 10, 12]);
        assert_eq!((offsets!(MeshRange, [first, count]), size_of::<MeshRange>()), ([0, 4], 8));
    }

    /// The first argument of each call of `function` in a block.
    fn arguments(
        block: &naga::Block,
        function: naga::Handle<naga::Function>,
        found: &mut Vec<naga::Handle<naga::Expression>>,
    ) {
        use naga::Statement;
        for statement in block {
            match statement {
                Statement::Call { function: called, arguments, .. } if *called == function => found.push(arguments[0]),
                Statement::Block(inner) => arguments_of([inner], function, found),
                Statement::If { accept, reject, .. } => arguments_of([accept, reject], function, found),
                Statement::Loop { body, continuing, .. } => arguments_of([body, continuing], function, found),
                Statement::Switch { cases, .. } => {
                    arguments_of(cases.iter().map(|case| &case.body), function, found);
                }
                _ => {}
            }
        }
    }

    fn arguments_of<'a>(
        blocks: impl IntoIterator<Item = &'a naga::Block>,
        function: naga::Handle<naga::Function>,
        found: &mut Vec<naga::Handle<naga::Expression>>,
    ) {
        blocks.into_iter().for_each(|block| arguments(block, function, found));
    }

    /// The arguments of `rounded` in a module that compilers may split: all but products, minima and clamps.
    fn splittable_roundings(module: &naga::Module) -> (usize, Vec<String>) {
        let named = |function: &naga::Function| function.name.as_deref() == Some("rounded");
        let Some((rounded, _)) = module.functions.iter().find(|(_, function)| named(function)) else {
            return (0, Vec::new());
        };
        let (mut calls, mut splittable) = (0, Vec::new());
        let entries = module.entry_points.iter().map(|entry| &entry.function);
        for function in module.functions.iter().map(|(_, function)| function).chain(entries) {
            let mut found = Vec::new();
            arguments(&function.body, rounded, &mut found);
            calls += found.len();
            for argument in found.into_iter().map(|argument| &function.expressions[argument]) {
                let is_whole = match argument {
                    naga::Expression::Math { fun, .. } => {
                        matches!(fun, naga::MathFunction::Min | naga::MathFunction::Clamp)
                    }
                    naga::Expression::Binary { op, .. } => *op == naga::BinaryOperator::Multiply,
                    _ => false,
                };
                if !is_whole {
                    splittable.push(format!("{argument:?}"));
                }
            }
        }
        (calls, splittable)
    }

    #[test]
    fn no_sum_is_rounded_because_compilers_may_split_it() {
        let mut calls = 0;
        for shader in &SHADERS {
            let (of_shader, splittable) = splittable_roundings(&parsed(shader));
            assert_eq!(splittable, Vec::<String>::new(), "{}", shader.name);
            calls += of_shader;
        }
        assert!(calls >= 6, "{calls} calls of `rounded`");
        let planted = WARP.source().replace("rounded(min(mix(", "rounded((mix(").replace(", vec4<f32>(255.0))", ")");
        let module = naga::front::wgsl::parse_str(&planted).unwrap();
        assert_eq!(splittable_roundings(&module).1.len(), 1, "a planted mistake");
    }
}
