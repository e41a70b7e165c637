//! Files in a folder.
//!
//! A file is written under another name, synced, and renamed when it is whole. So a file that is there is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::jobs::error::JobError;

/// The folder of jobs, with a folder for each job.
#[derive(Clone, Debug)]
pub(in crate::jobs) struct Folder {
    path: PathBuf,
    /// Bytes of the disk that must stay free.
    keep_free: u64,
}

impl Folder {
    pub(super) fn new(path: &Path, keep_free: u64) -> Self {
        Self { path: path.to_owned(), keep_free }
    }

    /// The path of a file.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
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
        check_room(&self.path, self.keep_free)
            .and_then(|()| write_whole(&path, write))
            .map_err(JobError::file("write", &path))
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
        let reading = JobError::file("read", &self.path);
        let entries = fs::read_dir(&self.path).map_err(&reading)?;
        let names = entries.map(|entry| Ok(entry.map_err(&reading)?.file_name().to_string_lossy().into_owned()));
        let names: Vec<String> = names.collect::<Result<_, JobError>>()?;
        // Read after the folder: a job is known before it has files.
        let jobs = jobs()?;
        // Only what is named like a job is one of ours.
        let is_job = |name: &String| uuid::Uuid::parse_str(name).is_ok();
        names.iter().filter(|name| is_job(name) && !jobs.contains(name)).try_for_each(|name| self.delete(name))
    }
}

/// Fails if less than `keep_free` bytes of the folder's disk are free.
pub(in crate::jobs) fn check_room(folder: &Path, keep_free: u64) -> io::Result<()> {
    let disk = rustix::fs::statvfs(folder)?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < keep_free {
        let message = format!("the disk has {free} bytes left; {keep_free} are left for the databases");
        return Err(io::Error::new(io::ErrorKind::StorageFull, message));
    }
    Ok(())
}

/// Writes a file beside `path`, which replaces it when it is whole.
fn write_whole(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // Two instances may write the same file at the same time.
    let part = path.with_extension(format!("{}.part", uuid::Uuid::new_v4().simple()));
    let written = write_part(&part, write).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // It may not exist. If it cannot be removed, it is deleted with its job.
        let _ = fs::remove_file(&part);
    }
    written
}

fn write_part(part: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(part)?);
    write(&mut file)?;
    file.flush()?;
    // A row is charged after this.
    file.get_ref().sync_data()
}
