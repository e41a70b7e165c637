//! The table of rows: those that wait, and what became of the others.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};

use super::Sqlite;
use super::columns::{from_json, json};
use crate::jobs::database::{RowTable, TakenRows, TriedRow};
use crate::jobs::error::JobError;
use crate::jobs::size::JobSize;
use crate::jobs::summary::{RowKind, RowState, RowSummary, WantedRows};
use crate::mail_merge::Record;

/// What rows add to the counts of their job.
#[derive(Default)]
struct Counts {
    made: i64,
    failed: i64,
    warned: i64,
    pages: i64,
    bytes: i64,
    kinds: BTreeMap<String, u64>,
}

impl RowTable for Sqlite {
    fn take(&self, job: &str, size: JobSize, after: u64, limit: usize) -> Result<TakenRows, JobError> {
        let connection = self.runner();
        let read = || {
            let sql = "SELECT number, cells FROM row WHERE job = ?1 AND state = 0 AND number > ?2
                       AND (NOT ?3 OR outcome IS NULL) ORDER BY number LIMIT ?4";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement
                .query_map(params![job, after.cast_signed(), size.is_sought(), limit as i64], |row| {
                    Ok(Record { number: row.get::<_, i64>(0)? as usize, cells: from_json(row, 1)? })
                })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        let records = read().map_err(JobError::sqlite("read the rows"))?;
        Ok(TakenRows { are_last: records.len() < limit, records })
    }

    fn settle_size(&self, job: &str) -> Result<(), JobError> {
        self.settle(job).map_err(JobError::sqlite("find the size of the rows"))
    }

    fn mark(&self, tried: &[TriedRow]) -> Result<(), JobError> {
        let mut connection = self.runner();
        let mut write = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut jobs: BTreeMap<&str, Counts> = BTreeMap::new();
            for row in tried {
                let changed = transaction
                    .prepare_cached(
                        "UPDATE row SET state = ?3, name = ?4, outcome = ?5
                         WHERE job = ?1 AND number = ?2 AND state = 0",
                    )?
                    .execute(params![
                        row.job,
                        row.number.cast_signed(),
                        row.state as i64,
                        row.name,
                        json(&row.outcome)?
                    ])?;
                if changed == 0 || row.state == RowState::Waiting {
                    continue;
                }
                let counts = jobs.entry(&row.job).or_default();
                let is_made = row.state == RowState::Made;
                counts.made += i64::from(is_made);
                counts.failed += i64::from(row.state == RowState::Failed);
                counts.warned += i64::from(row.is_warned());
                counts.pages += row.outcome.pages.unwrap_or_default().cast_signed();
                counts.bytes += row.outcome.bytes.unwrap_or_default().cast_signed();
                for kind in row.kinds() {
                    *counts.kinds.entry(kind.to_owned()).or_default() += 1;
                }
            }
            for (job, Counts { made, failed, warned, pages, bytes, kinds }) in jobs {
                let mut all: BTreeMap<String, u64> =
                    transaction.query_row("SELECT kinds FROM job WHERE id = ?1", [job], |row| from_json(row, 0))?;
                for (kind, count) in kinds {
                    *all.entry(kind).or_default() += count;
                }
                transaction
                    .prepare_cached(
                        "UPDATE job SET made = made + ?2, failed = failed + ?3, warned = warned + ?4,
                             pages = pages + ?5, bytes = bytes + ?6, kinds = ?7 WHERE id = ?1",
                    )?
                    .execute(params![job, made, failed, warned, pages, bytes, json(&all)?])?;
            }
            transaction.commit()
        };
        write().map_err(JobError::sqlite("mark the rows"))
    }

    fn rows(&self, job: &str, columns: &[String], wanted: WantedRows) -> Result<Vec<RowSummary>, JobError> {
        let connection = self.clients();
        let WantedRows { kind, after, limit, with_cells } = wanted;
        let read = || {
            let sql = "SELECT number, state, name, coalesce(outcome, '{}'), coalesce(cells, 'null') FROM row
                       WHERE job = ?1 AND number > ?2 AND state = coalesce(?3, state)
                       AND (NOT ?4 OR json_array_length(outcome, '$.warnings') > 0) ORDER BY number LIMIT ?5";
            let mut statement = connection.prepare_cached(sql)?;
            let (state, is_warned) = match kind {
                None => (None, false),
                Some(RowKind::In(state)) => (Some(state as i64), false),
                Some(RowKind::Warned) => (Some(RowState::Made as i64), true),
            };
            let values = params![job, after.cast_signed(), state, is_warned, limit as i64];
            let rows = statement.query_map(values, |row| {
                let state = RowState::ALL.into_iter().find(|state| Ok(*state as i64) == row.get(1));
                let cells = || from_json::<Option<Result<Vec<String>, String>>>(row, 4);
                let cells = if with_cells { cells()?.and_then(Result::ok) } else { None };
                Ok(RowSummary {
                    row: row.get::<_, i64>(0)?.cast_unsigned(),
                    state: state.unwrap_or(RowState::Waiting),
                    name: row.get(2)?,
                    cells: cells.map(|cells| columns.iter().cloned().zip(cells).collect()),
                    outcome: from_json(row, 3)?,
                })
            })?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(JobError::sqlite("read the rows"))
    }

    fn number_of(&self, job: &str, name: &str) -> Result<Option<u64>, JobError> {
        let sql = "SELECT number FROM row WHERE job = ?1 AND name = ?2";
        let found = self.clients().query_row(sql, [job, name], |row| row.get::<_, i64>(0)).optional();
        found.map(|number| number.map(i64::cast_unsigned)).map_err(JobError::sqlite("look for the file"))
    }
}
