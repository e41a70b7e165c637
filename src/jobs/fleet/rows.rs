//! The rows of a fleet's jobs: a stream, and what became of each.

use std::collections::BTreeMap;

use redis::cmd;
use serde::{Deserialize, Serialize};

use super::claims::SILENCE;
use super::scripts::{FINISH, MARK, SETTLE, TAKE, call, part};
use super::{Fleet, damaged};
use crate::jobs::database::{RowTable, TakenRows, TriedRow};
use crate::jobs::error::JobError;
use crate::jobs::size::{FoundSize, JobSize};
use crate::jobs::summary::{Outcome, RowKind, RowState, RowSummary, WantedRows, word};
use crate::mail_merge::{Record, RowSize, RowWarning};

/// Rows that are read in one command.
const READ_TOGETHER: u64 = 1000;

/// What is kept of a row that was tried, in JSON.
#[derive(Serialize, Deserialize)]
struct Kept {
    is_made: bool,
    name: Option<String>,
    outcome: Outcome,
}

/// The limit of the round in which rows are laid out for this size; empty if they are made.
fn limit_of(size: JobSize) -> String {
    match size {
        JobSize::Sought(limit) => limit.map_or_else(|| "none".to_owned(), |px| px.to_string()),
        JobSize::Own | JobSize::Exactly(_) => String::new(),
    }
}

/// What is kept of a row that is laid out: its size in px and whether it is hard to read, or nothing.
fn size_text(outcome: &Outcome) -> String {
    let is_small = outcome.warnings.iter().any(RowWarning::is_small_writing);
    outcome.calculated_font_size.map_or_else(String::new, |px| format!("{px} {}", u8::from(is_small)))
}

/// The size of a row, as [`size_text`] writes it.
fn size_of(number: &str, text: &str) -> Option<RowSize> {
    let (px, is_small) = text.split_once(' ')?;
    Some(RowSize { px: px.parse().ok()?, row: number.parse().ok()?, is_small: is_small == "1" })
}

impl Fleet {
    /// The fields of a hash for these numbers.
    fn of_rows(&self, hash: &str, job: &str, numbers: &[u64]) -> Result<Vec<Option<String>>, JobError> {
        let mut command = cmd("HMGET");
        command.arg(part(hash, job)).arg(numbers);
        self.send("read the rows", &command)
    }

    /// The numbers of a set after this one, in order.
    fn numbers_after(&self, set: &str, job: &str, after: u64, most: usize) -> Result<Vec<u64>, JobError> {
        let mut command = cmd("ZRANGEBYSCORE");
        command.arg(part(set, job)).arg(format!("({after}")).arg("+inf").arg("LIMIT").arg(0).arg(most);
        self.send("read the rows", &command)
    }

    /// The sizes of the rows that are laid out in this round.
    fn sizes(&self, job: &str) -> Result<Vec<RowSize>, JobError> {
        let (mut sizes, mut cursor) = (Vec::new(), 0_u64);
        loop {
            let mut command = cmd("HSCAN");
            command.arg(part("sizes", job)).arg(cursor).arg("COUNT").arg(READ_TOGETHER);
            let (next, read): (u64, Vec<(String, String)>) = self.send("read the sizes of rows", &command)?;
            sizes.extend(read.iter().filter_map(|(number, text)| size_of(number, text)));
            cursor = next;
            if cursor == 0 {
                return Ok(sizes);
            }
        }
    }
}

impl RowTable for Fleet {
    fn take(&self, job: &str, size: JobSize, _after: u64, limit: usize) -> Result<TakenRows, JobError> {
        let action = "take rows of a job";
        let mut script = call(&TAKE, job);
        script.arg(self.claims.instance()).arg(SILENCE.as_millis() as u64).arg(limit).arg(limit_of(size));
        let taken: Vec<String> = self.invoke(action, &script)?;
        let Some((are_last, rows)) = taken.split_first() else { return Ok(TakenRows::default()) };
        let mut records = Vec::with_capacity(limit);
        for row in rows.chunks(2) {
            let [number, cells] = row else { continue };
            let Ok(number) = number.parse() else { continue };
            records.push(Record { number, cells: serde_json::from_str(cells).map_err(damaged(action))? });
        }
        records.sort_unstable_by_key(|record| record.number);
        self.claims.add(job, records.iter().map(|record| record.number as u64));
        Ok(TakenRows { records, are_last: are_last == "1" })
    }

    fn give_back(&self, job: &str, numbers: &[u64]) -> Result<(), JobError> {
        if numbers.is_empty() {
            return Ok(());
        }
        Ok(self.handle.block_on(self.claims.give_back(job, numbers))?)
    }

    fn may_finish(&self, job: &str) -> Result<bool, JobError> {
        let mut script = call(&FINISH, job);
        script.arg(self.claims.instance()).arg(SILENCE.as_millis() as u64);
        let is_ours = self.invoke::<i64>("claim the end of the job", &script)? == 1;
        if is_ours {
            self.claims.add_end(job);
        }
        Ok(is_ours)
    }

