//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Who may read a file that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// Whoever the system's defaults allow.
    Default,
    /// The owner alone (mode 0600).
    OwnerOnly,
}

/// Writes `bytes` to `path` by way of a new file beside it that takes its place when complete. What was at `path`
/// stays as it was after any error. A device or pipe is written directly.
///
/// # Errors
/// The folder or the file cannot be written.
pub(super) fn write(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")),
        Ok(found) if !found.is_file() => return OpenOptions::new().write(true).open(path)?.write_all(bytes),
        _ => {}
    }
    // A link stays a link: what it points to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let beside = beside(&target)?;
    let written = create(&beside, readers).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    let placed = written.and_then(|()| fs::rename(&beside, &target));
    if placed.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&beside);
    }
    placed
}

fn beside(target: &Path) -> io::Result<PathBuf> {
    let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "names no file"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    let random = getrandom::u64().map_err(io::Error::other)?;
    hidden.push(format!(".{random:016x}.part"));
    Ok(target.with_file_name(hidden))
}

fn create(path: &Path, readers: Readers) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if readers == Readers::OwnerOnly {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    #[cfg(not(unix))]
    let _ = readers;
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.map(|name| name.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.png");
        write(&path, b"first, and longer", Readers::Default).unwrap();
        write(&path, b"second", Readers::Default).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["page.png"]);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("missing/page.png"), b"x", Readers::Default).is_err());
        assert!(write(folder.path(), b"x", Readers::Default).is_err());
        assert!(names_in(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_written_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        write(Path::new("/dev/null"), b"x", Readers::Default).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_keeps_pointing_to_the_file_that_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, b"new", Readers::Default).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn a_secret_is_the_owners_alone() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        write(&path, b"x", Readers::OwnerOnly).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
