//! A list while it arrives.

use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

use super::error::JobError;
use super::files::check_room;

/// Bytes that are held in memory; more of them wait in a temporary file.
const IN_MEMORY: usize = 1 << 20;

/// Bytes of the body of a new job, which may arrive slowly: beyond a MiB they wait in an unnamed file of the jobs' folder,
/// which is gone with this value or with the process.
#[derive(Debug)]
pub(crate) struct ArrivingList {
    held: SpooledTempFile,
    /// Where the file is.
    folder: PathBuf,
    /// Bytes of the disk that must stay free.
    keep_free: u64,
}

impl ArrivingList {
    /// An empty list.
    pub(super) fn new(folder: &Path, keep_free: u64) -> Self {
        Self { held: spooled_tempfile_in(IN_MEMORY, folder), folder: folder.to_owned(), keep_free }
    }

    /// Adds bytes at the end.
    ///
    /// # Errors
    /// They cannot be written; mostly there is no room.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<(), JobError> {
        let room = if self.held.is_rolled() { check_room(&self.folder, self.keep_free) } else { Ok(()) };
        room.and_then(|()| self.held.write_all(bytes)).map_err(JobError::file("write a list to", &self.folder))
    }

    /// All bytes.
    ///
    /// # Errors
    /// They cannot be read.
    pub(crate) fn read(mut self) -> Result<Vec<u8>, JobError> {
        let mut read = || -> io::Result<Vec<u8>> {
            let mut bytes = Vec::with_capacity(usize::try_from(self.held.stream_position()?).unwrap_or(0));
            self.held.rewind()?;
            self.held.read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(JobError::file("read a list from", &self.folder))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_list_waits_on_the_disk_without_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut list = ArrivingList::new(folder.path(), 0);
        let piece: Vec<u8> = (0..=255).collect();
        for _ in 0..3 * IN_MEMORY / piece.len() {
            list.push(&piece).unwrap();
        }
        assert!(list.held.is_rolled());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(list.read().unwrap(), piece.repeat(3 * IN_MEMORY / piece.len()));
    }

    #[test]
    fn a_list_leaves_room_on_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let mut list = ArrivingList::new(folder.path(), u64::MAX);
        list.push(&vec![b'a'; IN_MEMORY + 1]).unwrap();
        let JobError::File { source, .. } = list.push(b"a").unwrap_err() else { panic!("another error") };
        assert_eq!(source.kind(), io::ErrorKind::StorageFull);
    }
}
