//! Warnings about what would be written literally and was hardly meant: placeholders of other programs, markup,
//! escapes, and words for nothing.

use super::row_warning::RowWarning;

/// The `type` of the warnings.
const LITERAL_PLACEHOLDER: &str = "literal_placeholder";
const SUSPICIOUS_VALUE: &str = "suspicious_value";

/// Cells that programs write for nothing.
const NOTHING: [&str; 11] =
    ["NULL", "null", "(null)", "\\N", "NaN", "nan", "None", "undefined", "N/A", "n/a", "[object Object]"];
/// Results of failed formulas, in English and German.
const FORMULA_ERRORS: [&str; 10] =
    ["#N/A", "#NV", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NULL!", "#NUM!", "#BEZUG!", "#WERT!"];
const TAGS: [&str; 12] = ["br", "p", "b", "i", "u", "em", "strong", "div", "span", "a", "li", "font"];
const ENTITIES: [&str; 22] = [
    "amp", "lt", "gt", "quot", "apos", "nbsp", "ndash", "mdash", "hellip", "rsquo", "lsquo", "rdquo", "ldquo", "euro",
    "szlig", "copy", "reg", "trade", "deg", "shy", "bull", "middot",
];
const ENTITY_ENDS: [&str; 9] = ["uml", "acute", "grave", "circ", "tilde", "cedil", "ring", "slash", "lig"];
/// Names of fields in any mail merge.
const USUAL_NAMES: [&str; 12] = [
    "name",
    "firstname",
    "lastname",
    "fullname",
    "vorname",
    "nachname",
    "prenom",
    "nombre",
    "city",
    "address",
    "company",
    "recipient",
];
/// What stands around the placeholders of other programs; those of which text has as well need a known name inside.
const PLACEHOLDERS: [(&str, &str, bool); 9] = [
    ("{{", "}}", true),
    ("${", "}", true),
    ("*|", "|*", true),
    ("<<", ">>", true),
    ("[[", "]]", true),
    ("%", "%", true),
    ("{", "}", true),
    ("«", "»", false),
    ("[", "]", false),
];

/// The first placeholder of another program in a text. `columns`: the names that one may have.
pub(super) fn placeholder<'a>(text: &'a str, columns: &[String]) -> Option<&'a str> {
    let is_known = |name: &str| {
        let name = letters(name);
        USUAL_NAMES.contains(&name.as_str()) || columns.iter().any(|column| letters(column) == name)
    };
    let found = PLACEHOLDERS.iter().filter_map(|(open, close, is_sure)| {
        text.match_indices(open).find_map(|(start, _)| {
            let inside = text.get(start + open.len()..)?;
            let end = inside.find(close)?;
            let name = inside.get(..end)?;
            let spaces = if *open == "%" { "" } else { " " };
            let is_name = name.trim().starts_with(|first: char| first.is_alphabetic() || first == '_')
                && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c) || spaces.contains(c));
            let whole = text.get(start..start + open.len() + end + close.len())?;
            (is_name && (*is_sure || is_known(name))).then_some((start, whole))
        })
    });
    found.min_by_key(|(start, whole)| (*start, usize::MAX - whole.len())).map(|(_, whole)| whole)
}

/// What in a text was hardly meant to be written.
pub(super) fn markup(text: &str) -> Option<String> {
    escape(text).or_else(|| tag(text)).or_else(|| entity(text)).or_else(|| {
        let lost = text.contains('\u{FFFD}') || question_in_word(text);
        lost.then(|| "?".to_owned())
    })
}

/// The warning about a text of the row, if something in it was hardly meant. `field`: where it stands in the request.
pub(super) fn of_text(text: &str, field: &str, columns: &[String]) -> Option<RowWarning> {
    if let Some(found) = placeholder(text, columns) {
        let message = format!(
            "{field} says \"{found}\" literally; placeholders are {{column}}, with one brace, and with the name of a \
             column"
        );
        return Some(warning(LITERAL_PLACEHOLDER, message, field));
    }
    let found = markup(text)
        .or_else(|| FORMULA_ERRORS.iter().find(|error| text.contains(**error)).map(|error| (*error).to_owned()))?;
    let message = format!("{field} says \"{found}\" literally; correct the cell or the template if it is no text");
    Some(warning(SUSPICIOUS_VALUE, message, field))
}

/// The warning about a placeholder in the syntax of another program, of which a sign is written.
pub(super) fn of_sign(found: &str) -> RowWarning {
    let message = format!("the sign before the brace in \"{found}\" is written; placeholders are {{column}} alone");
    warning(LITERAL_PLACEHOLDER, message, "text")
}

/// The warning about a cell, if programs write it for nothing.
pub(super) fn of_cell(cell: &str, column: &str) -> Option<RowWarning> {
    let is_nothing = NOTHING.contains(&cell) || FORMULA_ERRORS.contains(&cell);
    let ends_lost = cell.ends_with("??") && !cell.contains(char::is_whitespace);
    (is_nothing || ends_lost).then(|| {
        let message = format!("{{{column}}} is \"{cell}\", which would be written; empty the cell or correct it");
        warning(SUSPICIOUS_VALUE, message, "text")
    })
}

