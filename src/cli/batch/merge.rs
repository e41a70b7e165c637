//! From a file with a table and a template to rows, and the notes about them.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::rows::Row;
use crate::cli::{Failure, output, program};
use crate::encodings::{self, CodePage};
use crate::mail_merge::{
    ColumnProblem, MailMerge, ReadTable, TableOptions, Template, Texts, WorkbookReader, delimiter, read_table,
};

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

impl CsvInput {
    /// How a job reads the file.
    pub(super) fn of_job(&self) -> Value {
        json!({
            "delimiter": self.delimiter.map(|delimiter| char::from(delimiter).to_string()),
            "encoding": self.encoding.map(CodePage::name),
            "ignore": self.ignore,
            "allow_empty": self.allow_empty,
        })
    }

    fn options(&self) -> TableOptions {
        TableOptions { delimiter: self.delimiter, encoding: self.encoding }
    }
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

/// Reads the text of the pages, and its template. Tells the user the encoding if that was recognised by the contents.
///
/// # Errors
/// The file cannot be read, or is no template.
pub(super) fn read_template(file: &Path) -> Result<(String, Template), Failure> {
    let not_utf_8 = || Failure::data(file)("is not UTF-8; save the text as UTF-8");
    let bytes = std::fs::read(file).map_err(Failure::io("read", file))?;
    let (bytes, recognised) = encodings::decode(bytes, None).map_err(|_| not_utf_8())?;
    let source = String::from_utf8(bytes).map_err(|_| not_utf_8())?;
    note_encoding(file, recognised);
    let text = source.trim_end_matches(['\n', '\r']).to_owned();
    let template = Template::parse(&text).map_err(Failure::data(file))?;
    Ok((text, template))
}

impl Merge<'_> {
    /// A row for each record of the file `csv`, and the delimiter of the file. Tells the user what was recognised and
    /// left out.
    ///
    /// # Errors
    /// The file cannot be read, or a placeholder has no column.
    pub(super) fn rows(&self, csv: &Path) -> Result<(Vec<Row>, u8), Failure> {
        let bytes = std::fs::read(csv).map_err(Failure::io("read", csv))?;
        let workbooks = WorkbookReader::of(program()?);
        let ReadTable { mut table, delimiter, recognised } =
            read_table(bytes, &self.input.options(), &workbooks).map_err(Failure::data(csv))?;
        note_encoding(csv, recognised);
        let merge = MailMerge {
            texts: self.texts,
            pattern: self.pattern,
            common: self.common,
            allow_empty: self.input.allow_empty,
        };
        if !self.input.allow_empty {
            table.leave_out_blank_records();
        }
        let tell = |note: &String| output::note(&format!("{}: {note}", csv.display()));
        table.notes.iter().for_each(tell);
        let unused = merge.check(&table.columns, &self.input.ignore);
        let refused = |ColumnProblem { is_of_ignored, message }| {
            Failure::data(csv)(if is_of_ignored { format!("--ignore: {message}") } else { message })
        };
        unused.map_err(refused)?.iter().for_each(tell);
        let quoted = MailMerge::quoted(&table);
        let row = |record| Row::of(merge.row(table.width(), record, &table.columns, &quoted));
        Ok((table.records.iter().map(row).collect(), delimiter))
    }
}

fn note_encoding(file: &Path, recognised: Option<String>) {
    if let Some(encoding) = recognised {
        output::note(&format!("{}: read as {encoding}", file.display()));
    }
}
