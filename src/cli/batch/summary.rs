//! Summary of a run for people: numbers of rows, reasons of failures, and warnings.

use super::entry::Entry;

/// The most reasons in the summary; the report has all of them.
const MOST_REASONS: usize = 5;
/// Rows that are named with a reason.
const MOST_ROWS: usize = 3;

/// Rows of a run that have something in common.
struct Group<'a> {
    /// What they have in common.
    key: &'a str,
    /// What is said of the first of them.
    message: &'a str,
    rows: Vec<usize>,
}

/// The lines of the summary. `entries`: attempted rows; `total`: all rows.
pub(super) fn lines(entries: &[&Entry], total: usize, dry_run: bool, places: &str) -> Vec<String> {
    let failed = entries.iter().filter(|entry| entry.error.is_some()).count();
    let done = entries.len() - failed;
    let mut lines = vec![if dry_run {
        format!("{done} of {total} rows can be made, {failed} cannot; nothing was drawn; {places} say more")
    } else {
        format!("{done} of {total} rows made, {failed} failed; {places} say more")
    }];
    let errors = entries.iter().filter_map(|entry| Some((entry.error.as_deref()?, entry.row)));
    let reasons = groups(errors.map(|(error, row)| (error, error, row)));
    lines
        .extend(reasons.iter().take(MOST_REASONS).map(|reason| format!("{}: {}", named(&reason.rows), reason.message)));
    if let Some(more) = reasons.len().checked_sub(MOST_REASONS).filter(|more| *more > 0) {
        lines.push(format!("and {more} more reasons"));
    }
    let warnings = entries.iter().flat_map(|entry| entry.warnings.iter().map(|warning| (warning, entry.row)));
    let kinds = groups(warnings.map(|(warning, row)| (warning.r#type.as_str(), warning.message.as_str(), row)));
    lines.extend(kinds.iter().map(|kind| {
        let (count, first) = (kind.rows.len(), kind.rows.first().copied().unwrap_or_default());
        let rows = if count == 1 { "row" } else { "rows" };
        format!("warning {} in {count} {rows}, first in row {first}: {}", kind.key, kind.message)
    }));
    lines
}

/// Groups by the first of key, message and row; in the order of their first rows.
fn groups<'a>(said: impl Iterator<Item = (&'a str, &'a str, usize)>) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for (key, message, row) in said {
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) if group.rows.last() == Some(&row) => {}
            Some(group) => group.rows.push(row),
            None => groups.push(Group { key, message, rows: vec![row] }),
        }
    }
    groups
}

/// `row 4`, `rows 4, 9, 17 and 23 more`.
fn named(rows: &[usize]) -> String {
    let shown: Vec<String> = rows.iter().take(MOST_ROWS).map(usize::to_string).collect();
    let shown = shown.join(", ");
    match rows.len() {
        1 => format!("row {shown}"),
        count if count <= MOST_ROWS => format!("rows {shown}"),
        count => format!("rows {shown} and {} more", count - MOST_ROWS),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::cli::batch::rows::Row;
    use crate::mail_merge::RowWarning;

    fn entry(number: usize) -> Entry {
        Entry::of(&Row::new(number, Ok(json!({})), PathBuf::from("a")))
    }

    fn warning(kind: &str, message: &str) -> RowWarning {
        RowWarning { r#type: kind.to_owned(), message: message.to_owned(), field: String::new() }
    }

    #[test]
    fn equal_reasons_and_kinds_of_warnings_are_told_once_with_their_rows() {
        let mut entries: Vec<Entry> = (1..=12).map(entry).collect();
        for entry in &mut entries[3..9] {
            entry.error = Some("{gift} is empty".to_owned());
        }
        entries[9].error = Some("has 2 cells".to_owned());
        entries[0].warnings = vec![warning("word_broken", "a"), warning("word_broken", "b")];
        entries[1].warnings = vec![warning("word_broken", "c"), warning("no_effect", "d")];
        let entries: Vec<&Entry> = entries.iter().collect();
        let expected = [
            "5 of 20 rows made, 7 failed; R say more",
            "rows 4, 5, 6 and 3 more: {gift} is empty",
            "row 10: has 2 cells",
            "warning word_broken in 2 rows, first in row 1: a",
            "warning no_effect in 1 row, first in row 2: d",
        ];
        assert_eq!(lines(&entries, 20, false, "R"), expected);
    }

    #[test]
    fn only_the_first_reasons_are_told() {
        let failed = |number| Entry { error: Some(format!("reason {number}")), ..entry(number) };
        let entries: Vec<Entry> = (1..=8).map(failed).collect();
        let lines = lines(&entries.iter().collect::<Vec<_>>(), 8, true, "R");
        assert_eq!(lines[0], "0 of 8 rows can be made, 8 cannot; nothing was drawn; R say more");
        assert_eq!((lines.len(), lines[6].as_str()), (7, "and 3 more reasons"));
    }
}