    fn mark(&self, tried: &[TriedRow]) -> Result<(), JobError> {
        let mut jobs: BTreeMap<&str, Vec<&TriedRow>> = BTreeMap::new();
        for row in tried {
            jobs.entry(&row.job).or_default().push(row);
        }
        for (job, rows) in jobs {
            let mut script = call(&MARK, job);
            for row in &rows {
                let TriedRow { number, state, name, outcome, size, .. } = row;
                let is_laid_out = *state == RowState::Waiting;
                let is_made = *state == RowState::Made;
                let limit = if is_laid_out { limit_of(*size) } else { String::new() };
                let kept = || Kept { is_made, name: name.clone(), outcome: outcome.clone() };
                let kept = if is_laid_out { size_text(outcome) } else { word(&kept()) };
                script.arg(*number).arg(limit).arg(kept).arg(name.as_deref().unwrap_or_default());
                script.arg(is_made).arg(row.is_warned());
                script.arg(outcome.pages.unwrap_or_default()).arg(outcome.bytes.unwrap_or_default());
                script.arg(row.kinds().join(" "));
            }
            self.invoke::<i64>("mark the rows", &script)?;
            self.claims.remove(job, rows.iter().map(|row| row.number));
        }
        Ok(())
    }

    fn settle_size(&self, job: &str) -> Result<(), JobError> {
        let action = "find the size of the rows";
        let Some(fields) = self.fields(job)? else { return Ok(()) };
        let laid_out: u64 = self.send(action, &cmd("HLEN").arg(part("sizes", job)).to_owned())?;
        if laid_out + fields.number::<u64>("failed") < fields.number("rows") {
            return Ok(());
        }
        let earlier: Option<FoundSize> = fields.json("size").map_err(damaged(action))?;
        let found = FoundSize::after_round(&self.sizes(job)?, earlier.and_then(|found| found.shared));
        let limit =
            found.shared.filter(|_| !found.is_final).map_or_else(|| "final".to_owned(), |size| size.px.to_string());
        let mut script = call(&SETTLE, job);
        script.arg(fields.limit()).arg(limit).arg(word(&found));
        self.invoke::<i64>(action, &script).map(drop)
    }

    fn rows(&self, job: &str, columns: &[String], wanted: WantedRows) -> Result<Vec<RowSummary>, JobError> {
        let action = "read the rows";
        let WantedRows { kind, mut after, limit, with_cells } = wanted;
        let last = self.fields(job)?.map_or(0, |fields| fields.number("last"));
        let mut rows = Vec::new();
        while rows.len() < limit && after < last {
            let numbers = match kind {
                Some(RowKind::In(RowState::Failed)) => self.numbers_after("failed", job, after, limit - rows.len())?,
                Some(RowKind::Warned) => self.numbers_after("warned", job, after, limit - rows.len())?,
                _ => (after + 1..=last.min(after + READ_TOGETHER)).collect(),
            };
            let Some(end) = numbers.last() else { break };
            after = *end;
            let kept = self.of_rows("rows", job, &numbers)?;
            let may_wait = kind.is_none_or(|kind| kind == RowKind::In(RowState::Waiting));
            let reads_cells = with_cells || may_wait && kept.contains(&None);
            let cells = if reads_cells { self.of_rows("cells", job, &numbers)? } else { vec![None; numbers.len()] };
            for ((number, kept), cells) in numbers.into_iter().zip(kept).zip(cells) {
                // A record that was left out of the list: its number is no row's.
                if kept.is_none() && cells.is_none() {
                    continue;
                }
                let kept: Option<Kept> =
                    kept.map(|text| serde_json::from_str(&text)).transpose().map_err(damaged(action))?;
                let (state, name, outcome) = match kept {
                    Some(Kept { is_made: true, name, outcome }) => (RowState::Made, name, outcome),
                    Some(Kept { outcome, .. }) => (RowState::Failed, None, outcome),
                    None => (RowState::Waiting, None, Outcome::default()),
                };
                if matches!(kind, Some(RowKind::In(wanted)) if wanted != state) || rows.len() == limit {
                    continue;
                }
                let cells: Option<Result<Vec<String>, String>> =
                    cells.map(|text| serde_json::from_str(&text)).transpose().map_err(damaged(action))?;
                let cells = cells
                    .filter(|_| with_cells)
                    .and_then(Result::ok)
                    .map(|cells| columns.iter().cloned().zip(cells).collect());
                rows.push(RowSummary { row: number, state, name, cells, outcome });
            }
        }
        Ok(rows)
    }

    fn number_of(&self, job: &str, name: &str) -> Result<Option<u64>, JobError> {
        self.send("look for the file", &cmd("HGET").arg(part("names", job)).arg(name).to_owned())
    }
}
