//! Rows that a client gives: JSON objects, or a file.

use serde_json::Value;

use super::definition::{TableSettings, in_words_of_jobs};
use crate::encodings::UnreadFile;
use crate::mail_merge::{Record, Table, read_table};
use crate::spec::{Violation, ViolationKind};

/// The table of rows that are JSON objects. The columns are the members of the first.
///
/// # Errors
/// A row is no object of plain values.
pub(crate) fn read_rows(rows: Vec<Value>) -> Result<Table, String> {
    let mut columns: Vec<String> = Vec::new();
    let mut records = Vec::with_capacity(rows.len());
    for (at, row) in rows.into_iter().enumerate() {
        let number = at + 1;
        let Value::Object(members) = row else { return Err(format!("row {number} is no object")) };
        if number == 1 {
            columns = members.keys().cloned().collect();
        }
        if let Some(other) = members.keys().find(|name| !columns.contains(name)) {
            return Err(format!("row {number} has the member `{other}`, which the first row lacks"));
        }
        let mut cells = Vec::with_capacity(columns.len());
        for name in &columns {
            cells.push(match members.get(name) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(plain @ (Value::Number(_) | Value::Bool(_))) => plain.to_string(),
                Some(_) => return Err(format!("row {number}: `{name}` is no text, number or truth value")),
            });
        }
        records.push(Record { number, cells: Ok(cells) });
    }
    Ok(Table { columns, records, notes: Vec::new() })
}

/// The table of a CSV file or a workbook. Records of which all cells are empty are left out, with a note.
///
/// # Errors
/// The field, and what would be right.
pub(crate) fn read_table_file(bytes: Vec<u8>, settings: &TableSettings) -> Result<Table, Violation> {
    let options = settings.options();
    let options = options.map_err(|(field, message)| Violation::of_field(field, ViolationKind::ValueError, message))?;
    let read = read_table(bytes, &options).map_err(|UnreadFile { message, readings }| {
        let kind = if readings.is_empty() { ViolationKind::ValueError } else { ViolationKind::UncertainEncoding };
        let message = in_words_of_jobs(&message);
        let message = if message.starts_with("line ") { message } else { format!("the file {message}") };
        Violation { readings, ..Violation::of_field("rows", kind, message) }
    })?;
    let mut table = read.table;
    table.notes.extend(read.recognised.map(|encoding| format!("read as {encoding}")));
    let all = table.records.len();
    if !settings.allow_empty {
        table.records.retain(|record| !record.is_blank());
    }
    let blank = all - table.records.len();
    table.notes.extend((blank > 0).then(|| {
        let records = if blank == 1 { "1 record has".to_owned() } else { format!("{blank} records have") };
        format!("{records} only empty cells; left out")
    }));
    Ok(table)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn objects_are_rows_of_the_columns_of_the_first() {
        let Value::Array(rows) = json!([{"name": "Ann", "age": 7, "is": true}, {"name": null}]) else { return };
        let table = read_rows(rows).unwrap();
        assert_eq!(table.columns, ["age", "is", "name"]);
        let cells: Vec<&Vec<String>> = table.records.iter().map(|record| record.cells.as_ref().unwrap()).collect();
        assert_eq!(cells, [&["7", "true", "Ann"].map(str::to_owned), &["", "", ""].map(str::to_owned)]);
        for (rows, said) in [
            (json!([7]), "row 1 is no object"),
            (json!([{"a": 1}, {"b": 1}]), "row 2 has the member `b`"),
            (json!([{"a": [1]}]), "row 1: `a` is no text"),
        ] {
            let Value::Array(rows) = rows else { return };
            assert!(read_rows(rows).unwrap_err().contains(said));
        }
    }

    #[test]
    fn a_file_is_read_as_batch_reads_it_and_options_have_the_names_of_a_job() {
        let table = read_table_file(b"name;gift\nAnn;tea\n;\nBob;milk\n".to_vec(), &TableSettings::default()).unwrap();
        assert_eq!((table.columns.len(), table.records.len()), (2, 2));
        assert!(table.notes.iter().any(|note| note == "1 record has only empty cells; left out"), "{:?}", table.notes);
        let torn = b"name;city, town\nAnn;Paris, Lyon\n".to_vec();
        let refused = read_table_file(torn.clone(), &TableSettings::default()).unwrap_err();
        let (field, message) = (refused.field(), &refused.message);
        assert!(field == "rows" && message.contains("table.delimiter") && !message.contains("--"), "{message}");
        let settings = TableSettings { delimiter: Some("semicolon".to_owned()), ..TableSettings::default() };
        assert_eq!(read_table_file(torn, &settings).unwrap().columns, ["name", "city, town"]);
    }
}
