//! Render threads behind a bounded and fair queue.
//!
//! Input: a specification and its estimated cost. Output: the finished file, for the client that waits. `job_queue`
//! admits jobs and hands them to the threads; `job_request` is a job's description and the reasons for refusal;
//! `fair_queue` has the rules: turns, bounds, memory. Rows of mailings run in the background. `work_budget` bounds the free calls of a client. `pool` starts
//! the threads. `running_job` is a job on a thread; each time that a stage asks whether the client still waits, it
//! stamps the thread's `heartbeat`, by which the pool finds threads that hang.

mod fair_queue;
pub(super) mod heartbeat;
mod job_queue;
pub(super) mod job_request;
mod pool;
pub(super) mod running_job;
mod work_budget;

pub use heartbeat::HangingPage;
pub use job_queue::QueueStatus;
pub use job_request::{RejectReason, Tenant};
pub use pool::{PoolOptions, RenderPool};
pub use running_job::Rendered;
