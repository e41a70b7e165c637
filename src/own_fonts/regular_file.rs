//! Reads regular files only: a pipe, device or directory in a folder of fonts neither stalls the program nor is read.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _};
use std::path::Path;

/// The bytes of a regular file, or of the one that a symbolic link leads to.
///
/// # Errors
/// It cannot be read, is no regular file, or has more than `most` bytes.
pub fn read_regular(path: &Path, most: u64) -> std::io::Result<Vec<u8>> {
    let no_file = || Error::new(ErrorKind::InvalidInput, "it is no regular file");
    // Opening a device may have effects, so that it is not opened. What is at the path may change meanwhile.
    if !std::fs::metadata(path)?.is_file() {
        return Err(no_file());
    }
    let file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(no_file());
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Error::new(
            ErrorKind::FileTooLarge,
            format!("the file has more than the {most} bytes that are allowed"),
        ));
    }
    Ok(bytes)
}

/// Opens a file for reading, without waiting for a writer if it is a pipe.
fn open(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_and_links_to_them_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("file"), b"1234").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", at("zero")).unwrap();
        std::os::unix::fs::symlink(at("loop"), at("loop")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
        assert_eq!(read_regular(&at("file"), 4).unwrap(), b"1234");
        assert_eq!(read_regular(&at("link"), 4).unwrap(), b"1234");
        assert!(read_regular(&at("file"), 3).unwrap_err().to_string().contains("more than the 3 bytes"));
        for path in [at("zero"), at("pipe"), folder.path().to_owned(), "/dev/null".into()] {
            assert_eq!(read_regular(&path, 4).unwrap_err().to_string(), "it is no regular file", "{path:?}");
        }
        assert!(read_regular(&at("loop"), 4).is_err());
    }

    /// What was a file when it was looked at may be a pipe when it is opened.
    #[test]
    fn a_pipe_is_opened_without_waiting_for_a_writer() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(!open(&pipe).unwrap().metadata().unwrap().is_file());
    }
}
