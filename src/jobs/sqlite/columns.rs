//! Columns of the tables of jobs: how values are written and read.

use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::jobs::summary::{JobSummary, KeptJob};

/// The columns of a [`JobSummary`].
pub(super) const SUMMARY: &str = "id, state, reason, definition, rows, made, failed, warned, kinds, pages, bytes, \
                                  created_at, ended_at, coalesce(size, 'null')";

/// A value in JSON, to be written.
pub(super) fn json(value: &impl Serialize) -> rusqlite::Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// A column in JSON.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let damaged =
        |error: serde_json::Error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into());
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(damaged)
}

/// The columns of [`SUMMARY`].
pub(super) fn summary(row: &Row<'_>) -> rusqlite::Result<JobSummary> {
    let reason = if row.get_ref(2)? == rusqlite::types::ValueRef::Null { None } else { Some(from_json(row, 2)?) };
    let count = |column| row.get::<_, i64>(column).map(i64::cast_unsigned);
    let kept = KeptJob {
        id: row.get(0)?,
        state: from_json(row, 1)?,
        reason,
        definition: from_json(row, 3)?,
        size: from_json(row, 13)?,
        created: row.get(11)?,
        ended: row.get(12)?,
    };
    Ok(JobSummary {
        rows: count(4)?,
        made: count(5)?,
        failed: count(6)?,
        warned: count(7)?,
        kinds: from_json(row, 8)?,
        pages: count(9)?,
        bytes: count(10)?,
        ..kept.into()
    })
}
