//! Examples of requests: for every field, and whole requests.

use serde_json::{Value, json};

use crate::spec::{FieldDescription, FieldKind, fields, preview_fields};

/// The two endpoints that take a generation request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// `POST /api/v1/generate`
    Generate,
    /// `POST /api/v1/preview`
    Preview,
}

impl Use {
    /// The fields of a request.
    pub(super) fn fields(self) -> &'static [FieldDescription] {
        match self {
            Self::Generate => fields(),
            Self::Preview => preview_fields(),
        }
    }
}

/// Examples of fields whose default is a bad example.
fn telling() -> [(&'static str, Value); 14] {
    [
        ("text", json!("Dear Ann,\n\nThank you for the flowers!")),
        ("pdf", json!({"profile": "press", "bleed_mm": 3.0})),
        ("line_break_spacing", json!(60)),
        ("text_color", json!([20, 30, 120])),
        ("seed", json!(7)),
        ("ruling", json!("us_college")),
        ("blocks", json!([{"text": "Yours, Ann", "x": 240, "y": 900, "width": 700, "height": 200, "font_id": 51}])),
        ("pitch", json!(84.375)),
        ("first_baseline", json!(380.0)),
        ("bleed_mm", json!(3.175)),
        ("x", json!(200)),
        ("y", json!(200)),
        ("width", json!(600)),
        ("height", json!(400)),
    ]
}

/// An example of a field: its default, or a better one.
pub(super) fn of_field(field: &FieldDescription) -> Value {
    if matches!(field.kind, FieldKind::RegionObject(_)) {
        return json!({"x": 200, "y": 200, "width": 600, "height": 400});
    }
    let telling = telling().into_iter().find(|(name, _)| *name == field.name).map(|(_, value)| value);
    let default = field.default_json.clone().filter(|default| !default.is_null());
    telling.or(default).unwrap_or_else(|| least_of(&field.kind))
}

/// The least or first value of a kind, for a field that defaults to null.
fn least_of(kind: &FieldKind) -> Value {
    match kind {
        FieldKind::Integer { min, .. } => json!(min),
        FieldKind::Number { min, .. } => json!(min),
        FieldKind::FontSize { .. } => json!("auto"),
        FieldKind::OneOf(names) => json!(names.first()),
        _ => Value::Null,
    }
}

/// Whole requests: name, what it shows, body.
pub(super) fn requests(used: Use) -> Vec<(&'static str, &'static str, Value)> {
    let mut requests = vec![
        (
            "letter",
            "A letter in the largest size that fits",
            json!({
                "text": "Dear Ann,\n\nThank you for the flowers!", "font_id": 3, "page_size": "card_5x7",
                "enable_writer_variation": true, "enable_word_rotation": true, "word_rotation_range": 1,
                "enable_ink_flow": true, "ink_flow_intensity": 0.5,
            }),
        ),
        (
            "address",
            "An envelope address",
            json!({
                "text": "Ann Example\n12 Garden Lane\nSpringfield, IL 62701",
                "generation_type": "address",
                "font_size": 80,
                "page_size": "envelope_10",
                "orientation": "landscape",
                "enable_writer_variation": true, "enable_word_rotation": true, "word_rotation_range": 1,
                "enable_ink_flow": true, "ink_flow_intensity": 0.5,
            }),
        ),
        (
            "natural",
            "Blue ink with every effect, reproducible by its seed",
            json!({
                "text": "No two letters alike.",
                "page_size": "a6",
                "text_color": [20, 30, 120],
                "enable_writer_variation": true,
                "enable_word_rotation": true,
                "word_rotation_range": 1,
                "enable_natural_variation": true,
                "enable_random_indentation": true,
                "enable_ink_flow": true,
                "ink_flow_intensity": 0.5,
                "seed": 7,
            }),
        ),
    ];
    if used == Use::Preview {
        requests.push((
            "close",
            "A close look at a part of the page",
            json!({
                "text": "Dear Ann,\n\nThank you for the flowers!", "font_id": 3, "page_size": "card_5x7", "seed": 7,
                "region": {"x": 200, "y": 200, "width": 600, "height": 400},
            }),
        ));
    }
    if used == Use::Generate {
        requests.push((
            "print",
            "A postcard for the press",
            json!({
                "text": "Greetings from the coast!",
                "page_size": "postcard_us",
                "enable_writer_variation": true, "enable_word_rotation": true, "word_rotation_range": 1,
                "enable_ink_flow": true, "ink_flow_intensity": 0.5,
                "output_format": "pdf",
                "pdf": {"standard": "pdfx1a", "bleed_mm": 3.175},
                "dpi": 600,
            }),
        ));
    }
    requests
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Endpoint, Violations, parse_value};

    fn accepted(request: &Value, used: Use) -> Result<(), Violations> {
        let endpoint = match used {
            Use::Generate => Endpoint::Generate,
            Use::Preview => Endpoint::Preview,
        };
        parse_value(request, endpoint, || 0).map(drop)
    }

    #[test]
    fn every_example_of_a_request_is_accepted() {
        for used in [Use::Generate, Use::Preview] {
            for (name, _, request) in requests(used) {
                accepted(&request, used).unwrap_or_else(|error| panic!("{name} of {used:?}: {error}"));
            }
            let all: Value = used.fields().iter().map(|field| (field.name.to_owned(), of_field(field))).collect();
            accepted(&all, used).unwrap();
        }
    }

    #[test]
    fn every_telling_value_belongs_to_a_field() {
        for (name, _) in telling() {
            let members = preview_fields().iter().flat_map(|field| field.kind.members());
            assert!(preview_fields().iter().chain(members).any(|field| field.name == name), "{name}");
        }
    }
}
