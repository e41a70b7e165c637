//! The files of jobs: for each job a file for each row, named by its number, and the file of all rows.
//!
//! Input: bytes of rows, and what writes the file of all rows. Output: the same files, whole, from a `folder` of this machine
//! or from a `bucket` of S3. A file that is there is whole and durable: rows are charged after it. Its size and its SHA-256
//! are in the database. `tail` lets a ZIP be written to a place that takes no byte twice, and `stored` is what a client is
//! sent. The module knows no rows or states.

mod bucket;
mod folder;
mod stored;
mod tail;

use std::io::{self, Seek, Write};

use bucket::Bucket;
pub use bucket::BucketAddress;
use folder::Folder;
pub(super) use folder::check_room;
pub(crate) use stored::{ObjectFacts, ObjectReader, StoredFile, StoredObject};

use super::JobsOptions;
use super::error::JobError;

/// Rows in one folder.
const ROWS_IN_A_FOLDER: u64 = 1000;

/// Where the file of all rows is written to. A flush says that no byte before it changes any more.
pub(super) trait Sink: Write + Seek {}

impl<T: Write + Seek> Sink for T {}

/// The files of all jobs.
#[derive(Debug)]
pub(super) enum Files {
    Folder(Folder),
    Bucket(Bucket),
}

impl Files {
    /// The files in the place that `options` name.
    ///
    /// # Errors
    /// The bucket cannot be used.
    pub(super) fn open(options: &JobsOptions) -> Result<Self, JobError> {
        Ok(match &options.bucket {
            None => Self::Folder(Folder::new(&options.dir, options.keep_free)),
            Some(address) => Self::Bucket(Bucket::open(address, &options.dir)?),
        })
    }

    /// Writes the file of a row.
    ///
    /// # Errors
    /// It cannot be written; mostly there is no room.
    pub(super) fn write_row(&self, job: &str, number: u64, bytes: &[u8]) -> Result<(), JobError> {
        match self {
            Self::Folder(folder) => folder.write(&row(job, number), |file| file.write_all(bytes)),
            Self::Bucket(bucket) => bucket.put(&row(job, number), bytes.to_vec()),
        }
    }

    /// Reads the files of rows, in this order.
    pub(super) fn read_rows(&self, job: &str, numbers: &[u64]) -> io::Result<Vec<Vec<u8>>> {
        let names: Vec<String> = numbers.iter().map(|number| row(job, *number)).collect();
        match self {
            Self::Folder(folder) => names.iter().map(|name| folder.read(name)).collect(),
            Self::Bucket(bucket) => bucket.read(&names),
        }
    }

    /// Writes the file of all rows, with this ending.
    ///
    /// # Errors
    /// `write` fails, or the file cannot be written.
    pub(super) fn write_result(
        &self,
        job: &str,
        ending: &str,
        write: impl FnOnce(&mut dyn Sink) -> io::Result<()>,
    ) -> Result<(), JobError> {
        let name = result(job, ending);
        match self {
            Self::Folder(folder) => folder.write(&name, |file| write(file)),
            Self::Bucket(bucket) => bucket.write(&name, |upload| write(upload)),
        }
    }

    /// The file of a row, for a client.
    pub(super) fn stored_row(&self, job: &str, number: u64) -> StoredFile {
        self.stored(&row(job, number))
    }

    /// The file of all rows, for a client; `None` if there is none.
    pub(super) fn stored_result(&self, job: &str, ending: &str) -> Result<Option<StoredFile>, JobError> {
        let name = result(job, ending);
        let exists = match self {
            Self::Folder(folder) => folder.has(&name),
            Self::Bucket(bucket) => bucket.has(&name)?,
        };
        Ok(exists.then(|| self.stored(&name)))
    }

    fn stored(&self, name: &str) -> StoredFile {
        match self {
            Self::Folder(folder) => StoredFile::Path(folder.path(name)),
            Self::Bucket(bucket) => StoredFile::Object(bucket.object(name)),
        }
    }

    /// Deletes all files of a job.
    pub(super) fn delete(&self, job: &str) -> Result<(), JobError> {
        match self {
            Self::Folder(folder) => folder.delete(job),
            Self::Bucket(bucket) => bucket.delete(job),
        }
    }

    /// Deletes the files of jobs that are not among those that `jobs` reads. A bucket is left as it is: what another
    /// service keeps there looks the same.
    pub(super) fn delete_others(&self, jobs: impl FnOnce() -> Result<Vec<String>, JobError>) -> Result<(), JobError> {
        match self {
            Self::Folder(folder) => folder.delete_others(jobs),
            Self::Bucket(_) => Ok(()),
        }
    }
}

/// The name of a row's file in its place.
fn row(job: &str, number: u64) -> String {
    format!("{job}/{}/{number}", number / ROWS_IN_A_FOLDER)
}

/// The name of the file of all rows.
fn result(job: &str, ending: &str) -> String {
    format!("{job}/result.{ending}")
}
