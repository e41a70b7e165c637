//! Results of examinations, kept in a folder: one small JSON file for each font, named by the checksum of its file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::examination::{Examination, PROGRAM, VERSION};
use super::printable;

/// A folder of results. Without a folder, nothing is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Cache(pub(super) Option<PathBuf>);

impl Cache {
    /// The result for a file of this checksum, by this version of the examination.
    pub(super) fn read(&self, sha256: &str) -> Option<Examination> {
        let text = std::fs::read_to_string(place(self.0.as_deref()?, sha256)).ok()?;
        let found: Examination = serde_json::from_str(&text).ok()?;
        // Another version of the program may take less time or memory.
        let is_ours = found.cut_off_by.as_ref().is_none_or(|program| program == PROGRAM);
        (found.version == VERSION && found.sha256 == sha256 && is_ours).then_some(found)
    }

    /// The file that has the result for a file of this checksum.
    pub(super) fn file_of(&self, sha256: &str) -> Option<PathBuf> {
        Some(place(self.0.as_deref()?, sha256)).filter(|file| file.is_file())
    }

    /// Keeps a result. One that cannot be kept is found again next time.
    pub(super) fn write(&self, examination: &Examination) {
        let Some(folder) = &self.0 else { return };
        let written = std::fs::create_dir_all(folder).and_then(|()| {
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&serde_json::to_vec_pretty(examination)?)?;
            file.persist(place(folder, &examination.sha256)).map(drop).map_err(|error| error.error)
        });
        if let Err(error) = written {
            tracing::warn!(folder = %printable(folder), %error, "the examination of a font cannot be kept");
        }
    }
}

fn place(folder: &Path, sha256: &str) -> PathBuf {
    folder.join(format!("{sha256}.json"))
}
