//! Errors of the device.

use std::time::Duration;

use thiserror::Error;

use crate::work::Stopped;

/// A device that is missing, or a drawing that failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GpuError {
    /// No Vulkan, Metal or Direct3D 12 adapter. The text says what to install.
    #[error(
        "no GPU adapter was found ({0}): install a Vulkan driver, on Debian or Ubuntu `apt-get install libvulkan1 \
         mesa-vulkan-drivers` (a software driver), on an NVIDIA host its driver with the Vulkan ICD (in a container set \
         NVIDIA_DRIVER_CAPABILITIES=compute,graphics,utility); `longhand doctor` shows what is there"
    )]
    NoAdapter(String),
    /// The requested adapter does not exist.
    #[error("there is no GPU {name}; {offered}; write auto, a number of that list, a PCI address or part of a name")]
    UnknownGpu {
        /// The requested name.
        name: String,
        /// The available adapters.
        offered: String,
    },
    /// The adapter refused a device.
    #[error("the adapter gave no device: {0}")]
    NoDevice(String),
    /// The device reported an error, or was lost.
    #[error("the device failed: {0}")]
    Failed(String),
    /// The device did not finish in time.
    #[error("the device did not finish within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The scene is beyond what one device buffer may hold.
    #[error("the page needs {needed} bytes of {what}, the device binds at most {limit}")]
    TooLarge {
        /// What does not fit.
        what: &'static str,
        /// Bytes needed.
        needed: u64,
        /// Bytes that can be bound.
        limit: u64,
    },
    /// The coverage is no longer wanted.
    #[error(transparent)]
    Stopped(Stopped),
    /// The thread that owns the device has ended.
    #[error("the renderer has shut down")]
    ShutDown,
}
