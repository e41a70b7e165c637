//! Draws scenes on the devices.
//!
//! Input: a [`Scene`](crate::scene::Scene). Output: its [`Coverage`](crate::raster::Coverage). In the order of use:
//!
//! 1. `adapters` lists the adapters, `choice` selects them, `open_device` opens one. `adapter` has their data.
//! 2. `segment_store` and `field_store` keep glyph meshes and elastic fields on the device between pages.
//! 3. `page_buffers` holds the buffers of one page; `buffer_pool` is a best-fit pool of them within a budget of bytes.
//! 4. `passes` records the compute passes; `compile_ahead` compiles those of hardware on a thread
//!    of its own. `scene_renderer` draws scenes band by band and reads them back, small plain pages together in shared
//!    dispatches. `encoders` holds the commands while they are recorded, and `pass_times` times passes on the device.
//!    `readback_pool` has the buffers that finished pages are read from, without a copy unless pipelines are being
//!    compiled.
//! 5. `submission_loop` is the loop of a device thread, and `device_thread` starts it with an `opening`. Only this thread submits, polls
//!    and maps. It keeps several submissions in flight, as many as `device_limits` allows, so that one page's upload
//!    and readback run beside another's drawing. It submits large scenes piece by piece, so that an unwanted page stops
//!    early.
//! 6. `in_flight` records which scenes are in flight since when, to detect a hanging device.
//! 7. `supervised_device` replaces a device that fails. `renderer` gives each scene to the device with the fewest
//!    pixels to draw.
//!
//! **Shared submissions.** The records of a page are uploaded at once. All texts of a page go to one device at once,
//! and share a submission if they are small. So do the marks of a preview, unless an earlier preview of the same page
//! size had them drawn. A page keeps its mapped buffer until it is encoded. Where the device has the CPU's memory,
//! passes write into that buffer. While hardware compiles pipelines, pages are copied, because the compiling thread may
//! lose the device.
//!
//! **Failures.** A device thread ends when its device fails, panics or is lost; a thread whose device hangs is
//! abandoned. `supervised_device` opens the device again, starting with a new instance, and the scenes in flight are
//! drawn again. A device that fails eight times in a row, or cannot be opened, is away: other devices draw its pages,
//! and it is opened again after a few seconds. If all are away, the process should exit and be started again. A
//! software adapter may be opened twice, because its threads wait for the slowest one at the end of each dispatch.
//! `fault` makes drawings fail on purpose, where a build with the feature `faults` is asked to.
//!
//! This is the only module that uses wgpu. It knows no text, fonts or millimetres. Its output is the same bit for bit
//! in every run: sums are integers, and no pixel depends on the order of work.

mod adapter;
mod adapters;
mod band;
mod buffer;
mod buffer_pool;
mod choice;
mod compile_ahead;
mod device_limits;
mod device_thread;
mod encoders;
mod error;
mod fault;
mod field_store;
mod in_flight;
mod open_device;
mod opening;
mod page_buffers;
mod page_records;
mod pass_times;
mod passes;
mod readback_pool;
mod renderer;
mod scene_renderer;
mod segment_store;
mod submission_loop;
mod supervised_device;

pub use adapter::{AdapterDescription, OfferedAdapter, PciAddress};
pub use adapters::{offered_adapters, readback_bytes_a_second};
pub use choice::GpuName;
pub use error::GpuError;
pub use fault::{FaultPlan, InvalidFault};
pub use opening::DeviceOptions;
pub use renderer::Renderer;
pub use supervised_device::{DeviceHealth, DeviceStatus};
