//! How messages show received and allowed values. They quote only a short part of the input.

use serde_json::Value;

/// Longest piece of input that a message repeats, in characters.
const SHOWN_CHARACTERS: usize = 40;

/// The first characters of `text`, with an ellipsis if more follow. Control characters are escaped.
pub(crate) fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARACTERS).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN_CHARACTERS).is_some() {
        shown.push('…');
    }
    shown
}

/// The received value, in a few words.
pub(super) fn shown(input: &Value) -> String {
    match input {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("the string '{}'", shortened(text)),
        Value::Array(items) => format!("an array of {}", counted(items.len(), "item", "items")),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// `1 line`, `2 lines`.
pub(super) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn alternatives(choices: &[String]) -> String {
    match choices {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_input_is_shortened_and_controls_are_escaped() {
        assert_eq!(shortened("a\nb"), "a\\nb");
        assert_eq!(shortened(&"ä".repeat(40)), "ä".repeat(40));
        assert_eq!(shortened(&"ä".repeat(41)), format!("{}…", "ä".repeat(40)));
    }

    #[test]
    fn alternatives_read_as_a_sentence() {
        let list = |names: &[&str]| alternatives(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b"]), "a or b");
        assert_eq!(list(&["a", "b", "c"]), "a, b or c");
    }
}
