//! Rows of one sign: lines to write on, leaders and separators.

use std::ops::Range;

use super::characters::is_space;

/// The signs of which rows are made.
const SIGNS: [char; 15] = ['_', '-', '–', '—', '―', '─', '━', '.', '…', '·', '=', '═', '*', '~', '•'];
/// Least number of signs of a row.
const LEAST: usize = 5;
/// The same of `…`, which has three dots.
const LEAST_ELLIPSES: usize = 2;
/// Least number of signs of a line to write on that is cut to make room for the words after it.
const LEAST_TO_WRITE_ON: usize = 10;
/// Least number of signs of a line to write on that is cut to stay on the line of the words before it.
const LEAST_AFTER_WORDS: usize = 8;

/// A row of one sign in a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Its bytes of the paragraph.
    pub(super) bytes: Range<usize>,
    /// The fewest signs to which it is cut, where nothing but its own word stands after it.
    pub(super) least: usize,
    /// The fewest signs to which it is cut to stay on the line of the words before it.
    pub(super) least_after_words: usize,
    /// The fewest signs to which it is cut to make room for the words after it.
    pub(super) least_before_words: usize,
    /// Whether it has spaces between its signs.
    pub(super) is_spaced: bool,
}

/// The rows of a paragraph, in their order.
pub(super) fn rows(text: &str) -> Vec<Row> {
    if is_spaced_row(text) {
        return vec![Row {
            bytes: 0..text.len(),
            least: LEAST,
            least_after_words: LEAST,
            least_before_words: LEAST,
            is_spaced: true,
        }];
    }
    let mut rows = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let start = text.len() - rest.len();
        let row = if SIGNS.contains(&sign) { row_at(rest, sign) } else { None };
        let row = row.map(|row| Row { bytes: start..start + row.bytes.end, ..row });
        rest = match &row {
            Some(row) => text.get(row.bytes.end..).unwrap_or_default(),
            None => rest.trim_start_matches(sign),
        };
        rows.extend(row);
    }
    rows
}

/// Whether a text is a row of one sign with spaces between, which separates parts of a text.
fn is_spaced_row(text: &str) -> bool {
    let mut signs = text.chars().filter(|character| !is_space(*character));
    let Some(sign) = signs.next().filter(|sign| SIGNS.contains(sign)) else { return false };
    signs.clone().all(|other| other == sign) && signs.count() + 1 >= LEAST && text.contains(is_space)
}

/// The row of a sign with which a text begins: signs side by side, or each with a space after it.
fn row_at(text: &str, sign: char) -> Option<Row> {
    let tight = text.len() - text.trim_start_matches(sign).len();
    let spaced = if tight == sign.len_utf8() { spaced_signs(text, sign) } else { tight };
    let is_spaced = spaced > tight;
    let least = if sign == '…' && !is_spaced { LEAST_ELLIPSES } else { LEAST };
    let [least_after_words, least_before_words] =
        if sign == '_' { [LEAST_AFTER_WORDS, LEAST_TO_WRITE_ON] } else { [least; 2] };
    let signs = text.get(..spaced)?.chars().filter(|character| *character == sign).count();
    (signs >= least).then_some(Row { bytes: 0..spaced, least, least_after_words, least_before_words, is_spaced })
}

/// The bytes of the single signs with spaces between them with which a text begins.
fn spaced_signs(text: &str, sign: char) -> usize {
    let mut end = 0;
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(sign).filter(|after| after.is_empty() || after.starts_with(is_space)) {
        end = text.len() - after.len();
        rest = after.trim_start_matches(is_space);
    }
    end
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
            ("Soup . . . . . . 12", vec![". . . . . ."]),
            ("Soup . . . 12", vec![]),
            ("a · · · · ·· ·", vec![]),
            ("--- ---", vec!["--- ---"]),
            (". . . . . and - - - - -", vec![". . . . .", "- - - - -"]),
            ("aaaaaa", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text:?}");
        }
    }
}
