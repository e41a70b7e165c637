//! Prefix sums along the strips' lines, times the ink's opacity, packed to 8-bit coverage.

use super::band::band_binding;
use super::pass::{BoundPass, Pass};
use crate::gpu::page_buffers::PageBuffers;
use crate::gpu::shader::{Binding, Effect, Shader};
use crate::raster::TILE;
use crate::scene::{Band, SceneEffects};

/// The pass's shader. Its effect fades the ink.
pub(in crate::gpu) const SHADER: Shader = Shader {
    name: "resolve",
    parts: &[include_str!("../../../shaders/resolve.wgsl"), include_str!("../../../shaders/ink_flow.wgsl")],
    effect: Some("INK_FLOW"),
    lanes: 64,
};

/// The compiled pass.
pub(in crate::gpu) struct Resolve {
    solid: Pass,
    fading: Pass,
}

impl Resolve {
    /// Compiles the pass.
    pub(in crate::gpu) fn new(device: &wgpu::Device) -> Self {
        use Binding::{DynamicUniform, Read, ReadWrite, Uniform};
        let kinds = [DynamicUniform, Read, Read, ReadWrite, Uniform, Read, Read];
        let pass = |effect| Pass::new(device, SHADER, &kinds, effect);
        Self { solid: pass(Effect::Off), fading: pass(Effect::On) }
    }

    /// Binds the buffers of a page.
    pub(in crate::gpu) fn bind(
        &self,
        device: &wgpu::Device,
        page: &PageBuffers,
        effects: &SceneEffects,
    ) -> BoundPass<'_> {
        let pass = if effects.ink.is_some() { &self.fading } else { &self.solid };
        let resources = [
            band_binding(page.bands.get()),
            page.strips.get().as_entire_binding(),
            page.accumulator.get().as_entire_binding(),
            page.coverage.get().as_entire_binding(),
            page.effects.get().as_entire_binding(),
            page.ink_rows.get().as_entire_binding(),
            page.ink_wear.get().as_entire_binding(),
        ];
        pass.bind(device, &resources)
    }

    /// Workgroups that a band takes: a lane each line of its strips.
    pub(in crate::gpu) fn groups(band: &Band) -> u32 {
        (band.strips.len() as u32 * TILE).div_ceil(SHADER.lanes)
    }
}
