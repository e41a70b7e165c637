//! The ZIP of a job: the files of all rows that were made, in their order, stored as they are.

use std::fs::File;
use std::io;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::database::Database;
use super::error::JobError;
use super::files::{Files, write_whole};
use super::summary::RowState;

/// Rows that are read at a time.
const PAGE: usize = 1000;

/// Writes the ZIP of a job. Equal files give equal bytes.
///
/// # Errors
/// A file cannot be read, or the ZIP cannot be written.
pub(super) fn write(database: &Database, files: &Files, job: &str) -> Result<(), JobError> {
    let path = files.result(job);
    let mut failure = None;
    let written = write_whole(&path, |file| {
        let mut archive = ZipWriter::new(io::BufWriter::new(file));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let options = options.last_modified_time(DateTime::default()).unix_permissions(0o644);
        let mut after = 0;
        loop {
            let rows = match database.rows(job, Some(RowState::Made), after, PAGE) {
                Ok(rows) => rows,
                Err(error) => {
                    failure = Some(error);
                    return Err(io::Error::other("the rows cannot be read"));
                }
            };
            let Some(last) = rows.last() else { break };
            after = last.row;
            for row in &rows {
                let Some(name) = &row.name else { continue };
                archive.start_file(name.as_str(), options).map_err(io::Error::other)?;
                io::copy(&mut File::open(files.row(job, row.row))?, &mut archive)?;
            }
        }
        archive.finish().map_err(io::Error::other)?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(())
    });
    match failure {
        Some(error) => Err(error),
        None => written.map_err(JobError::file("write", &path)),
    }
}
