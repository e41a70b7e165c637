//! Warnings about cells that were hardly meant for paper, and about placeholders of other programs with the names of
//! columns. What a text says beside them is found when its page is laid out.

use super::row_warning::RowWarning;
use crate::preflight::{foreign_placeholder, is_exported_value, letters, question_marks_in_word};
use crate::warning::{Warning, WarningKind};

/// Most words of a cell that is a name.
const MOST_WORDS: usize = 4;
/// The end of the names of columns that have names of people, in English and German.
const NAME: &str = "name";
/// The beginnings or ends of the names of columns that have dates.
const DATES: [&str; 10] =
    ["date", "datum", "due", "day", "birthday", "born", "geburtstag", "fecha", "anniversary", "dob"];
/// The numbers of the days from 1930 to 2059, counted from the end of 1899.
const DAYS: std::ops::RangeInclusive<u32> = 10_959..=58_440;

/// The first placeholder of another program in a text. `columns`: the names that one may have.
pub(crate) fn placeholder<'a>(text: &'a str, columns: &[String]) -> Option<&'a str> {
    foreign_placeholder(text, |name| columns.iter().any(|column| letters(column) == name))
}

/// The warning about a text of the row that has such a placeholder. `field`: where it stands in the request.
pub(crate) fn of_text(text: &str, field: &str, columns: &[String]) -> Option<RowWarning> {
    let found = placeholder(text, columns)?;
    let message = format!(
        "it says \"{found}\" literally; placeholders are {{column}}, with one brace, and with the name of a column"
    );
    Some(Warning::about(WarningKind::LiteralPlaceholder, field, &message).into())
}

/// The warning about a placeholder in the syntax of another program, of which a sign is written.
pub(crate) fn of_sign(found: &str, field: &str) -> RowWarning {
    let message = format!("the sign before the brace in \"{found}\" is written; placeholders are {{column}} alone");
    Warning::new(WarningKind::LiteralPlaceholder, field, message).into()
}

/// The warning about a cell that stands in this field, if programs export it instead of a value, or if it has lost letters.
pub(crate) fn of_cell(cell: &str, column: &str, field: &str) -> Option<RowWarning> {
    (is_exported_value(cell) || has_lost_letters(cell, column) || is_number_of_day(cell, column)).then(|| {
        let message = format!("{{{column}}} is \"{cell}\", which would be written; empty the cell or correct it");
        Warning::new(WarningKind::SuspiciousValue, field, message).into()
    })
}

/// Whether a cell of a column of dates is the number of a day, as spreadsheet programs keep it.
fn is_number_of_day(cell: &str, column: &str) -> bool {
    let column = letters(column);
    let is_of_dates = DATES.iter().any(|name| column.starts_with(name) || column.ends_with(name));
    is_of_dates && cell.len() == 5 && cell.parse::<u32>().is_ok_and(|day| DAYS.contains(&day))
}

/// Whether question marks stand for letters in a name: `M?ller`, and `Ren?` in a column of names.
fn has_lost_letters(cell: &str, column: &str) -> bool {
    let is_letter = |sign: char| sign.is_alphabetic() || matches!(sign, '?' | '\'' | '’' | '-' | ' ' | '.');
    let is_name = cell.chars().all(is_letter) && cell.split_whitespace().count() <= MOST_WORDS;
    let is_of_person = || letters(column).ends_with(NAME);
    is_name && (question_marks_in_word(cell, 1) || is_of_person() && cell.len() > 1 && cell.contains('?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_may_have_the_name_of_a_column() {
        let columns = ["Gift of Ann".to_owned()];
        let warning = of_text("Thank you for [Gift of Ann]", "text", &columns).unwrap();
        assert!(warning.message.starts_with("text: it says \"[Gift of Ann]\" literally"), "{warning:?}");
        assert_eq!(of_text("Thank you for [Gift of Bob]", "text", &columns), None);
    }

    #[test]
    fn cells_that_stand_for_nothing_are_found() {
        for cell in ["#N/A", "'02134", "NULL", "\\N", "nan", "M?ller", "Anna M??ller", "[object Object]"] {
            assert!(of_cell(cell, "gift", "text").unwrap().message.starts_with("{gift} is \""), "{cell}");
        }
        for cell in [
            "Null",
            "Nan Smith",
            "really??? yes",
            "N",
            "'95",
            "'tis",
            "What??",
            "Why?Because",
            "a.example/x?y",
            "what a day?i am glad to hear of it",
            "?",
        ] {
            assert!(of_cell(cell, "gift", "text").is_none(), "{cell}");
        }
        assert!(of_cell("45987", "Due date", "text").is_some() && of_cell("45987", "Geburtsdatum", "text").is_some());
        assert!(of_cell("45987", "zip", "text").is_none() && of_cell("4598", "date", "text").is_none());
        assert!(of_cell("Zo??", "First Name", "text").is_some() && of_cell("Ren?", "nachname", "text").is_some());
    }
}
