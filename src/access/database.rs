//! Opens `SQLite` files and brings them to the present format.
//!
//! The files have a write-ahead log, so that readers and the writer do not wait for each other, and `synchronous =
//! FULL`: a commit that has returned is on the disk.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::data_dir::create_private_database;
use super::error::StoreError;

/// How long administration waits for another process's write.
pub(super) const ADMIN_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a charge, and so the request that it belongs to, waits for another process's write.
pub(super) const CHARGE_TIMEOUT: Duration = Duration::from_secs(2);

/// How long reads for requests wait. Readers of a write-ahead log wait only during its recovery.
pub(super) const READ_TIMEOUT: Duration = Duration::from_millis(100);

/// Statements that bring a file from one format to the next. The number of the format, which `SQLite` keeps as
/// `user_version`, is the number of those that were executed; an empty file has 0.
pub(crate) type Formats = &'static [&'static str];

/// `key_generation` counts changes of `api_key` by any process, so that a server learns with one small read that its
/// copy of the keys is current. `monthly_usage` names keys without a foreign key: one orphan must not fail the commit
/// that it shares with other clients' charges.
const FORMATS: Formats = &[
    "
    CREATE TABLE api_key (
        id            TEXT    NOT NULL PRIMARY KEY,
        name          TEXT    NOT NULL,
        key_sha256    BLOB    NOT NULL UNIQUE CHECK (length(key_sha256) = 32),
        monthly_quota INTEGER CHECK (monthly_quota >= 0),
        active        INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
        created_at    INTEGER NOT NULL -- unix seconds
    ) STRICT;
    CREATE TABLE monthly_usage (
        key_id  TEXT    NOT NULL,
        month   INTEGER NOT NULL, -- 202611 is November 2026
        charged INTEGER NOT NULL CHECK (charged >= 0),
        PRIMARY KEY (key_id, month)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE key_generation (
        only_row   INTEGER NOT NULL PRIMARY KEY CHECK (only_row = 1),
        generation INTEGER NOT NULL
    ) STRICT;
    INSERT INTO key_generation VALUES (1, 0);
    CREATE TRIGGER api_key_inserted AFTER INSERT ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    CREATE TRIGGER api_key_updated AFTER UPDATE ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    CREATE TRIGGER api_key_deleted AFTER DELETE ON api_key
        BEGIN UPDATE key_generation SET generation = generation + 1; END;
    ",
    // Limits of its own, as `generate=1000,preview=600`.
    "ALTER TABLE api_key ADD COLUMN rate_limits TEXT NOT NULL DEFAULT 'default'",
    // Answers of requests with an idempotency key, whose hash is kept.
    "
    CREATE TABLE answer (
        key_id      TEXT    NOT NULL,
        idempotency TEXT    NOT NULL,
        fingerprint TEXT    NOT NULL,
        answer      TEXT    NOT NULL,
        kept_until  INTEGER NOT NULL, -- unix seconds
        PRIMARY KEY (key_id, idempotency)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX answer_kept_until ON answer (kept_until);
    ",
];

/// Opens the store at `path`, and creates it if it does not exist, readable by its owner only. Later calls wait for a
/// lock for up to `timeout`.
pub(super) fn connect(path: &Path, timeout: Duration) -> Result<Connection, StoreError> {
    connect_as(path, timeout, FORMATS)
}

/// The same for a file with other tables. Its formats are numbered independently.
pub(crate) fn connect_as(path: &Path, timeout: Duration, formats: Formats) -> Result<Connection, StoreError> {
    create_private_database(path)?;
    let opening = StoreError::sqlite("open the store");
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(opening)?;
    connection.busy_timeout(ADMIN_TIMEOUT).map_err(opening)?;
    switch_to_write_ahead_log(&connection).map_err(opening)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(opening)?;
    bring_to_format(&mut connection, path, formats)?;
    connection.busy_timeout(timeout).map_err(opening)?;
    Ok(connection)
}

/// Switches a new file, under an exclusive lock for which `SQLite` does not always wait: two processes that start
/// together meet here.
fn switch_to_write_ahead_log(connection: &Connection) -> rusqlite::Result<()> {
    const ATTEMPTS: u32 = 500;
    const PAUSE: Duration = Duration::from_millis(10);
    let mut attempt = 1;
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && attempt < ATTEMPTS => {
                attempt += 1;
                thread::sleep(PAUSE);
            }
            outcome => return outcome,
        }
    }
}

