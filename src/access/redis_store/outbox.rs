//! Charges that the shared store may not have, in a file of the data directory.
//!
//! A charge is synced to the file before its client is answered, and applied to the shared store after that; meanwhile
//! the store counts its slot. Applied charges are kept for one more minute: a store that was killed may have lost its
//! last second, so they are sent again. Each charge counts once. The module sends nothing itself.

use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use rusqlite::{Connection, TransactionBehavior, params};

use crate::access::calendar::Month;
use crate::access::client::KeyId;
use crate::access::data_dir::OpenedFile;
use crate::access::database::{self, CHARGE_TIMEOUT};
use crate::access::error::StoreError;
use crate::access::idempotency::{Attempted, Done, Fingerprint, IdempotencyKey};
use crate::access::store::{CountedIn, Slot};

/// How long an applied charge is kept.
pub(super) const KEPT: Duration = Duration::from_secs(60);

/// Most charges that [`Outbox::unapplied`] returns.
const BATCH: i64 = 500;

const FORMATS: database::Formats = &[
    "
    CREATE TABLE charge (
        id         TEXT    NOT NULL PRIMARY KEY,
        key_id     TEXT    NOT NULL,
        month      INTEGER NOT NULL, -- 202611 is November 2026
        applied_at INTEGER           -- unix milliseconds, absent until the shared store has it
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX charge_applied_at ON charge (applied_at);
    ",
    // Of a request with an idempotency key: the key's hash, the request's fingerprint, and what is kept of its answer.
    "ALTER TABLE charge ADD COLUMN done TEXT",
];

/// The file. All calls block for a commit: milliseconds.
#[derive(Debug)]
pub(super) struct Outbox {
    writer: Mutex<Connection>,
    /// Reads, and writes marks that need not survive a power failure: without its mark a charge is applied again, which
    /// changes nothing.
    marker: Mutex<Connection>,
    file: OpenedFile,
}

impl Outbox {
    /// Opens the outbox at `path`, and creates it if it does not exist.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let writer = database::connect_as(path, CHARGE_TIMEOUT, FORMATS)?;
        let marker = database::connect_as(path, CHARGE_TIMEOUT, FORMATS)?;
        marker.pragma_update(None, "synchronous", "NORMAL").map_err(StoreError::sqlite("open the outbox"))?;
        let file = OpenedFile::at(path)?;
        Ok(Self { writer: Mutex::new(writer), marker: Mutex::new(marker), file })
    }

    /// Makes charges durable in one commit, or none of them.
    pub(super) fn write(&self, slots: &[&Slot]) -> Result<(), StoreError> {
        let inserted = change(&self.writer, |connection| {
            let mut insert =
                connection.prepare_cached("INSERT INTO charge (id, key_id, month, done) VALUES (?1, ?2, ?3, ?4)")?;
            slots.iter().try_for_each(|Slot { id, key_id, month, done, .. }| {
                insert.execute(params![id, key_id.as_str(), month.0, done.as_ref().map(text_of)]).map(drop)
            })
        });
        inserted.map_err(StoreError::sqlite("write the charge down"))
    }

    /// Up to 500 charges that the shared store may not have, sorted by key and month.
    pub(super) fn unapplied(&self) -> Result<Vec<Slot>, StoreError> {
        let marker = self.marker.lock();
        let read = || {
            let mut statement = marker.prepare_cached(
                "SELECT id, key_id, month, done FROM charge WHERE applied_at IS NULL ORDER BY key_id, month LIMIT ?1",
            )?;
            let rows = statement.query_map([BATCH], |row| {
                let key_id = KeyId::from(row.get_ref(1)?.as_str()?);
                let done = row.get_ref(3)?.as_str_or_null()?.and_then(|text| done_of(&key_id, text));
                Ok(Slot { id: row.get(0)?, key_id, month: Month(row.get(2)?), counted_in: CountedIn::Nothing, done })
            })?;
            rows.collect::<rusqlite::Result<Vec<_>>>()
        };
        read().map_err(StoreError::sqlite("read the outbox"))
    }

    /// The number of charges that the shared store may not have.
    pub(super) fn depth(&self) -> Result<u64, StoreError> {
        let marker = self.marker.lock();
        let count = marker.query_row("SELECT count(*) FROM charge WHERE applied_at IS NULL", [], |row| row.get(0));
        count.map(i64::cast_unsigned).map_err(StoreError::sqlite("count the outbox"))
    }

    /// Marks charges as applied at `now` (Unix milliseconds).
    pub(super) fn mark_applied(&self, charges: &[Slot], now: i64) -> Result<(), StoreError> {
        self.mark(|connection| {
            let mut mark = connection.prepare_cached("UPDATE charge SET applied_at = ?2 WHERE id = ?1")?;
            charges.iter().try_for_each(|charge| mark.execute(params![charge.id, now]).map(drop))
        })
    }

    /// Deletes charges that were applied more than [`KEPT`] before `now` (Unix milliseconds).
    pub(super) fn forget_applied(&self, now: i64) -> Result<(), StoreError> {
        let kept = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        self.mark(|connection| connection.execute("DELETE FROM charge WHERE applied_at < ?1", [now - kept]).map(drop))
    }

    /// Marks all charges as not applied: the shared store may have lost them.
    pub(super) fn doubt_applied(&self) -> Result<(), StoreError> {
        self.mark(|connection| {
            connection.execute("UPDATE charge SET applied_at = NULL WHERE applied_at IS NOT NULL", []).map(drop)
        })
    }

    /// Tests whether the file is in place and accepts writes. Changes nothing in it.
    pub(super) fn check_writable(&self) -> Result<(), StoreError> {
        self.file.check_in_place()?;
        self.mark(database::write_nothing)
    }

    fn mark(&self, mark: impl FnOnce(&Connection) -> rusqlite::Result<()>) -> Result<(), StoreError> {
        change(&self.marker, mark).map_err(StoreError::sqlite("keep the outbox"))
    }
}

