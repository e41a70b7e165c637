//! Names of files for people and logs.

use std::path::Path;

/// The path with characters escaped that a terminal or log would not show as they are: control characters, line
/// separators, and marks that reverse the direction of text.
#[must_use]
pub fn printable(path: &Path) -> String {
    let mut shown = String::new();
    for character in path.to_string_lossy().chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{61C}'
                | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}'
                | '\u{2060}'..='\u{206F}'
                | '\u{FEFF}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_a_line() {
        let name = "fonts/é 'ann'\u{1b}[31m\n2026 INFO\u{9b}\u{202E}\u{2028}.ttf";
        let shown = r"fonts/é 'ann'\u{1b}[31m\u{a}2026 INFO\u{9b}\u{202e}\u{2028}.ttf";
        assert_eq!(printable(Path::new(name)), shown);
    }
}
