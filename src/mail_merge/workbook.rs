//! From a workbook (`.xlsx`) to records of cells: those of the first sheet that is visible and not empty.

use std::io::Cursor;

use calamine::{Data, Range, Reader as _, SheetVisible, Xlsx, open_workbook_from_rs};
use serde::{Deserialize, Serialize};

use super::csv_text::RawRecord;
use super::hidden_rows::hidden_rows;
use super::most_cells;

/// The start of a workbook, which is a ZIP archive.
const START: &[u8] = b"PK\x03\x04";

/// A sheet as it stands in a workbook.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SheetRecords {
    /// All records, the header among them.
    pub(crate) records: Vec<RawRecord>,
    /// What the user should know about how it was read.
    pub(crate) notes: Vec<String>,
}

/// Whether a file is a workbook by its first bytes.
pub(crate) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(START)
}

/// The records of the sheet. A hostile file can end the process: call this by
/// [`WorkbookReader`](super::workbook_reader::WorkbookReader).
///
/// # Errors
/// The file is no workbook, or has no such sheet, or one with more than [`MOST_CELLS`](most_cells::MOST_CELLS).
pub(crate) fn records(bytes: &[u8]) -> Result<SheetRecords, String> {
    let unreadable =
        |error: calamine::XlsxError| format!("cannot be read as a workbook: {error}; save it as CSV UTF-8");
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(unreadable)?;
    let visible = workbook.sheets_metadata().iter().filter(|sheet| sheet.visible == SheetVisible::Visible);
    let names: Vec<String> = visible.map(|sheet| sheet.name.clone()).collect();
    let mut sheets = Vec::new();
    for name in names {
        let sheet = workbook.worksheet_range(&name).map_err(unreadable)?;
        if !sheet.is_empty() {
            sheets.push((name, sheet));
        }
    }
    let Some(((name, sheet), others)) = sheets.split_first() else {
        return Err("has no visible sheet with cells; save the sheet with the list as CSV UTF-8".to_owned());
    };
    let others: Vec<&str> = others.iter().map(|(name, _)| name.as_str()).collect();
    let others = if others.is_empty() { String::new() } else { format!(" only; others are {}", others.join(", ")) };
    let read = format!("read the sheet {name}{others}");
    let has_format = |cell: &&Data| matches!(cell, Data::Float(_) | Data::DateTime(_));
    let number = sheet.used_cells().map(|(_, _, cell)| cell).find(has_format);
    let number = number.map(|cell| {
        format!(
            "numbers and dates are read without their format, such as {}; to keep it, save as CSV UTF-8",
            shown(cell)
        )
    });
    let formulas = workbook.worksheet_formula(name).map_err(unreadable)?;
    let hidden = hidden(&hidden_rows(bytes, name));
    let notes = std::iter::once(read).chain(hidden).chain(number).chain(without_value(&formulas, sheet));
    Ok(SheetRecords { notes: notes.collect(), records: records_of(sheet)? })
}

/// That rows are read which the user may not see.
fn hidden(rows: &[usize]) -> Option<String> {
    let (row, others) = rows.split_first()?;
    let are = match others.len() {
        0 => format!("row {row} is hidden, and is read as well; delete it"),
        1 => format!("row {row} and 1 other row are hidden, and are read as well; delete them"),
        others => format!("row {row} and {others} other rows are hidden, and are read as well; delete them"),
    };
    Some(format!("{are} to leave out what a filter hides"))
}

/// Programs that write workbooks without computing them leave formulas without a value.
fn without_value(formulas: &Range<String>, sheet: &Range<Data>) -> Option<String> {
    let (first_row, first_column) = formulas.start()?;
    let is_empty = |row, column| sheet.get_value((row, column)).is_none_or(|cell| *cell == Data::Empty);
    let mut cells = formulas.used_cells().filter_map(|(row, column, _)| {
        let (row, column) = (first_row + row as u32, first_column + column as u32);
        is_empty(row, column).then_some((row, column))
    });
    let (row, column) = cells.next()?;
    let others = match cells.count() {
        0 => "is a formula without a value and is".to_owned(),
        1 => "and 1 other cell are formulas without values and are".to_owned(),
        others => format!("and {others} other cells are formulas without values and are"),
    };
    let cell = format!("{}{}", column_letters(column), row + 1);
    Some(format!("{cell} {others} read as empty; open and save the workbook in a spreadsheet program"))
}

