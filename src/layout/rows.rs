//! Rows of one sign: lines to write on, leaders and separators.

use std::ops::Range;

use super::characters::is_space;

/// The signs of which rows are made.
const SIGNS: [char; 15] = ['_', '-', '–', '—', '―', '─', '━', '.', '…', '·', '=', '═', '*', '~', '•'];
/// Least number of signs of a row.
pub(super) const LEAST: usize = 5;
/// The same of `…`, which has three dots.
const LEAST_ELLIPSES: usize = 2;
/// Least number of signs of a line to write on that is cut to make room for the words after it.
const LEAST_TO_WRITE_ON: usize = 10;

/// A row of one sign in a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Its bytes of the paragraph.
    pub(super) bytes: Range<usize>,
    /// The fewest signs to which it is cut, where nothing but its own word stands after it.
    pub(super) least: usize,
    /// The fewest signs to which it is cut to make room for the words after it.
    pub(super) least_before_words: usize,
    /// Whether it is the whole paragraph, with spaces between its signs.
    pub(super) is_spaced: bool,
}

/// The rows of a paragraph, in their order.
pub(super) fn rows(text: &str) -> Vec<Row> {
    if is_spaced_row(text) {
        return vec![Row { bytes: 0..text.len(), least: LEAST, least_before_words: LEAST, is_spaced: true }];
    }
    let mut rows = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let start = text.len() - rest.len();
        rest = rest.trim_start_matches(sign);
        let bytes = start..text.len() - rest.len();
        let least = if sign == '…' { LEAST_ELLIPSES } else { LEAST };
        if SIGNS.contains(&sign) && bytes.len() >= least * sign.len_utf8() {
            let least_before_words = if sign == '_' { LEAST_TO_WRITE_ON } else { least };
            rows.push(Row { bytes, least, least_before_words, is_spaced: false });
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

/// Counts the signs of each row along a paragraph.
pub(super) struct SignCounter<'a> {
    rows: &'a [Row],
    row: Option<&'a Row>,
    signs: usize,
}

impl<'a> SignCounter<'a> {
    pub(super) const fn new(rows: &'a [Row]) -> Self {
        Self { rows, row: None, signs: 0 }
    }

    /// The row to which the next part of the paragraph belongs, and how many parts of that row there are up to it.
    pub(super) fn next(&mut self, part: &Range<usize>) -> Option<(&'a Row, usize)> {
        let behind = self.rows.partition_point(|row| row.bytes.end <= part.start);
        let row = self.rows.get(behind).filter(|row| row.bytes.start < part.end);
        self.signs = if row == self.row { self.signs + 1 } else { 1 };
        self.row = row;
        Some((row?, self.signs))
    }
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
            ("wait... what… why", vec![]),
            ("Waffles…… 8,00", vec!["……"]),
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
