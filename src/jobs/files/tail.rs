//! A writer that may go back a little, over one that cannot.

use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::{SpooledTempFile, spooled_tempfile_in};

/// Bytes that are held in memory; more of them wait in a temporary file.
const IN_MEMORY: usize = 16 << 20;

/// Holds what was written since the last flush, where it may be changed; a flush passes it on. So an entry of a ZIP, whose
/// head is completed at its end, is written to a place that takes each byte once.
pub(super) struct Tail<W> {
    inner: W,
    /// Bytes that were passed on.
    passed: u64,
    held: SpooledTempFile,
    /// Where the temporary file is.
    folder: PathBuf,
}

impl<W: Write> Tail<W> {
    pub(super) fn new(inner: W, folder: &Path) -> Self {
        Self { inner, passed: 0, held: spooled_tempfile_in(IN_MEMORY, folder), folder: folder.to_owned() }
    }

    /// The writer that has what was passed on.
    pub(super) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Tail<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.held.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.held.rewind()?;
        let mut part = vec![0; 1 << 16];
        loop {
            let length = self.held.read(&mut part)?;
            if length == 0 {
                break;
            }
            self.inner.write_all(part.get(..length).unwrap_or_default())?;
            self.passed += length as u64;
        }
        self.held = spooled_tempfile_in(IN_MEMORY, &self.folder);
        Ok(())
    }
}

impl<W: Write> Seek for Tail<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let within = match to {
            SeekFrom::Start(at) => match at.checked_sub(self.passed) {
                Some(within) => SeekFrom::Start(within),
                None => return Err(io::Error::new(io::ErrorKind::InvalidInput, "these bytes were passed on")),
            },
            other => other,
        };
        Ok(self.passed + self.held.seek(within)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_may_be_changed_and_what_is_passed_on_may_not() {
        let folder = tempfile::tempdir().unwrap();
        let mut tail = Tail::new(Vec::new(), folder.path());
        tail.write_all(b"abc").unwrap();
        tail.flush().unwrap();
        tail.write_all(b"xyz").unwrap();
        assert_eq!(tail.seek(SeekFrom::Start(4)).unwrap(), 4);
        tail.write_all(b"Y").unwrap();
        assert_eq!((tail.stream_position().unwrap(), tail.seek(SeekFrom::End(0)).unwrap()), (5, 6));
        assert!(tail.seek(SeekFrom::Start(2)).is_err() && tail.seek(SeekFrom::Current(-4)).is_err());
        tail.flush().unwrap();
        assert_eq!(tail.into_inner(), b"abcxYz");
    }
}
