//! The story of a page in one function, and the threads it runs on.
//!
//! Input: a valid [`RenderSpec`](crate::spec::RenderSpec). Output: an [`Artifact`], the finished file and what belongs
//! beside it. `studio` is the story: lay out, compose, draw, encode; a PDF may have more pages than one, and
//! `press_warnings`; a [`Preview`] is the same story at another scale with a `watermark`; a `specimen` shows a hand;
//! `stages` says how long each part took. `cost` tells what a page costs, before it is laid out and
//! after, and `bounds` what it may cost; `order` says who asks for what, `fair_queue` whose turn is next and who is turned
//! away, and `desk` is where work is handed in and fetched. `pool` runs all of it on threads of its own, after a
//! `rehearsal`; `under_way` is a page on one of them, which asks by its `control` whether it is still wanted. The pool is
//! where async ends: nothing below it knows a runtime, and nothing above it touches a device.
//!
//! It decides nothing about requests, keys or limits, and holds no state of a page once it is finished.

mod artifact;
mod bounds;
mod control;
mod cost;
mod desk;
mod error;
mod fair_queue;
mod order;
mod pool;
mod press_warnings;
mod rehearsal;
mod specimen;
mod stages;
mod studio;
mod under_way;
mod watermark;

pub use crate::gpu::{AdapterDescription, DeviceHealth, DeviceOptions, DeviceStanding, FaultPlan, GpuName, Remedy};
pub use crate::layout::{LayoutError, Warning, WarningKind};
pub use artifact::{Artifact, DrawnPages, FilePart, FileStart, PartSink, Preview};
pub use cost::Cost;
pub use desk::QueueStanding;
pub use error::{RenderError, StartError};
pub use order::{Shed, Tenant};
pub use pool::{PoolOptions, RenderPool, Rendered};
pub use stages::{Stage, StageTimes};
pub use studio::{BAND_BUDGET, PREVIEW_WIDTH, SheetFormat, Studio};
