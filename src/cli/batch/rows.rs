//! A row: a request and an output file. From a file of requests to rows.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::cli::Failure;
use crate::cli::atomic_file::folder_of;
use crate::mail_merge::{MergedRow, ROW, RowWarning, Template};
use crate::spec::read_json;

/// Longest name of a file or folder on the usual file systems, in bytes.
const LONGEST_NAME: usize = 255;

/// A page to be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Counted from 1: records of a CSV file without its header, lines of a JSONL file.
    pub(super) number: usize,
    /// The generation request, or why there is none.
    pub(super) request: Result<Value, String>,
    /// The file it becomes.
    pub(super) file: PathBuf,
    /// The size that all rows share, where it was found for them.
    pub(super) same_size: Option<u32>,
    /// What looks wrong in its texts.
    pub(super) warnings: Vec<RowWarning>,
}

impl Row {
    /// A row whose size is its own, without warnings.
    pub(super) const fn new(number: usize, request: Result<Value, String>, file: PathBuf) -> Self {
        Self { number, request, file, same_size: None, warnings: Vec::new() }
    }

    /// The row of a record.
    pub(super) fn of(MergedRow { number, request, name, warnings }: MergedRow) -> Self {
        Self { warnings, ..Self::new(number, request, PathBuf::from(name)) }
    }

    /// The members of the request, if it is an object.
    pub(super) fn members(&mut self) -> Option<&mut Map<String, Value>> {
        self.request.as_mut().ok()?.as_object_mut()
    }

    /// The request as text; empty where there is none.
    pub(super) fn text(&self) -> String {
        self.request.as_ref().map(Value::to_string).unwrap_or_default()
    }

    /// Tells this request from others, for a report that is read again.
    pub(super) fn fingerprint(&self) -> String {
        format!("{:08x}", crc32fast::hash(self.text().as_bytes()))
    }
}

/// Names a seed in a request that names none.
pub(super) fn imply_seed(request: &mut Value, seed: u32) {
    if let Some(members) = request.as_object_mut()
        && members.get("seed").is_none_or(Value::is_null)
    {
        members.insert("seed".to_owned(), Value::from(seed));
    }
}

/// A row for each line that is not blank.
///
/// # Errors
/// The file cannot be read, or the file name asks for more than the row's number.
pub(super) fn from_jsonl(file: &Path, pattern: &Template) -> Result<Vec<Row>, Failure> {
    if let Some(name) = pattern.placeholders().find(|name| *name != ROW) {
        return Err(Failure::Usage(format!(
            "--output: {{{name}}} is unknown; files of --requests are named by {{row}}"
        )));
    }
    let bytes = std::fs::read(file).map_err(Failure::io("read", file))?;
    let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&bytes);
    let lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let width = lines.len().to_string().len();
    let numbered = (1..).zip(lines).filter(|(_, line)| !line.trim_ascii().is_empty());
    let file = |number: usize| PathBuf::from(pattern.filled(|_| format!("{number:0width$}")));
    // Violations are found when the row's turn comes, in the form the file name gives it.
    let request = |line| read_json(line).map_err(|error| error.to_string());
    Ok(numbered.map(|(number, line)| Row::new(number, request(line), file(number))).collect())
}

/// Two rows that would become one file, if there are any.
pub(super) fn refuse_shared_files(rows: &[Row]) -> Result<(), Failure> {
    let mut files: HashMap<&Path, usize> = HashMap::with_capacity(rows.len());
    // A row that has no request becomes no file.
    for row in rows.iter().filter(|row| row.request.is_ok()) {
        if let Some(other) = files.insert(&row.file, row.number) {
            let (file, number) = (row.file.display(), row.number);
            let message = format!("rows {other} and {number} would both become {file}; add {{row}} to --output");
            return Err(Failure::BadData(message));
        }
    }
    Ok(())
}

/// Makes an error of each row whose file has a name that is too long, or is one of the `reports`.
pub(super) fn refuse_names(rows: &mut [Row], reports: &[&Path]) {
    let report_places: Vec<PathBuf> = reports.iter().map(|report| place(report)).collect();
    for row in rows.iter_mut().filter(|row| row.request.is_ok()) {
        let is_too_long = |part: std::path::Component<'_>| part.as_os_str().len() > LONGEST_NAME;
        let problem = if row.file.components().any(is_too_long) {
            format!("its file name is longer than {LONGEST_NAME} bytes; name the files by a shorter column or {{row}}")
        } else if report_places.contains(&place(&row.file)) {
            format!("its file would be the report, {}; name another with --report", row.file.display())
        } else {
            continue;
        };
        row.request = Err(problem);
    }
}

/// Where a file lies that need not be there yet.
fn place(file: &Path) -> PathBuf {
    let folder = folder_of(file);
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.join(file.file_name().unwrap_or_default())
}
