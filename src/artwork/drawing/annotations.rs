//! Finds annotations of a page that are seen: form fields, stamps, free text. They are no content of the page, so a
//! drawing would lack them.

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream};

use super::contents;

/// Kinds that are beside what the page shows (ISO 32000-1, 12.5.6): links, notes, and what is attached.
const BESIDE: [&[u8]; 5] = [b"FileAttachment", b"Link", b"Popup", b"Sound", b"Text"];
/// Flags (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;
/// Operators that paint, and those that show text.
const PAINT: [&str; 13] = ["b", "b*", "B", "B*", "BI", "Do", "EI", "f", "f*", "F", "s", "S", "sh"];
const SHOW_TEXT: [&str; 4] = ["Tj", "TJ", "'", "\""];
/// The most fields above one.
const MOST_PARENTS: usize = 64;

/// The kind of an annotation of a page that is seen on screen or in print, if there is one.
pub(super) fn seen(document: &Document, page: ObjectId) -> Option<String> {
    let page = document.get_dictionary(page).ok()?;
    let all = page.get_deref(b"Annots", document).and_then(Object::as_array).ok()?;
    let mut annotations = all.iter().filter_map(|each| document.dereference(each).ok()?.1.as_dict().ok());
    let kind = annotations.find_map(|of| Annotation { document, of }.seen_kind())?;
    Some(String::from_utf8_lossy(kind).into_owned())
}

/// An annotation.
#[derive(Clone, Copy)]
struct Annotation<'a> {
    document: &'a Document,
    of: &'a Dictionary,
}

impl<'a> Annotation<'a> {
    fn entry(self, name: &[u8]) -> Option<&'a Object> {
        self.of.get_deref(name, self.document).ok()
    }

    /// Its kind, if it is seen.
    fn seen_kind(self) -> Option<&'a [u8]> {
        let kind = self.entry(b"Subtype").and_then(|kind| kind.as_name().ok()).unwrap_or_default();
        let flags = self.entry(b"F").and_then(|flags| flags.as_i64().ok()).unwrap_or_default();
        let is_off = flags & HIDDEN != 0 || flags & (NO_VIEW | PRINT) == NO_VIEW;
        if BESIDE.contains(&kind) || is_off || self.is_empty() {
            return None;
        }
        let is_field = kind == b"Widget";
        let paints = match self.appearance() {
            Appearance::Shown(content) => paints(content),
            Appearance::Off => false,
            // Viewers draw most kinds by themselves then, and fields with their values.
            Appearance::None => !is_field,
        };
        (paints || is_field && has_value(self.document, self.of)).then_some(kind)
    }

    /// Whether its box has no area: a signature that is not seen.
    fn is_empty(self) -> bool {
        let sides = self.entry(b"Rect").and_then(|sides| sides.as_array().ok());
        let number = |side| self.document.dereference(side).ok()?.1.as_float().ok();
        let sides: Vec<f32> = sides.into_iter().flatten().filter_map(number).collect();
        matches!(sides[..], [left, bottom, right, top] if (right - left) * (top - bottom) == 0.0)
    }

    /// What it looks like while nobody points at it (12.5.5).
    fn appearance(self) -> Appearance<'a> {
        let usual = self.entry(b"AP").and_then(|all| all.as_dict().ok()?.get_deref(b"N", self.document).ok());
        match usual {
            Some(Object::Stream(content)) => Appearance::Shown(content),
            Some(Object::Dictionary(states)) => {
                let state = self.entry(b"AS").and_then(|state| state.as_name().ok());
                match state.and_then(|state| states.get_deref(state, self.document).ok()) {
                    Some(Object::Stream(content)) => Appearance::Shown(content),
                    _ => Appearance::Off,
                }
            }
            _ => Appearance::None,
        }
    }
}

/// What an annotation looks like.
enum Appearance<'a> {
    /// As this content.
    Shown(&'a Stream),
    /// As nothing in the state that it has.
    Off,
    /// The file does not tell.
    None,
}

/// Whether content paints anything. What cannot be read may do so.
fn paints(stream: &Stream) -> bool {
    let content = contents::of_stream(stream).ok().and_then(|content| Content::decode_strict(&content).ok());
    content.is_none_or(|content| {
        content.operations.iter().any(|operation| {
            let operator = operation.operator.as_str();
            PAINT.contains(&operator) || SHOW_TEXT.contains(&operator) && operation.operands.iter().any(has_letters)
        })
    })
}

/// Whether an operand has text.
fn has_letters(operand: &Object) -> bool {
    match operand {
        Object::String(text, _) => !text.is_empty(),
        Object::Array(parts) => parts.iter().any(has_letters),
        _ => false,
    }
}