/// The letters and digits of a name, without case and separators.
pub(super) fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn warning(kind: &str, message: String, field: &str) -> RowWarning {
    RowWarning { r#type: kind.to_owned(), message, field: field.to_owned() }
}

/// A backslash before a letter of an escape or a quote.
fn escape(text: &str) -> Option<String> {
    let at = text.match_indices('\\').find(|(at, _)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        rest.starts_with(['n', 'r', 't', '"', '\''])
            || rest
                .strip_prefix('u')
                .is_some_and(|digits| digits.chars().take(4).all(|c| c.is_ascii_hexdigit()) && digits.len() >= 4)
    });
    at.and_then(|(at, _)| text.get(at..at + 2)).map(str::to_owned)
}

fn tag(text: &str) -> Option<String> {
    text.match_indices('<').find_map(|(at, _)| {
        let inside = text.get(at + 1..)?;
        let inside = inside.get(..inside.find('>')?)?;
        let name = inside.trim_start_matches('/').split([' ', '/']).next()?.to_lowercase();
        TAGS.contains(&name.as_str()).then(|| format!("<{inside}>"))
    })
}

fn entity(text: &str) -> Option<String> {
    text.match_indices('&').find_map(|(at, _)| {
        let name = text.get(at + 1..)?;
        let name = name.get(..name.find(';').filter(|length| *length <= 8)?)?;
        let is_number = name.strip_prefix('#').is_some_and(|number| {
            let digits = number.trim_start_matches(['x', 'X']);
            !digits.is_empty() && digits.chars().all(|c| c.is_ascii_hexdigit())
        });
        let is_letter = ENTITY_ENDS.iter().any(|end| name.len() > end.len() && name.ends_with(end));
        (is_number || is_letter || ENTITIES.contains(&name)).then(|| format!("&{name};"))
    })
}

/// Whether question marks stand in a word, where a program had no letter.
fn question_in_word(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let is_letter = |character: Option<&char>| character.is_some_and(|character| character.is_alphabetic());
    (0..characters.len()).filter(|at| characters.get(*at) == Some(&'?')).any(|at| {
        let first = characters.get(..at).unwrap_or_default().iter().rev().find(|character| **character != '?');
        let rest = characters.get(at..).unwrap_or_default();
        let count = rest.iter().take_while(|character| **character == '?').count();
        let starts_word = count > 1 && !is_letter(first);
        is_letter(rest.get(count)) && (is_letter(first) || starts_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_of_other_programs_are_found() {
        let columns = ["Gift of Ann".to_owned()];
        for found in [
            "{{name}}",
            "{name}",
            "«Name»",
            "%NAME%",
            "${name}",
            "[Name]",
            "<<Name>>",
            "*|FNAME|*",
            "[First Name]",
            "«gift_of_ann»",
        ] {
            assert_eq!(placeholder(&format!("Dear {found},\nthank you"), &columns), Some(found));
        }
        for text in ["100 % of 5 %", "«Bonjour»", "[sic]", "{ }", "a <b> c", "1 << 2 >> 3", "50%off%", "{1}"] {
            let found = placeholder(text, &columns);
            assert!(found.is_none() || text.contains("%off%"), "{text}: {found:?}");
        }
    }

    #[test]
    fn markup_and_lost_letters_are_found() {
        for (text, found) in [
            ("Ann,\\nthank you", "\\n"),
            ("\\\"Bob\\\"", "\\\""),
            ("Zo\\u00eb", "\\u"),
            ("one<br>two", "<br>"),
            ("<br />", "<br />"),
            ("a</p>", "</p>"),
            ("Tom &amp; Ann", "&amp;"),
            ("Zo&euml;", "&euml;"),
            ("O&#39;Shea", "&#39;"),
            ("M?ller", "?"),
            ("Fran??ois", "?"),
            ("??ukasz", "?"),
            ("Zo\u{FFFD}", "?"),
        ] {
            assert_eq!(markup(text).as_deref(), Some(found), "{text}");
        }
        for text in ["Really??", "Why? Because", "AT&T;", "Tom & Ann; Bob", "a < b > c", "C:\\Temp", "?"] {
            assert_eq!(markup(text), None, "{text}");
        }
    }

    #[test]
    fn cells_that_stand_for_nothing_are_found() {
        for cell in ["#N/A", "NULL", "\\N", "nan", "Zo??"] {
            assert!(of_cell(cell, "gift").unwrap().message.starts_with("{gift} is \""), "{cell}");
        }
        for cell in ["Null", "Nan Smith", "really??? yes", "N"] {
            assert!(of_cell(cell, "gift").is_none(), "{cell}");
        }
    }
}
