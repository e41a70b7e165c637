//! The report as a table for spreadsheet programs.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use crate::cli::{Failure, atomic_file};

/// Tells a spreadsheet program that the file is UTF-8.
const BYTE_ORDER_MARK: &str = "\u{FEFF}";

const COLUMNS: [&str; 8] = ["row", "result", "file", "page", "font_size", "seed", "error", "warnings"];

/// Refuses a file in the place of the table that is none.
pub(super) fn refuse_other_file(report: &Path) -> Result<(), Failure> {
    let path = place(report);
    match fs::read(&path) {
        Ok(found) if found.is_empty() || is_table(&found) => Ok(()),
        Ok(_) => Err(Failure::BadData(format!(
            "{}, the table beside {}, exists and is not a batch report; name another file with --report",
            path.display(),
            report.display()
        ))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::io("read", &path)(error)),
    }
}

/// Writes the table beside the report at `report`. Its cells are parted by the semicolon if those of the user's file
/// are, and otherwise by the comma: spreadsheet programs of a country expect one of both.
pub(super) fn write<'a>(
    report: &Path,
    delimiter_of_user: u8,
    entries: impl Iterator<Item = &'a Entry>,
) -> Result<(), Failure> {
    let delimiter = if delimiter_of_user == b';' { b';' } else { b',' };
    let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::from(BYTE_ORDER_MARK));
    writer.write_record(COLUMNS).map_err(Failure::internal("the report"))?;
    for entry in entries {
        writer.write_record(cells(entry)).map_err(Failure::internal("the report"))?;
    }
    let bytes = writer.into_inner().map_err(Failure::internal("the report"))?;
    atomic_file::write(&place(report), &bytes)
}

/// The table beside a report.
pub(super) fn place(report: &Path) -> PathBuf {
    let table = report.with_extension("csv");
    if table == report { report.with_extension("table.csv") } else { table }
}

/// Whether a file begins with the header of a table, as it is written or as a spreadsheet program saves it.
fn is_table(file: &[u8]) -> bool {
    let file = file.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(file);
    [",", ";", "\t"].iter().any(|delimiter| file.starts_with(COLUMNS.join(delimiter).as_bytes()))
}

fn cells(entry: &Entry) -> [String; COLUMNS.len()] {
    let number = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
    let result = match (&entry.error, entry.dry_run) {
        (Some(_), _) => "failed",
        (None, true) => "laid out",
        (None, false) => "made",
    };
    let warnings = entry.warnings.iter().map(|warning| format!("{}: {}", warning.r#type, warning.message));
    [
        entry.row.to_string(),
        result.to_owned(),
        entry.file.clone(),
        number(entry.page.map(|page| page as u64)),
        number(entry.calculated_font_size.map(u64::from)),
        number(entry.seed.map(u64::from)),
        entry.error.clone().unwrap_or_default(),
        warnings.collect::<Vec<_>>().join("; "),
    ]
    .map(without_formula)
}

/// Characters that begin a formula, in ASCII and in full width, or that spreadsheet programs skip before one.
const FORMULA_STARTS: [char; 11] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n'];

/// A cell that no spreadsheet program computes: names of files come from the user's cells, errors and warnings from a
/// service.
fn without_formula(cell: String) -> String {
    if cell.starts_with(FORMULA_STARTS) { format!("'{cell}") } else { cell }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::cli::batch::rows::Row;
    use crate::mail_merge::RowWarning;

    fn entry(number: usize, file: &str) -> Entry {
        Entry::of(&Row::new(number, Ok(json!({})), PathBuf::from(file)))
    }

    #[test]
    fn the_table_has_a_line_for_each_row_and_no_formula() {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report.jsonl");
        let warnings =
            vec![RowWarning { r#type: "no_effect".to_owned(), message: "one; two".to_owned(), field: String::new() }];
        let made = Entry { page: Some(3), seed: Some(7), warnings, ..entry(1, "=1+1.png") };
        let failed = Entry { error: Some("no \"text\"".to_owned()), ..entry(2, "Zoë.png") };
        let warnings =
            vec![RowWarning { r#type: "=cmd|' /C calc'!A0".to_owned(), message: String::new(), field: String::new() }];
        let hostile = Entry { error: Some("＠SUM(A1)".to_owned()), warnings, ..entry(3, "\n-1.png") };
        write(&report, b';', [&made, &failed, &hostile].into_iter()).unwrap();
        let expected = "\u{FEFF}row;result;file;page;font_size;seed;error;warnings\n\
                        1;made;'=1+1.png;3;;7;;\"no_effect: one; two\"\n2;failed;Zoë.png;;;;\"no \"\"text\"\"\";\n\
                        3;failed;\"'\n-1.png\";;;;'＠SUM(A1);'=cmd|' /C calc'!A0: \n";
        assert_eq!(fs::read_to_string(place(&report)).unwrap(), expected);
    }

    #[test]
    fn the_users_own_table_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let people = folder.path().join("people.csv");
        for own in ["name;city\nAnn;Paris\n", "row\n", "row,result\n", "rows"] {
            fs::write(&people, own).unwrap();
            let error = refuse_other_file(&people.with_extension("jsonl")).unwrap_err();
            assert!(error.to_string().contains("--report"), "{error}");
            assert_eq!(fs::read_to_string(&people).unwrap(), own);
        }
        for delimiter in [b';', b',', b'\t'] {
            let report = folder.path().join("report.jsonl");
            refuse_other_file(&report).unwrap();
            write(&report, delimiter, std::iter::empty()).unwrap();
        }
    }
}