/// Whether a field, or one above it, is filled (12.7.3.1).
fn has_value(document: &Document, field: &Dictionary) -> bool {
    let mut field = field;
    for _ in 0..MOST_PARENTS {
        match field.get_deref(b"V", document) {
            Ok(Object::Null) | Err(_) => {}
            Ok(Object::Name(state)) => return state != b"Off",
            Ok(Object::String(text, _)) => return !text.is_empty(),
            Ok(Object::Array(items)) => return !items.is_empty(),
            Ok(_) => return true,
        }
        let Ok(parent) = field.get_deref(b"Parent", document).and_then(Object::as_dict) else { break };
        field = parent;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::super::error::ArtworkError;
    use super::super::fixtures::{Pdf, stream};
    use super::super::one_page::OnePage;

    /// Whether a page with an annotation of these entries is refused.
    fn is_refused(entries: &str) -> bool {
        let form = |content: &str| stream("/Subtype/Form/BBox[0 0 9 9]", content);
        let pdf = Pdf {
            page: "/MediaBox[0 0 144 72]/Annots[6 0 R]",
            objects: &[
                &format!("<</Type/Annot/Rect[0 0 40 20]{entries}>>"),
                &form("/Tx BMC q BT /F 9 Tf () Tj [] TJ ET Q EMC"),
                &form("/Tx BMC BT /F 9 Tf (Ann) Tj ET EMC"),
                &form("1 0 0 rg 0 0 9 9 re f"),
                "<</T(name)/V(Ann)>>",
            ],
            ..Pdf::default()
        };
        match OnePage::of(&pdf.file(), 1.0) {
            Ok(_) => false,
            Err(ArtworkError::Annotation(_)) => true,
            Err(error) => panic!("{entries}: {error}"),
        }
    }

    #[test]
    fn annotations_that_are_seen_are_refused_and_others_are_left_out() {
        for (entries, expected) in [
            // Form fields: filled, by their appearance alone, by the field above, and empty ones.
            ("/Subtype/Widget/FT/Tx/F 4/V(Ann)/AP<</N 8 0 R>>", true),
            ("/Subtype/Widget/FT/Tx/F 4/V(Ann)/AP<</N 7 0 R>>", true),
            ("/Subtype/Widget/FT/Tx/F 4/V(Ann)", true),
            ("/Subtype/Widget/FT/Tx/AP<</N 8 0 R>>", true),
            ("/Subtype/Widget/F 4/Parent 10 0 R", true),
            ("/Subtype/Widget/FT/Btn/AS/On/AP<</N<</On 9 0 R>>>>", true),
            ("/Subtype/Widget/FT/Btn/V/Off/AS/Off/AP<</N<</On 9 0 R>>>>", false),
            ("/Subtype/Widget/FT/Tx/F 4/V()/AP<</N 7 0 R>>", false),
            ("/Subtype/Widget/FT/Tx/F 4", false),
            ("/Subtype/Widget/FT/Tx/F 2/V(Ann)/AP<</N 8 0 R>>", false),
            ("/Subtype/Widget/FT/Sig/F 132/V<<>>/Rect[0 0 0 0]", false),
            // Marks on the page, which viewers draw also without an appearance.
            ("/Subtype/Stamp/F 4/AP<</N 9 0 R>>", true),
            ("/Subtype/Stamp/AP<</N 9 0 R>>", true),
            ("/Subtype/FreeText/F 4/Contents(Ann)", true),
            ("/Subtype/Highlight/F 4/QuadPoints[0 0 9 0 0 9 9 9]", true),
            ("/Subtype/Watermark/F 36/AP<</N 9 0 R>>", true),
            ("/Subtype/Watermark/F 32/AP<</N 9 0 R>>", false),
            ("/Subtype/Stamp/F 6/AP<</N 9 0 R>>", false),
            ("/Subtype/Stamp/F 4/AP<</N 7 0 R>>", false),
            // What is beside the page.
            ("/Subtype/Link/F 4/Border[0 0 1]", false),
            ("/Subtype/Text/F 28/Contents(Ann)/AP<</N 9 0 R>>", false),
            ("/Subtype/Popup/F 28", false),
            ("/Subtype/FileAttachment/F 4/AP<</N 9 0 R>>", false),
        ] {
            assert_eq!(is_refused(entries), expected, "{entries}");
        }
        assert_eq!(
            ArtworkError::Annotation("Stamp".to_owned()).to_string(),
            "it has form fields or annotations (Stamp), which are no part of its page; flatten them, or print it to a PDF"
        );
    }
}
