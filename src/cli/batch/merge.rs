//! From a CSV file and a template to rows: a record is a row, and its cells stand in the text and in the file's name.

use std::path::{Path, PathBuf};

use encoding_rs::Encoding;
use serde_json::{Map, Value};

use super::delimiter::{self, Delimiter};
use super::encoding::{self, Decoded};
use super::rows::{ROW, Row, file_part};
use super::template::{Template, shows_nothing};
use super::texts::Texts;
use crate::cli::Failure;

/// A CSV file with a header, and what becomes of its columns.
pub(super) struct Merge<'a> {
    /// The file.
    pub(super) csv: &'a Path,
    /// What parts its cells; `None` where it is to be recognised.
    pub(super) delimiter: Option<Delimiter>,
    /// Its encoding; `None` where it is to be recognised.
    pub(super) encoding: Option<&'static Encoding>,
    /// The texts of the pages.
    pub(super) texts: &'a Texts,
    /// The names of the files.
    pub(super) pattern: &'a Template,
    /// Columns that nothing needs to use.
    pub(super) ignored: &'a [String],
    /// Whether a placeholder may stand for nothing.
    pub(super) allows_empty: bool,
    /// Members that all requests share.
    pub(super) common: &'a Map<String, Value>,
}

/// The rows of a CSV file.
pub(super) struct Merged {
    /// A row for each record.
    pub(super) rows: Vec<Row>,
    /// Delimiter of the file.
    pub(super) delimiter: u8,
    /// What was recognised and left out, for the user.
    pub(super) notes: Vec<String>,
}

/// Reads the text of the pages. Beside it, the encoding if that was recognised by the contents, for the user.
///
/// # Errors
/// The file cannot be read, or is no template.
pub(super) fn read_template(file: &Path) -> Result<(Template, Option<String>), Failure> {
    let wrong = |error: String| Failure::BadData(format!("{}: {error}", file.display()));
    let bytes = std::fs::read(file).map_err(Failure::io("read", file))?;
    let Decoded { bytes, recognised } = encoding::decode(bytes, None).map_err(|_| wrong(NOT_UTF_8.to_owned()))?;
    let source = String::from_utf8(bytes).map_err(|_| wrong(NOT_UTF_8.to_owned()))?;
    let template = Template::parse(source.trim_end_matches(['\n', '\r'])).map_err(wrong)?;
    Ok((template, recognised.map(|name| read_as(file, &name))))
}

const NOT_UTF_8: &str = "is not UTF-8; save the text as UTF-8";

impl Merge<'_> {
    /// A row for each record.
    ///
    /// # Errors
    /// The file cannot be read, a placeholder has no column, or a column no placeholder.
    pub(super) fn rows(&self) -> Result<Merged, Failure> {
        let wrong = |error: &dyn std::fmt::Display| Failure::BadData(format!("{}: {error}", self.csv.display()));
        let bytes = std::fs::read(self.csv).map_err(Failure::io("read", self.csv))?;
        let Decoded { bytes, recognised } = encoding::decode(bytes, self.encoding).map_err(|error| wrong(&error))?;
        let (declared, bytes) = delimiter::declared(&bytes);
        let delimiter = match self.delimiter.map(Delimiter::byte).or(declared) {
            Some(delimiter) => delimiter,
            None => delimiter::recognised(bytes).map_err(|error| wrong(&error))?,
        };
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
        let columns: Vec<String> =
            reader.headers().map_err(|error| wrong(&error))?.iter().map(|name| name.trim().to_owned()).collect();
        check_columns(&columns, self.texts, self.pattern, self.ignored).map_err(|error| wrong(&error))?;
        let records: Vec<csv::ByteRecord> =
            reader.into_byte_records().collect::<Result<_, _>>().map_err(|error| wrong(&error))?;

        let mut notes: Vec<String> = recognised.map(|name| read_as(self.csv, &name)).into_iter().collect();
        let width = records.len().to_string().len();
        let all = records.len();
        let numbered = (1..).zip(records).filter(|(_, record)| self.allows_empty || !is_blank(record));
        let rows: Vec<Row> = numbered.map(|(number, record)| self.row(number, width, &record, &columns)).collect();
        if rows.len() < all {
            let empty = match all - rows.len() {
                1 => "1 record has only empty cells".to_owned(),
                several => format!("{several} records have only empty cells"),
            };
            notes.push(format!("{}: {empty}; left out", self.csv.display()));
        }
        Ok(Merged { rows, delimiter, notes })
    }

    fn row(&self, number: usize, width: usize, record: &csv::ByteRecord, columns: &[String]) -> Row {
        let cells: Vec<String> = record.iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect();
        let value = |name: &str| match columns.iter().position(|column| column == name) {
            Some(at) => cells.get(at).cloned().unwrap_or_default(),
            None => format!("{number:0width$}"),
        };
        let request = sound(record, columns.len()).and_then(|()| self.full(value)).map(|()| {
            let mut request = self.common.clone();
            self.texts.fill(&mut request, value);
            Value::Object(request)
        });
        let file = self.pattern.filled_with(value, file_part);
        Row::new(number, request, PathBuf::from(file))
    }

    /// Whether the texts lack no value.
    fn full(&self, value: impl Fn(&str) -> String) -> Result<(), String> {
        let empty = if self.allows_empty { Vec::new() } else { self.texts.empty(value) };
        let Some(first) = empty.first() else { return Ok(()) };
        let are = if empty.len() == 1 { "is" } else { "are" };
        Err(format!(
            "{} {are} empty; fill the cell, give a default in the template, such as {{{first}|…}}, or say --allow-empty",
            braced(&empty)
        ))
    }
}

fn read_as(file: &Path, encoding: &str) -> String {
    format!("{}: read as {encoding}", file.display())
}

fn is_blank(record: &csv::ByteRecord) -> bool {
    record.iter().all(|cell| std::str::from_utf8(cell).is_ok_and(shows_nothing))
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
fn check_columns(columns: &[String], texts: &Texts, pattern: &Template, ignored: &[String]) -> Result<(), String> {
    if let Some(at) = columns.iter().position(String::is_empty) {
        return Err(format!("column {} has no name", at + 1));
    }
    let twice = columns.iter().enumerate().find(|(at, name)| columns.iter().take(*at).any(|other| other == *name));
    if let Some((_, name)) = twice {
        return Err(format!("two columns are named '{name}'"));
    }
    let has = |name: &str| columns.iter().any(|column| column == name);
    let used: Vec<&str> = texts.placeholders().chain(pattern.placeholders()).collect();
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
    Err(format!("nothing uses {names}; put them into the template, a block or the file name, or say --ignore {flag}"))
}

fn braced(names: &[&str]) -> String {
    names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(names: &[&str], text: &str, ignored: &[&str]) -> Result<(), String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let ignored: Vec<String> = ignored.iter().map(|name| (*name).to_owned()).collect();
        let [text, pattern] = [text, "{row}-{id}.png"].map(|source| Template::parse(source).unwrap());
        check_columns(&names, &Texts::new(Some(text), &Map::new()).unwrap(), &pattern, &ignored)
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
}
