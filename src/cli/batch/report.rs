//! The report: one line per row, written when the row is done, so that an interrupted run can continue.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::renderer::Remark;
use super::rows::Row;
use crate::cli::Failure;
use crate::cli::atomic_file::{self, Readers};

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Its number.
    pub(super) row: usize,
    /// The file it became or would have become.
    pub(super) file: String,
    /// The first of its pages in a file of all rows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) page: Option<usize>,
    /// Size of its own file.
    pub(super) bytes: Option<u64>,
    /// The seed that gives the same page again.
    pub(super) seed: Option<u32>,
    /// The size that `auto` chose.
    pub(super) calculated_font_size: Option<u32>,
    /// Warnings: substituted or missing characters, options without effect.
    pub(super) warnings: Vec<Remark>,
    /// Why there is no page.
    pub(super) error: Option<String>,
    /// Tells the row's request from others.
    pub(super) request: String,
}

impl Entry {
    /// A row that failed, until it is said otherwise.
    pub(super) fn of(row: &Row) -> Self {
        Self {
            row: row.number,
            file: row.file.to_string_lossy().into_owned(),
            page: None,
            bytes: None,
            seed: None,
            calculated_font_size: None,
            warnings: Vec::new(),
            error: None,
            request: row.fingerprint(),
        }
    }
}

/// The report of a run under way.
pub(super) struct Report {
    path: PathBuf,
    journal: File,
    entries: HashMap<usize, Entry>,
}

impl Report {
    /// Opens the report, and keeps of an earlier one what still holds: the rows whose request is the same and whose
    /// file is there, whole. A last line that was cut off is forgotten.
    pub(super) fn open(path: &Path, rows: &[Row]) -> Result<Self, Failure> {
        let earlier = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Failure::io("read", path)(error)),
        };
        let said = entries_of(&earlier).ok_or_else(|| {
            Failure::BadData(format!(
                "{} is there and no report of a batch; name another with --report",
                path.display()
            ))
        })?;
        let entries: HashMap<usize, Entry> = rows
            .iter()
            .filter_map(|row| Some((row.number, said.get(&row.number).filter(|entry| holds(entry, row))?.clone())))
            .collect();
        let journal = rewrite(path, &entries)?;
        Ok(Self { path: path.to_owned(), journal, entries })
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

    /// Rows that could not be made.
    pub(super) fn failures(&self) -> usize {
        self.entries.values().filter(|entry| entry.error.is_some()).count()
    }

    /// The entry of a row, to be completed.
    pub(super) fn entry(&mut self, number: usize) -> Option<&mut Entry> {
        self.entries.get_mut(&number)
    }

    /// Puts the lines in the order of the rows.
    pub(super) fn finish(self) -> Result<(), Failure> {
        rewrite(&self.path, &self.entries).map(drop)
    }
}

/// The last line of a report for each row. A truncated last line is ignored; a text with any
/// other line that is no entry is no report.
fn entries_of(text: &str) -> Option<HashMap<usize, Entry>> {
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
fn rewrite(path: &Path, entries: &HashMap<usize, Entry>) -> Result<File, Failure> {
    let mut ordered: Vec<&Entry> = entries.values().collect();
    ordered.sort_by_key(|entry| entry.row);
    let text = ordered.into_iter().map(line).collect::<Result<String, _>>()?;
    atomic_file::write(path, text.as_bytes(), Readers::Default).map_err(Failure::io("write", path))?;
    OpenOptions::new().append(true).open(path).map_err(Failure::io("write", path))
}

fn line(entry: &Entry) -> Result<String, Failure> {
    let json = serde_json::to_string(entry).map_err(|error| Failure::Internal(error.to_string()))?;
    Ok(json + "\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(number: usize, folder: &Path) -> Row {
        Row { number, request: Ok(json!({"text": number})), file: folder.join(format!("{number}.png")) }
    }

    #[test]
    fn a_file_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.jsonl");
        for text in ["notes", "{\"sales\":1}\n", "\n\n", "{\"row\":1}\n{\"sales\":1}\n"] {
            fs::write(&path, text).unwrap();
            assert!(matches!(Report::open(&path, &[]), Err(Failure::BadData(_))), "{text:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn only_what_still_holds_is_done() {
        let folder = tempfile::tempdir().unwrap();
        let rows: Vec<Row> = (1..=5).map(|number| row(number, folder.path())).collect();
        let path = folder.path().join("report.jsonl");
        let mut report = Report::open(&path, &rows).unwrap();
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

        let report = Report::open(&path, &changed).unwrap();
        let done: Vec<bool> = changed.iter().map(|row| report.has(row)).collect();
        assert_eq!(done, [false, false, false, false, true]);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 1, "what does not hold is not said");
    }
}
