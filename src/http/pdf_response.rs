//! A generated PDF: the file as the body, and the fields of the picture JSON in headers.

use std::fmt::Write as _;

use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::page_response::WireWarning;
use crate::pipeline::{RenderedFile, Warning};

/// The headers that only a PDF has.
pub(super) const X_SEED: &str = "x-seed";
/// See [`X_SEED`].
pub(super) const X_CALCULATED_FONT_SIZE: &str = "x-calculated-font-size";
/// See [`X_SEED`].
pub(super) const X_WARNINGS: &str = "x-warnings";
/// See [`X_SEED`].
pub(super) const X_WRITING: &str = "x-writing";

/// The bytes of `rendered_file` and the headers of its response. The file name is `file_stem` with `.pdf`; `file_stem`
/// has only letters, digits and `_`.
pub(super) fn parts(rendered_file: RenderedFile, file_stem: &str) -> (Vec<u8>, HeaderMap) {
    let disposition = HeaderValue::try_from(format!("inline; filename=\"{file_stem}.pdf\"")).ok();
    let warnings = HeaderValue::try_from(ascii_json(&rendered_file.warnings)).ok();
    let font_size = rendered_file.calculated_font_size.map(HeaderValue::from);
    let headers = [
        (CONTENT_TYPE, Some(HeaderValue::from_static("application/pdf"))),
        (CONTENT_DISPOSITION, disposition),
        (CACHE_CONTROL, Some(HeaderValue::from_static("no-store"))),
        (HeaderName::from_static(X_SEED), Some(HeaderValue::from(rendered_file.seed))),
        (HeaderName::from_static(X_CALCULATED_FONT_SIZE), font_size),
        (HeaderName::from_static(X_WARNINGS), warnings),
        (HeaderName::from_static(X_WRITING), Some(HeaderValue::from_static(rendered_file.writing.name()))),
    ];
    (rendered_file.bytes, headers.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}

/// The warnings as JSON on one line of visible ASCII. Other characters are `\u` escapes of UTF-16.
fn ascii_json(warnings: &[Warning]) -> String {
    let warnings: Vec<WireWarning<'_>> = warnings.iter().map(WireWarning::from).collect();
    // Plain strings always serialise.
    let json = serde_json::to_string(&warnings).unwrap_or_default();
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
        let warnings = [Warning { kind: WarningKind::CharactersOmitted, message: message.clone() }];
        let header = ascii_json(&warnings);
        assert!(header.bytes().all(|byte| matches!(byte, b' '..=b'~')), "{header}");
        assert!(HeaderValue::try_from(&header).is_ok());
        let read: serde_json::Value = serde_json::from_str(&header).unwrap();
        assert_eq!(read, serde_json::json!([{"type": "characters_omitted", "message": message}]));
        assert_eq!(ascii_json(&[]), "[]");
    }
}
