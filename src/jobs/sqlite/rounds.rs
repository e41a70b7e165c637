//! The rounds of the search for the size that all rows of a job share, in the tables of jobs and of rows.

use rusqlite::{OptionalExtension as _, TransactionBehavior, params};

use super::Sqlite;
use super::columns::{from_json, json};
use crate::jobs::size::FoundSize;
use crate::jobs::summary::Outcome;
use crate::mail_merge::{RowSize, RowWarning};

impl Sqlite {
    /// Ends a round of the search for one size, if all waiting rows are laid out: the next has a smaller limit, or the size
    /// is final.
    pub(super) fn settle(&self, job: &str) -> rusqlite::Result<()> {
        let mut connection = self.runner();
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let sql = "SELECT 1 FROM row WHERE job = ?1 AND state = 0 AND outcome IS NULL";
        if transaction.query_row(sql, [job], |_| Ok(())).optional()?.is_some() {
            return Ok(());
        }
        let earlier: Option<FoundSize> =
            transaction
                .query_row("SELECT coalesce(size, 'null') FROM job WHERE id = ?1", [job], |row| from_json(row, 0))?;
        let earlier = earlier.and_then(|found| found.shared);
        let sizes: Vec<RowSize> = {
            let mut laid_out = transaction.prepare("SELECT number, outcome FROM row WHERE job = ?1 AND state = 0")?;
            let sizes = laid_out.query_map([job], |row| {
                let (number, outcome) = (row.get::<_, i64>(0)?, from_json::<Outcome>(row, 1)?);
                let is_small = outcome.warnings.iter().any(RowWarning::is_small_writing);
                let size = |px| RowSize { px, row: number as usize, is_small };
                Ok(outcome.calculated_font_size.map(size))
            })?;
            sizes.filter_map(Result::transpose).collect::<rusqlite::Result<_>>()?
        };
        let size = json(&FoundSize::after_round(&sizes, earlier))?;
        transaction.execute("UPDATE job SET size = ?2 WHERE id = ?1", params![job, size])?;
        transaction.execute("UPDATE row SET outcome = NULL WHERE job = ?1 AND state = 0", [job])?;
        transaction.commit()
    }
}