/// All steps or none: a transaction dropped before its commit is rolled back.
fn bring_to_format(connection: &mut Connection, path: &Path, formats: Formats) -> Result<(), StoreError> {
    let preparing = StoreError::sqlite("prepare the store");
    let known = formats.len() as i64;
    if format_of(connection).map_err(preparing)? < known {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(preparing)?;
        // Another process may have done it meanwhile.
        let found = usize::try_from(format_of(&transaction).map_err(preparing)?).unwrap_or_default();
        for step in formats.iter().skip(found) {
            transaction.execute_batch(step).map_err(preparing)?;
        }
        if found < formats.len() {
            transaction.pragma_update(None, "user_version", known).map_err(preparing)?;
        }
        transaction.commit().map_err(preparing)?;
    }
    let found = format_of(connection).map_err(preparing)?;
    if found > known { Err(StoreError::TooNew { path: path.to_owned(), found, known }) } else { Ok(()) }
}

/// Writes to the file without a change of its contents: sets the number of its format again. An `UPDATE` to the present
/// value would not do: `SQLite` compares, and writes nothing.
pub(super) fn write_nothing(connection: &Connection) -> rusqlite::Result<()> {
    connection.pragma_update(None, "user_version", format_of(connection)?)
}

fn format_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::access::data_dir::{self, STORE_FILE};

    #[test]
    fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect(&folder.path().join(STORE_FILE), READ_TIMEOUT).unwrap();
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!((journal.as_str(), synchronous), ("wal", 2));
    }

    #[test]
    fn writing_nothing_writes_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STORE_FILE);
        let connection = connect(&path, READ_TIMEOUT).unwrap();
        let log_bytes = || fs::metadata(path.with_extension("sqlite3-wal")).unwrap().len();
        let before = log_bytes();
        write_nothing(&connection).unwrap();
        assert!(log_bytes() > before, "a full disk would have been noticed");
        assert_eq!(format_of(&connection).unwrap(), FORMATS.len() as i64);
    }

    #[cfg(unix)]
    #[test]
    fn store_and_side_files_are_closed_to_other_users() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("a/b");
        data_dir::create(&data_dir).unwrap();
        let _connection = connect(&data_dir.join(STORE_FILE), READ_TIMEOUT).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&data_dir), 0o700);
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 2, "a write-ahead log has a side file: {files:?}");
        assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    }

    #[cfg(unix)]
    #[test]
    fn what_others_could_read_or_write_is_closed_to_them() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("data");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
        let open = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        fs::create_dir(&data_dir).unwrap();
        for open_to in [0o755, 0o777, 0o2770] {
            open(&data_dir, open_to);
            data_dir::create(&data_dir).unwrap();
            let _connection = connect(&data_dir.join(STORE_FILE), READ_TIMEOUT).unwrap();
            assert_eq!(mode(&data_dir) & 0o777, 0o700);
        }
        let path = data_dir.join(STORE_FILE);
        let held = connect(&path, READ_TIMEOUT).unwrap();
        write_nothing(&held).unwrap();
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in &files {
            open(file, 0o666);
        }
        let _connection = connect(&path, READ_TIMEOUT).unwrap();
        assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    }

    #[test]
    fn many_may_create_the_store_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STORE_FILE);
        thread::scope(|scope| {
            let openings: Vec<_> = (0..16).map(|_| scope.spawn(|| connect(&path, READ_TIMEOUT))).collect();
            for opening in openings {
                opening.join().unwrap().unwrap();
            }
        });
    }

    #[test]
    fn a_store_of_an_older_version_gets_what_it_lacks_and_keeps_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STORE_FILE);
        let insert = "INSERT INTO api_key (id, name, key_sha256, created_at) VALUES ('a', 'shop', zeroblob(32), 7)";
        connect_as(&path, READ_TIMEOUT, &FORMATS[..1]).unwrap().execute(insert, []).unwrap();
        let connection = connect(&path, READ_TIMEOUT).unwrap();
        let select = "SELECT name, rate_limits FROM api_key";
        let key: (String, String) = connection.query_row(select, [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(key, ("shop".to_owned(), "default".to_owned()));
        assert_eq!(format_of(&connection).unwrap(), FORMATS.len() as i64);
    }

    #[test]
    fn a_store_of_a_newer_version_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STORE_FILE);
        connect(&path, READ_TIMEOUT).unwrap().pragma_update(None, "user_version", 99).unwrap();
        let error = connect(&path, READ_TIMEOUT).unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 99, .. }), "{error}");
    }

    #[test]
    fn a_file_that_is_no_store_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(STORE_FILE);
        let contents = "this is no database, but it is long enough to have a header".repeat(20);
        fs::write(&path, &contents).unwrap();
        let error = connect(&path, READ_TIMEOUT).unwrap_err();
        assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), contents);
    }
}
