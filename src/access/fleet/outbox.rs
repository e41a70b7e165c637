//! Charges on their way to the shared store, kept in a file of the data directory until the store has them safely.
//!
//! A charge is written and synced here before its client is answered, and applied to the shared store after that;
//! meanwhile the store holds its place in the quota. Applied charges are kept for one more minute: a store that was
//! killed may have lost its last second, so they are sent again. Each charge counts once.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusqlite::{Connection, params};
use tokio::sync::oneshot;

use crate::access::caller::KeyId;
use crate::access::database::{self, CHARGE_PATIENCE, OpenedFile};
use crate::access::error::StoreError;

/// The file within the data directory.
pub(in crate::access) const FILE_NAME: &str = "outbox.sqlite3";

/// How long an applied charge is kept.
pub(super) const KEPT: Duration = Duration::from_secs(60);

/// Most charges applied at once.
const BATCH: i64 = 500;

const SCHEMA: &str = "
    CREATE TABLE charge (
        id         TEXT    NOT NULL PRIMARY KEY,
        key_id     TEXT    NOT NULL,
        month      INTEGER NOT NULL, -- 202611 is November 2026
        applied_at INTEGER           -- unix milliseconds, absent until the shared store has it
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX charge_applied_at ON charge (applied_at);
";

/// A request to charge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charge {
    /// Its identifier, that of its reservation.
    pub(super) id: String,
    /// Whose it is.
    pub(super) key_id: KeyId,
    /// The month, as a number.
    pub(super) month: i64,
}

/// The file, and what waits to be written to it. All calls block for a commit: milliseconds.
#[derive(Debug)]
pub(super) struct Outbox {
    waiting: Mutex<Vec<Waiting>>,
    writer: Mutex<Connection>,
    /// Reads, and marks what need not survive the power: marked again, it is applied again, which changes nothing.
    marker: Mutex<Connection>,
    file: OpenedFile,
}

impl Outbox {
    /// Opens the outbox at `path`, creating it where it is missing.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let writer = database::connect_as(path, CHARGE_PATIENCE, SCHEMA)?;
        let marker = database::connect_as(path, CHARGE_PATIENCE, SCHEMA)?;
        marker.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::sqlite("open the outbox"))?;
        let file = OpenedFile::at(path)?;
        Ok(Self { waiting: Mutex::default(), writer: Mutex::new(writer), marker: Mutex::new(marker), file })
    }

    /// Puts a charge with those that the next [`write`](Self::write) writes; tells when it is durable.
    pub(super) fn put(&self, charge: Charge) -> oneshot::Receiver<Result<(), StoreError>> {
        let (done, outcome) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push((charge, done));
        outcome
    }

    /// Writes all that waits in one commit: of many who call this together one writes and the others find it done.
    pub(super) fn write(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = std::mem::take(&mut *self.waiting.lock().unwrap_or_else(PoisonError::into_inner));
        if waiting.is_empty() {
            return;
        }
        let outcome = commit(&mut writer, &waiting).map_err(StoreError::sqlite("write the charge down"));
        for (_, done) in waiting {
            // Nobody listens when the caller stopped waiting; the charge stands.
            let _ = done.send(outcome.clone());
        }
    }

    /// Charges that the shared store may not have, those of one key and month together.
    pub(super) fn unapplied(&self) -> Result<Vec<Charge>, StoreError> {
        let marker = self.marker.lock().unwrap_or_else(PoisonError::into_inner);
        let read = || {
            let mut statement = marker.prepare_cached(
                "SELECT id, key_id, month FROM charge WHERE applied_at IS NULL ORDER BY key_id, month LIMIT ?1",
            )?;
            let rows = statement.query_map([BATCH], |row| {
                let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
                Ok(Charge { id: row.get(0)?, key_id, month: row.get(2)? })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(StoreError::sqlite("read the outbox"))
    }

    /// How many charges the shared store may not have.
    pub(super) fn depth(&self) -> Result<u64, StoreError> {
        let marker = self.marker.lock().unwrap_or_else(PoisonError::into_inner);
        let count = marker.query_row("SELECT count(*) FROM charge WHERE applied_at IS NULL", [], |row| row.get(0));
        count.map(i64::cast_unsigned).map_err(StoreError::sqlite("count the outbox"))
    }

    /// Remembers that the shared store has these, as of `now` (Unix milliseconds).
    pub(super) fn mark_applied(&self, charges: &[Charge], now: i64) -> Result<(), StoreError> {
        self.mark(|connection| {
            let mut mark = connection.prepare_cached("UPDATE charge SET applied_at = ?2 WHERE id = ?1")?;
            charges.iter().try_for_each(|charge| mark.execute(params![charge.id, now]).map(drop))
        })
    }

    /// Forgets what was applied more than [`KEPT`] before `now`.
    pub(super) fn forget_applied(&self, now: i64) -> Result<(), StoreError> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        self.mark(|connection| connection.execute("DELETE FROM charge WHERE applied_at < ?1", [now - kept]).map(drop))
    }

    /// All that is still here is to be applied again.
    pub(super) fn doubt_applied(&self) -> Result<(), StoreError> {
        self.mark(|connection| {
            connection.execute("UPDATE charge SET applied_at = NULL WHERE applied_at IS NOT NULL", []).map(drop)
        })
    }

    /// Writes to the file without a change of what it says, if it still lies where it was.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        self.file.check_in_place()?;
        self.mark(|connection| connection.execute(database::WRITE_NOTHING, []).map(drop))
    }

    fn mark(&self, change: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), StoreError> {
        let mut marker = self.marker.lock().unwrap_or_else(PoisonError::into_inner);
        let work = || {
            let transaction = marker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            change(&transaction)?;
            transaction.commit()
        };
        work().map_err(StoreError::sqlite("keep the outbox"))
    }
}

