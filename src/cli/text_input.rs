//! The text of one page: from an argument, a file or standard input.

use std::io::Read as _;
use std::path::Path;

use super::Failure;

/// Stands for standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// Reads a file, or standard input.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = if file == Path::new(STANDARD_INPUT) {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    read.map_err(Failure::io("read", file))
}

/// Reads a text in UTF-8.
pub(super) fn read_text(file: &Path) -> Result<String, Failure> {
    let text = String::from_utf8(read(file)?);
    let text = text.map_err(|_| Failure::BadData(format!("{} is not UTF-8; save it as UTF-8", name_of(file))))?;
    Ok(text.strip_prefix('\u{FEFF}').map(str::to_owned).unwrap_or(text))
}

fn name_of(file: &Path) -> String {
    if file == Path::new(STANDARD_INPUT) { "standard input".to_owned() } else { file.display().to_string() }
}

/// The text with `\n` as a line break, `\t` as a tab and `\\` as a backslash.
///
/// # Errors
/// Another escape.
pub(super) fn unescaped(text: &str) -> Result<String, Failure> {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(match characters.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('\\') => '\\',
            other => {
                let escape: String = other.into_iter().collect();
                let message = format!(
                    "text: with --escapes, \\{escape} means nothing; write \\n for a line break and \\\\ for a backslash"
                );
                return Err(Failure::Usage(message));
            }
        });
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_replaced_from_the_left() {
        assert_eq!(unescaped(r"a\nb\tc\\nd"), Ok("a\nb\tc\\nd".to_owned()));
        for text in [r"a\", r"a\x", r"C:\Temp"] {
            assert!(matches!(unescaped(text), Err(Failure::Usage(_))), "{text}");
        }
    }
}
