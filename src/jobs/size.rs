//! The size that all rows of a job share, if they share one.
//!
//! The rows are laid out first, without a file. The smallest of their automatic sizes is an upper limit for the next round,
//! as a text that fits at one size may not at a smaller one, where its lines break elsewhere. When a round finds the limit
//! again, the rows are made in that size. Sizes in progress stand in the table of rows, so that a round goes on where a
//! process that was killed left it.

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};
use serde::{Deserialize, Serialize};

use super::columns::{from_json, json};
use super::database::Database;
use super::error::JobError;
use super::summary::Outcome;
use crate::mail_merge::{RowSize, RowWarning, SharedSize};

/// The size that a job has found so far, as the database keeps it in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundSize {
    pub(super) shared: SharedSize,
    /// Whether every row fits in it.
    pub(super) is_final: bool,
}

/// The size of the rows of a job, in px.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JobSize {
    /// Each has its own.
    Own,
    /// One for all is sought, up to this one.
    Sought(Option<u32>),
    /// All have this one.
    Exactly(u32),
}

impl JobSize {
    pub(super) fn of(is_shared: bool, found: Option<FoundSize>) -> Self {
        match found {
            _ if !is_shared => Self::Own,
            Some(FoundSize { shared, is_final: true }) => Self::Exactly(shared.px),
            found => Self::Sought(found.map(|found| found.shared.px)),
        }
    }

    pub(super) const fn is_sought(self) -> bool {
        matches!(self, Self::Sought(_))
    }

    /// The size that all rows have, once it is found.
    pub(super) const fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly(px) => Some(px),
            Self::Own | Self::Sought(_) => None,
        }
    }

    /// The limit of the size that is sought.
    pub(super) const fn largest(self) -> Option<u32> {
        match self {
            Self::Sought(largest) => largest,
            Self::Own | Self::Exactly(_) => None,
        }
    }
}

impl Database {
    /// Ends a round of the search for one size, if all waiting rows are laid out: the next has a smaller limit, or the size
    /// is final.
    pub(super) fn settle_size(&self, job: &str) -> Result<(), JobError> {
        let mut connection = self.runner();
        let mut settle = || {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let sql = "SELECT 1 FROM row WHERE job = ?1 AND state = 0 AND outcome IS NULL";
            if transaction.query_row(sql, [job], |_| Ok(())).optional()?.is_some() {
                return Ok(());
            }
            let earlier: Option<FoundSize> =
                transaction.query_row("SELECT coalesce(size, 'null') FROM job WHERE id = ?1", [job], |row| {
                    from_json(row, 0)
                })?;
            let earlier = earlier.map(|found| found.shared);
            let sizes: Vec<RowSize> = {
                let mut laid_out =
                    transaction.prepare("SELECT number, outcome FROM row WHERE job = ?1 AND state = 0")?;
                let sizes = laid_out.query_map([job], |row| {
                    let (number, outcome) = (row.get::<_, i64>(0)?, from_json::<Outcome>(row, 1)?);
                    let is_small = outcome.warnings.iter().any(RowWarning::is_small_writing);
                    let size = |px| RowSize { px, row: number as usize, is_small };
                    Ok(outcome.calculated_font_size.map(size))
                })?;
                sizes.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?
            };
            if let Some(found) = SharedSize::of(&sizes, earlier) {
                let same = earlier.filter(|earlier| earlier.px == found.px);
                let size = json(&FoundSize { shared: same.unwrap_or(found), is_final: same.is_some() })?;
                transaction.execute("UPDATE job SET size = ?2 WHERE id = ?1", params![job, size])?;
            }
            transaction.execute("UPDATE row SET outcome = NULL WHERE job = ?1 AND state = 0", [job])?;
            transaction.commit()
        };
        settle().map_err(JobError::sqlite("find the size of the rows"))
    }
}