type Waiting = (Charge, oneshot::Sender<Result<(), StoreError>>);

fn commit(writer: &mut Connection, charges: &[Waiting]) -> rusqlite::Result<()> {
    let transaction = writer.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    {
        let mut add = transaction.prepare_cached("INSERT INTO charge (id, key_id, month) VALUES (?1, ?2, ?3)")?;
        for (charge, _) in charges {
            add.execute(params![charge.id, charge.key_id.as_str(), charge.month])?;
        }
    }
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open() -> (tempfile::TempDir, Outbox) {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(&folder.path().join(FILE_NAME)).unwrap();
        (folder, outbox)
    }

    fn charge(id: &str) -> Charge {
        Charge { id: id.to_owned(), key_id: KeyId::from("key"), month: 202_611 }
    }

    #[test]
    fn a_charge_is_here_until_it_is_applied_and_again_when_that_is_in_doubt() {
        let (_folder, outbox) = open();
        let mut outcomes = [outbox.put(charge("a")), outbox.put(charge("b"))];
        outbox.write();
        assert!(outcomes.iter_mut().all(|outcome| matches!(outcome.try_recv(), Ok(Ok(())))));
        assert_eq!(outbox.unapplied().unwrap(), [charge("a"), charge("b")]);
        outbox.mark_applied(&[charge("a"), charge("b")], 1000).unwrap();
        assert_eq!(outbox.depth().unwrap(), 0);
        outbox.doubt_applied().unwrap();
        assert_eq!(outbox.depth().unwrap(), 2);
    }

    #[test]
    fn what_was_applied_is_forgotten_after_a_minute() {
        let (_folder, outbox) = open();
        drop(["old", "new", "waiting"].map(|id| outbox.put(charge(id))));
        outbox.write();
        outbox.mark_applied(&[charge("old")], 1000).unwrap();
        outbox.mark_applied(&[charge("new")], 1001).unwrap();
        outbox.forget_applied(61_001).unwrap();
        outbox.doubt_applied().unwrap();
        assert_eq!(outbox.unapplied().unwrap(), [charge("new"), charge("waiting")]);
    }

    #[test]
    fn a_charge_survives_its_process() {
        let (folder, outbox) = open();
        drop(outbox.put(charge("a")));
        outbox.write();
        drop(outbox);
        assert_eq!(Outbox::open(&folder.path().join(FILE_NAME)).unwrap().unapplied().unwrap(), [charge("a")]);
    }
}
