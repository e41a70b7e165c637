//! The file of all rows that were made, in their order: a ZIP of their files, or PDFs of their pages.

use std::io::{self, Read, Seek, SeekFrom, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::database::Database;
use super::error::JobError;
use super::files::Files;
use super::output::{Form, Impose, PdfOutput, StartOn};
use super::summary::{JobSummary, RowKind, RowState, RowSummary, WantedRows};
use crate::encode::{JoinedPdf, PageOf, PdfPages};

/// Rows that are read at a time.
const PAGE: usize = 1000;
/// Files of rows that are read at a time, and held in memory.
const FILES: usize = 16;

/// Writes the file of all rows of a job, if its form has one. Equal rows give equal bytes.
///
/// # Errors
/// A row cannot be read, or the file cannot be written.
pub(super) fn write(database: &dyn Database, files: &Files, job: &JobSummary) -> Result<(), JobError> {
    let Some(ending) = job.output.ending(job.made) else { return Ok(()) };
    let rows = MadeRows { database, files, job };
    files.write_result(&job.id, ending, |out| match (job.output.form, ending) {
        (Form::Pdf, "pdf") => rows.joined(out, &rows.after(0, usize::MAX)?).map(drop),
        (Form::Pdf, _) => rows.archive_of_pdfs(out),
        _ => rows.archive(out),
    })
}

/// The rows of a job that were made.
struct MadeRows<'a> {
    database: &'a dyn Database,
    files: &'a Files,
    job: &'a JobSummary,
}

impl MadeRows<'_> {
    /// Up to `most` rows after the number `after`.
    fn after(&self, after: u64, most: usize) -> io::Result<Vec<RowSummary>> {
        let most = most.min(usize::try_from(self.job.rows).unwrap_or(usize::MAX));
        let wanted = WantedRows { kind: Some(RowKind::In(RowState::Made)), after, limit: most, with_cells: false };
        self.database.rows(&self.job.id, &self.job.columns, wanted).map_err(io::Error::other)
    }

    /// The files of these rows, in this order, a few of them read at a time.
    fn files_of<'b>(&'b self, rows: &'b [RowSummary]) -> impl Iterator<Item = io::Result<(&'b RowSummary, Vec<u8>)>> {
        rows.chunks(FILES).flat_map(|rows| {
            let numbers: Vec<u64> = rows.iter().map(|row| row.row).collect();
            match self.files.read_rows(&self.job.id, &numbers) {
                Ok(files) => rows.iter().zip(files).map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        })
    }

    /// A ZIP of the files, stored as they are.
    fn archive<W: Write + Seek>(&self, out: W) -> io::Result<()> {
        let mut archive = archive_to(out);
        let mut after = 0;
        loop {
            let rows = self.after(after, PAGE)?;
            let Some(last) = rows.last() else { break };
            after = last.row;
            for file in self.files_of(&rows) {
                let (row, bytes) = file?;
                let Some(name) = &row.name else { continue };
                archive.start_file(name.as_str(), options()).map_err(io::Error::other)?;
                archive.write_all(&bytes)?;
            }
        }
        archive.finish().map(drop).map_err(io::Error::other)
    }

    /// A ZIP of PDFs, each named by its first and last row.
    fn archive_of_pdfs<W: Write + Seek>(&self, out: W) -> io::Result<()> {
        let of_a_file = self.job.output.pdf.unwrap_or_default().rows_per_file;
        let (of_a_file, width) = (of_a_file.map_or(usize::MAX, |rows| rows as usize), self.job.rows.to_string().len());
        let mut archive = archive_to(out);
        let mut after = 0;
        loop {
            let rows = self.after(after, of_a_file)?;
            let (Some(first), Some(last)) = (rows.first(), rows.last()) else { break };
            after = last.row;
            let name = format!("{:0width$}-{:0width$}.pdf", first.row, last.row);
            archive.start_file(name, options().large_file(true)).map_err(io::Error::other)?;
            self.joined(&mut archive, &rows)?;
        }
        archive.finish().map(drop).map_err(io::Error::other)
    }

    /// One PDF of the pages of these rows.
    fn joined<W: Write>(&self, out: W, rows: &[RowSummary]) -> io::Result<W> {
        let PdfOutput { start_on, impose, .. } = self.job.output.pdf.unwrap_or_default();
        let starts_odd = start_on == StartOn::Odd;
        if let Some(impose) = impose {
            return self.imposed(out, rows, &impose, starts_odd);
        }
        let mut joined = JoinedPdf::new(out);
        for file in self.files_of(rows) {
            if starts_odd && joined.page_count() % 2 == 1 {
                joined.append_empty_page()?;
            }
            joined.append(&PdfPages::read(&file?.1)?)?;
        }
        joined.finish()
    }
}

