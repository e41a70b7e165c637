//! The `SQLite` file: its place, its tables, and how a connection is opened.
//!
//! It has a write-ahead log, so that readers and the writer do not wait for each other, and `synchronous = FULL`: a
//! commit that has returned is on the disk.

use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior};

use super::error::StoreError;

/// The store's file within the data directory.
pub(super) const FILE_NAME: &str = "longhand.sqlite3";

/// How long a connection that writes waits for another process's write.
pub(super) const WRITER_PATIENCE: Duration = Duration::from_secs(5);

/// How long a charge waits for another process's write, with the request that it belongs to.
pub(super) const CHARGE_PATIENCE: Duration = Duration::from_secs(2);

/// Writes to the store without a change of what it says: the number of [`FORMAT`], again. An `UPDATE` to the value that
/// is there would not do: `SQLite` compares, and writes nothing.
pub(super) const WRITE_NOTHING: &str = "PRAGMA user_version = 1";

/// How long a connection that serves requests waits. Readers of a write-ahead log wait only while it is recovered.
pub(super) const READER_PATIENCE: Duration = Duration::from_millis(100);

/// The format written by this version, kept in `SQLite`'s `user_version`; 0 is an empty file.
const FORMAT: i64 = 1;

/// `key_generation` counts changes of `api_key`, whoever makes them, so that a server knows with one small read that
/// its copy of the keys is still right. `monthly_usage` names keys without a foreign key: one orphan must not fail the
/// commit that it shares with other callers' charges.
const SCHEMA: &str = "
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
";

/// Creates `data_dir` and its parents where they are missing, closed to other users, and closes one that is there.
pub(super) fn create_data_dir(data_dir: &Path) -> Result<(), StoreError> {
    if data_dir.as_os_str().is_empty() {
        return Err(StoreError::NoDataDir);
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data_dir).map_err(StoreError::file("create the data directory", data_dir))?;
    close_data_dir(data_dir)
}

/// Closes a data directory to other users. One that holds other things than a store is left as it is and refused.
#[cfg(unix)]
fn close_data_dir(data_dir: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    let looking = StoreError::file("look at the data directory", data_dir);
    let mode = fs::metadata(data_dir).map_err(&looking)?.permissions().mode();
    if mode & OTHERS == 0 {
        return Ok(());
    }
    let is_ours = OUR_FILES.iter().any(|name| data_dir.join(name).exists())
        || fs::read_dir(data_dir).map_err(&looking)?.next().is_none();
    let closed = fs::Permissions::from_mode(mode & 0o7777 & !OTHERS);
    if is_ours && mode & STICKY == 0 && fs::set_permissions(data_dir, closed).is_ok() {
        return Ok(());
    }
    Err(StoreError::OpenToOthers { path: data_dir.to_owned() })
}

#[cfg(not(unix))]
fn close_data_dir(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// What group and others may do with a file, as bits of its mode.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// The bit of a directory that all users share, such as `/tmp`.
#[cfg(unix)]
const STICKY: u32 = 0o1000;
/// The files by which a directory is known as a data directory.
#[cfg(unix)]
const OUR_FILES: [&str; 3] = [FILE_NAME, super::fleet::OUTBOX, "demo-key"];

/// Opens the store at `path`, creating it where it is missing, readable by its owner only (`SQLite` gives its side
/// files the same permissions). `patience` is how long each later call waits for a lock.
pub(super) fn connect(path: &Path, patience: Duration) -> Result<Connection, StoreError> {
    connect_as(path, patience, SCHEMA)
}

/// The same for a file with other tables, which are counted as formats on their own.
pub(super) fn connect_as(path: &Path, patience: Duration, schema: &str) -> Result<Connection, StoreError> {
    create_private_database(path)?;
    let opening = StoreError::sqlite("open the store");
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags).map_err(opening)?;
    connection.busy_timeout(WRITER_PATIENCE).map_err(opening)?;
    switch_to_write_ahead_log(&connection).map_err(opening)?;
    connection.pragma_update(None, "synchronous", "FULL").map_err(opening)?;
    bring_to_format(&mut connection, path, schema)?;
    connection.busy_timeout(patience).map_err(opening)?;
    Ok(connection)
}

/// Opens a file of the data directory that is no database, creating it where it is missing; only its owner may read or
/// write it from then on.
pub(super) fn open_private_file(path: &Path) -> Result<File, StoreError> {
    let file = private().create(true).open(path).map_err(StoreError::file("open", path))?;
    close_file(path)?;
    Ok(file)
}

/// Creates a database where it is missing, and closes it and its side files to other users. Files that are there are not
/// opened: when a process closes a file, the system drops all locks that `SQLite` holds on it in that process.
fn create_private_database(path: &Path) -> Result<(), StoreError> {
    match private().create_new(true).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(StoreError::file("open the store", path)(error));
        }
        _ => {}
    }
    // The side files are made as open as the store is, and may be there from before.
    for side in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(side);
        if side.is_empty() || Path::new(&file).exists() {
            close_file(Path::new(&file))?;
        }
    }
    Ok(())
}

/// How a file is created that its owner alone may read and write.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

#[cfg(unix)]
fn close_file(path: &Path) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(StoreError::file("look at", path))?.permissions().mode();
    if mode & OTHERS == 0 || fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o7777 & !OTHERS)).is_ok() {
        return Ok(());
    }
    Err(StoreError::OpenToOthers { path: path.to_owned() })
}