/// The name of a column, counted from 0: A to Z, AA to ZZ, and so on.
fn column_letters(column: u32) -> String {
    let last = char::from(b'A' + (column % 26) as u8);
    let before = if column < 26 { String::new() } else { column_letters(column / 26 - 1) };
    before + &last.to_string()
}

fn records_of(sheet: &Range<Data>) -> Result<Vec<RawRecord>, String> {
    most_cells::check(sheet.width(), sheet.height())?;
    let first = sheet.start().map_or(0, |(row, _)| row as usize);
    let record = |(row, cells): (usize, &[Data])| RawRecord {
        line: first + row + 1,
        cells: cells.iter().map(shown).collect(),
        problem: None,
    };
    let records = sheet.rows().enumerate().map(record);
    // A row that has nothing is no record, as an empty line of a CSV file.
    Ok(records.filter(|record| record.cells.iter().any(|cell| !cell.is_empty())).collect())
}

/// A cell as text. A date is written in ISO 8601, and a number with 15 digits as in the workbook.
fn shown(cell: &Data) -> String {
    match cell {
        Data::DateTime(date) if !date.is_duration() => {
            let (year, month, day, hour, minute, ..) = date.to_ymd_hms_milli();
            let (day, time) = (format!("{year:04}-{month:02}-{day:02}"), format!("{hour:02}:{minute:02}"));
            // A time of day has no date.
            match (date.as_f64() < 1.0, hour + minute) {
                (true, _) => time,
                (false, 0) => day,
                (false, _) => format!("{day} {time}"),
            }
        }
        Data::Float(number) => format!("{number:.14e}").parse().unwrap_or(*number).to_string(),
        Data::Bool(is_true) => is_true.to_string().to_uppercase(),
        other => other.to_string().trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_written_as_text() {
        for (cell, text) in [
            (Data::Float(16501.0), "16501"),
            (Data::Float(2.5), "2.5"),
            (Data::Float(0.1 + 0.2), "0.3"),
            (Data::Bool(true), "TRUE"),
            (Data::DateTime(calamine::ExcelDateTime::new(0.5, calamine::ExcelDateTimeType::DateTime, false)), "12:00"),
            (Data::Int(7), "7"),
            (Data::String(" Zoë ".to_owned()), "Zoë"),
            (Data::Error(calamine::CellErrorType::NA), "#N/A"),
            (Data::Empty, ""),
            (
                Data::DateTime(calamine::ExcelDateTime::new(45_000.0, calamine::ExcelDateTimeType::DateTime, false)),
                "2023-03-15",
            ),
        ] {
            assert_eq!(shown(&cell), text);
        }
    }

    #[test]
    fn formulas_without_a_value_are_named() {
        let formula = |row, column| calamine::Cell::new((row, column), "1+1".to_owned());
        let formulas = Range::from_sparse(vec![formula(1, 1), formula(2, 27)]);
        let value = |row, column, value| calamine::Cell::new((row, column), value);
        let sheet = Range::from_sparse(vec![value(0, 0, Data::Int(1)), value(1, 1, Data::Int(2))]);
        let note = without_value(&formulas, &sheet).unwrap();
        assert!(note.starts_with("AB3 is a formula without a value"), "{note}");
        let computed = Range::from_sparse(vec![value(1, 1, Data::Int(2)), value(2, 27, Data::Int(2))]);
        assert_eq!(without_value(&formulas, &computed), None);
        assert_eq!([0, 25, 26, 51, 701, 702].map(column_letters), ["A", "Z", "AA", "AZ", "ZZ", "AAA"]);
    }

    #[test]
    fn what_is_no_workbook_is_refused() {
        assert!(is_workbook(b"PK\x03\x04..") && !is_workbook(b"name,gift"));
        let error = records(b"PK\x03\x04..").unwrap_err();
        assert!(error.contains("save it as CSV UTF-8"), "{error}");
    }
}