/// A leaf of a row: one page, or two that are printed on its sides.
#[derive(Clone, Copy)]
struct Leaf {
    row: u64,
    /// Its first page in the file of the row, and the number of pages there.
    first: usize,
    pages: usize,
}

impl MadeRows<'_> {
    /// One PDF of sheets with the pages of these rows. Rows that start on odd pages are printed on two sides: the second
    /// page of a leaf is behind the first.
    fn imposed<W: Write>(&self, out: W, rows: &[RowSummary], impose: &Impose, has_backs: bool) -> io::Result<W> {
        let sides = if has_backs { 2 } else { 1 };
        let leaves_of = |row: &RowSummary| {
            let (row, pages) = (row.row, row.outcome.pages.unwrap_or(1) as usize);
            (0..pages).step_by(sides).map(move |first| Leaf { row, first, pages })
        };
        let leaves: Vec<Leaf> = rows.iter().flat_map(leaves_of).collect();
        let (mut joined, mut layout) = (JoinedPdf::new(out), None);
        let count = impose.plan().count();
        for sheet in 0..leaves.len().div_ceil(count) {
            let leaf_at = |tile| impose.page_at(sheet, tile, leaves.len()).and_then(|leaf| leaves.get(leaf));
            let on_sheet: Vec<u64> = (0..count).filter_map(|tile| Some(leaf_at(tile)?.row)).collect();
            let mut files = self.files.read_rows(&self.job.id, &on_sheet)?.into_iter();
            let mut read = |leaf: &Leaf| Ok((*leaf, PdfPages::read(&files.next().unwrap_or_default())?));
            let tiles = (0..count).map(|tile| leaf_at(tile).map(&mut read).transpose());
            let tiles: Vec<Option<(Leaf, PdfPages)>> = tiles.collect::<io::Result<_>>()?;
            let layout = match (layout, tiles.iter().flatten().next()) {
                (Some(layout), _) => layout,
                (None, Some((_, file))) => {
                    let fitting = impose.plan().fitting(file.trim_size()?);
                    *layout.insert(fitting.map_err(|_| io::Error::other("the pages have no room on the sheet"))?)
                }
                (None, None) => continue,
            };
            for side in 0..sides {
                let pages = tiles.iter().map(|tile| {
                    let (Leaf { first, pages, .. }, file) = tile.as_ref()?;
                    (first + side < *pages).then_some(PageOf { file, page: first + side })
                });
                joined.append_sheet(&layout, &pages.collect::<Vec<_>>(), side == 1)?;
            }
        }
        joined.finish()
    }
}

/// A ZIP that is flushed after each file, so that no byte before it changes any more.
fn archive_to<W: Write + Seek>(out: W) -> ZipWriter<Unread<W>> {
    let mut archive = ZipWriter::new(Unread(out));
    archive.set_flush_on_finish_file(true);
    archive
}

/// A writer that is never read: the archive asks for one that could be.
struct Unread<W>(W);

impl<W> Read for Unread<W> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl<W: Write> Write for Unread<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Seek> Seek for Unread<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

/// Files are stored as they are, with a time that never changes.
fn options() -> SimpleFileOptions {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    options.last_modified_time(DateTime::default()).unix_permissions(0o644)
}
