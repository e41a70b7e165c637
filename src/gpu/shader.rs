//! Shader sources and their pipelines.

use crate::scene::{AccumulatorFormat, Scene};

/// Declarations shared by all passes, appended after each body so that error lines stay those of the body's file.
const SHARED: &str = include_str!("../../shaders/shared.wgsl");

/// One pass: the name of its entry point and file, and its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shader {
    /// Name of the file without its ending, and of the entry point.
    pub(super) name: &'static str,
    /// The WGSL body, and the files of functions appended to it; the shared declarations follow.
    pub(super) parts: &'static [&'static str],
    /// The overrides that depend on the scene. Others keep their defaults.
    pub(super) switches: &'static [Switch],
    /// Lanes of a workgroup.
    pub(super) lanes: u32,
}

impl Shader {
    /// The whole WGSL source.
    pub(super) fn source(&self) -> String {
        format!("{}\n{SHARED}", self.parts.join("\n"))
    }

    /// The values of the overrides, with these of its switches on.
    pub(super) fn constants(&self, on: &[Switch]) -> Vec<(&'static str, f64)> {
        let lanes = ("LANES", f64::from(self.lanes));
        let switches = self.switches.iter().map(|switch| (switch.name(), f64::from(u8::from(on.contains(switch)))));
        std::iter::once(lanes).chain(switches).collect()
    }

    /// The compute pipeline of this pass over one bind group, with these of its switches on.
    pub(super) fn pipeline(
        &self,
        device: &wgpu::Device,
        bindings: &wgpu::BindGroupLayout,
        on: &[Switch],
    ) -> wgpu::ComputePipeline {
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(self.name),
            source: wgpu::ShaderSource::Wgsl(self.source().into()),
        });
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.name),
            bind_group_layouts: &[Some(bindings)],
            immediate_size: 0,
        });
        device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(self.name),
            layout: Some(&layout),
            module: &module,
            entry_point: Some(self.name),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &self.constants(on),
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    }
}

/// A part of a pass that is compiled in or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Switch {
    /// Drawn pixels are displaced, and their centres are lattice points of the field.
    Aligned,
    /// Outlines are bent.
    Bent,
    /// Outlines are bent by the elastic field.
    Elastic,
    /// Drawn pixels are displaced.
    Grain,
    /// The accumulator holds area and cover in the halves of a word.
    Halves,
    /// The ink fades.
    InkFlow,
    /// Drawn pixels are displaced by whole page px, each two device px wide.
    Pairs,
    /// Drawn pixels are displaced by whole page px.
    WholePx,
    /// Outlines are bent as letters vary.
    Writer,
}

impl Switch {
    /// Whether the scene is drawn with it.
    pub(super) fn is_asked_by(self, scene: &Scene) -> bool {
        let effects = &scene.effects;
        let warp = effects.warp.as_ref();
        let has_step = |step: f32| effects.record.lattice_step.to_bits() == step.to_bits();
        let in_whole_px = warp.is_some_and(|warp| warp.in_whole_px);
        match self {
            Self::Aligned => warp.is_some() && has_step(1.0),
            Self::Bent => scene.bends_outlines(),
            Self::Elastic => effects.bends_outlines(),
            Self::Grain => warp.is_some(),
            Self::Halves => scene.accumulator == AccumulatorFormat::Halves,
            Self::InkFlow => effects.ink.is_some(),
            Self::Pairs => in_whole_px && has_step(0.5),
            Self::WholePx => in_whole_px,
            Self::Writer => !scene.letters.is_empty(),
        }
    }

    /// The override in the shaders.
    const fn name(self) -> &'static str {
        match self {
            Self::Aligned => "ALIGNED",
            Self::Bent => "BENT",
            Self::Elastic => "ELASTIC",
            Self::Grain => "GRAIN",
            Self::Halves => "HALVES",
            Self::InkFlow => "INK_FLOW",
            Self::Pairs => "PAIRS",
            Self::WholePx => "WHOLE_PX",
            Self::Writer => "WRITER",
        }
    }
}

/// The kind of a binding.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    /// A uniform with an offset that each dispatch sets.
    DynamicUniform,
    /// A uniform for the whole page.
    Uniform,
    /// Storage that the pass only reads.
    Read,
    /// Storage that the pass also writes.
    ReadWrite,
}

/// A bind group layout of these bindings, numbered from zero.
pub(super) fn bindings(device: &wgpu::Device, name: &str, bindings: &[Binding]) -> wgpu::BindGroupLayout {
    let entries: Vec<_> = (0..)
        .zip(bindings)
        .map(|(binding, kind)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: match kind {
                    Binding::DynamicUniform | Binding::Uniform => wgpu::BufferBindingType::Uniform,
                    Binding::Read => wgpu::BufferBindingType::Storage { read_only: true },
                    Binding::ReadWrite => wgpu::BufferBindingType::Storage { read_only: false },
                },
                has_dynamic_offset: matches!(kind, Binding::DynamicUniform),
                min_binding_size: None,
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(name), entries: &entries })
}

/// A bind group of these resources, numbered from zero.
pub(super) fn bind(
    device: &wgpu::Device,
    name: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let entries: Vec<_> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(name), layout, entries: &entries })
}
