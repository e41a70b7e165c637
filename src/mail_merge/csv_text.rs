//! From the text of a CSV file to records of cells, after RFC 4180. Quotes that are escaped by a backslash, as database
//! programs write them, are read as well.
//!
//! A quote that is not closed makes one cell of all lines after it. Such cells are found here and never become rows.

use serde::{Deserialize, Serialize};

use super::most_cells;

/// A record as it stands in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RawRecord {
    /// The line on which it begins, counted from 1.
    pub(crate) line: usize,
    pub(crate) cells: Vec<String>,
    /// Why its cells cannot be told apart or read.
    pub(crate) problem: Option<String>,
}

/// All records of a file, the header among them.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RawRecords {
    pub(crate) records: Vec<RawRecord>,
    /// Whether a backslash escapes quotes in the file.
    pub(crate) has_backslash_quotes: bool,
}

/// How a cell in quotes should be written.
const REMEDY: &str = "end the cell by a quote before the delimiter, and write \"\" for a quote in a cell";

/// Reads the records of a file whose first line has the number `first_line`. A backslash escapes quotes if the cells
/// can be told apart by that only.
///
/// # Errors
/// A quote is not closed, or there are more than [`MOST_CELLS`](most_cells::MOST_CELLS).
pub(crate) fn records(csv: &[u8], delimiter: u8, first_line: usize) -> Result<RawRecords, String> {
    let read = |has_backslash_quotes| {
        Reader { csv, delimiter, has_backslash_quotes, at: 0, line: first_line, cells: 0 }.read()
    };
    let plain = read(false);
    let is_sound = |read: &Result<Vec<RawRecord>, String>| {
        read.as_ref().is_ok_and(|records| records.iter().all(|record| record.problem.is_none()))
    };
    if !is_sound(&plain) && csv.windows(2).any(|pair| pair == b"\\\"") {
        let escaped = read(true);
        if is_sound(&escaped) {
            return escaped.map(|records| RawRecords { records, has_backslash_quotes: true });
        }
    }
    plain.map(|records| RawRecords { records, has_backslash_quotes: false })
}

struct Reader<'a> {
    csv: &'a [u8],
    delimiter: u8,
    has_backslash_quotes: bool,
    /// Bytes that are read.
    at: usize,
    line: usize,
    /// Cells that are read.
    cells: usize,
}

