//! The data directory and its files: closed to other users, and locked by the server that uses them.
//!
//! The module does not know what the files contain.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::StoreError;

/// The store of a single server.
pub(super) const STORE_FILE: &str = "longhand.sqlite3";
/// The charges of an instance that the shared store may not have.
pub(super) const OUTBOX_FILE: &str = "outbox.sqlite3";

/// A directory with one of these files is known to be a data directory.
#[cfg(unix)]
const OUR_FILES: [&str; 4] = [STORE_FILE, OUTBOX_FILE, "jobs.sqlite3", "demo-key"];
/// Permissions of the group and of others, as bits of a mode.
#[cfg(unix)]
const OTHERS: u32 = 0o077;
/// The bit of a directory that all users share, such as `/tmp`.
#[cfg(unix)]
const STICKY: u32 = 0o1000;

/// Creates `data_dir` and its parents if they do not exist. Closes it to other users.
///
/// # Errors
/// [`StoreError::NoDataDir`], [`StoreError::OpenToOthers`], or the directory cannot be created.
pub(crate) fn create(data_dir: &Path) -> Result<(), StoreError> {
    if data_dir.as_os_str().is_empty() {
        return Err(StoreError::NoDataDir);
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(data_dir).map_err(StoreError::file("create the data directory", data_dir))?;
    // A directory with other files than ours is left as it is and refused.
    close_to_others(data_dir, |mode| {
        let is_ours = || OUR_FILES.iter().any(|name| data_dir.join(name).exists());
        let is_empty = || fs::read_dir(data_dir).is_ok_and(|mut entries| entries.next().is_none());
        mode & STICKY == 0 && (is_ours() || is_empty())
    })
}

/// Creates a database file if it does not exist, and closes it and its side files to other users. Existing files are
/// not opened: when a process closes a file, the system drops all locks that `SQLite` holds on it in that process.
pub(super) fn create_private_database(path: &Path) -> Result<(), StoreError> {
    match private().create_new(true).open(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(StoreError::file("open the store", path)(error));
        }
        _ => {}
    }
    // `SQLite` creates side files with the permissions of the store. They may exist from an earlier run.
    for side in ["", "-wal", "-shm"] {
        let mut file = path.as_os_str().to_owned();
        file.push(side);
        if side.is_empty() || Path::new(&file).exists() {
            close_to_others(Path::new(&file), |_| true)?;
        }
    }
    Ok(())
}

/// Options that create a file which only its owner may read and write.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Removes the permissions of other users, if there are any and `may_change` agrees to the mode found.
#[cfg(unix)]
fn close_to_others(path: &Path, may_change: impl FnOnce(u32) -> bool) -> Result<(), StoreError> {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = fs::metadata(path).map_err(StoreError::file("look at", path))?.permissions().mode();
    let closed = fs::Permissions::from_mode(mode & 0o7777 & !OTHERS);
    if mode & OTHERS == 0 || (may_change(mode) && fs::set_permissions(path, closed).is_ok()) {
        return Ok(());
    }
    Err(StoreError::OpenToOthers { path: path.to_owned() })
}

#[cfg(not(unix))]
fn close_to_others(_: &Path, _: impl FnOnce(u32) -> bool) -> Result<(), StoreError> {
    Ok(())
}

/// Takes an advisory lock on a `.lock` file beside `path`. It ends with the returned file or with the process.
///
/// # Errors
/// [`StoreError::InUse`] if another server, in this process or another, holds it.
pub(super) fn lock_beside(path: &Path) -> Result<File, StoreError> {
    let lock_path = path.with_extension("lock");
    // A user who may open the file may lock it.
    let file = private().create(true).open(&lock_path).map_err(StoreError::file("open", &lock_path))?;
    close_to_others(&lock_path, |_| true)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(StoreError::file("lock the key store with", &lock_path)(error)),
    }
}

/// The file that a connection has open, to be compared with the file at its path later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpenedFile {
    path: PathBuf,
    /// Device and inode number, if the system has them.
    identity: Option<(u64, u64)>,
}

impl OpenedFile {
    /// The file at `path`, which was just opened.
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

    /// Tests whether the file is still at its path: writes to a deleted file are lost with the process.
    pub(super) fn check_in_place(&self) -> Result<(), StoreError> {
        match Self::at(&self.path) {
            Ok(found) if found == *self => Ok(()),
            _ => Err(StoreError::Deleted { path: self.path.clone() }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_directory_that_others_use_too_is_refused_and_left_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        for (mode, file) in [(0o1777, STORE_FILE), (0o755, "notes")] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join(file), "").unwrap();
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            let error = create(folder.path()).unwrap_err().to_string();
            assert!(error.contains(&folder.path().display().to_string()) && error.contains("chmod go-rwx"), "{error}");
            assert_eq!(fs::metadata(folder.path()).unwrap().permissions().mode() & 0o7777, mode);
        }
    }

    #[test]
    fn no_name_is_no_data_directory() {
        let error = create(Path::new("")).unwrap_err().to_string();
        assert!(error.contains("data_dir is empty"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn the_lock_is_closed_to_other_users_who_could_take_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (store, lock) = (folder.path().join(STORE_FILE), folder.path().join("longhand.lock"));
        fs::write(&lock, "").unwrap();
        fs::set_permissions(&lock, fs::Permissions::from_mode(0o644)).unwrap();
        let _held = lock_beside(&store).unwrap();
        assert_eq!(fs::metadata(&lock).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_data_directory_that_cannot_be_made_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let occupied = folder.path().join("file");
        fs::write(&occupied, "").unwrap();
        let error = create(&occupied.join("data")).unwrap_err();
        assert!(error.to_string().contains("file/data"), "{error}");
    }
}
