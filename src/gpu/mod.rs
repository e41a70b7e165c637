//! Coverage from a scene, on the device.
//!
//! Input: a [`Scene`](crate::scene::Scene). Output: its [`Coverage`](crate::raster::Coverage). Phases: `choice` and
//! `adapter` (which devices) -> `segment_store` and `field_store` (glyph meshes and elastic fields that stay on the
//! device) -> `page_buffers` (what one page consists of) -> `passes` (accumulate, resolve, scatter or warp: one file
//! each, of the same name as its shader) -> `painter` (scenes, band by band, to coverage; small ones together, in `slots`
//! of buffers; large ones are copied to memory from a `shelf`) -> `workshop` (several submissions under way, as many as there is `room`) -> `owner` (the thread that owns one device,
//! until it fails; `under_way` says whether it hangs) -> `kept_device` (which replaces it, as far as `restart_budget`
//! allows) -> `renderer` (which gives each scene to the least loaded device). `fault` makes devices fail on purpose.
//!
//! It is the only module that names wgpu. It sees neither text nor fonts nor millimetres. Output is the same to the
//! bit from run to run: sums are integers, and no pixel depends on the order of work.

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
