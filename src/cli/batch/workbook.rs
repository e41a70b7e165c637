//! From a workbook (`.xlsx`) to records of cells: those of the first sheet that is visible and not empty.

use std::io::Cursor;

use calamine::{Data, Range, Reader as _, SheetVisible, Xlsx, open_workbook_from_rs};

use super::csv_text::RawRecord;

/// The start of a workbook, which is a ZIP archive.
const START: &[u8] = b"PK\x03\x04";

/// Whether a file is a workbook by its first bytes.
pub(super) fn is_workbook(bytes: &[u8]) -> bool {
    bytes.starts_with(START)
}

/// The records of the sheet, and its name.
///
/// # Errors
/// The file is no workbook, or has no such sheet.
pub(super) fn records(bytes: &[u8]) -> Result<(Vec<RawRecord>, String), String> {
    let unreadable =
        |error: calamine::XlsxError| format!("cannot be read as a workbook: {error}; save it as CSV UTF-8");
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(bytes)).map_err(unreadable)?;
    let visible = workbook.sheets_metadata().iter().filter(|sheet| sheet.visible == SheetVisible::Visible);
    let names: Vec<String> = visible.map(|sheet| sheet.name.clone()).collect();
    for name in names {
        let sheet = workbook.worksheet_range(&name).map_err(unreadable)?;
        if !sheet.is_empty() {
            return Ok((records_of(&sheet), name));
        }
    }
    Err("has no visible sheet with cells; save the sheet with the list as CSV UTF-8".to_owned())
}

fn records_of(sheet: &Range<Data>) -> Vec<RawRecord> {
    let first = sheet.start().map_or(0, |(row, _)| row as usize);
    let record = |(row, cells): (usize, &[Data])| RawRecord {
        line: first + row + 1,
        cells: cells.iter().map(shown).collect(),
        problem: None,
    };
    let records = sheet.rows().enumerate().map(record);
    // A row that has nothing is no record, as an empty line of a CSV file.
    records.filter(|record| record.cells.iter().any(|cell| !cell.is_empty())).collect()
}

/// A cell as text. A date is written in ISO 8601, because how the workbook shows it is not known.
fn shown(cell: &Data) -> String {
    match cell {
        Data::DateTime(date) if !date.is_duration() => {
            let (year, month, day, hour, minute, ..) = date.to_ymd_hms_milli();
            let time = if (hour, minute) == (0, 0) { String::new() } else { format!(" {hour:02}:{minute:02}") };
            format!("{year:04}-{month:02}-{day:02}{time}")
        }
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
    fn what_is_no_workbook_is_refused() {
        assert!(is_workbook(b"PK\x03\x04..") && !is_workbook(b"name,gift"));
        let error = records(b"PK\x03\x04..").unwrap_err();
        assert!(error.contains("save it as CSV UTF-8"), "{error}");
    }
}
