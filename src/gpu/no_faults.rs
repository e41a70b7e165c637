//! Stands in for `fault` in releases: nothing fails on purpose.

use std::time::Duration;

use super::error::GpuError;
use super::scene_renderer::SceneRenderer;

/// There are none.
#[derive(Clone, Copy, Debug)]
pub(super) enum Fault {}

impl Fault {
    /// Never called.
    pub(super) const fn strike(self, _: &SceneRenderer) -> Result<(), GpuError> {
        match self {}
    }
}

/// A plan without faults.
#[derive(Clone, Debug, Default)]
pub struct FaultPlan {}

#[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as in `fault`")]
impl FaultPlan {
    /// Whether nothing goes wrong on purpose.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        true
    }

    /// No fault.
    pub(super) const fn next_drawing(&self) -> Option<Fault> {
        None
    }

    /// No fault.
    pub const fn begin_job(&self) {}

    /// No fault.
    #[must_use]
    pub const fn hangs_after(&self) -> Option<Duration> {
        None
    }

    /// No fault.
    pub(super) const fn next_opening(&self) -> Result<(), GpuError> {
        Ok(())
    }
}
