//! The event of a job that has come to another state.

use serde_json::json;

use super::summary::{JobState, JobSummary, time};

/// An event of a job, as its client gets it.
#[derive(Default)]
pub(super) struct Announcement {
    /// The number of the event.
    pub(super) id: String,
    /// Its type, such as `job.completed`.
    pub(super) kind: &'static str,
    /// What is sent, in JSON.
    pub(super) body: String,
}

impl Announcement {
    /// The event of a job that has come to this state at the time `now` (Unix seconds), if it is one that is told.
    pub(super) fn of(job: &JobSummary, now: i64) -> Option<Self> {
        let kind = match job.state {
            JobState::Completed => "job.completed",
            JobState::Failed => "job.failed",
            JobState::Paused => "job.paused",
            JobState::Running | JobState::Cancelled => return None,
        };
        let body = json!({"type": kind, "timestamp": time(now), "data": job}).to_string();
        Some(Self { id: format!("msg_{}", uuid::Uuid::new_v4().simple()), kind, body })
    }
}
