//! From a table and a template to rows: a record is a row, and its cells stand in the text and in the file's name.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::columns::{self, braced};
use super::row_warning::RowWarning;
use super::rows::{Row, file_part};
use super::table::{self, Record, Table};
use super::template::Template;
use super::texts::Texts;
use super::{csv_text, delimiter, single_quotes, suspicious, workbook};
use crate::cli::{Failure, output};
use crate::encodings::{self, CodePage};

/// A CSV file, and how it is read.
#[derive(clap::Args, Debug)]
pub(super) struct CsvInput {
    /// CSV file or workbook (.xlsx) with a header: a page for each record
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
    /// Columns that nothing uses, which need no note; also where they are named like a placeholder or a field
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
    let (bytes, recognised) = encodings::decode(bytes, None).map_err(|_| not_utf_8())?;
    let source = String::from_utf8(bytes).map_err(|_| not_utf_8())?;
    note_encoding(file, recognised);
    Template::parse(source.trim_end_matches(['\n', '\r'])).map_err(Failure::data(file))
}

/// Whether a file begins like HTML or XML.
fn is_markup(text: &[u8]) -> bool {
    const STARTS: [&[u8]; 4] = [b"<html", b"<!doctype", b"<table", b"<?xml"];
    let text = text.trim_ascii_start();
    STARTS.iter().any(|start| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)))
}

impl Merge<'_> {
    /// A row for each record of the file `csv`, and the delimiter of the file. Tells the user what was recognised and
    /// left out.
    ///
    /// # Errors
    /// The file cannot be read, or a placeholder has no column.
    pub(super) fn rows(&self, csv: &Path) -> Result<(Vec<Row>, u8), Failure> {
        let (table, delimiter) = self.table(csv)?;
        let tell = |note: &String| output::note(&format!("{}: {note}", csv.display()));
        table.notes.iter().for_each(tell);
        let unused = columns::check(&table.columns, self.texts, self.pattern, &self.input.ignore);
        unused.map_err(Failure::data(csv))?.iter().for_each(tell);
        let read = table.records.iter().filter_map(|record| record.cells.as_deref().ok()).collect::<Vec<_>>();
        let quoted = single_quotes::quoted_columns(&table.columns, &read);
        let all = table.records.len();
        let width = all.to_string().len();
        let rows: Vec<Row> = table
            .records
            .iter()
            .filter(|record| self.input.allow_empty || !record.is_blank())
            .map(|record| self.row(width, record, &table.columns, &quoted))
            .collect();
        if rows.len() < all {
            let empty = match all - rows.len() {
                1 => "1 record has only empty cells".to_owned(),
                several => format!("{several} records have only empty cells"),
            };
            output::note(&format!("{}: {empty}; left out", csv.display()));
        }
        Ok((rows, delimiter))
    }

    /// Reads a file, and its delimiter; a workbook has the usual one.
    fn table(&self, csv: &Path) -> Result<(Table, u8), Failure> {
        let bytes = std::fs::read(csv).map_err(Failure::io("read", csv))?;
        if workbook::is_workbook(&bytes) {
            let (raw, notes) = workbook::records(&bytes).map_err(Failure::data(csv))?;
            let mut table = table::table(raw).map_err(Failure::data(csv))?;
            table.notes.splice(..0, notes);
            return Ok((table, delimiter::USUAL));
        }
        let (text, recognised) = encodings::decode(bytes, self.input.encoding).map_err(Failure::data(csv))?;
        if is_markup(&text) {
            let message = "is HTML or XML, as some programs export with the name .xls; open it in a spreadsheet program \
                           and save it as .xlsx or CSV UTF-8";
            return Err(Failure::data(csv)(message));
        }
        note_encoding(csv, recognised);
        let (declared, rest) = delimiter::declared(&text);
        let delimiter = match self.input.delimiter.or(declared) {
            Some(delimiter) => delimiter,
            None => delimiter::recognised(rest).map_err(Failure::data(csv))?,
        };
        let first_line = if declared.is_some() { 2 } else { 1 };
        let raw = csv_text::records(rest, delimiter, first_line).map_err(Failure::data(csv))?;
        let mut table = table::table(raw.records).map_err(Failure::data(csv))?;
        if raw.has_backslash_quotes {
            table.notes.push("read with quotes that a backslash escapes".to_owned());
        }
        Ok((table, delimiter))
    }

    /// The row of a record. `quoted`: columns in single quotes.
    fn row(&self, width: usize, record: &Record, columns: &[String], quoted: &[&str]) -> Row {
        let none = Vec::new();
        let cells = record.cells.as_ref().unwrap_or(&none);
        let number = record.number;
        let value = |name: &str| match columns.iter().position(|column| column == name) {
            Some(at) => cells.get(at).cloned().unwrap_or_default(),
            None => format!("{number:0width$}"),
        };
        let sound = record.cells.as_ref().map(|_| ()).map_err(String::clone);
        let request = sound.and_then(|()| self.full(value)).map(|()| {
            let mut request = self.common.clone();
            self.texts.fill(&mut request, value);
            Value::Object(request)
        });
        let file = PathBuf::from(self.pattern.filled_with(value, file_part));
        let mut row = Row::new(number, request, file);
        row.warnings = self.suspicious(&row, value, columns, quoted);
        row
    }

    /// Warnings about cells and texts of a row that look wrong.
    fn suspicious(
        &self,
        row: &Row,
        value: impl Fn(&str) -> String,
        columns: &[String],
        quoted: &[&str],
    ) -> Vec<RowWarning> {
        let Some(request) = row.request.as_ref().ok().and_then(Value::as_object) else { return Vec::new() };
        let mut used: Vec<&str> = self.texts.placeholders().collect();
        used.sort_unstable();
        used.dedup();
        let cells = used.into_iter().filter_map(|name| {
            let cell = value(name);
            let in_quotes = quoted.contains(&name).then(|| single_quotes::warning(&cell, name)).flatten();
            in_quotes.or_else(|| suspicious::of_cell(&cell, name))
        });
        let signs = self.texts.foreign(&value).map(|found| suspicious::of_sign(&found));
        let texts = self.texts.filled(request);
        let texts = texts.iter().filter_map(|(field, text)| suspicious::of_text(text, field, columns));
        cells.chain(signs).chain(texts).collect()
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
