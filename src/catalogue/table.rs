//! The rows of `catalog.tsv` and `metrics.tsv`: tab-separated, columns found by the names in the header.

use std::collections::HashMap;

use super::record::FontRecord;
use super::{CatalogueError, FONT_COUNT};

const CATALOG: &str = "catalog.tsv";
const METRICS: &str = "metrics.tsv";

/// One row of the catalogue.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Base name of the font's file and of its licence.
    pub(super) slug: String,
    /// Lean in degrees, forwards positive.
    pub(super) slant_degrees: f64,
    /// Added to the advance of the word space, in em.
    pub(super) word_gap_em: f64,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub(super) sha256: String,
    /// What clients see.
    pub(super) record: FontRecord,
}

/// All rows in id order.
///
/// # Errors
/// A missing column, a row that cannot be read, ids other than 1 to 90 in order.
pub(super) fn rows(text: &str) -> Result<Vec<Row>, CatalogueError> {
    let table = Table::new(CATALOG, text)?;
    let column = |name| table.column(name);
    let (id, slug, family, sha256) = (column("id")?, column("slug")?, column("family")?, column("sha256")?);
    let (licence, style, slant, neatness) =
        (column("licence")?, column("style")?, column("slant")?, column("neatness")?);
    let (scripts, kern, calt) = (column("scripts")?, column("kern")?, column("calt")?);
    let word_gap = column("word_gap_em")?;

    let mut rows = Vec::new();
    for (position, line) in table.lines().enumerate() {
        let number: u8 = line.number(id)?;
        if usize::from(number) != position + 1 {
            return Err(line.bad(format!("the id is {number}; rows are in id order, so it must be {}", position + 1)));
        }
        let (lean, slant_degrees) = line.slant(slant)?;
        let record = FontRecord {
            id: number,
            name: line.text(family)?.to_owned(),
            style: line.text(style)?.to_owned(),
            slant: lean.to_owned(),
            neatness: line.number(neatness)?,
            scripts: line.text(scripts)?.split(',').filter(|set| !set.contains('~')).map(str::to_owned).collect(),
            kerning: line.yes_or_no(kern)?,
            alternates: line.yes_or_no(calt)?,
            license: line.text(licence)?.to_owned(),
        };
        rows.push(Row {
            slug: line.text(slug)?.to_owned(),
            slant_degrees,
            word_gap_em: line.number(word_gap)?,
            sha256: line.text(sha256)?.to_owned(),
            record,
        });
    }
    if rows.len() == usize::from(FONT_COUNT) { Ok(rows) } else { Err(CatalogueError::WrongCount { found: rows.len() }) }
}

/// Width of each font's pen stroke in em, by id.
///
/// # Errors
/// A missing column or a row that cannot be read.
pub(super) fn strokes(text: &str) -> Result<HashMap<u8, f64>, CatalogueError> {
    let table = Table::new(METRICS, text)?;
    let (id, stroke) = (table.column("id")?, table.column("stroke_em")?);
    table.lines().map(|line| Ok((line.number(id)?, line.number(stroke)?))).collect()
}

struct Table<'a> {
    name: &'static str,
    header: Vec<&'a str>,
    text: &'a str,
}

impl<'a> Table<'a> {
    fn new(name: &'static str, text: &'a str) -> Result<Self, CatalogueError> {
        let header = text.lines().next().ok_or(CatalogueError::MissingColumn { table: name, column: "id" })?;
        Ok(Self { name, header: header.split('\t').collect(), text })
    }

    fn column(&self, name: &'static str) -> Result<Column, CatalogueError> {
        let index = self.header.iter().position(|title| *title == name);
        index
            .map(|index| Column { name, index })
            .ok_or(CatalogueError::MissingColumn { table: self.name, column: name })
    }

