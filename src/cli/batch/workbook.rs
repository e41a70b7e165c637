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

/// The records of the sheet, and what the user should know about how it was read.
///
/// # Errors
/// The file is no workbook, or has no such sheet.
pub(super) fn records(bytes: &[u8]) -> Result<(Vec<RawRecord>, Vec<String>), String> {
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
    Ok((records_of(sheet), std::iter::once(read).chain(number).collect()))
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
    fn what_is_no_workbook_is_refused() {
        assert!(is_workbook(b"PK\x03\x04..") && !is_workbook(b"name,gift"));
        let error = records(b"PK\x03\x04..").unwrap_err();
        assert!(error.contains("save it as CSV UTF-8"), "{error}");
    }
}
