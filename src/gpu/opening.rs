//! What devices are opened with.

use std::sync::Arc;
use std::time::Duration;

use super::adapter::AdapterChoice;
use super::choice::GpuName;
use super::fault::FaultPlan;
use crate::clock::Clock;

/// The choice of devices, and their limits.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// The adapters that draw, each on its own thread.
    pub gpus: Vec<GpuName>,
    /// Devices per software adapter, if `auto` finds nothing better. The threads of one device wait for the slowest at
    /// the end of each dispatch, and the cores that idle there draw for another device.
    pub software_devices: usize,
    /// Whether a software adapter that is not named may draw, if no GPU can.
    pub software_fallback: bool,
    /// Longest time of a page on a device. Beyond it, the device hangs.
    pub timeout: Duration,
    /// Whether the times of passes on the device go to the metrics, if the device can measure them.
    pub times_passes: bool,
    /// Faults on purpose, for tests.
    pub faults: FaultPlan,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self {
            gpus: vec![GpuName::Auto],
            software_devices: 1,
            software_fallback: true,
            timeout: Duration::from_secs(60),
            times_passes: false,
            faults: FaultPlan::default(),
        }
    }
}

/// One device to open.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    /// The number of the device in logs, metrics and the names of threads.
    pub(super) number: usize,
    pub(super) choice: AdapterChoice,
    pub(super) options: Arc<DeviceOptions>,
    pub(super) clock: Clock,
}
