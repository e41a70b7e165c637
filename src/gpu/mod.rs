//! Draws scenes on the devices.
//!
//! Input: a [`Scene`](crate::scene::Scene). Output: its [`Coverage`](crate::raster::Coverage). In the order of use:
//!
//! 1. `survey` lists the adapters, `choice` selects them, `adapter` opens one.
//! 2. `segment_store` and `field_store` keep glyph meshes and elastic fields on the device between pages.
//! 3. `page_buffers` holds the buffers of one page; `slots` is a best-fit pool of them within a budget of bytes.
//! 4. `passes` records the compute passes, one file per shader. `painter` draws scenes band by band and reads them
//!    back, small plain pages together in shared dispatches. `shelf` is a pool of memory for copies of large pages.
//! 5. `workshop` is the loop of a device thread, and `owner` starts the thread. Only this thread submits, polls and
//!    maps. It keeps several submissions in flight, as many as `room` allows, so that one page's upload and readback
//!    run beside another's drawing. It submits large scenes piece by piece, so that an unwanted page stops early.
//! 6. `under_way` records which scenes are in flight since when, to detect a hanging device.
//! 7. `kept_device` replaces a device that fails. `renderer` gives each scene to the device with the fewest pixels to
//!    draw.
//!
//! **Failures.** A device thread ends when its device fails, panics or is lost; a thread whose device hangs is
//! abandoned. `kept_device` opens the device again, starting with a new instance, and the scenes in flight are drawn
//! again. A scene that was being drawn at a failure is drawn alone the next time, so that it cannot affect other pages.
//! `restart_budget` limits how often and how soon a device is opened. Beyond the limit the service is degraded: the
//! device is tried every few seconds, replaced by the software adapter, or the process exits. A device that is away is
//! opened beside those that draw. A software adapter may be opened twice, because its threads wait for the slowest one
//! at the end of each dispatch. `fault` makes drawings fail on purpose, for tests.
//!
//! This is the only module that uses wgpu. It knows no text, fonts or millimetres. Its output is the same bit for bit
//! in every run: sums are integers, and no pixel depends on the order of work.

mod adapter;
mod buffer;
mod choice;
mod error;
mod fault;
mod field_store;
mod kept_device;
mod owner;
mod page_buffers;
mod painter;
mod passes;
mod renderer;
mod restart_budget;
mod room;
mod segment_store;
mod shader;
mod shelf;
mod slots;
mod survey;
mod under_way;
mod workshop;

pub use adapter::AdapterDescription;
pub use choice::{GpuName, PciAddress};
pub use error::GpuError;
pub use fault::{FaultPlan, InvalidFault};
pub use kept_device::{DeviceHealth, DeviceStanding, Remedy};
pub use renderer::{DeviceOptions, Renderer};
pub use survey::{OfferedAdapter, offered_adapters, readback_bytes_a_second};
