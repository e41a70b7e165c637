//! Writes files completely or not at all.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::Failure;

/// The users that may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    /// The users that the system's defaults allow.
    Default,
    /// The owner alone (mode 0600).
    OwnerOnly,
}

/// Writes a file as [`replace`] does, for the users that the system's defaults allow.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace(path, bytes, Readers::Default).map_err(Failure::io("write", path))
}

/// Writes `bytes` to a new file beside `path`, which replaces the file at `path` once it is complete and keeps its
/// mode. After an error the file at `path` is unchanged. A device or pipe is written directly.
///
/// # Errors
/// The folder or the file cannot be written, or `path` is a link that must not be followed.
pub(super) fn replace(path: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    refuse_planted_link(path)?;
    let found = match fs::metadata(path) {
        Ok(found) if found.is_dir() => return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")),
        Ok(found) if !found.is_file() => return OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Ok(found) => Some(found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    // A link stays a link: what it points to is replaced.
    let target = match &found {
        Some(found) => target_of(path, found)?,
        None => path.to_owned(),
    };
    let kept = found.map(|found| found.permissions()).filter(|_| readers == Readers::Default);
    let mut file = create_in(folder_of(&target), if kept.is_some() { Readers::OwnerOnly } else { readers })?;
    kept.map_or(Ok(()), |permissions| file.as_file().set_permissions(permissions))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(target)?;
    Ok(())
}

/// The folder of a file.
pub(super) fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

/// Makes the folder of a file, if it is not there.
pub(super) fn make_folder_of(file: &Path) -> Result<(), Failure> {
    let folder = folder_of(file);
    fs::create_dir_all(folder).map_err(Failure::io("make", folder))
}

/// A new file in `folder`. Its name is short, as the name of the target may be as long as the system allows.
fn create_in(folder: &Path, readers: Readers) -> io::Result<NamedTempFile> {
    // The system's defaults are subtracted from the first.
    let mode = if readers == Readers::Default { 0o666 } else { 0o600 };
    let permissions = fs::Permissions::from_mode(mode);
    tempfile::Builder::new().prefix(".").suffix(".part").permissions(permissions).tempfile_in(folder)
}

/// Refuses a link that another user has put into a folder that all users share, such as `/tmp`: the rule of Linux's
/// `fs.protected_symlinks`, which covers files that are opened, and not those that are replaced.
#[cfg(target_os = "linux")]
fn refuse_planted_link(path: &Path) -> io::Result<()> {
    const SHARED: u32 = 0o1002;
    let Ok(link) = fs::symlink_metadata(path) else { return Ok(()) };
    if !link.is_symlink() {
        return Ok(());
    }
    let folder = fs::metadata(folder_of(path))?;
    let us = fs::metadata("/proc/self")?.uid();
    if folder.mode() & SHARED == SHARED && link.uid() != us && link.uid() != folder.uid() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "is a link of another user in a shared folder"));
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn refuse_planted_link(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Where the file `found` at `path` lies, links followed.
fn target_of(path: &Path, found: &fs::Metadata) -> io::Result<PathBuf> {
    let target = fs::canonicalize(path)?;
    let there = fs::symlink_metadata(&target)?;
    if (there.dev(), there.ino()) != (found.dev(), found.ino()) {
        return Err(io::Error::other("was changed by another process just now"));
    }
    Ok(target)
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
        replace(&path, b"first, and longer", Readers::Default).unwrap();
        replace(&path, b"second", Readers::Default).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names_in(folder.path()), ["page.png"]);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        assert!(replace(&folder.path().join("missing/page.png"), b"x", Readers::Default).is_err());
        assert!(replace(folder.path(), b"x", Readers::Default).is_err());
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    fn a_device_is_written_and_not_replaced() {
        use std::os::unix::fs::FileTypeExt as _;
        replace(Path::new("/dev/null"), b"x", Readers::Default).unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[test]
    fn a_link_keeps_pointing_to_the_file_that_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        replace(&link, b"new", Readers::Default).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.png");
        for mode in [0o600, 0o640, 0o666] {
            fs::write(&path, b"old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            replace(&path, b"new", Readers::Default).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
    }

    #[test]
    fn a_name_may_be_as_long_as_the_system_allows() {
        let folder = tempfile::tempdir().unwrap();
        let name = "x".repeat(255);
        replace(&folder.path().join(&name), b"x", Readers::Default).unwrap();
        assert_eq!(names_in(folder.path()), [name]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn another_users_link_in_a_shared_folder_is_not_followed() {
        const SOMEBODY: u32 = 65_534;
        let folder = tempfile::tempdir().unwrap();
        let (file, shared) = (folder.path().join("file"), folder.path().join("shared"));
        fs::write(&file, b"old").unwrap();
        fs::create_dir(&shared).unwrap();
        fs::set_permissions(&shared, fs::Permissions::from_mode(0o1777)).unwrap();
        let (own, theirs) = (shared.join("own"), shared.join("theirs"));
        for link in [&own, &theirs] {
            std::os::unix::fs::symlink(&file, link).unwrap();
        }
        replace(&own, b"new", Readers::Default).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        if std::os::unix::fs::lchown(&theirs, Some(SOMEBODY), None).is_err() {
            // Only root can make a link of another user.
            return;
        }
        let error = replace(&theirs, b"newer", Readers::Default).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::PermissionDenied, "{error}");
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(names_in(&shared).len(), 2);
    }

    #[test]
    fn a_secret_is_the_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        replace(&path, b"x", Readers::OwnerOnly).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
