//! Errors of jobs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::access::StoreError;

/// Why an operation on a job failed.
#[derive(Clone, Debug, Error)]
pub enum JobError {
    /// The key has no such job.
    #[error("no job has that number")]
    Unknown,
    /// The job has no file of that name.
    #[error("the job has no file of that name")]
    NoFile,
    /// The job has no file of all rows: it is not of that form, or not ready.
    #[error("the job has no result: its output is files, or it is not completed")]
    NoResult,
    /// The database of jobs, or that of charges, cannot be read or written.
    #[error(transparent)]
    Store(StoreError),
    /// A file of a job cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried, as in "write".
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The operating system's reason.
        source: Arc<io::Error>,
    },
}

impl JobError {
    /// Converts errors of files, for `map_err`.
    pub(super) fn file(action: &'static str, path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::File { action, path: path.to_owned(), source: Arc::new(source) }
    }

    /// Converts errors of the database, for `map_err`.
    pub(super) fn sqlite(action: &'static str) -> impl Fn(rusqlite::Error) -> Self {
        move |source| Self::Store(StoreError::Sqlite { action, source: Arc::new(source) })
    }
}
