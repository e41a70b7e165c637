//! Files of fonts that stay in memory for good, each once.
//!
//! Caches of shaped text and of outlines name a font by its file. They live as long as the process, so its bytes must.
//! A file is therefore never freed: an operator who replaces a file a hundred times while the service runs keeps a
//! hundred files in memory. Loading the same bytes again takes no memory.

use std::collections::HashMap;
use std::sync::LazyLock;

use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use super::symbol_map::with_unicode;

/// Names a file among those that are in memory; 0 for all files of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileNumber(u32);

/// A font's file in memory.
#[derive(Clone, Copy, Debug)]
pub struct FontFile {
    /// Its number.
    pub number: FileNumber,
    /// What is in it; the character map of a symbol font is one of Unicode.
    pub bytes: &'static [u8],
    sha256: [u8; 32],
}

/// The operator's files so far, by SHA-256.
static KEPT: LazyLock<Mutex<HashMap<[u8; 32], FontFile>>> = LazyLock::new(Mutex::default);

impl FontFile {
    /// Keeps these bytes for as long as the process lives, unless it has them already.
    #[must_use]
    pub fn keep(bytes: Vec<u8>) -> Self {
        let sha256 = Sha256::digest(&bytes).into();
        let mut kept = KEPT.lock();
        // Fewer than 2^32 files of more than a byte fit into memory.
        let number = FileNumber(kept.len() as u32 + 1);
        *kept.entry(sha256).or_insert_with(|| Self { number, bytes: with_unicode(bytes).leak(), sha256 })
    }

    /// SHA-256 of bytes as [`sha256`](Self::sha256) tells it.
    #[must_use]
    pub fn checksum(bytes: &[u8]) -> String {
        hex::encode(Sha256::digest(bytes))
    }

    /// SHA-256, lower-case hexadecimal.
    #[must_use]
    pub fn sha256(self) -> String {
        hex::encode(self.sha256)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_files_are_kept_once() {
        let [first, second, other] = [b"a font", b"a font", b"b font"].map(|bytes| FontFile::keep(bytes.to_vec()));
        assert_eq!((first.number, first.bytes.as_ptr()), (second.number, second.bytes.as_ptr()));
        assert_ne!(first.number, other.number);
        assert_ne!(first.number, FileNumber::default());
        assert!(other.sha256().len() == 64 && other.bytes == b"b font");
    }
}
