//! A table of people: columns with names, and records of as many cells.
//!
//! Exports leave empty cells at the end of records out, or add delimiters there. Missing cells at the end are empty;
//! columns without name and content do not exist. More cells than the header has are an error of the record, because
//! its cells may belong to other columns.

use super::csv_text::RawRecord;
use super::template::shows_nothing;
use super::{most_cells, single_quotes};

/// Columns and records.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Table {
    /// Each has a name.
    pub(crate) columns: Vec<String>,
    pub(crate) records: Vec<Record>,
    /// The number of the last record, also if it was left out.
    pub(crate) last: usize,
    /// What the user should know about how the table was read.
    pub(crate) notes: Vec<String>,
}

impl Table {
    /// Leaves out the records of which all cells are empty, with a note. Others keep their numbers.
    pub(crate) fn leave_out_blank_records(&mut self) {
        let all = self.records.len();
        self.records.retain(|record| !record.is_blank());
        let records = match all - self.records.len() {
            0 => return,
            1 => "1 record has".to_owned(),
            several => format!("{several} records have"),
        };
        self.notes.push(format!("{records} only empty cells; left out"));
    }

    /// Digits of the last record's number.
    pub(crate) fn width(&self) -> usize {
        self.last.to_string().len()
    }
}

/// The cells of a record, one for each column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Counted from 1, without the header.
    pub(crate) number: usize,
    /// Or why they cannot be told apart.
    pub(crate) cells: Result<Vec<String>, String>,
}

impl Record {
    /// Whether all of its cells show nothing.
    pub(crate) fn is_blank(&self) -> bool {
        self.cells.as_ref().is_ok_and(|cells| cells.iter().all(|cell| shows_nothing(cell)))
    }
}

/// Makes a table of a header and the records after it.
///
/// # Errors
/// The header cannot be read, or a column with content has no name.
pub(crate) fn table(raw: Vec<RawRecord>) -> Result<Table, String> {
    let mut raw = raw.into_iter();
    let header = raw.next().unwrap_or_default();
    if let Some(problem) = header.problem {
        return Err(format!("the header: {problem}"));
    }
    let records: Vec<RawRecord> = raw.collect();
    let width = width_without_ends(header.cells.len(), &records);
    let mut notes = Vec::new();
    let mut named = Vec::new();
    for (at, name) in header.cells.iter().enumerate() {
        if !shows_nothing(name) {
            named.push(at);
            continue;
        }
        let filled = records.iter().find_map(|record| {
            let cell = record.cells.get(at).filter(|cell| !shows_nothing(cell))?;
            Some((record.line, cell))
        });
        match filled {
            None => {}
            Some(_) if at == 0 => notes.push("column 1 has no name; nothing uses it".to_owned()),
            Some((line, cell)) => {
                let is_title = header.cells.iter().filter(|name| !shows_nothing(name)).count() == 1;
                let title = if is_title { ", or delete the lines above the names of the columns" } else { "" };
                return Err(format!(
                    "column {} has no name, but line {line} has \"{cell}\" there; name the column in the header, or \
                     quote a cell that has the delimiter{title}",
                    at + 1
                ));
            }
        }
    }
    let needed = named.last().map_or(0, |last| last + 1);
    let short: Vec<usize> =
        (1..).zip(&records).filter(|(_, record)| record.cells.len() < needed).map(|(number, _)| number).collect();
    if let Some(first) = short.first() {
        let rows = if short.len() == 1 { "1 row has".to_owned() } else { format!("{} rows have", short.len()) };
        notes.push(format!(
            "{rows} fewer cells than the header, first row {first}; the missing cells at the end are read as empty"
        ));
    }
    most_cells::check(named.len(), records.len())?;
    let record = |(number, raw)| Record { number, cells: cells_of(raw, &named, header.cells.len(), width) };
    let records: Vec<Record> = (1..).zip(records).map(record).collect();
    // Web pages export no-break spaces, which look like others.
    let name = |at: &usize| header.cells.get(*at).map_or_else(String::new, |name| plain_spaces(name));
    let last = records.len();
    Ok(Table { columns: named.iter().map(name).collect(), records, last, notes })
}

