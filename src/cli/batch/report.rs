//! The report: one line per row, written when the row is done, so that an interrupted run can continue. At the end a
//! table for spreadsheets is written beside it.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use super::csv_report;
use super::entry::Entry;
use super::rows::Row;
use crate::cli::{Failure, atomic_file};

/// The report of a run under way.
pub(super) struct Report {
    path: PathBuf,
    /// Delimiter of the table.
    delimiter: u8,
    journal: File,
    /// By the number of the row.
    entries: BTreeMap<usize, Entry>,
}

impl Report {
    /// Opens the report, and keeps of an earlier one what still holds: the rows whose request is the same and whose
    /// file is there, whole. A last line that was cut off is forgotten.
    ///
    /// # Errors
    /// The file is not a batch report, is a real run's report that a dry run must not overwrite, or cannot be read or
    /// written.
    pub(super) fn open(path: &Path, rows: &[Row], dry_run: bool, delimiter: u8) -> Result<Self, Failure> {
        atomic_file::make_folder_of(path)?;
        csv_report::refuse_other_file(path)?;
        let earlier = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::io("read", path)(error)),
        };
        let said = entries_of(&earlier).ok_or_else(|| {
            Failure::BadData(format!(
                "{} exists and is not a batch report; name another file with --report",
                path.display()
            ))
        })?;
        if dry_run && said.values().any(|entry| !entry.dry_run && entry.error.is_none()) {
            return Err(Failure::BadData(format!(
                "{} is the report of pages that were made; name another with --report",
                path.display()
            )));
        }
        let entries: BTreeMap<usize, Entry> = rows
            .iter()
            .filter_map(|row| Some((row.number, said.get(&row.number).filter(|entry| holds(entry, row))?.clone())))
            .collect();
        let journal = rewrite(path, &entries)?;
        Ok(Self { path: path.to_owned(), delimiter, journal, entries })
    }

    /// Whether the row was made already.
    pub(super) fn has(&self, row: &Row) -> bool {
        self.entries.contains_key(&row.number)
    }

    /// Writes what became of a row, at once.
    pub(super) fn add(&mut self, entry: Entry) -> Result<(), Failure> {
        let line = line(&entry)?;
        self.journal.write_all(line.as_bytes()).map_err(Failure::io("write", &self.path))?;
        self.entries.insert(entry.row, entry);
        Ok(())
    }

    /// The entries of these rows, as far as they were tried, in order.
    pub(super) fn of<'a>(&'a self, rows: &'a [Row]) -> impl Iterator<Item = &'a Entry> {
        rows.iter().filter_map(|row| self.entries.get(&row.number))
    }

    /// Sets the first page of a row in a file of all rows.
    pub(super) fn set_page(&mut self, number: usize, page: usize) {
        if let Some(entry) = self.entries.get_mut(&number) {
            entry.page = Some(page);
        }
    }

    /// Where the report and its table are, for people.
    pub(super) fn places(&self) -> String {
        format!("{} and {}", self.path.display(), csv_report::place(&self.path).display())
    }

    /// Puts the lines in the order of the rows, and writes the table.
    pub(super) fn finish(&self) -> Result<(), Failure> {
        csv_report::write(&self.path, self.delimiter, self.entries.values())?;
        rewrite(&self.path, &self.entries).map(drop)
    }
}

/// The last line of a report for each row. A truncated last line is ignored; a text with any
/// other line that is no entry is no report.
fn entries_of(text: &str) -> Option<BTreeMap<usize, Entry>> {
    let whole = text.rfind('\n').and_then(|end| text.get(..end)).unwrap_or_default();
    if whole.is_empty() && !text.is_empty() && !text.starts_with("{\"row\":") {
        return None;
    }
    let entries = whole.lines().map(|line| serde_json::from_str::<Entry>(line).ok().map(|entry| (entry.row, entry)));
    entries.collect()
}

fn holds(entry: &Entry, row: &Row) -> bool {
    let is_whole = || fs::metadata(&row.file).is_ok_and(|file| file.is_file() && Some(file.len()) == entry.bytes);
    entry.error.is_none() && entry.request == row.fingerprint() && Path::new(&entry.file) == row.file && is_whole()
}

/// Rewrites the report in order, and opens it to append.
fn rewrite(path: &Path, entries: &BTreeMap<usize, Entry>) -> Result<File, Failure> {
    let text = entries.values().map(line).collect::<Result<String, _>>()?;
    atomic_file::write(path, text.as_bytes())?;
    OpenOptions::new().append(true).open(path).map_err(Failure::io("write", path))
}

fn line(entry: &Entry) -> Result<String, Failure> {
    let json = serde_json::to_string(entry).map_err(Failure::internal("no JSON"))?;
    Ok(json + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(number: usize, folder: &Path) -> Row {
        Row::new(number, Ok(json!({"text": number})), folder.join(format!("{number}.png")))
    }

    fn open(path: &Path, rows: &[Row]) -> Result<Report, Failure> {
        Report::open(path, rows, false, b',')
    }

    #[test]
    fn a_dry_run_replaces_no_report_of_pages_and_is_replaced_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, row) = (folder.path().join("report.jsonl"), row(1, folder.path()));
        let rows = std::slice::from_ref(&row);
        let dry = |path| Report::open(path, &[], true, b',');
        dry(&path).unwrap().add(Entry { dry_run: true, ..Entry::of(&row) }).unwrap();
        assert!(dry(&path).is_ok(), "a dry run may be repeated");
        fs::write(&row.file, b"page").unwrap();
        let mut report = open(&path, rows).unwrap();
        assert!(!report.has(&row), "a dry run makes no row");
        report.add(Entry { bytes: Some(4), ..Entry::of(&row) }).unwrap();
        assert!(matches!(dry(&path), Err(Failure::BadData(_))));
        assert!(open(&path, rows).unwrap().has(&row));
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.jsonl");
        for text in ["notes", "{\"sales\":1}\n", "\n\n", "{\"row\":1}\n{\"sales\":1}\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(open(&path, &[]), Err(Failure::BadData(_))), "{text:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn only_what_still_holds_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let rows: Vec<Row> = (1..=5).map(|number| row(number, folder.path())).collect();
        let path = folder.path().join("report.jsonl");
        let mut report = open(&path, &rows).unwrap();
        for row in &rows {
            fs::write(&row.file, b"page").unwrap();
            report.add(Entry { bytes: Some(4), ..Entry::of(row) }).unwrap();
        }
        report.add(Entry { error: Some("no".to_owned()), ..Entry::of(&rows[0]) }).unwrap();
        fs::write(&rows[1].file, b"cut").unwrap();
        fs::remove_file(&rows[2].file).unwrap();
        let mut changed = rows.clone();
        changed[3].request = Ok(json!({"text": "other"}));
        let torn = fs::read_to_string(&path).unwrap() + "{\"row\":5,\"fi";
        fs::write(&path, torn).unwrap();

        let report = open(&path, &changed).unwrap();
        let done: Vec<bool> = changed.iter().map(|row| report.has(row)).collect();
        assert_eq!(done, [false, false, false, false, true]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1, "what does not hold is not said");
    }
}
