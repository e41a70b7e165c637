//! The compute passes, one file each, named as its shader.
//!
//! Input: the buffers of a scene on the device. Output: dispatches recorded into a compute pass. In the order they run:
//! `accumulate` (signed areas of every glyph's boundary) -> `resolve` (prefix sums to packed 8-bit coverage). A pass
//! knows its bindings and how many workgroups its work takes; it owns no buffer and submits nothing.

mod accumulate;
mod band;
mod resolve;

pub(super) use accumulate::{Accumulate, AccumulateBuffers};
pub(super) use band::{BAND_STRIDE, BandRecord};
pub(super) use resolve::{Resolve, ResolveBuffers};

use crate::scene::MAX_GROUPS_A_DIMENSION;

/// Dispatches `groups` workgroups, folded into y where x is full.
fn dispatch(pass: &mut wgpu::ComputePass<'_>, groups: u32) {
    if groups > 0 {
        pass.dispatch_workgroups(groups.min(MAX_GROUPS_A_DIMENSION), groups.div_ceil(MAX_GROUPS_A_DIMENSION), 1);
    }
}
