//! Shader sources and their pipelines.

use super::slot::{Access, Slot};
use crate::scene::Scene;

/// Declarations shared by all passes, appended after each body so that error lines stay those of the body's file.
pub(super) const SHARED: &str = include_str!("../../../shaders/shared.wgsl");

/// One pass: the name of its entry point and file, its body, and what it binds.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Shader {
    /// Name of the file without its ending, and of the entry point.
    pub(super) name: &'static str,
    /// The WGSL body, and the files of functions appended to it, in lists that follow one another; the shared declarations
    /// follow.
    pub(super) parts: &'static [&'static [&'static str]],
    /// The overrides that depend on the scene. Others keep their defaults.
    pub(super) switches: &'static [Switch],
    /// Most lanes of a workgroup.
    pub(super) lanes: u32,
    /// The bindings in lists that follow one another, numbered from zero.
    pub(super) bindings: &'static [&'static [(Access, Slot)]],
}

/// A part of a pass that is compiled in or left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Switch {
    /// The override in the shaders.
    pub(super) name: &'static str,
    /// Whether the scene is drawn with it.
    pub(super) is_asked_by: fn(&Scene) -> bool,
}

impl Shader {
    /// The whole WGSL source.
    pub(super) fn source(&self) -> String {
        format!("{}\n{SHARED}", self.parts.concat().join("\n"))
    }

    /// The values of the overrides with this setting, which has a bit for each switch.
    pub(super) fn constants(&self, setting: usize) -> Vec<(&'static str, f64)> {
        let is_on = |bit: usize| f64::from(u8::from(setting >> bit & 1 == 1));
        let switches = self.switches.iter().enumerate().map(|(bit, switch)| (switch.name, is_on(bit)));
        std::iter::once(("LANES", f64::from(self.lanes))).chain(switches).collect()
    }

    /// The setting with which the scene is drawn.
    pub(super) fn setting_of(&self, scene: &Scene) -> usize {
        let bit = |(bit, switch): (usize, &Switch)| usize::from((switch.is_asked_by)(scene)) << bit;
        self.switches.iter().enumerate().map(bit).sum()
    }

    /// The compute pipeline of this pass over one bind group, with this setting of its switches.
    pub(super) fn pipeline(
        &self,
        device: &wgpu::Device,
        bindings: &wgpu::BindGroupLayout,
        setting: usize,
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
                constants: &self.constants(setting),
                zero_initialize_workgroup_memory: false,
            },
            cache: None,
        })
    }
}
