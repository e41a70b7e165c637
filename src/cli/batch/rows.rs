//! From the user's files to rows: a request and an output file each.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::template::Template;
use crate::cli::Failure;
use crate::cli::render::OUTPUT_FORMAT;
use crate::spec::{Endpoint, RequestError, parse_request};

/// The placeholder that every row has.
pub(super) const ROW: &str = "row";
/// Longest part of a file name that a cell may be, in characters.
const LONGEST_PART: usize = 80;
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
}

impl Row {
    /// Tells this request from others, for a report that is read again.
    pub(super) fn fingerprint(&self) -> String {
        let text = self.request.as_ref().map(Value::to_string).unwrap_or_default();
        format!("{:08x}", crc32fast::hash(text.as_bytes()))
    }
}

/// A CSV file with a header, and what becomes of its columns.
pub(super) struct Merge<'a> {
    /// The file.
    pub(super) csv: &'a Path,
    /// What parts its cells.
    pub(super) delimiter: u8,
    /// The file with the text.
    pub(super) template: &'a Path,
    /// Columns that nothing needs to use.
    pub(super) ignored: &'a [String],
    /// Members that all requests share.
    pub(super) common: Map<String, Value>,
}

/// A row for each record.
///
/// # Errors
/// A file cannot be read, a placeholder has no column, or a column no placeholder.
pub(super) fn from_csv(merge: &Merge<'_>, pattern: &Template) -> Result<Vec<Row>, Failure> {
    let source = std::fs::read_to_string(merge.template).map_err(Failure::io("read", merge.template))?;
    let source = source.trim_start_matches('\u{FEFF}');
    let text = Template::parse(source.trim_end_matches(['\n', '\r']))
        .map_err(|error| Failure::BadData(format!("{}: {error}", merge.template.display())))?;
    let bytes = std::fs::read(merge.csv).map_err(Failure::io("read", merge.csv))?;
    let mut reader = csv::ReaderBuilder::new().delimiter(merge.delimiter).flexible(true).from_reader(bytes.as_slice());
    let wrong = |error: &dyn std::fmt::Display| Failure::BadData(format!("{}: {error}", merge.csv.display()));
    let columns: Vec<String> =
        reader.headers().map_err(|error| wrong(&error))?.iter().map(|name| name.trim().to_owned()).collect();
    check_columns(&columns, &text, pattern, merge.ignored).map_err(|error| wrong(&error))?;

    let records: Vec<csv::ByteRecord> =
        reader.into_byte_records().collect::<Result<_, _>>().map_err(|error| wrong(&error))?;
    let width = records.len().to_string().len();
    let row = |(number, record): (usize, csv::ByteRecord)| {
        let cells: Vec<String> = record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
        let value = |name: &str| match columns.iter().position(|column| column == name) {
            Some(at) => cells.get(at).cloned().unwrap_or_default(),
            None => format!("{number:0width$}"),
        };
        let request = sound(&record, columns.len()).map(|()| {
            let mut request = merge.common.clone();
            request.insert("text".to_owned(), Value::String(text.filled(value)));
            Value::Object(request)
        });
        Row { number, request, file: PathBuf::from(pattern.filled(|name| file_part(&value(name)))) }
    };
    Ok((1..).zip(records).map(row).collect())
}

/// Whether the cells of a record can be told apart and read.
fn sound(record: &csv::ByteRecord, columns: usize) -> Result<(), String> {
    if record.len() != columns {
        return Err(format!("has {} cells where the header has {columns}", record.len()));
    }
    match record.iter().position(|cell| std::str::from_utf8(cell).is_err()) {
        Some(at) => Err(format!("cell {} is not UTF-8", at + 1)),
        None => Ok(()),
    }
}

/// Every placeholder must have its column, and every column its placeholder.
fn check_columns(columns: &[String], text: &Template, pattern: &Template, ignored: &[String]) -> Result<(), String> {
    if let Some(at) = columns.iter().position(String::is_empty) {
        return Err(format!("column {} has no name", at + 1));
    }
    let twice = columns.iter().enumerate().find(|(at, name)| columns.iter().take(*at).any(|other| other == *name));
    if let Some((_, name)) = twice {
        return Err(format!("two columns are named '{name}'"));
    }
    let has = |name: &str| columns.iter().any(|column| column == name);
    let used: Vec<&str> = text.placeholders().chain(pattern.placeholders()).collect();
    let mut missing: Vec<&str> = used.iter().copied().filter(|name| *name != ROW && !has(name)).collect();
    missing.dedup();
    if !missing.is_empty() {
        return Err(format!("no column for {}; the columns are {}", braced(&missing), columns.join(", ")));
    }
    if let Some(name) = ignored.iter().find(|name| !has(name)) {
        return Err(format!("--ignore {name}: there is no such column; the columns are {}", columns.join(", ")));
    }
    let is_unused = |name: &&str| !used.contains(name) && !ignored.iter().any(|ignored| ignored == name);
    let unused: Vec<&str> = columns.iter().map(String::as_str).filter(is_unused).collect();
    if unused.is_empty() {
        return Ok(());
    }
    let (names, flag) = (braced(&unused), unused.join(","));
    Err(format!("nothing uses {names}; put them into the template or the file name, or say --ignore {flag}"))
}

