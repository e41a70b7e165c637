//! Lists whose cells are in single quotes, as some database programs write them. A CSV file has double quotes, so the
//! single ones are part of the cells, and a delimiter between them parts the cell.

use super::row_warning::RowWarning;
use crate::preflight::is_nothing;
use crate::warning::{Warning, WarningKind};

/// What to do about them.
const REMEDY: &str = "a CSV file has double quotes: export the list with \" as its quote";
const QUOTE: char = '\'';

/// The columns in which all cells that say something are in single quotes. `rows`: cells in the order of the columns.
pub(crate) fn quoted_columns<'a>(columns: &'a [String], rows: &[&[String]]) -> Vec<&'a str> {
    let is_quoted = |at: usize| {
        let cells = rows.iter().filter_map(|cells| cells.get(at));
        let mut said = cells.filter(|cell| !cell.is_empty() && !is_nothing(cell)).peekable();
        said.peek().is_some() && said.all(|cell| is_in_quotes(cell))
    };
    columns.iter().enumerate().filter(|(at, _)| is_quoted(*at)).map(|(_, name)| name.as_str()).collect()
}

/// The warning about a cell of such a column that stands in this field.
pub(crate) fn warning(cell: &str, column: &str, field: &str) -> Option<RowWarning> {
    is_in_quotes(cell).then(|| {
        let message = format!("{{{column}}} is {cell}, and its single quotes would be written; {REMEDY}");
        Warning::new(WarningKind::SuspiciousValue, field, message).into()
    })
}

/// What to say of a record that has too many cells, if single quotes stand around a delimiter in it.
pub(crate) fn torn_cell(cells: &[String]) -> Option<String> {
    let opens = |cell: &&String| cell.starts_with(QUOTE) && !is_in_quotes(cell);
    let closes = |cell: &String| cell.ends_with(QUOTE) && !is_in_quotes(cell);
    let at = cells.iter().position(|cell| opens(&cell))?;
    let is_closed = cells.iter().skip(at + 1).take_while(|cell| !cell.starts_with(QUOTE)).any(closes);
    let first = cells.get(at)?;
    is_closed.then(|| format!("the cell that begins with {first} is in single quotes; {REMEDY}"))
}

fn is_in_quotes(cell: &str) -> bool {
    cell.strip_prefix(QUOTE).is_some_and(|rest| rest.ends_with(QUOTE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(cells: &[&str]) -> Vec<String> {
        cells.iter().map(|cell| (*cell).to_owned()).collect()
    }

    #[test]
    fn a_column_is_quoted_if_all_of_its_cells_are() {
        let columns = owned(&["name", "gift", "n"]);
        let of = |rows: [[&str; 3]; 3]| {
            let rows = rows.map(|cells| owned(&cells));
            quoted_columns(&columns, &rows.each_ref().map(Vec::as_slice)).join(" ")
        };
        assert_eq!(of([["'Ann'", "'the lamp'", "1"], ["'Bob'", "NULL", "2"], ["''", "", "'3'"]]), "name gift");
        assert_eq!(of([["'Ann'", "", "'"], ["Bob", "", "'tis"], ["'n' roll", "", ""]]), "");
        assert!(
            warning("'Ann'", "name", "text").unwrap().message.starts_with("{name} is 'Ann', and its single quotes")
        );
        assert_eq!(warning("", "name", "text"), None);
    }

    #[test]
    fn a_cell_in_single_quotes_that_has_the_delimiter_is_told() {
        let said = torn_cell(&owned(&["'Ann'", "'the lamp", "red'"])).unwrap();
        assert!(said.starts_with("the cell that begins with 'the lamp is in single quotes; a CSV file"), "{said}");
        for cells in [["Marsh", "E.", "tea"], ["'tis", "a", "b"], ["'Ann'", "'a'", "'b'"], ["O'", "'tis", "'x'"]] {
            assert_eq!(torn_cell(&owned(&cells)), None, "{cells:?}");
        }
    }
}
