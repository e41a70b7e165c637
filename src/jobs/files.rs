//! The folder of jobs: for each job a folder with a file for each row, named by its number, and the file of all rows.
//!
//! A file is written under another name, synced, and renamed when it is whole. So a file that is there is whole; its size
//! and its SHA-256 are in the database.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::error::JobError;

/// Rows in one folder.
const ROWS_IN_A_FOLDER: u64 = 1000;

#[derive(Clone, Debug)]
pub(super) struct Files {
    folder: PathBuf,
}

impl Files {
    /// The files in the folder of jobs.
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The file of a row.
    pub(super) fn row(&self, job: &str, number: u64) -> PathBuf {
        self.of_job(job).join((number / ROWS_IN_A_FOLDER).to_string()).join(number.to_string())
    }

    /// The file of all rows, with this ending.
    pub(super) fn result(&self, job: &str, ending: &str) -> PathBuf {
        self.of_job(job).join("result").with_extension(ending)
    }

    /// Writes the file of a row.
    pub(super) fn write_row(&self, job: &str, number: u64, bytes: &[u8]) -> Result<(), JobError> {
        let path = self.row(job, number);
        write_whole(&path, |file| file.write_all(bytes)).map_err(JobError::file("write", &path))
    }

    /// Deletes all files of a job.
    pub(super) fn delete(&self, job: &str) -> Result<(), JobError> {
        let folder = self.of_job(job);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(JobError::file("delete", &folder)(error)),
            _ => Ok(()),
        }
    }

    /// Deletes the files of all jobs but these.
    pub(super) fn delete_others(&self, jobs: &[String]) -> Result<(), JobError> {
        let reading = JobError::file("read", &self.folder);
        for entry in fs::read_dir(&self.folder).map_err(&reading)? {
            let entry = entry.map_err(&reading)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Only what is named like a job is one of ours.
            let is_job = uuid::Uuid::parse_str(&name).is_ok();
            if is_job && !jobs.contains(&name) {
                self.delete(&name)?;
            }
        }
        Ok(())
    }

    fn of_job(&self, job: &str) -> PathBuf {
        self.folder.join(job)
    }
}

/// Writes a file beside `path`, which replaces it when it is whole.
pub(super) fn write_whole(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension("part");
    let mut file = File::create(&part)?;
    write(&mut file)?;
    // A row is charged after this.
    file.sync_data()?;
    fs::rename(&part, path)
}
