//! The file of all rows that were made, in their order: a ZIP of their files, or PDFs of their pages.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::database::Database;
use super::error::JobError;
use super::files::{Files, write_whole};
use super::output::{Form, Output, StartOn};
use super::summary::{JobSummary, RowState, RowSummary};
use crate::encode::JoinedPdf;

/// Rows that are read at a time.
const PAGE: usize = 1000;

/// Writes the file of all rows of a job, if its form has one. Equal rows give equal bytes.
///
/// # Errors
/// A row cannot be read, or the file cannot be written.
pub(super) fn write(database: &Database, files: &Files, job: &JobSummary) -> Result<(), JobError> {
    let Some(ending) = job.output.ending(job.made) else { return Ok(()) };
    let path = files.result(&job.id, ending);
    let rows = MadeRows { database, files, job };
    let written = write_whole(&path, |file| {
        let out = BufWriter::new(file);
        let mut out = match (job.output.form, ending) {
            (Form::Pdf, "pdf") => rows.joined(out, &rows.after(0, usize::MAX)?)?,
            (Form::Pdf, _) => rows.archive_of_pdfs(out)?,
            _ => rows.archive(out)?,
        };
        out.flush()
    });
    written.map_err(JobError::file("write", &path))
}

/// The rows of a job that were made.
struct MadeRows<'a> {
    database: &'a Database,
    files: &'a Files,
    job: &'a JobSummary,
}

impl MadeRows<'_> {
    /// Up to `most` rows after the number `after`.
    fn after(&self, after: u64, most: usize) -> io::Result<Vec<RowSummary>> {
        let most = most.min(usize::try_from(self.job.rows).unwrap_or(usize::MAX));
        self.database.rows(&self.job.id, Some(RowState::Made), after, most).map_err(io::Error::other)
    }

    /// A ZIP of the files, stored as they are.
    fn archive<W: Write + Seek>(&self, out: W) -> io::Result<W> {
        let mut archive = ZipWriter::new(out);
        let mut after = 0;
        loop {
            let rows = self.after(after, PAGE)?;
            let Some(last) = rows.last() else { break };
            after = last.row;
            for row in &rows {
                let Some(name) = &row.name else { continue };
                archive.start_file(name.as_str(), options()).map_err(io::Error::other)?;
                io::copy(&mut File::open(self.files.row(&self.job.id, row.row))?, &mut archive)?;
            }
        }
        archive.finish().map_err(io::Error::other)
    }

    /// A ZIP of PDFs, each named by its first and last row.
    fn archive_of_pdfs<W: Write + Seek>(&self, out: W) -> io::Result<W> {
        let of_a_file = self.job.output.pdf.unwrap_or_default().rows_per_file;
        let (of_a_file, width) = (of_a_file.map_or(usize::MAX, |rows| rows as usize), self.job.rows.to_string().len());
        let mut archive = ZipWriter::new(out);
        let mut after = 0;
        loop {
            let rows = self.after(after, of_a_file)?;
            let (Some(first), Some(last)) = (rows.first(), rows.last()) else { break };
            after = last.row;
            let name = format!("{:0width$}-{:0width$}.pdf", first.row, last.row);
            archive.start_file(name, options().large_file(true)).map_err(io::Error::other)?;
            self.joined(&mut archive, &rows)?;
        }
        archive.finish().map_err(io::Error::other)
    }

    /// One PDF of the pages of these rows.
    fn joined<W: Write>(&self, out: W, rows: &[RowSummary]) -> io::Result<W> {
        let Output { pdf, .. } = &self.job.output;
        let starts_odd = pdf.unwrap_or_default().start_on == StartOn::Odd;
        let mut joined = JoinedPdf::new(out);
        for row in rows {
            if starts_odd && joined.page_count() % 2 == 1 {
                joined.append_empty_page()?;
            }
            joined.append(&fs::read(self.files.row(&self.job.id, row.row))?)?;
        }
        joined.finish()
    }
}

/// Files are stored as they are, with a time that never changes.
fn options() -> SimpleFileOptions {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    options.last_modified_time(DateTime::default()).unix_permissions(0o644)
}