fn plain_spaces(name: &str) -> String {
    let is_space = |character: char| character.is_whitespace() && !character.is_control();
    name.chars().map(|character| if is_space(character) { ' ' } else { character }).collect()
}

/// The most cells that a record may have: those of the header, or more if all records end with as many empty cells.
fn width_without_ends(columns: usize, records: &[RawRecord]) -> usize {
    let width = records.first().map_or(0, |record| record.cells.len());
    let ends_empty = |record: &RawRecord| {
        record.cells.len() == width && record.cells.iter().skip(columns).all(|cell| shows_nothing(cell))
    };
    if records.len() > 1 && width > columns && records.iter().all(ends_empty) { width } else { columns }
}

fn cells_of(raw: RawRecord, named: &[usize], columns: usize, width: usize) -> Result<Vec<String>, String> {
    if let Some(problem) = raw.problem {
        return Err(problem);
    }
    let is_more = raw.cells.iter().skip(width).any(|cell| !shows_nothing(cell));
    if is_more || raw.cells.len() > width && !raw.cells.iter().all(|cell| shows_nothing(cell)) {
        let torn = single_quotes::torn_cell(&raw.cells);
        return Err(format!(
            "line {}: has {} cells where the header has {columns}; {}",
            raw.line,
            raw.cells.len(),
            torn.as_deref().unwrap_or("quote a cell that has the delimiter")
        ));
    }
    Ok(named.iter().map(|at| raw.cells.get(*at).cloned().unwrap_or_default()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::csv_text;
    use super::*;

    fn read(csv: &str) -> Result<Table, String> {
        table(csv_text::records(csv.as_bytes(), b',', 1).unwrap().records)
    }

    fn cells(table: &Table) -> Vec<Vec<&str>> {
        table.records.iter().map(|record| record.cells.as_ref().unwrap().iter().map(String::as_str).collect()).collect()
    }

    #[test]
    fn missing_cells_at_the_end_are_empty_and_told() {
        let table = read("name,gift,city\nAnn,tea,Erie\nBob,milk\nCy\n").unwrap();
        assert_eq!(cells(&table), [["Ann", "tea", "Erie"], ["Bob", "milk", ""], ["Cy", "", ""]]);
        assert!(table.notes[0].starts_with("2 rows have fewer cells than the header, first row 2"), "{table:?}");
    }

    #[test]
    fn more_cells_than_columns_are_an_error_of_the_record() {
        for csv in ["name,gift\nMarsh, E.,tea\nBob,milk\n", "name,gift\nMarsh, E.,\nBob,milk\n"] {
            let table = read(csv).unwrap();
            let error = table.records[0].cells.as_ref().unwrap_err();
            assert!(error.contains("line 2: has 3 cells where the header has 2"), "{error}");
            assert!(table.records[1].cells.is_ok());
        }
    }

    #[test]
    fn spaces_of_a_header_are_plain() {
        assert_eq!(read("First\u{A0}Name,\"a\tb\"\nAnn,tea\n").unwrap().columns, ["First Name", "a\tb"]);
    }

    #[test]
    fn columns_without_name_and_content_do_not_exist() {
        for csv in [
            "name,gift,,\nAnn,tea,,\nBob,milk,,\n",
            "name,gift,,\nAnn,tea\nBob,milk,\n",
            "name,,gift\nAnn,,tea\nBob,,milk\n",
            "name,gift\nAnn,tea,\nBob,milk,\n",
        ] {
            let table = read(csv).unwrap();
            assert_eq!(cells(&table), [["Ann", "tea"], ["Bob", "milk"]], "{csv}");
            assert!(table.notes.is_empty(), "{table:?}");
            assert_eq!(table.columns, ["name", "gift"]);
        }
        let error = read("name,gift,\nMarsh, E.,tea\n").unwrap_err();
        assert!(error.contains("column 3 has no name, but line 2 has \"tea\" there"), "{error}");
        let table = read(",name\n0,Ann\n1,Bob\n").unwrap();
        assert_eq!(
            (table.columns.as_slice(), table.notes.len()),
            (&["name".to_owned()][..], 1),
            "numbers of an export"
        );
    }
}
