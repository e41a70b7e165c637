//! Makes finished files from specifications, on its own threads.
//!
//! Input: a valid [`RenderSpec`](crate::spec::RenderSpec). Output: a [`RenderedFile`], the finished file and its
//! metadata.
//!
//! - **Stages.** `prepare` is the beginning of every request: are its fonts there, the layout, its cost, what is
//!   refused, the warnings. Then the `engine` composes, draws and encodes. A PDF may have several pages, each sent when
//!   it is ready. A [`Preview`] is the same layout, or a part of it, at another scale, with a `watermark` if wanted. `specimens`
//!   show fonts. `stages` measures each stage. A [`dry_run`] and a [`Preflight`] end after the layout.
//! - **Cost.** `cost` estimates a page before and after its layout, and refuses requests that cost too much: layout
//!   steps are counted while it runs, drawing is bounded once the layout is known. What a page costs beyond its
//!   estimate counts against its key.
//! - **Queue.** `queue` admits jobs in fair turns and runs them on its threads: one more than there are cores, and one
//!   more per further GPU. A thread prepares, composes, gives the scene to a device, waits and encodes. The `control`
//!   of a job says whether its client still waits.
//!
//! Only the pool is async: no module below it knows a runtime, and no module above it uses a device. This module does
//! not check requests, keys, rate limits or quotas, and keeps no state of a finished page.

mod artwork_cache;
mod control;
mod cost;
mod engine;
mod error;
mod file_part;
mod prepare;
mod queue;
mod rendered_file;
mod specimens;
mod stages;
mod watermark;

pub use crate::gpu::{AdapterDescription, DeviceHealth, DeviceOptions, DeviceStatus, FaultPlan, GpuName};
pub use crate::layout::LayoutError;
pub use crate::warning::{Warning, WarningKind};
pub use cost::Cost;
pub use engine::{Engine, PREVIEW_WIDTH};
pub use error::{RenderError, StartError};
pub use file_part::{FilePart, FileStart, PartSink};
pub use prepare::dry_run::dry_run;
pub use prepare::preflight::{FileFacts, Preflight};
pub use queue::{HangingPage, PoolOptions, QueueStatus, RejectReason, RenderPool, Rendered, Tenant};
pub use rendered_file::{DrawnPages, PlacedBlock, Preview, PreviewMark, RenderedFile, WordPlace};
pub use specimens::{SheetFormat, SpecimenWords};
pub use stages::{Stage, StageTimes};