impl Reader<'_> {
    fn read(mut self) -> Result<Vec<RawRecord>, String> {
        let mut records: Vec<RawRecord> = Vec::new();
        loop {
            while self.line_break() {}
            if self.at == self.csv.len() {
                return Ok(records);
            }
            let columns = records.first().map(|header| header.cells.len());
            records.push(self.record(columns)?);
        }
    }

    /// Reads a record. `columns`: the number of cells of the header.
    fn record(&mut self, columns: Option<usize>) -> Result<RawRecord, String> {
        let mut record = RawRecord { line: self.line, ..RawRecord::default() };
        loop {
            let number = record.cells.len() + 1;
            let cell = if self.peek() == Some(b'"') {
                self.quoted(number, columns, &mut record.problem)?
            } else {
                self.plain()
            };
            if record.problem.is_none() && std::str::from_utf8(&cell).is_err() {
                record.problem = Some(format!("cell {number} is not UTF-8"));
            }
            self.cells += 1;
            most_cells::check(self.cells, 1)?;
            record.cells.push(String::from_utf8_lossy(&cell).trim().to_owned());
            if self.peek() != Some(self.delimiter) {
                self.line_break();
                return Ok(record);
            }
            self.at += 1;
        }
    }

    /// Reads up to the end of a cell without quotes.
    fn plain(&mut self) -> Vec<u8> {
        let rest = self.csv.get(self.at..).unwrap_or_default();
        let is_end = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\n' | b'\r');
        let cell = rest.split(is_end).next().unwrap_or_default();
        self.at += cell.len();
        cell.to_vec()
    }

    /// Reads a cell in quotes, the cell of this `number` in its record.
    fn quoted(
        &mut self,
        number: usize,
        columns: Option<usize>,
        problem: &mut Option<String>,
    ) -> Result<Vec<u8>, String> {
        let opened = self.line;
        let mut cell = Vec::new();
        self.at += 1;
        loop {
            let next = self.csv.get(self.at + 1).copied();
            match self.peek() {
                None => {
                    return Err(format!(
                        "line {opened}: the quote that opens cell {number} is not closed, so that it takes all lines \
                         after it; {REMEDY}"
                    ));
                }
                Some(b'\\') if self.has_backslash_quotes && matches!(next, Some(b'"' | b'\\')) => {
                    cell.extend(next);
                    self.at += 2;
                }
                Some(b'"') if next == Some(b'"') => {
                    cell.push(b'"');
                    self.at += 2;
                }
                Some(b'"') => {
                    self.at += 1;
                    break;
                }
                Some(byte) => {
                    cell.push(byte);
                    if !self.line_break() {
                        self.at += 1;
                    } else if byte == b'\r' && self.csv.get(self.at - 1) == Some(&b'\n') {
                        cell.push(b'\n');
                    }
                }
            }
        }
        let rest = self.plain();
        if !rest.trim_ascii().is_empty() {
            let message = format!("line {opened}: text follows the closing quote of cell {number}; {REMEDY}");
            if self.line > opened {
                return Err(message);
            }
            problem.get_or_insert(message);
        } else if columns.is_some_and(|columns| self.swallows_records(&cell, number, columns)) {
            return Err(format!(
                "line {opened}: cell {number} in quotes goes on to line {}, and line {} in it reads as a \
                 record; {REMEDY}",
                self.line,
                opened + 1
            ));
        }
        cell.extend(rest);
        Ok(cell)
    }

    /// Whether the lines of a cell after its first are records that belong to the file, each by itself.
    fn swallows_records(&self, cell: &[u8], number: usize, columns: usize) -> bool {
        if columns < 2 || self.peek() == Some(self.delimiter) {
            return false;
        }
        let is_end = |byte: &u8| *byte == b'\n';
        let mut lines = cell.trim_ascii_end().split(is_end).map(<[u8]>::trim_ascii);
        // In a sentence or an address a space follows the delimiter.
        let delimiters = |line: &[u8]| {
            let is_sentence = line.windows(2).any(|pair| pair[0] == self.delimiter && pair[1] == b' ');
            (!is_sentence).then(|| line.split(|byte| *byte == self.delimiter).count() - 1)
        };
        let Some(first) = lines.next().and_then(delimiters) else { return false };
        let rest: Vec<&[u8]> = lines.collect();
        let are_records = rest.iter().all(|line| delimiters(line) == Some(columns - 1));
        number + first == columns && are_records && !rest.is_empty()
    }

    fn peek(&self) -> Option<u8> {
        self.csv.get(self.at).copied()
    }

    /// Reads a line break, if one is next.
    fn line_break(&mut self) -> bool {
        self.at += match (self.peek(), self.csv.get(self.at + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(b'\r' | b'\n'), _) => 1,
            _ => return false,
        };
        self.line += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(csv: &str) -> Vec<Vec<String>> {
        let read = records(csv.as_bytes(), b',', 1).unwrap();
        assert!(read.records.iter().all(|record| record.problem.is_none()), "{read:?}");
        read.records.into_iter().map(|record| record.cells).collect()
    }

    #[test]
    fn records_are_those_of_the_csv_package() {
        for csv in [
            "name,gift\nAnn,\"the \"\"lamp\"\", \r\nand more\"\r\n\r\n\nBob, 5\" nails\n",
            "a,b\r1,2\r\"x\",",
            "a;b,c\n,\n\"\",\"\"\n \"x\" ,y",
            "",
            "\n\n",
        ] {
            let reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(csv.as_bytes());
            let expected: Vec<Vec<String>> = reader
                .into_records()
                .map(|record| record.unwrap().iter().map(|cell| cell.trim().to_owned()).collect())
                .collect();
            assert_eq!(cells(csv), expected, "{csv:?}");
        }
    }

    #[test]
    fn records_know_their_lines() {
        let read = records(b"a,b\n\n\"1\n2\",3\r\n4,5\n", b',', 2).unwrap();
        assert_eq!(read.records.iter().map(|record| record.line).collect::<Vec<_>>(), [2, 4, 6]);
    }

    #[test]
    fn a_quote_that_takes_other_records_is_an_error_with_its_line() {
        for (csv, said) in [
            ("name,gift\nAnn,\"the lamp\nBob,the book\nCy,the vase\n", "line 2: the quote that opens cell 2"),
            ("name,gift\nAnn,tea\nBob,\"the book”\nCy,the vase\n", "line 3: the quote that opens cell 2"),
            ("name,gift\nAnn,\"the lamp\nBob,\"the book\"\n", "line 2: text follows the closing quote of cell 2"),
            ("name,gift\nAnn,\"the lamp\nBob,the book\"\nCy,the vase\n", "line 3 in it reads as a record"),
            ("\"name,gift\nAnn,the lamp\n", "line 1: the quote that opens cell 1"),
        ] {
            let error = records(csv.as_bytes(), b',', 1).unwrap_err();
            assert!(error.contains(said), "{csv:?}: {error}");
        }
    }

    #[test]
    fn cells_of_several_lines_are_no_error() {
        for csv in [
            "name,address\nAnn,\"1 Elm St\nErie, PA 16501\"\n",
            "name,text\nAnn,\"Dear all,\nthank you,\nBob\"\n",
            "text,name\n\"one,two\nthree,four\",Ann\n",
            "text\n\"one\ntwo\"\n",
        ] {
            assert_eq!(cells(csv).len(), 2, "{csv:?}");
        }
    }

    #[test]
    fn text_after_a_quote_is_an_error_of_its_row() {
        let read = records(b"name,gift\n\"Bob\" Ray,tea\nAnn,milk\n", b',', 1).unwrap();
        let problem = read.records[1].problem.as_deref().unwrap();
        assert!(problem.starts_with("line 2: text follows the closing quote of cell 1"), "{problem}");
        assert_eq!(read.records[2].problem, None);
    }

    #[test]
    fn a_backslash_escapes_quotes_where_the_cells_need_it() {
        let read = records(
            br#""name","gift"
"Robert \"Bob\" Ray","C:\\x \n \"\""
"Ann ""A""","tea""#,
            b',',
            1,
        )
        .unwrap();
        assert!(read.has_backslash_quotes);
        assert_eq!(read.records[1].cells, ["Robert \"Bob\" Ray", "C:\\x \\n \"\""]);
        assert_eq!(read.records[2].cells, ["Ann \"A\"", "tea"]);
        let read = records(b"name,folder\n\"Ann\",\"C:\\\"\n", b',', 1).unwrap();
        assert_eq!((read.has_backslash_quotes, read.records[1].cells[1].as_str()), (false, "C:\\"));
    }
}
