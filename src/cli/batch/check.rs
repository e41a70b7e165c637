//! Checks what all rows share before the first is made: the flags, and the texts around the placeholders.

use std::path::Path;

use serde_json::{Map, Value};

use super::renderer::spec_of;
use crate::catalogue::{FONT_COUNT, FontCatalogue};
use crate::cli::Failure;
use crate::cli::file_format::imply_format;
use crate::mail_merge::Texts;
use crate::pipeline::{LayoutError, RenderError, dry_run};
use crate::spec::Known;

/// The field that names a font.
const FONT_ID: &str = "font_id";
/// The field with pictures.
const ARTWORK: &str = "artwork";
/// Stands for a value.
const VALUE: &str = "x";

/// Refuses flags that no row can be made with, and a template that no row can be made from. The name of the
/// `output` stands for the format. Where a service makes the pages, `is_remote`, it alone knows the fonts of its
/// operator and the artwork of the key.
pub(super) fn refuse_common(
    common: &Map<String, Value>,
    texts: &Texts,
    output: &Path,
    is_remote: bool,
    (catalogue, known): (&FontCatalogue, &Known),
) -> Result<(), Failure> {
    let mut request = common.clone();
    let is_operators = |id: &Value| id.as_u64().is_some_and(|id| id > FONT_COUNT.into());
    if is_remote && request.get(FONT_ID).is_some_and(is_operators) {
        request.remove(FONT_ID);
    }
    if is_remote {
        request.remove(ARTWORK);
    }
    texts.fill(&mut request, |_| VALUE.to_owned());
    imply_format(&mut request, output)?;
    let spec = spec_of(&Value::Object(request), 0, known)?;
    // Whether the text fits depends on the values.
    match dry_run(&spec, catalogue) {
        Err(RenderError::Layout(error @ LayoutError::UnsupportedCharacters(_))) => {
            Err(Failure::BadData(format!("the template: {error}")))
        }
        Err(error @ RenderError::Block { error: LayoutError::UnsupportedCharacters(_), .. }) => {
            Err(Failure::BadData(error.to_string()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::mail_merge::Template;

    use super::*;

    #[test]
    fn what_no_row_can_be_made_with_is_found_at_once() {
        let catalogue = FontCatalogue::load().unwrap();
        let check = |flags: Value, text: &str| {
            let flags = flags.as_object().unwrap();
            let texts = Texts::new(Some(Template::parse(text).unwrap()), flags).unwrap();
            let known = Known::from(&catalogue.names());
            refuse_common(flags, &texts, Path::new("x.pdf"), false, (&catalogue, &known))
                .map_err(|error| error.to_string())
        };
        assert_eq!(check(json!({"overflow": "paginate"}), "Dear {name}"), Ok(()));
        assert_eq!(check(json!({"font_size": 400, "page_size": "dl"}), &"{name} ".repeat(50)), Ok(()), "may be short");
        for (flags, text, said) in [
            (json!({"font_id": 91}), "Dear {name}", "font_id:"),
            (json!({"generation_type": "address"}), "{name}", "font_size:"),
            (json!({"generation_type": "address", "font_size": 40}), "{a}\n{b}\n{c}\n{d}\n{e}\n{f}", "text:"),
            (json!({}), &"long ".repeat(2001), "text:"),
            (json!({}), "", "text:"),
            (
                json!({"blocks": [{"text": "\u{10D0}", "x": 9, "y": 9, "width": 99, "height": 99}]}),
                "Dear {name}",
                "blocks[0].text: no font can write",
            ),
            (json!({}), "Dear {name} \u{10D0}", "the template: no font can write"),
        ] {
            let error = check(flags, text).unwrap_err();
            assert!(error.contains(said), "{text:?}: {error}");
        }
    }
}
