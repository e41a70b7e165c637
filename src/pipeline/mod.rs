//! Makes finished files from specifications, on its own threads.
//!
//! Input: a valid [`RenderSpec`](crate::spec::RenderSpec). Output: a [`RenderedFile`], the finished file and its metadata.
//!
//! - **Stages.** `engine` runs them in order: lay out, compose, draw, encode. A PDF may have several pages, each sent
//!   when it is ready, and `press_warnings`. A [`Preview`] is the same layout at another scale with a `watermark`. A
//!   `specimen` shows one font. `stages` measures each stage. A `dry_run` ends after the layout.
//! - **Cost.** `cost` estimates a page in megapixels of inked strips, before and after its layout. `bounds` refuses
//!   requests that cost too much: layout steps are counted while it runs, drawing is bounded once the layout is known.
//!   What a page costs beyond its estimate counts against its key.
//! - **Queue.** `job_queue` admits jobs and hands them to the threads. `job_request` is a job's description and the reasons
//!   for refusal. `fair_queue` holds the rules: bounds, turns, deadlines.
//! - **Threads.** `pool` starts one thread more than there are cores, and one more per further GPU. A thread lays out,
//!   composes, hands the scene to a device, waits and encodes. `rehearsal` renders pages at the start, so that no
//!   client waits for drivers and fields. `running_job` is a job on a thread; its `control` tells whether the client
//!   still waits.
//!
//! The pool is where async ends: nothing below it knows a runtime, and nothing above it touches a device. The module
//! decides nothing about requests, keys or limits, and keeps no state of a finished page.

mod bounds;
mod control;
mod cost;
mod dry_run;
mod engine;
mod error;
mod fair_queue;
mod job_queue;
mod job_request;
mod pool;
mod press_warnings;
mod rehearsal;
mod rendered_file;
mod running_job;
mod specimen;
mod stages;
mod watermark;

pub use crate::gpu::{AdapterDescription, DeviceHealth, DeviceOptions, DeviceStanding, FaultPlan, GpuName};
pub use crate::layout::{LayoutError, Warning, WarningKind};
pub use cost::Cost;
pub use dry_run::{DryRun, dry_run};
pub use engine::{BAND_BUDGET, Engine, PREVIEW_WIDTH, SheetFormat};
pub use error::{RenderError, StartError};
pub use job_queue::QueueStanding;
pub use job_request::{RejectReason, Tenant};
pub use pool::{PoolOptions, RenderPool, Rendered};
pub use rendered_file::{DrawnPages, FilePart, FileStart, PartSink, Preview, RenderedFile};
pub use stages::{Stage, StageTimes};
