//! From the bytes of a CSV file or a workbook to a table.

use super::table::{self, Table};
use super::workbook::SheetRecords;
use super::workbook_reader::WorkbookReader;
use super::{csv_text, delimiter, workbook};
use crate::encodings::{self, CodePage, UnreadFile};

/// How a table is read.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TableOptions {
    /// The delimiter of the cells; `None`: recognised by the header.
    pub(crate) delimiter: Option<u8>,
    /// `None`: recognised by the contents.
    pub(crate) encoding: Option<CodePage>,
}

/// A table, and how it was read.
#[derive(Debug)]
pub(crate) struct ReadTable {
    /// Its notes include how it was read, save the encoding.
    pub(crate) table: Table,
    /// A workbook has the usual one.
    pub(crate) delimiter: u8,
    /// The encoding, if it was recognised by the contents.
    pub(crate) recognised: Option<String>,
}

/// Whether a file begins like HTML or XML.
fn is_markup(text: &[u8]) -> bool {
    const STARTS: [&[u8]; 4] = [b"<html", b"<!doctype", b"<table", b"<?xml"];
    let text = text.trim_ascii_start();
    STARTS.iter().any(|start| text.get(..start.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(start)))
}

/// Reads a CSV file or a workbook.
///
/// # Errors
/// What is wrong with it and what would be right.
pub(crate) fn read_table(
    bytes: Vec<u8>,
    options: &TableOptions,
    workbooks: &WorkbookReader,
) -> Result<ReadTable, UnreadFile> {
    if workbook::is_workbook(&bytes) {
        let SheetRecords { records, notes } = workbooks.read(bytes)?;
        let mut table = table::table(records)?;
        table.notes.splice(..0, notes);
        return Ok(ReadTable { table, delimiter: delimiter::USUAL, recognised: None });
    }
    let (text, recognised) = encodings::decode(bytes, options.encoding)?;
    if is_markup(&text) {
        return Err(
            "is HTML or XML, as some programs export with the name .xls; open it in a spreadsheet program and \
                    save it as .xlsx or CSV UTF-8"
                .to_owned()
                .into(),
        );
    }
    let (declared, rest) = delimiter::declared(&text);
    let delimiter = match options.delimiter.or(declared) {
        Some(delimiter) => delimiter,
        None => delimiter::recognised(rest)?,
    };
    let first_line = if declared.is_some() { 2 } else { 1 };
    let raw = csv_text::records(rest, delimiter, first_line)?;
    let mut table = table::table(raw.records)?;
    if raw.has_backslash_quotes {
        table.notes.push("read with quotes that a backslash escapes".to_owned());
    }
    Ok(ReadTable { table, delimiter, recognised })
}
