//! Warnings about what a text says literally and hardly means.

use super::literal_placeholder::foreign_placeholder;
use super::suspicious_text::suspicious;
use crate::spec::{RenderSpec, field_of};
use crate::warning::{Warning, WarningKind};

/// The warnings about the words of the page and of its blocks: of each kind one a text.
pub(crate) fn text_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let body = (None, spec.text.as_str());
    let blocks = (0..).zip(&spec.blocks).map(|(number, block)| (Some(number), block.text.as_str()));
    std::iter::once(body)
        .chain(blocks)
        .flat_map(|(block, text)| warnings_of(text, &field_of(block, "text")))
        .flatten()
        .collect()
}

fn warnings_of(text: &str, field: &str) -> [Option<Warning>; 2] {
    let about = |kind, found: Vec<&str>| {
        let quoted: Vec<String> = found.iter().map(|found| format!("\"{found}\"")).collect();
        let message = format!("it says {} literally; correct it if it is not meant so", quoted.join(", "));
        (!found.is_empty()).then(|| Warning::about(kind, field, &message))
    };
    let placeholder = foreign_placeholder(text, |_| false);
    let suspicious = suspicious(text);
    [
        about(WarningKind::LiteralPlaceholder, placeholder.into_iter().collect()),
        about(WarningKind::SuspiciousValue, suspicious.iter().map(String::as_str).collect()),
    ]
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::catalogue::FontCatalogue;
    use crate::spec::{Endpoint, parse_value_for};

    #[test]
    fn words_of_the_page_and_of_its_blocks_are_named_by_their_fields() {
        let block = |text: &str| json!({"text": text, "x": 0, "y": 0, "width": 500, "height": 200});
        let request = json!({"text": "Dear [Name],\\nthank you", "blocks": [block("Tom"), block("a &amp; b\\n\\nc")]});
        let spec =
            parse_value_for(&FontCatalogue::load().unwrap().names(), &request, Endpoint::Generate, || 1).unwrap();
        let said: Vec<String> = text_warnings(&spec)
            .iter()
            .map(|warning| format!("{} {} {}", warning.kind.name(), warning.field, warning.message))
            .collect();
        assert_eq!(
            said,
            [
                "literal_placeholder text text: it says \"[Name]\" literally; correct it if it is not meant so",
                "suspicious_value text text: it says \"\\n\" literally; correct it if it is not meant so",
                "suspicious_value blocks[1].text blocks[1].text: it says \"\\n\", \"&amp;\" literally; correct it if it is not meant so",
            ]
        );
    }
}