#[cfg(not(unix))]
fn close_file(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// The file that a connection has open, to be compared with what lies at its path later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenedFile {
    path: PathBuf,
    /// Device and number of the file, where the system tells them.
    identity: Option<(u64, u64)>,
}

impl OpenedFile {
    /// The file at `path`, which was opened just now.
    pub(super) fn at(path: &Path) -> Result<Self, StoreError> {
        let found = fs::metadata(path).map_err(StoreError::file("look at", path))?;
        #[cfg(unix)]
        let identity = {
            use std::os::unix::fs::MetadataExt as _;
            Some((found.dev(), found.ino()))
        };
        #[cfg(not(unix))]
        let identity = found.is_file().then_some((0, 0));
        Ok(Self { path: path.to_owned(), identity })
    }

    /// Whether it still lies at its path: what is written to a deleted file is lost with the process.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        match Self::at(&self.path) {
            Ok(found) if found == *self => Ok(()),
            _ => Err(StoreError::Deleted { path: self.path.clone() }),
        }
    }
}

/// A new file is switched once, under an exclusive lock for which `SQLite` does not always wait: two processes that
/// start together meet here.
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

fn bring_to_format(connection: &mut Connection, path: &Path, schema: &str) -> Result<(), StoreError> {
    let preparing = StoreError::sqlite("prepare the store");
    if format_of(connection).map_err(preparing)? < FORMAT {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(preparing)?;
        if format_of(&transaction).map_err(preparing)? < FORMAT {
            transaction.execute_batch(schema).map_err(preparing)?;
            transaction.pragma_update(None, "user_version", FORMAT).map_err(preparing)?;
        }
        transaction.commit().map_err(preparing)?;
    }
    let found = format_of(connection).map_err(preparing)?;
    if found > FORMAT { Err(StoreError::TooNew { path: path.to_owned(), found, known: FORMAT }) } else { Ok(()) }
}

fn format_of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_waits_for_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let connection = connect(&folder.path().join(FILE_NAME), READER_PATIENCE).unwrap();
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!((journal.as_str(), synchronous), ("wal", 2));
    }

    #[test]
    fn writing_nothing_writes_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let connection = connect(&path, READER_PATIENCE).unwrap();
        let log_bytes = || fs::metadata(path.with_extension("sqlite3-wal")).unwrap().len();
        let before = log_bytes();
        connection.execute(WRITE_NOTHING, []).unwrap();
        assert!(log_bytes() > before, "a full disk would have been noticed");
        assert_eq!(format_of(&connection).unwrap(), FORMAT);
    }

    #[cfg(unix)]
    #[test]
    fn store_and_side_files_are_closed_to_other_users() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let data_dir = folder.path().join("a/b");
        create_data_dir(&data_dir).unwrap();
        let _connection = connect(&data_dir.join(FILE_NAME), READER_PATIENCE).unwrap();
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
            create_data_dir(&data_dir).unwrap();
            let _connection = connect(&data_dir.join(FILE_NAME), READER_PATIENCE).unwrap();
            assert_eq!(mode(&data_dir) & 0o777, 0o700);
        }
        let path = data_dir.join(FILE_NAME);
        let held = connect(&path, READER_PATIENCE).unwrap();
        held.execute(WRITE_NOTHING, []).unwrap();
        let files: Vec<_> = fs::read_dir(&data_dir).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert!(files.len() >= 3, "{files:?}");
        for file in &files {
            open(file, 0o666);
        }
        let _connection = connect(&path, READER_PATIENCE).unwrap();
        assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
    }

    #[cfg(unix)]
    #[test]
    fn a_directory_that_others_use_too_is_refused_and_left_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        for (mode, file) in [(0o1777, FILE_NAME), (0o755, "notes")] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(file), "").unwrap();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = create_data_dir(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&folder.path().display().to_string()) && error.contains("chmod go-rwx"), "{error}");
            assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o7777, mode);
        }
    }

    #[test]
    fn no_name_is_no_data_directory() {
        let error = create_data_dir(Path::new("")).unwrap_err().to_string();
        assert!(error.contains("data_dir is empty"), "{error}");
    }

    #[test]
    fn many_may_create_the_store_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        thread::scope(|scope| {
            let openings: Vec<_> = (0..16).map(|_| scope.spawn(|| connect(&path, READER_PATIENCE))).collect();
            for opening in openings {
                opening.join().unwrap().unwrap();
            }
        });
    }

    #[test]
    fn a_store_of_a_newer_version_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        connect(&path, READER_PATIENCE).unwrap().pragma_update(None, "user_version", 2).unwrap();
        let error = connect(&path, READER_PATIENCE).unwrap_err();
        assert!(matches!(error, StoreError::TooNew { found: 2, known: 1, .. }), "{error}");
    }

    #[test]
    fn a_file_that_is_no_store_is_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        let contents = "this is no database, but it is long enough to have a header".repeat(20);
        fs::write(&path, &contents).unwrap();
        let error = connect(&path, READER_PATIENCE).unwrap_err();
        assert!(matches!(error, StoreError::Sqlite { .. }), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), contents);
    }

    #[test]
    fn a_data_directory_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("file");
        fs::write(&occupied, "").unwrap();
        let error = create_data_dir(&occupied.join("data")).unwrap_err();
        assert!(error.to_string().contains("file/data"), "{error}");
    }
}
