//! The columns of a table and the placeholders: every placeholder needs its column.
//!
//! A column that nothing uses is a note, since exports have dozens of them; it is an error where its name shows that it
//! was meant to be used.

use super::suspicious;
use super::template::{ROW, Template};
use super::texts::{Texts, each_once};
use crate::preflight::letters;
use crate::spec::fields;

/// Columns that a note names.
const MOST_NAMED: usize = 5;
/// Names this short differ by one letter from too many others.
const SHORTEST_COMPARED: usize = 5;

/// Why placeholders and columns do not go together.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ColumnProblem {
    /// Whether a name among those to ignore is wrong.
    pub(crate) is_of_ignored: bool,
    pub(crate) message: String,
}

impl From<String> for ColumnProblem {
    fn from(message: String) -> Self {
        Self { is_of_ignored: false, message }
    }
}

/// Refuses placeholders without a column, and unused columns whose names are near to a placeholder or a field of the
/// request. Returns what the user should know about the other unused ones.
pub(crate) fn check(
    columns: &[String],
    texts: &Texts,
    pattern: &Template,
    ignored: &[String],
) -> Result<Option<String>, ColumnProblem> {
    let has = |name: &str| columns.iter().any(|column| column == name);
    let used: Vec<&str> = texts.placeholders().chain(pattern.placeholders()).collect();
    let missing = each_once(used.iter().copied().filter(|name| *name != ROW && !has(name)));
    if !missing.is_empty() {
        return Err(format!("no column for {}; the columns are {}", braced(&missing), columns.join(", ")).into());
    }
    if let Some(name) = ignored.iter().find(|name| !has(name)) {
        let message = format!("there is no column {name}; the columns are {}", columns.join(", "));
        return Err(ColumnProblem { is_of_ignored: true, message });
    }
    let is_twice = |name: &&str| columns.iter().filter(|column| column == name).count() > 1;
    if let Some(name) = used.iter().copied().find(|name| is_twice(name)) {
        return Err(format!("two columns are named '{name}'; rename one, so that {{{name}}} means one of them").into());
    }
    let is_unused = |name: &&str| !used.contains(name) && !ignored.iter().any(|ignored| ignored == name);
    let unused: Vec<&str> = columns.iter().map(String::as_str).filter(is_unused).collect();
    if unused.is_empty() {
        return Ok(None);
    }
    let flag = unused.join(",");
    for text in texts.without_values() {
        let found = suspicious::placeholder(&text, columns);
        let meant = found.and_then(|found| unused.iter().find(|name| letters(name) == letters(found)));
        if let (Some(found), Some(name)) = (found, meant) {
            return Err(format!(
                "the template says \"{found}\" literally; write {{{name}}} with one brace, or say --ignore {flag}"
            )
            .into());
        }
    }
    for name in &unused {
        if let Some(meant) = used.iter().find(|used| is_near(name, used)) {
            return Err(format!(
                "nothing uses {{{name}}}, which is almost {{{meant}}}; correct the template or the header, or say \
                 --ignore {flag}"
            )
            .into());
        }
        if let Some(field) = fields().iter().map(|field| field.name).find(|field| is_near(name, field)) {
            return Err(format!(
                "nothing uses {{{name}}}, which is named like the field {field} of a request; fields are set by flags, \
                 for all rows; say --ignore {flag} if it is none"
            )
            .into());
        }
    }
    let named = unused.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = match unused.len().saturating_sub(MOST_NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let columns = if unused.len() == 1 { "column" } else { "columns" };
    Ok(Some(format!("nothing uses the {columns} {named}{more}")))
}

/// `{a}, {b}`.
pub(crate) fn braced(names: &[&str]) -> String {
    names.iter().map(|name| format!("{{{name}}}")).collect::<Vec<_>>().join(", ")
}

/// Whether two names are the same but for case, separators and at most one letter. Numbers tell columns apart.
fn is_near(name: &str, other: &str) -> bool {
    let (name, other) = (letters(name), letters(other));
    let digits = |name: &str| name.chars().filter(|character| character.is_numeric()).collect::<String>();
    let is_long = name.chars().count().min(other.chars().count()) >= SHORTEST_COMPARED;
    name == other || is_long && digits(&name) == digits(&other) && strsim::osa_distance(&name, &other) <= 1
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    fn columns(names: &[&str], text: &str, ignored: &[&str]) -> Result<Option<String>, String> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let ignored: Vec<String> = ignored.iter().map(|name| (*name).to_owned()).collect();
        let [text, pattern] = [text, "{row}-{id}.png"].map(|source| Template::parse(source).unwrap());
        let checked = check(&names, &Texts::new(Some(text), &Map::new()).unwrap(), &pattern, &ignored);
        checked.map_err(|problem| problem.message)
    }

    #[test]
    fn every_placeholder_has_a_column_and_unused_columns_are_told() {
        assert_eq!(columns(&["id", "name"], "{name}", &[]), Ok(None));
        assert!(columns(&["id"], "{b} {a} {b}", &[]).unwrap_err().starts_with("no column for {b}, {a};"));
        assert_eq!(columns(&["id", "name", "age"], "{name}", &["age"]), Ok(None));
        let note = columns(&["id", "name", "age"], "{name}", &[]).unwrap().unwrap();
        assert_eq!(note, "nothing uses the column age");
        let names = ["id", "name", "age", "age", "phone", "phone2", "address1", "address2", "state"];
        let note = columns(&names, "{name} {address1}", &[]).unwrap().unwrap();
        assert_eq!(note, "nothing uses the columns age, age, phone, phone2, address2 and 1 more");
        for (names, text, ignored, said) in [
            (&["id", "name"][..], "{nmae}", &[][..], "{nmae}; the columns are id, name"),
            (&["id", "name"], "{name}", &["age"], "there is no column age;"),
            (&["id", "name", "id"], "{name}", &[], "two columns are named 'id'"),
        ] {
            let error = columns(names, text, ignored).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_column_in_the_syntax_of_another_program_is_an_error() {
        for text in ["Dear {{name}}", "Dear «Name»", "Dear %NAME%"] {
            let error = columns(&["id", "name"], text, &[]).unwrap_err();
            assert!(error.contains("literally; write {name}"), "{error}");
            assert_eq!(columns(&["id", "name"], text, &["name"]), Ok(None));
        }
    }

    #[test]
    fn an_unused_column_that_was_meant_to_be_used_is_an_error() {
        for (name, said) in [
            ("Greet-ing", "almost {greeting}"),
            ("greetings", "almost {greeting}"),
            ("Font Size", "the field font_size"),
            ("font_ids", "the field font_id"),
            ("text", "the field text"),
        ] {
            let error = columns(&["id", "greeting", name], "{greeting}", &[]).unwrap_err();
            assert!(error.contains(said) && error.contains("--ignore"), "{error}");
            assert_eq!(columns(&["id", "greeting", name], "{greeting}", &[name]), Ok(None));
        }
    }
}
