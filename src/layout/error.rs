//! Why a text cannot be laid out.

use thiserror::Error;

use crate::catalogue::FontId;
use crate::work::Stopped;

/// The most characters that a message names.
const NAMED: usize = 10;

/// A text that cannot be written in full, or a font that fails.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LayoutError {
    /// Letters, digits, marks or signs that no font has. Never empty; in text order, each character once.
    #[error("{}", unsupported_message(.0))]
    UnsupportedCharacters(Vec<UnsupportedCharacter>),
    /// The text does not fit the text area at the requested size, or at any size.
    #[error("{}", overflow_message(*.characters_that_fit, *.largest_size_that_fits))]
    TextOverflow {
        /// Characters of the received text before the first one that does not fit at the requested size (12 px for
        /// `auto`).
        characters_that_fit: usize,
        /// The largest whole size up to the requested one at which everything fits; `None` where 12 px is too large.
        largest_size_that_fits: Option<u32>,
    },
    /// A bundled font that cannot be used for shaping: a defect of this program, not of the request.
    #[error("font {} cannot be used for shaping", .0.get())]
    UnusableFont(FontId),
    /// The layout exceeded its budget of steps, or was cancelled.
    #[error("the text cannot be laid out: {0}")]
    Stopped(#[from] Stopped),
}

/// A character that no font has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnsupportedCharacter {
    /// The character.
    pub character: char,
    /// Its first position in the received text, in Unicode scalar values from 0.
    pub position: usize,
}

/// A character with its code point, or only the code point of a character that is invisible or would break the message.
pub(super) fn name_of(character: char) -> String {
    let point = u32::from(character);
    if character.is_control() || character.is_whitespace() || crate::catalogue::is_default_ignorable(character) {
        format!("U+{point:04X}")
    } else {
        format!("{character} (U+{point:04X})")
    }
}

/// Up to [`NAMED`] names, and the number of the others.
pub(super) fn list_of(names: &[String]) -> String {
    let shown = names.get(..NAMED.min(names.len())).unwrap_or_default().join(", ");
    let more = names.len().saturating_sub(NAMED);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}

fn unsupported_message(characters: &[UnsupportedCharacter]) -> String {
    let names: Vec<String> =
        characters.iter().map(|each| format!("{} at position {}", name_of(each.character), each.position)).collect();
    format!("no font can write {}; remove or replace", list_of(&names))
}

fn overflow_message(characters_that_fit: usize, largest: Option<u32>) -> String {
    let remedy = match largest {
        Some(size) => format!("the largest font_size that fits is {size}"),
        None => "it does not fit at any font_size from 12; shorten it, or use a larger page or box, or smaller margins"
            .to_owned(),
    };
    format!("the text does not fit: only the first {characters_that_fit} characters do; {remedy}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_a_limited_number_of_characters() {
        let all: Vec<UnsupportedCharacter> = ('\u{13000}'..'\u{13020}')
            .enumerate()
            .map(|(position, character)| UnsupportedCharacter { character, position })
            .collect();
        let message = LayoutError::UnsupportedCharacters(all).to_string();
        assert!(message.contains("𓀀 (U+13000) at position 0"), "{message}");
        assert!(message.contains("and 22 more") && !message.contains("U+1300A"), "{message}");
    }

    #[test]
    fn an_overflow_tells_the_size_that_fits() {
        let error = LayoutError::TextOverflow { characters_that_fit: 7, largest_size_that_fits: Some(31) };
        assert_eq!(
            error.to_string(),
            "the text does not fit: only the first 7 characters do; the largest font_size that fits is 31"
        );
    }
}