fn braced(names: &[&str]) -> String {
    names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ")
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
    let row = |(number, line): (usize, &[u8])| Row {
        number,
        request: request_of(line),
        file: PathBuf::from(pattern.filled(|_| format!("{number:0width$}"))),
    };
    Ok(numbered.map(row).collect())
}

fn request_of(line: &[u8]) -> Result<Value, String> {
    match parse_request(line, Endpoint::Generate, || 0) {
        Err(RequestError::Malformed { message }) => Err(message),
        // Violations are found when the row's turn comes, in the form the file name gives it.
        Ok(_) | Err(RequestError::Invalid(_)) => serde_json::from_slice(line).map_err(|error| error.to_string()),
    }
}

/// Gives the requests that name no format the one that the file name stands for.
pub(super) fn imply_format(rows: &mut [Row], format: Option<&str>) {
    let requests = rows.iter_mut().filter_map(|row| row.request.as_mut().ok()?.as_object_mut());
    for request in requests {
        if let Some(format) = format {
            request.entry(OUTPUT_FORMAT).or_insert_with(|| Value::from(format));
        }
    }
}

/// Two rows that would become one file, if there are any.
pub(super) fn refuse_shared_files(rows: &[Row]) -> Result<(), Failure> {
    let mut files: HashMap<&Path, usize> = HashMap::with_capacity(rows.len());
    for row in rows {
        if let Some(other) = files.insert(&row.file, row.number) {
            let (file, number) = (row.file.display(), row.number);
            let message = format!("rows {other} and {number} would both become {file}; add {{row}} to --output");
            return Err(Failure::BadData(message));
        }
    }
    Ok(())
}

/// Makes an error of each row whose file has a name that is too long, or is the report.
pub(super) fn refuse_names(rows: &mut [Row], report: &Path) {
    let report_place = place(report);
    for row in rows {
        let is_too_long = |part: std::path::Component<'_>| part.as_os_str().len() > LONGEST_NAME;
        let problem = if row.file.components().any(is_too_long) {
            format!("its file name is longer than {LONGEST_NAME} bytes; name the files by a shorter column or {{row}}")
        } else if place(&row.file) == report_place {
            format!("its file would be the report, {}; name another with --report", report.display())
        } else {
            continue;
        };
        row.request = Err(problem);
    }
}

/// Where a file lies that need not be there yet.
fn place(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.join(file.file_name().unwrap_or_default())
}

/// A cell as part of a file name on any system: no separators, no characters that a shell or Windows reserves.
fn file_part(cell: &str) -> String {
    let plain = |character: char| match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        character if character.is_control() => '_',
        character => character,
    };
    let part: String = cell.chars().map(plain).take(LONGEST_PART).collect();
    let part = part.trim_matches([' ', '.']);
    if part.is_empty() { "_".to_owned() } else { part.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str], text: &str, ignored: &[&str]) -> Result<(), String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let ignored: Vec<String> = ignored.iter().map(|name| (*name).to_owned()).collect();
        let [text, pattern] = [text, "{row}-{id}.png"].map(|source| Template::parse(source).unwrap());
        check_columns(&names, &text, &pattern, &ignored)
    }

    #[test]
    fn every_column_is_used_and_every_placeholder_has_one() {
        assert_eq!(columns(&["id", "name"], "{name}", &[]), Ok(()));
        assert_eq!(columns(&["id", "name", "age"], "{name}", &["age"]), Ok(()));
        for (names, text, ignored, said) in [
            (&["id", "name"][..], "{nmae}", &[][..], "{nmae}; the columns are id, name"),
            (&["id", "name", "age"], "{name}", &[], "--ignore age"),
            (&["id", "name"], "{name}", &["age"], "no such column"),
            (&["id", "name", ""], "{name}", &[], "column 3 has no name"),
            (&["id", "name", "id"], "{name}", &[], "two columns are named 'id'"),
        ] {
            let error = columns(names, text, ignored).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_cell_cannot_lead_out_of_the_folder_or_hide_the_file() {
        for (cell, part) in [
            ("../../etc/passwd", "_.._etc_passwd"),
            ("", "_"),
            (" . ", "_"),
            ("a:b\n", "a_b_"),
            ("Zoë Ünal", "Zoë Ünal"),
        ] {
            assert_eq!(file_part(cell), part, "{cell:?}");
        }
        assert_eq!(file_part(&"x".repeat(300)).len(), LONGEST_PART);
    }
}
