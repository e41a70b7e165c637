//! Files in a folder.
//!
//! A file is written under another name, synced, and renamed when it is whole. So a file that is there is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::jobs::error::JobError;

/// The folder of jobs, with a folder for each job.
#[derive(Clone, Debug)]
pub(in crate::jobs) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new(folder: &Path) -> Self {
        Self(folder.to_owned())
    }

    /// The path of a file.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(super) fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path(name))
    }

    /// Writes a file, which replaces one of this name when it is whole.
    pub(super) fn write(
        &self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), JobError> {
        let path = self.path(name);
        write_whole(&path, write).map_err(JobError::file("write", &path))
    }

    /// Deletes all files of a job.
    pub(super) fn delete(&self, job: &str) -> Result<(), JobError> {
        let folder = self.path(job);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(JobError::file("delete", &folder)(error)),
            _ => Ok(()),
        }
    }

    /// Deletes the files of jobs that are not among those that `jobs` reads.
    pub(super) fn delete_others(&self, jobs: impl FnOnce() -> Result<Vec<String>, JobError>) -> Result<(), JobError> {
        let reading = JobError::file("read", &self.0);
        let entries = fs::read_dir(&self.0).map_err(&reading)?;
        let names = entries.map(|entry| Ok(entry.map_err(&reading)?.file_name().to_string_lossy().into_owned()));
        let names: Vec<String> = names.collect::<Result<_, JobError>>()?;
        // Read after the folder: a job is known before it has files.
        let jobs = jobs()?;
        // Only what is named like a job is one of ours.
        let is_job = |name: &String| uuid::Uuid::parse_str(name).is_ok();
        names.iter().filter(|name| is_job(name) && !jobs.contains(name)).try_for_each(|name| self.delete(name))
    }
}

/// Writes a file beside `path`, which replaces it when it is whole.
fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Two instances may write the same file at the same time.
    let part = path.with_extension(format!("{}.part", uuid::Uuid::new_v4().simple()));
    let mut file = BufWriter::new(File::create(&part)?);
    write(&mut file)?;
    file.flush()?;
    // A row is charged after this.
    file.get_ref().sync_data()?;
    fs::rename(&part, path)
}
