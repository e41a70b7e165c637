//! From a CSV file and a template to rows: a record is a row, and its cells stand in the text and in the file's name.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::code_page::CodePage;
use super::rows::{ROW, Row, file_part};
use super::template::{Template, shows_nothing};
use super::texts::Texts;
use super::{delimiter, encoding};
use crate::cli::{Failure, output};

/// A CSV file, and how it is read.
#[derive(clap::Args, Debug)]
pub(super) struct CsvInput {
    /// CSV file with a header: a page for each record
    #[arg(long, value_name = "FILE", required_unless_present = "request")]
    pub(super) csv: Option<PathBuf>,
    /// Text of the pages, with {column} where a cell belongs, or {column|default} ({{ for a brace); texts of --blocks
    /// may have them too
    #[arg(long, value_name = "FILE", requires = "csv")]
    pub(super) template: Option<PathBuf>,
    /// Delimiter of the cells of the CSV file: a character, or comma, semicolon or tab [default: recognised by the
    /// header]
    #[arg(long, value_name = "CHARACTER", requires = "csv", value_parser = delimiter::named)]
    delimiter: Option<u8>,
    /// Encoding of the CSV file, such as windows-1250, utf-16le or cp850 [default: recognised if it is UTF-8, UTF-16 or
    /// certainly windows-1252]
    #[arg(long, value_name = "NAME", requires = "csv", value_parser = CodePage::named)]
    encoding: Option<CodePage>,
    /// Columns that nothing uses
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', requires = "csv")]
    ignore: Vec<String>,
    /// Write pages with nothing in place of an empty cell; without it, such a row is an error
    #[arg(long, requires = "csv")]
    allow_empty: bool,
}

/// What becomes of the columns of a CSV file.
pub(super) struct Merge<'a> {
    /// How it is read.
    pub(super) input: &'a CsvInput,
    /// The texts of the pages.
    pub(super) texts: &'a Texts,
    /// The names of the files.
    pub(super) pattern: &'a Template,
    /// Members that all requests share.
    pub(super) common: &'a Map<String, Value>,
}

/// Reads the text of the pages. Tells the user the encoding if that was recognised by the contents.
///
/// # Errors
/// The file cannot be read, or is no template.
pub(super) fn read_template(file: &Path) -> Result<Template, Failure> {
    let not_utf_8 = || Failure::data(file)("is not UTF-8; save the text as UTF-8");
    let bytes = std::fs::read(file).map_err(Failure::io("read", file))?;
    let (bytes, recognised) = encoding::decode(bytes, None).map_err(|_| not_utf_8())?;
    let source = String::from_utf8(bytes).map_err(|_| not_utf_8())?;
    note_encoding(file, recognised);
    Template::parse(source.trim_end_matches(['\n', '\r'])).map_err(Failure::data(file))
}

impl Merge<'_> {
    /// A row for each record of the file `csv`, and the delimiter of the file. Tells the user what was recognised and
    /// left out.
    ///
    /// # Errors
    /// The file cannot be read, a placeholder has no column, or a column no placeholder.
    pub(super) fn rows(&self, csv: &Path) -> Result<(Vec<Row>, u8), Failure> {
        let bytes = std::fs::read(csv).map_err(Failure::io("read", csv))?;
        let (bytes, recognised) = encoding::decode(bytes, self.input.encoding).map_err(Failure::data(csv))?;
        note_encoding(csv, recognised);
        let (declared, bytes) = delimiter::declared(&bytes);
        let delimiter = match self.input.delimiter.or(declared) {
            Some(delimiter) => delimiter,
            None => delimiter::recognised(bytes).map_err(Failure::data(csv))?,
        };
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(bytes);
        let columns: Vec<String> =
            reader.headers().map_err(Failure::data(csv))?.iter().map(|name| name.trim().to_owned()).collect();
        check_columns(&columns, self.texts, self.pattern, &self.input.ignore).map_err(Failure::data(csv))?;
        let records: Vec<csv::ByteRecord> =
            reader.into_byte_records().collect::<Result<_, _>>().map_err(Failure::data(csv))?;

        let width = records.len().to_string().len();
        let all = records.len();
        let numbered = (1..).zip(records).filter(|(_, record)| self.input.allow_empty || !is_blank(record));
        let rows: Vec<Row> = numbered.map(|(number, record)| self.row(number, width, &record, &columns)).collect();
        if rows.len() < all {
            let empty = match all - rows.len() {
                1 => "1 record has only empty cells".to_owned(),
                several => format!("{several} records have only empty cells"),
            };
            output::note(&format!("{}: {empty}; left out", csv.display()));
        }
        Ok((rows, delimiter))
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
        let empty = if self.input.allow_empty { Vec::new() } else { self.texts.empty(value) };
        let Some(first) = empty.first() else { return Ok(()) };
        let are = if empty.len() == 1 { "is" } else { "are" };
        Err(format!(
            "{} {are} empty; fill the cell, give a default in the template, such as {{{first}|…}}, or say --allow-empty",
            braced(&empty)
        ))
    }
}

fn note_encoding(file: &Path, recognised: Option<String>) {
    if let Some(encoding) = recognised {
        output::note(&format!("{}: read as {encoding}", file.display()));
    }
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
