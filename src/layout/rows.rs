//! Rows of one sign: lines to write on, leaders and separators.

use std::ops::Range;

use super::characters::is_space;

/// The signs of which rows are made.
const SIGNS: [char; 15] = ['_', '-', '–', '—', '―', '─', '━', '.', '…', '·', '=', '═', '*', '~', '•'];
/// Least number of signs of a row.
pub(super) const LEAST: usize = 5;

/// A row of one sign in a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Its bytes of the paragraph.
    pub(super) bytes: Range<usize>,
    /// Whether it is a line to write on.
    pub(super) is_to_write_on: bool,
    /// Whether it is the whole paragraph, with spaces between its signs.
    pub(super) is_spaced: bool,
}

/// The rows of a paragraph, in their order.
pub(super) fn rows(text: &str) -> Vec<Row> {
    if is_spaced_row(text) {
        return vec![Row { bytes: 0..text.len(), is_to_write_on: false, is_spaced: true }];
    }
    let mut rows = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let start = text.len() - rest.len();
        rest = rest.trim_start_matches(sign);
        let bytes = start..text.len() - rest.len();
        if SIGNS.contains(&sign) && bytes.len() >= LEAST * sign.len_utf8() {
            rows.push(Row { bytes, is_to_write_on: sign == '_', is_spaced: false });
        }
    }
    rows
}

/// Whether a text is a row of one sign with spaces between, which separates parts of a text.
fn is_spaced_row(text: &str) -> bool {
    let mut signs = text.chars().filter(|character| !is_space(*character));
    let Some(sign) = signs.next().filter(|sign| SIGNS.contains(sign)) else { return false };
    signs.clone().all(|other| other == sign) && signs.count() + 1 >= LEAST && text.contains(is_space)
}

/// Whether a part of a paragraph belongs to one of its rows.
pub(super) fn is_in_row(rows: &[Row], part: &Range<usize>) -> bool {
    let behind = rows.partition_point(|row| row.bytes.end <= part.start);
    rows.get(behind).is_some_and(|row| row.bytes.start < part.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_where_they_are() {
        let found = |text: &str| -> Vec<String> {
            rows(text).iter().map(|row| text[row.bytes.clone()].to_owned()).collect::<Vec<_>>()
        };
        for (text, expected) in [
            ("", vec![]),
            ("wait... what", vec![]),
            ("Dear ______, you owe $_____.", vec!["______", "_____"]),
            ("[_____]---–––––", vec!["_____", "–––––"]),
            ("Soup ...... 12", vec!["......"]),
            ("- - - - -", vec!["- - - - -"]),
            ("- - - -", vec![]),
            ("aaaaaa", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text:?}");
        }
    }
}
