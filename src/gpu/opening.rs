//! What a device thread is opened with.

use std::time::Duration;

use super::adapter::AdapterChoice;
use super::fault::FaultPlan;
use crate::clock::Clock;

/// The adapter to open, and the limits of its device.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// The number of the device in logs, metrics and the names of threads.
    pub(super) number: usize,
    pub(super) choice: AdapterChoice,
    /// Whether passes are timed, if the device can.
    pub(super) times_passes: bool,
    /// Longest time to draw one page.
    pub(super) timeout: Duration,
    pub(super) faults: FaultPlan,
    pub(super) clock: Clock,
}
