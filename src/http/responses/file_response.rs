//! A page as a file: the PNG, PDF or SVG as the body, and the other fields of the JSON in headers.

use std::fmt::Write as _;

use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use super::page_response::{WireBlock, WireWarning};
use crate::pipeline::{Preview, RenderedFile, Warning};
use crate::spec::{FormatFacts, OutputName};

/// The headers that only a file has.
pub(super) const X_SEED: &str = "x-seed";
/// See [`X_SEED`].
pub(super) const X_CALCULATED_FONT_SIZE: &str = "x-calculated-font-size";
/// See [`X_SEED`].
pub(super) const X_WARNINGS: &str = "x-warnings";
/// See [`X_SEED`].
pub(super) const X_WIDTH: &str = "x-width";
/// See [`X_SEED`].
pub(super) const X_HEIGHT: &str = "x-height";
/// See [`X_SEED`]. A preview has none.
pub(super) const X_CHARACTERS_PROCESSED: &str = "x-characters-processed";
/// See [`X_SEED`]. Only a preview has it.
pub(super) const X_PREVIEW_WIDTH: &str = "x-preview-width";
/// See [`X_SEED`]. Only a preview has it.
pub(super) const X_PREVIEW_HEIGHT: &str = "x-preview-height";
/// See [`X_SEED`]. Only a PDF and an SVG have it.
pub(super) const X_WRITING: &str = "x-writing";
/// See [`X_SEED`]. Only a page or preview with blocks has it.
pub(super) const X_BLOCKS: &str = "x-blocks";
/// Every one of these headers.
pub(in crate::http) const NAMES: [&str; 10] = [
    X_SEED,
    X_CALCULATED_FONT_SIZE,
    X_WARNINGS,
    X_WIDTH,
    X_HEIGHT,
    X_CHARACTERS_PROCESSED,
    X_PREVIEW_WIDTH,
    X_PREVIEW_HEIGHT,
    X_WRITING,
    X_BLOCKS,
];

/// The most bytes of a header with a list. Clients and proxies refuse responses with headers of 8 KiB and more.
const LONGEST_HEADER: usize = 4096;
/// The type of the entry that stands for the warnings that a header has no room for.
const MORE_WARNINGS: &str = "more_warnings";

/// The bytes of a page and the headers of its response. The file name is `stem` with `.png`, `.pdf` or `.svg`; `stem`
/// has only letters, digits and `_`.
pub(in crate::http) fn page(
    file: RenderedFile,
    format: OutputName,
    stem: &str,
    characters: usize,
) -> (Vec<u8>, HeaderMap) {
    let mut headers = headers_of(&file, format.facts(), stem);
    headers.insert(X_CHARACTERS_PROCESSED, HeaderValue::from(characters));
    if !format.facts().is_image {
        headers.insert(X_WRITING, HeaderValue::from_static(file.writing.name()));
    }
    (file.bytes, headers)
}

/// As [`page`], of a preview.
pub(in crate::http) fn preview(preview: Preview, stem: &str) -> (Vec<u8>, HeaderMap) {
    let mut headers = headers_of(&preview.page, OutputName::Png.facts(), stem);
    headers.insert(X_PREVIEW_WIDTH, HeaderValue::from(preview.width));
    headers.insert(X_PREVIEW_HEIGHT, HeaderValue::from(preview.height));
    (preview.page.bytes, headers)
}

fn headers_of(file: &RenderedFile, format: FormatFacts, stem: &str) -> HeaderMap {
    let extension = format.name;
    let disposition = HeaderValue::try_from(format!("inline; filename=\"{stem}.{extension}\"")).ok();
    let blocks: Vec<WireBlock> = file.blocks.iter().map(WireBlock::from).collect();
    let json = |value: String| HeaderValue::try_from(value).ok();
    let headers = [
        (CONTENT_TYPE, Some(HeaderValue::from_static(format.media_type))),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, Some(HeaderValue::from_static("no-store"))),
        (HeaderName::from_static(X_SEED), Some(HeaderValue::from(file.seed))),
        (HeaderName::from_static(X_CALCULATED_FONT_SIZE), file.calculated_font_size.map(HeaderValue::from)),
        (HeaderName::from_static(X_WARNINGS), json(warnings_header(&file.warnings))),
        (HeaderName::from_static(X_BLOCKS), json(ascii_json(&blocks)).filter(|_| !blocks.is_empty())),
        (HeaderName::from_static(X_WIDTH), Some(HeaderValue::from(file.width))),
        (HeaderName::from_static(X_HEIGHT), Some(HeaderValue::from(file.height))),
    ];
    headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// The warnings as a JSON array of at most [`LONGEST_HEADER`] bytes. If it does not hold all of them, its last entry
/// says how many are left out.
fn warnings_header(warnings: &[Warning]) -> String {
    let entry = |left_out: usize| {
        let message = format!("{left_out} more warnings; the JSON answer and preflight list all of them");
        format!("{{\"type\":\"{MORE_WARNINGS}\",\"message\":\"{message}\"}}")
    };
    let mut array = String::from("[");
    for (number, warning) in warnings.iter().enumerate() {
        let separator = if number == 0 { "" } else { "," };
        let json = ascii_json(&WireWarning::from(warning));
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
    use crate::pipeline::WarningKind;

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
        for count in 0..200 {
            let header = warnings_header(&warnings(count));
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
        assert!(warnings_header(&warnings(200)).contains(MORE_WARNINGS));
    }
}
