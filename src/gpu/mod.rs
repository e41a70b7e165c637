//! Coverage from a scene, on the device.
//!
//! Input: a [`Scene`](crate::scene::Scene). Output: its [`Coverage`](crate::raster::Coverage). Phases: `adapter` (which
//! device) -> `segment_store` (glyph meshes that stay on the device) -> `passes` (accumulate, resolve: one file each,
//! of the same name as its shader) -> `painter` (one scene, band by band, to coverage) -> `renderer` (the thread that
//! owns the device, and its recovery).
//!
//! It is the only module that names wgpu. It sees neither text nor fonts nor millimetres. Output is the same to the
//! bit from run to run: sums are integers, and no pixel depends on the order of work.

mod adapter;
mod buffer;
mod error;
mod painter;
mod passes;
mod renderer;
mod segment_store;
mod shader;

pub use adapter::AdapterDescription;
pub use error::GpuError;
pub use renderer::Renderer;
