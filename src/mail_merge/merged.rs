//! Fills the texts of a row with the cells of its record.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::columns::{self, ColumnProblem, braced};
use super::row_warning::RowWarning;
use super::table::{Record, Table};
use super::template::Template;
use super::texts::Texts;
use super::{single_quotes, suspicious};

/// Longest part of a file name that a cell may be, in characters.
const LONGEST_PART: usize = 80;

/// What becomes of the columns of a table.
pub(crate) struct MailMerge<'a> {
    /// The texts of the pages.
    pub(crate) texts: &'a Texts,
    /// The names of the files.
    pub(crate) pattern: &'a Template,
    /// Members that all requests share.
    pub(crate) common: &'a Map<String, Value>,
    /// Whether an empty cell may stand in a text.
    pub(crate) allow_empty: bool,
}

/// A row with its texts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MergedRow {
    /// Counted from 1, without the header.
    pub(crate) number: usize,
    /// The generation request, or why there is none.
    pub(crate) request: Result<Value, String>,
    /// The name of its file.
    pub(crate) name: String,
    /// What looks wrong in its texts.
    pub(crate) warnings: Vec<RowWarning>,
}

impl MailMerge<'_> {
    /// Refuses placeholders without a column, and unused columns that were meant to be used. Returns what the user
    /// should know about the other unused ones. `ignored`: columns that need no note.
    ///
    /// # Errors
    /// The placeholder or the column, and what would be right.
    pub(crate) fn check(&self, columns: &[String], ignored: &[String]) -> Result<Option<String>, ColumnProblem> {
        columns::check(columns, self.texts, self.pattern, ignored)
    }

    /// The columns of which all cells stand in single quotes.
    pub(crate) fn quoted(table: &Table) -> Vec<&str> {
        let read: Vec<&[String]> = table.records.iter().filter_map(|record| record.cells.as_deref().ok()).collect();
        single_quotes::quoted_columns(&table.columns, &read)
    }

    /// The name of the file of a record.
    pub(crate) fn name(&self, width: usize, record: &Record, columns: &[String]) -> String {
        self.pattern.filled_with(value_of(width, record, columns), file_part)
    }

    /// The row of a record. `quoted`: columns in single quotes.
    pub(crate) fn row(&self, width: usize, record: &Record, columns: &[String], quoted: &[&str]) -> MergedRow {
        let number = record.number;
        let value = value_of(width, record, columns);
        let sound = record.cells.as_ref().map(|_| ()).map_err(String::clone);
        let request = sound.and_then(|()| self.full(value)).map(|()| {
            let mut request = self.common.clone();
            self.texts.fill(&mut request, value);
            Value::Object(request)
        });
        let name = self.name(width, record, columns);
        let filled = request.as_ref().ok().and_then(Value::as_object);
        let warnings = filled.map_or_else(Vec::new, |request| self.suspicious(request, value, columns, quoted));
        MergedRow { number, request, name, warnings }
    }

    /// Warnings about cells and texts of a row that look wrong.
    fn suspicious(
        &self,
        request: &Map<String, Value>,
        value: impl Fn(&str) -> String,
        columns: &[String],
        quoted: &[&str],
    ) -> Vec<RowWarning> {
        // Each cell is told once, at the first text that has it.
        let first: BTreeMap<&str, &str> = self.texts.placeholders_of_fields().into_iter().rev().collect();
        let cells = first.into_iter().filter_map(|(name, field)| {
            let cell = value(name);
            let in_quotes = quoted.contains(&name).then(|| single_quotes::warning(&cell, name, field)).flatten();
            in_quotes.or_else(|| suspicious::of_cell(&cell, name, field))
        });
        let signs = self.texts.foreign(&value).map(|(field, found)| suspicious::of_sign(&found, field));
        let texts = self.texts.filled(request);
        let texts = texts.iter().filter_map(|(field, text)| suspicious::of_text(text, field, columns));
        cells.chain(signs).chain(texts).collect()
    }

    /// Whether the texts lack no value.
    fn full(&self, value: impl Fn(&str) -> String) -> Result<(), String> {
        let empty = if self.allow_empty { Vec::new() } else { self.texts.empty(value) };
        let Some(first) = empty.first() else { return Ok(()) };
        let are = if empty.len() == 1 { "is" } else { "are" };
        Err(format!(
            "{} {are} empty; fill the cell, give a default in the template, such as {{{first}|…}}, or say --allow-empty",
            braced(&empty)
        ))
    }
}

/// What stands for each placeholder: the cell of its column, or the number of the row in `width` digits.
fn value_of(width: usize, record: &Record, columns: &[String]) -> impl Fn(&str) -> String + Copy {
    let (cells, number) = (record.cells.as_deref().unwrap_or_default(), record.number);
    move |name: &str| match columns.iter().position(|column| column == name) {
        Some(at) => cells.get(at).cloned().unwrap_or_default(),
        None => format!("{number:0width$}"),
    }
}

/// Whether a character separates folders, or a shell or Windows reserves it.
fn is_reserved(character: char) -> bool {
    character.is_control() || r#"/\:*?"<>|"#.contains(character)
}

/// A cell as part of a file name on any system.
fn file_part(cell: &str) -> String {
    let plain = |character| if is_reserved(character) { '_' } else { character };
    let part: String = cell.chars().map(plain).take(LONGEST_PART).collect();
    let part = part.trim_matches([' ', '.']);
    if part.is_empty() { "_".to_owned() } else { part.to_owned() }
}

/// Whether a name can stand in a folder of every system, and leads into no other.
pub(crate) fn is_file_name(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_plain = !name.chars().any(is_reserved);
    is_plain && !stem.is_empty() && !name.starts_with('.') && !stem.ends_with(['.', ' '])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_warning_names_the_field_whose_text_has_the_cell() {
        let common = json!({"blocks": [{"text": "{gift}"}, {"text": "{name} {sum}, {gift}"}]});
        let common = common.as_object().unwrap();
        let [page, pattern] = ["Dear {name}", "{row}"].map(|text| Template::parse(text).unwrap());
        let texts = Texts::new(Some(page), common).unwrap();
        let merge = MailMerge { texts: &texts, pattern: &pattern, common, allow_empty: false };
        let columns = ["name", "sum", "gift"].map(str::to_owned);
        let record = Record { number: 1, cells: Ok(["M?ller", "'7'", "#N/A"].map(str::to_owned).to_vec()) };
        let warnings = merge.row(1, &record, &columns, &["sum"]).warnings;
        let told: Vec<(&str, &str)> =
            warnings.iter().map(|warning| (&warning.message[..6], warning.field.as_str())).collect();
        assert_eq!(told, [("{gift}", "blocks[0].text"), ("{name}", "text"), ("{sum} ", "blocks[1].text")]);
    }

    #[test]
    fn a_cell_cannot_lead_out_of_the_folder_or_hide_the_file() {
        for (cell, part) in [
            ("../../etc/passwd", "_.._etc_passwd"),
            ("", "_"),
            (" . ", "_"),
            ("a:b\n", "a_b_"),
            ("Zoë Ünal", "Zoë Ünal"),
        ] {
            assert_eq!(file_part(cell), part, "{cell:?}");
        }
        assert_eq!(file_part(&"x".repeat(300)).len(), LONGEST_PART);
    }
}
