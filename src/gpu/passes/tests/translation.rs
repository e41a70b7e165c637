//! Every shader with every setting of its overrides, translated to the languages of the other backends by naga, as wgpu
//! does on those systems.

use std::io::Write as _;
use std::process::{Command, Stdio};

use naga::back::{hlsl, msl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use super::{SHADERS, Shader, parsed};

/// Lanes that devices get: narrow software devices, and hardware.
const LANES: [u32; 3] = [4, 8, 64];

/// A module whose overrides are constants.
struct Setting {
    name: String,
    lanes: u32,
    module: naga::Module,
    info: ModuleInfo,
}

fn validated(module: &naga::Module) -> Result<ModuleInfo, String> {
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::empty());
    validator.validate(module).map_err(|error| error.emit_to_string(""))
}

/// The modules of a shader: one per set of its switches and number of lanes.
fn settings(shader: &Shader) -> Vec<Setting> {
    let module = parsed(shader);
    let info = validated(&module).unwrap();
    let every = (0_usize..1 << shader.switches.len()).flat_map(|setting| LANES.map(|lanes| (setting, lanes)));
    every
        .map(|(setting, lanes)| {
            let constants = Shader { lanes, ..*shader }.constants(setting);
            let constants = constants.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
            let entry_point = Some((naga::ShaderStage::Compute, shader.name));
            let name = format!("{} with {constants:?}", shader.name);
            let processed = naga::back::pipeline_constants::process_overrides(&module, &info, entry_point, &constants);
            let (module, info) = processed.unwrap_or_else(|error| panic!("{name}: {error}"));
            Setting { name, lanes, module: module.into_owned(), info: info.into_owned() }
        })
        .collect()
}

fn every_setting() -> Vec<Setting> {
    SHADERS.iter().flat_map(settings).collect()
}

#[test]
fn every_setting_is_valid_and_has_its_lanes() {
    let settings = every_setting();
    assert_eq!(settings.len(), LANES.len() * (2 + 16 + 8 + 1 + 16 + 8));
    for Setting { name, lanes, module, .. } in &settings {
        assert_eq!(validated(module).err(), None, "{name}");
        let [entry] = &module.entry_points[..] else { panic!("{name}") };
        assert_eq!(entry.workgroup_size, [*lanes, 1, 1], "{name}");
    }
}

#[test]
fn every_setting_translates_to_the_shading_language_of_metal() {
    for Setting { name, module, info, .. } in every_setting() {
        // Metal 2.0, the oldest with which wgpu compiles.
        let options = msl::Options { lang_version: (2, 0), ..msl::Options::default() };
        let written = msl::write_string(&module, &info, &options, &msl::PipelineOptions::default());
        let (source, translation) = written.unwrap_or_else(|error| panic!("{name}: {error}"));
        let names: Vec<_> = translation.entry_point_names.into_iter().collect::<Result<_, _>>().unwrap();
        assert!(names.len() == 1 && source.contains(&format!("kernel void {}(", names[0])), "{name}");
    }
}

/// The source for DirectX, and the name of its entry point.
fn in_hlsl(setting: &Setting, shader_model: hlsl::ShaderModel) -> (String, String) {
    let options = hlsl::Options { shader_model, ..hlsl::Options::default() };
    let mut source = String::new();
    let pipeline = hlsl::PipelineOptions::default();
    let written = hlsl::Writer::new(&mut source, &options, &pipeline).write(&setting.module, &setting.info, None);
    let reflection = written.unwrap_or_else(|error| panic!("{}: {error}", setting.name));
    let mut names: Vec<_> = reflection.entry_point_names.into_iter().collect::<Result<_, _>>().unwrap();
    assert_eq!(names.len(), 1, "{}", setting.name);
    (source, names.remove(0))
}

#[test]
fn every_setting_translates_to_the_shading_language_of_directx() {
    for setting in every_setting() {
        for shader_model in [hlsl::ShaderModel::V5_1, hlsl::ShaderModel::V6_0] {
            let (source, entry) = in_hlsl(&setting, shader_model);
            let head = format!("[numthreads({}, 1, 1)]\nvoid {entry}(", setting.lanes);
            assert!(source.contains(&head), "{}:\n{source}", setting.name);
        }
    }
}

#[test]
#[ignore = "needs glslangValidator; `make test-drivers` runs it"]
fn another_compiler_accepts_every_translation_for_directx() {
    let is_accepted = |source: &str, entry: &str| {
        let mut compiler = Command::new("glslangValidator");
        compiler.args(["--stdin", "-D", "-V", "-S", "comp", "-e", entry, "-o", "/dev/null"]);
        let started = compiler.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut running = started.expect("`make test-drivers` installs glslangValidator");
        running.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
        let output = running.wait_with_output().unwrap();
        output.status.success().then_some(()).ok_or_else(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let settings = every_setting();
    for setting in settings.iter().filter(|setting| setting.lanes == 64) {
        let (source, entry) = in_hlsl(setting, hlsl::ShaderModel::V5_1);
        assert_eq!(is_accepted(&source, &entry), Ok(()), "{}", setting.name);
    }
    let (source, entry) = in_hlsl(&settings[0], hlsl::ShaderModel::V5_1);
    assert!(is_accepted(&source.replacen("uint", "unknown_type", 1), &entry).is_err(), "a planted mistake");
}
