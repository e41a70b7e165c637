//! Writes the event of a job that has come to another state.

use rusqlite::{OptionalExtension as _, Transaction, params};

use super::columns::{SUMMARY, summary};
use crate::jobs::announcement::Announcement;

/// Writes the event of a job that has come to another state, if its client wants to be told.
pub(super) fn announce(transaction: &Transaction<'_>, job: &str, now: i64) -> rusqlite::Result<()> {
    let sql = format!("SELECT {SUMMARY} FROM job WHERE id = ?1 AND notify IS NOT NULL");
    let Some(job) = transaction.query_row(&sql, [job], summary).optional()? else { return Ok(()) };
    let Some(Announcement { id, kind, body }) = Announcement::of(&job, now) else { return Ok(()) };
    transaction.execute(
        "INSERT INTO event (id, job, type, created_at, body, due_at) VALUES (?1, ?2, ?3, ?4, ?5, ?4)",
        params![id, job.id, kind, now, body],
    )?;
    Ok(())
}
