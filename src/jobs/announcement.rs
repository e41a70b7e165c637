//! The event of a job that has come to another state.

use rusqlite::{OptionalExtension as _, Transaction, params};
use serde_json::json;

use super::columns::{SUMMARY, summary, time};
use super::summary::{JobState, JobSummary};

/// Writes the event of a job that has come to another state, if its client wants to be told.
pub(super) fn announce(transaction: &Transaction<'_>, job: &str, now: i64) -> rusqlite::Result<()> {
    let sql = format!("SELECT {SUMMARY} FROM job WHERE id = ?1 AND notify IS NOT NULL");
    let Some(job) = transaction.query_row(&sql, [job], summary).optional()? else { return Ok(()) };
    let JobSummary { id, state, .. } = &job;
    let kind = match state {
        JobState::Completed => "job.completed",
        JobState::Failed => "job.failed",
        JobState::Paused => "job.paused",
        JobState::Running | JobState::Cancelled => return Ok(()),
    };
    let body = json!({"type": kind, "timestamp": time(now), "data": job}).to_string();
    let number = format!("msg_{}", uuid::Uuid::new_v4().simple());
    transaction.execute(
        "INSERT INTO event (id, job, type, created_at, body, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?4)",
        params![number, id, kind, now, body],
    )?;
    Ok(())
}