    fn lines(&self) -> impl Iterator<Item = Line<'a>> {
        let table = self.name;
        let numbered = self.text.lines().enumerate().skip(1);
        numbered.map(move |(index, text)| Line { table, number: index + 1, cells: text.split('\t').collect() })
    }
}

#[derive(Clone, Copy)]
struct Column {
    name: &'static str,
    index: usize,
}

struct Line<'a> {
    table: &'static str,
    number: usize,
    cells: Vec<&'a str>,
}

impl<'a> Line<'a> {
    fn bad(&self, reason: String) -> CatalogueError {
        CatalogueError::BadRow { table: self.table, line: self.number, reason }
    }

    fn text(&self, column: Column) -> Result<&'a str, CatalogueError> {
        let cell = self.cells.get(column.index).copied().unwrap_or_default();
        if cell.is_empty() { Err(self.bad(format!("\"{}\" is empty", column.name))) } else { Ok(cell) }
    }

    fn number<T: std::str::FromStr>(&self, column: Column) -> Result<T, CatalogueError> {
        let cell = self.text(column)?;
        cell.parse().map_err(|_| self.bad(format!("\"{}\" must be a number, not \"{cell}\"", column.name)))
    }

    fn yes_or_no(&self, column: Column) -> Result<bool, CatalogueError> {
        match self.text(column)? {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(self.bad(format!("\"{}\" must be yes or no, not \"{other}\"", column.name))),
        }
    }

    /// `slanted(+18)`: the word and the degrees.
    fn slant(&self, column: Column) -> Result<(&'a str, f64), CatalogueError> {
        let cell = self.text(column)?;
        let parts = cell.strip_suffix(')').and_then(|cell| cell.split_once('('));
        let parsed = parts.and_then(|(word, degrees)| Some((word, degrees.parse().ok()?)));
        parsed.ok_or_else(|| self.bad(format!("\"slant\" must read like slanted(+18), not \"{cell}\"")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "id\tslug\tfamily\tsha256\tlicence\tstyle\tslant\tneatness\tscripts\tkern\tcalt\tword_gap_em";

    fn one_row(row: &str) -> CatalogueError {
        rows(&format!("{HEADER}\n{row}\n")).unwrap_err()
    }

    #[test]
    fn a_good_row_is_followed_by_the_count() {
        let error = one_row("1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tASCII,Greek~76\tyes\tno\t0.000");
        assert_eq!(error, CatalogueError::WrongCount { found: 1 });
    }

    #[test]
    fn a_broken_cell_is_named_with_its_line() {
        let cases = [
            ("2\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tASCII\tyes\tno\t0.000", "id is 2"),
            ("1\ta\t\t00\tOFL-1.1\tprint\tupright(-2)\t4\tASCII\tyes\tno\t0.000", "\"family\" is empty"),
            ("1\ta\tA\t00\tOFL-1.1\tprint\tupright\t4\tASCII\tyes\tno\t0.000", "\"slant\""),
            ("1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\tfour\tASCII\tyes\tno\t0.000", "\"neatness\" must be a number"),
            ("1\ta\tA\t00\tOFL-1.1\tprint\tupright(-2)\t4\tASCII\tperhaps\tno\t0.000", "\"kern\" must be yes or no"),
            ("1\ta\tA", "is empty"),
        ];
        for (row, reason) in cases {
            let message = one_row(row).to_string();
            assert!(message.starts_with("catalog.tsv, line 2") && message.contains(reason), "{message}");
        }
    }

    #[test]
    fn a_missing_column_is_named() {
        let error = rows("id\tslug\n").unwrap_err();
        assert_eq!(error.to_string(), "catalog.tsv has no column \"family\"");
    }

    #[test]
    fn partly_covered_scripts_are_not_promised() {
        let all = rows(include_str!("../../fonts/catalog.tsv")).unwrap();
        assert_eq!(all[3].record.scripts, ["ASCII", "Latin-1"]);
        assert!((all[3].slant_degrees - 22.0).abs() < 1e-9);
    }
}
