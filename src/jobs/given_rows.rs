//! Rows that a client gives: JSON objects, or a file.

use serde_json::Value;

use super::definition::{MOST_JOB_ROWS, TableSettings, in_words_of_jobs, too_many_rows};
use crate::encodings::UnreadFile;
use crate::mail_merge::{MOST_CELLS, Record, TOO_MANY_CELLS, Table, WorkbookReader, read_table};
use crate::spec::{Violation, ViolationKind};

/// Rows that are JSON objects, taken one by one. The columns are the members of the first.
#[derive(Debug, Default)]
pub(crate) struct GivenRows {
    columns: Vec<String>,
    records: Vec<Record>,
    /// The error of the first wrong row. Later rows are dropped.
    refused: Option<String>,
}

impl GivenRows {
    /// Takes the next row.
    pub(crate) fn push(&mut self, row: Value) {
        if self.refused.is_none() {
            match self.record(row) {
                Ok(record) => self.records.push(record),
                Err(message) => self.refused = Some(message),
            }
        }
    }

    fn record(&mut self, row: Value) -> Result<Record, String> {
        let number = self.records.len() + 1;
        if number > MOST_JOB_ROWS {
            return Err(too_many_rows());
        }
        let Value::Object(mut members) = row else { return Err(format!("row {number} is no object")) };
        if number == 1 {
            self.columns = members.keys().cloned().collect();
        }
        if number * self.columns.len() > MOST_CELLS {
            return Err(format!("there are {TOO_MANY_CELLS}"));
        }
        // The members of a JSON object are sorted here, and so are the columns.
        if let Some(other) = members.keys().find(|name| self.columns.binary_search(name).is_err()) {
            return Err(format!("row {number} has the member `{other}`, which the first row lacks"));
        }
        let cell = |name: &String| match members.remove(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text),
            Some(plain @ (Value::Number(_) | Value::Bool(_))) => Ok(plain.to_string()),
            Some(_) => Err(format!("row {number}: `{name}` is no text, number or truth value")),
        };
        Ok(Record { number, cells: Ok(self.columns.iter().map(cell).collect::<Result<_, _>>()?) })
    }

    /// The table of the rows.
    ///
    /// # Errors
    /// A row is no object of plain values, or there are too many.
    pub(crate) fn table(self) -> Result<Table, String> {
        let Self { columns, records, refused } = self;
        let last = records.len();
        refused.map_or(Ok(Table { columns, records, last, notes: Vec::new() }), Err)
    }
}

/// The table of a CSV file or a workbook. Records of which all cells are empty are left out, with a note.
///
/// # Errors
/// The field, and what would be right.
pub(crate) fn read_table_file(
    bytes: Vec<u8>,
    settings: &TableSettings,
    workbooks: &WorkbookReader,
) -> Result<Table, Violation> {
    let options = settings.options();
    let options = options.map_err(|(field, message)| Violation::of_field(field, ViolationKind::ValueError, message))?;
    let read = read_table(bytes, &options, workbooks).map_err(|UnreadFile { message, readings }| {
        let kind = if readings.is_empty() { ViolationKind::ValueError } else { ViolationKind::UncertainEncoding };
        let message = in_words_of_jobs(&message);
        let message = if message.starts_with("line ") { message } else { format!("the file {message}") };
        Violation { readings, ..Violation::of_field("rows", kind, message) }
    })?;
    let mut table = read.table;
    table.notes.extend(read.recognised.map(|encoding| format!("read as {encoding}")));
    if !settings.allow_empty {
        table.leave_out_blank_records();
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn table(rows: Value) -> Result<Table, String> {
        let mut given = GivenRows::default();
        let Value::Array(rows) = rows else { panic!("no list") };
        for row in rows {
            given.push(row);
        }
        given.table()
    }

    #[test]
    fn objects_are_rows_of_the_columns_of_the_first() {
        let table_of = table(json!([{"name": "Ann", "age": 7, "is": true}, {"name": null}])).unwrap();
        assert_eq!(table_of.columns, ["age", "is", "name"]);
        let cells: Vec<&Vec<String>> = table_of.records.iter().map(|record| record.cells.as_ref().unwrap()).collect();
        assert_eq!(cells, [&["7", "true", "Ann"].map(str::to_owned), &["", "", ""].map(str::to_owned)]);
        for (rows, said) in [
            (json!([7]), "row 1 is no object"),
            (json!([{"a": 1}, {"b": 1}, 7]), "row 2 has the member `b`"),
            (json!([{"a": [1]}]), "row 1: `a` is no text"),
        ] {
            assert!(table(rows).unwrap_err().contains(said));
        }
    }

    #[test]
    fn rows_are_bounded_by_their_number_and_by_their_cells() {
        let mut given = GivenRows::default();
        (0..=MOST_JOB_ROWS).for_each(|_| given.push(json!({"a": 1})));
        assert!(given.table().unwrap_err().contains("at most 100000"));
        let wide: serde_json::Map<String, Value> = (0..60_000).map(|at| (format!("c{at}"), Value::Null)).collect();
        let mut given = GivenRows::default();
        given.push(Value::Object(wide));
        (0..100).for_each(|_| given.push(json!({})));
        assert!(given.table().unwrap_err().contains("more than 5 million cells"));
    }

    /// A reader of workbooks for files that are none.
    fn none() -> WorkbookReader {
        WorkbookReader::of("/no/program".into())
    }

    #[test]
    fn a_file_is_read_as_batch_reads_it_and_options_have_the_names_of_a_job() {
        let table =
            read_table_file(b"name;gift\nAnn;tea\n;\nBob;milk\n".to_vec(), &TableSettings::default(), &none()).unwrap();
        assert_eq!((table.columns.len(), table.records.len()), (2, 2));
        assert!(table.notes.iter().any(|note| note == "1 record has only empty cells; left out"), "{:?}", table.notes);
        let torn = b"name;city, town\nAnn;Paris, Lyon\n".to_vec();
        let refused = read_table_file(torn.clone(), &TableSettings::default(), &none()).unwrap_err();
        let (field, message) = (refused.field(), &refused.message);
        assert!(field == "rows" && message.contains("table.delimiter") && !message.contains("--"), "{message}");
        let settings = TableSettings { delimiter: Some("semicolon".to_owned()), ..TableSettings::default() };
        assert_eq!(read_table_file(torn, &settings, &none()).unwrap().columns, ["name", "city, town"]);
    }
}
