//! Standard output and standard error. Only this file writes to them.

use std::io::{self, Write as _};

use serde::Serialize;

use super::Failure;

/// Prints a result with a final newline. A closed pipe (`… | head`) is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    match writeln!(io::stdout().lock(), "{text}").and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Io(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a result as JSON where that is asked for, and else as text.
pub(super) fn print_result(as_json: bool, value: &impl Serialize, text: &str) -> Result<(), Failure> {
    if !as_json {
        return print(text);
    }
    print(&serde_json::to_string_pretty(value).map_err(Failure::internal("no JSON"))?)
}

/// Prints a note or a failure on standard error. It may repeat texts of others, such as a service or a CSV file, so
/// control characters are escaped.
pub(super) fn note(text: &str) {
    // Without standard error there is nowhere to report a failure.
    let _ = writeln!(io::stderr().lock(), "{}", without_controls(text));
}

/// The text with its control characters as `\u{1b}`, except for tabs and line breaks.
fn without_controls(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        let shown = without_controls("a\x1b]0;title\x07\r\u{9b}31m\x7f\x00\tGrüße\n  b");
        assert_eq!(shown, "a\\u{1b}]0;title\\u{7}\\u{d}\\u{9b}31m\\u{7f}\\u{0}\tGrüße\n  b");
    }
}
