//! Makes finished files from specifications, on its own threads.
//!
//! Input: a valid [`RenderSpec`](crate::spec::RenderSpec). Output: a [`RenderedFile`], the finished file and its
//! metadata.
//!
//! - **Stages.** `prepare` is the beginning of every request: are its fonts there, the layout, its cost, what is refused
//!   (`strokes` refuses fonts and characters without strokes), the warnings. Then `engine` composes, draws and encodes; a
//!   `Production` has what the stages of a job share. A PDF may have several pages, each sent when it is ready. A
//!   [`Preview`] is the same layout, or a part of it, at another scale with a `watermark`, which keeps clear of each
//!   `word_zone`. A `specimen` shows one font. `stages` measures each stage. A `dry_run` ends after the layout, and so
//!   does `preflight`, which reports what the file would be.
//! - **Cost.** `cost` estimates a page in megapixels of inked strips, before and after its layout. `outline_cost` adds
//!   rare and large outlines. `bounds` refuses requests that cost too much: layout steps are counted while it runs,
//!   drawing is bounded once the layout is known.
//!   What a page costs beyond its estimate counts against its key.
//! - **Queue.** `job_queue` admits jobs and hands them to the threads. `job_request` is a job's description and the
//!   reasons for refusal. `fair_queue` has the rules: turns, bounds, memory.
//! - **Threads.** `pool` starts one thread more than there are cores, and one more per further GPU. A thread lays out,
//!   composes, gives the scene to a device, waits and encodes. `warm_up` renders pages at the start, so that no
//!   client waits for one-time work. `running_job` is a job on a thread. Its `control` says whether the client still
//!   waits. Each time that a stage asks, it stamps the thread's `heartbeat`, by which the pool finds threads that hang.
//!
//! Only the pool is async: no module below it knows a runtime, and no module above it uses a device. This module does
//! not check requests, keys, rate limits or quotas, and keeps no state of a finished page.

mod bounds;
mod control;
mod cost;
mod dry_run;
mod engine;
mod error;
mod fair_queue;
mod heartbeat;
mod job_queue;
mod job_request;
mod laid_out;
mod layers;
mod outline_cost;
mod pool;
mod preflight;
mod prepare;
mod rendered_file;
mod running_job;
mod specimen;
mod stages;
mod strokes;
mod text_ink;
mod vector_estimate;
mod warm_up;
mod watermark;
mod word_zone;
mod work_budget;
mod writings;

pub use crate::gpu::{AdapterDescription, DeviceHealth, DeviceOptions, DeviceStatus, FaultPlan, GpuName};
pub use crate::layout::LayoutError;
pub use crate::warning::{Warning, WarningKind};
pub use cost::Cost;
pub use dry_run::{DryRun, dry_run};
pub use engine::{Engine, PREVIEW_WIDTH, SheetFormat};
pub use error::{RenderError, StartError};
pub use heartbeat::HangingPage;
pub use job_queue::QueueStatus;
pub use job_request::{RejectReason, Tenant};
pub use laid_out::PlacedBlock;
pub use pool::{PoolOptions, RenderPool};
pub use preflight::{FileFacts, Preflight};
pub use rendered_file::{DrawnPages, FilePart, FileStart, PartSink, Preview, RenderedFile};
pub use running_job::Rendered;
pub use specimen::SpecimenWords;
pub use stages::{Stage, StageTimes};