/// The column `done`: three words.
fn text_of(Done { attempted: Attempted { key, fingerprint, .. }, answer }: &Done) -> String {
    format!("{} {} {answer}", key.0, fingerprint.0)
}

/// What the column `done` says.
fn done_of(key_id: &KeyId, text: &str) -> Option<Done> {
    let (key, rest) = text.split_once(' ')?;
    let (fingerprint, answer) = rest.split_once(' ')?;
    let (key, fingerprint) = (IdempotencyKey(key.to_owned()), Fingerprint(fingerprint.to_owned()));
    let attempted = Attempted { key_id: key_id.clone(), key, fingerprint, token: String::new() };
    Some(Done { attempted, answer: answer.to_owned() })
}

/// Runs `work` in a transaction.
fn change(
    connection: &Mutex<Connection>,
    work: impl FnOnce(&Connection) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut connection = connection.lock();
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    work(&transaction)?;
    transaction.commit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::data_dir::OUTBOX_FILE;

    fn open() -> (tempfile::TempDir, Outbox) {
        let folder = tempfile::tempdir().unwrap();
        let outbox = Outbox::open(&folder.path().join(OUTBOX_FILE)).unwrap();
        (folder, outbox)
    }

    fn charge(id: &str) -> Slot {
        let month = Month(202_611);
        Slot { id: id.to_owned(), key_id: KeyId::from("key"), month, counted_in: CountedIn::Nothing, done: None }
    }

    #[test]
    fn a_charge_is_here_until_it_is_applied_and_again_when_that_is_in_doubt() {
        let (_folder, outbox) = open();
        outbox.write(&[&charge("a"), &charge("b")]).unwrap();
        assert_eq!(outbox.unapplied().unwrap(), [charge("a"), charge("b")]);
        outbox.mark_applied(&[charge("a"), charge("b")], 1000).unwrap();
        assert_eq!(outbox.depth().unwrap(), 0);
        outbox.doubt_applied().unwrap();
        assert_eq!(outbox.depth().unwrap(), 2);
    }

    #[test]
    fn what_was_applied_is_forgotten_after_a_minute() {
        let (_folder, outbox) = open();
        outbox.write(&[&charge("old"), &charge("new"), &charge("waiting")]).unwrap();
        outbox.mark_applied(&[charge("old")], 1000).unwrap();
        outbox.mark_applied(&[charge("new")], 1001).unwrap();
        outbox.forget_applied(61_001).unwrap();
        outbox.doubt_applied().unwrap();
        assert_eq!(outbox.unapplied().unwrap(), [charge("new"), charge("waiting")]);
    }

    #[test]
    fn an_answer_waits_beside_its_charge() {
        let (_folder, outbox) = open();
        let key = IdempotencyKey::parse("once").unwrap();
        let mut attempted = Attempted::new(KeyId::from("key"), key, Fingerprint::of("/generate", &[b"{}"]));
        attempted.token.clear();
        let slot = Slot { done: Some(Done { attempted, answer: "7".to_owned() }), ..charge("a") };
        outbox.write(&[&slot]).unwrap();
        assert_eq!(outbox.unapplied().unwrap(), [slot]);
    }

    #[test]
    fn a_charge_survives_its_process() {
        let (folder, outbox) = open();
        outbox.write(&[&charge("a")]).unwrap();
        drop(outbox);
        assert_eq!(Outbox::open(&folder.path().join(OUTBOX_FILE)).unwrap().unapplied().unwrap(), [charge("a")]);
    }
}
