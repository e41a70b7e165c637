//! A page as a file: the PNG, PDF or SVG as the body, and the other fields of the JSON in headers.

use std::fmt::Write as _;

use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use super::page_response::{PageResponse, WireWarning};
use crate::spec::OutputName;

/// The most bytes of a header with a list. Clients and proxies refuse responses with headers of 8 KiB and more.
const LONGEST_HEADER: usize = 4096;
/// The type of the entry that stands for the warnings that a header has no room for.
const MORE_WARNINGS: &str = "more_warnings";

/// The headers of a page as a file: every whole number of its JSON, and its lists. The file name is `stem` with `.png`,
/// `.pdf` or `.svg`; `stem` has only letters, digits and `_`.
pub(in crate::http) fn file_headers(
    page: &PageResponse<'_, impl Serialize>,
    format: OutputName,
    stem: &str,
) -> HeaderMap {
    let (extension, format) = (format.name(), format.facts());
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(format.media_type));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if !format.is_image {
        headers.insert("x-writing", HeaderValue::from_static(page.representation.name()));
    }
    // Plain numbers and strings always serialise.
    let members = serde_json::to_value(page).unwrap_or_default();
    for (name, value) in members.as_object().into_iter().flatten() {
        let name = HeaderName::try_from(format!("x-{}", name.replace('_', "-")));
        if let (Ok(name), Some(number)) = (name, value.as_u64()) {
            headers.insert(name, HeaderValue::from(number));
        }
    }
    let texts = [
        (CONTENT_DISPOSITION, Some(format!("inline; filename=\"{stem}.{extension}\""))),
        (HeaderName::from_static("x-warnings"), Some(warnings_header(&page.warnings))),
        (HeaderName::from_static("x-blocks"), (!page.blocks.is_empty()).then(|| ascii_json(&page.blocks))),
    ];
    headers.extend(texts.into_iter().filter_map(|(name, text)| Some((name, HeaderValue::try_from(text?).ok()?))));
    headers
}

/// The warnings as a JSON array of at most [`LONGEST_HEADER`] bytes. If it does not hold all of them, its last entry
/// says how many are left out.
fn warnings_header(warnings: &[WireWarning<'_>]) -> String {
    let entry = |left_out: usize| {
        let message = format!("{left_out} more warnings; the JSON answer and preflight list all of them");
        format!("{{\"type\":\"{MORE_WARNINGS}\",\"message\":\"{message}\"}}")
    };
    let mut array = String::from("[");
    for (number, warning) in warnings.iter().enumerate() {
        let separator = if number == 0 { "" } else { "," };
        let json = ascii_json(warning);
        let rest = if number + 1 == warnings.len() { 0 } else { entry(warnings.len()).len() + 1 };
        if array.len() + separator.len() + json.len() + rest + 1 > LONGEST_HEADER {
            array += separator;
            array += &entry(warnings.len() - number);
            break;
        }
        array += separator;
        array += &json;
    }
    array + "]"
}

/// JSON on one line of visible ASCII. Other characters are `\u` escapes of UTF-16.
fn ascii_json(value: &impl Serialize) -> String {
    // Plain strings and numbers always serialise.
    let json = serde_json::to_string(value).unwrap_or_default();
    let mut ascii = String::with_capacity(json.len());
    for character in json.chars() {
        if matches!(character, ' '..='~') {
            ascii.push(character);
        } else {
            for unit in character.encode_utf16(&mut [0; 2]) {
                // Writing to a string does not fail.
                let _ = write!(ascii, "\\u{unit:04x}");
            }
        }
    }
    ascii
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Warning, WarningKind};

    #[test]
    fn warnings_fit_a_header_and_mean_the_same() {
        let message = "left out: 🙂 “é”, a \"quote\", a \\, a tab\t, a line\r\nX-Evil: 1 and \u{7F}".to_owned();
        let warnings = [Warning::new(WarningKind::CharactersOmitted, "text", message.clone())];
        let header = ascii_json(&warnings.each_ref().map(WireWarning::from));
        assert!(header.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{header}");
        assert!(HeaderValue::try_from(&header).is_ok());
        let read: serde_json::Value = serde_json::from_str(&header).unwrap();
        assert_eq!(read, serde_json::json!([{"type": "characters_omitted", "message": message, "field": "text"}]));
        assert_eq!(ascii_json(&Vec::<u8>::new()), "[]");
    }

    #[test]
    fn a_header_holds_whole_warnings_and_counts_the_rest() {
        let warnings = |count: usize| -> Vec<Warning> {
            let message = |number: usize| format!("blocks[{number}].text: 🙂 is left out, {}", "é".repeat(number % 40));
            let warning = |number| Warning::new(WarningKind::CharactersOmitted, "text", message(number));
            (0..count).map(warning).collect()
        };
        let header_of = |count| warnings_header(&warnings(count).iter().map(WireWarning::from).collect::<Vec<_>>());
        for count in 0..200 {
            let header = header_of(count);
            let read: Vec<serde_json::Value> = serde_json::from_str(&header).unwrap();
            assert!(header.len() <= LONGEST_HEADER && HeaderValue::try_from(&header).is_ok(), "{}", header.len());
            match read.last() {
                Some(last) if last["type"] == MORE_WARNINGS => {
                    let left_out = count + 1 - read.len();
                    assert!(last["message"].as_str().unwrap().starts_with(&format!("{left_out} more")), "{last}");
                    assert!(left_out > 0 && header.len() > LONGEST_HEADER / 2, "{}", header.len());
                }
                _ => assert_eq!(read.len(), count),
            }
        }
        assert!(header_of(200).contains(MORE_WARNINGS));
    }
}
