//! Examples of requests: for every field, and whole requests.

use serde_json::{Value, json};

use crate::artwork::ArtworkId;
use crate::spec::{Endpoint, FieldDescription, FieldKind, OutputName};

/// Examples of fields whose default is a bad example.
fn telling() -> [(&'static str, Value); 27] {
    let id = ArtworkId::of(b"a card shop's background").to_string();
    [
        ("text", json!("Dear Ann,\n\nThank you for the flowers!")),
        ("custom_page", json!({"width": 6.5, "height": 4.5, "unit": "in", "trimmed": true})),
        ("pdf", json!({"profile": "press", "bleed_mm": 3.0})),
        ("mail_piece", json!("lob_postcard_4x6_back")),
        ("svg", json!({"paths": "welded", "group_by": "word"})),
        ("stroke_width_mm", json!(0.5)),
        ("line_break_spacing", json!(60)),
        ("text_color", json!([20, 30, 120])),
        ("paper_color", json!([190, 150, 110])),
        ("seed", json!(7)),
        ("ruling", json!("us_college")),
        ("blocks", json!([{"text": "Yours, Ann", "x": 240, "y": 900, "width": 700, "height": 200, "font_id": 51}])),
        ("artwork", json!([{"id": id, "x_mm": 12.5, "y_mm": 12.5, "width_mm": 60.0}])),
        ("sides", json!([{"text": "You are invited"}, {"text": "Saturday at four, in the garden", "font_id": 11}])),
        ("pitch", json!(84.375)),
        ("first_baseline", json!(380.0)),
        ("bleed_mm", json!(3.175)),
        ("x", json!(200)),
        ("y", json!(200)),
        ("width", json!(600)),
        ("height", json!(400)),
        ("id", json!(id)),
        ("x_mm", json!(12.5)),
        ("y_mm", json!(12.5)),
        ("width_mm", json!(60.0)),
        ("height_mm", json!(40.0)),
        ("fit", json!("cover")),
    ]
}

/// An example of a field: its default, or a better one.
pub(super) fn of_field(field: &FieldDescription, endpoint: Endpoint) -> Value {
    // `pdf` has a `region` too.
    if field.kind.object().is_some_and(|object| object.schema == "PreviewRegion") {
        return json!({"x": 200, "y": 200, "width": 600, "height": 400});
    }
    let telling = telling().into_iter().find(|(name, _)| *name == field.name).map(|(_, value)| value);
    let default = default_of(field, endpoint).filter(|default| !default.is_null());
    telling.or(default).unwrap_or_else(|| least_of(&field.kind))
}

/// The least or first value of a kind, for a field that defaults to null.
fn least_of(kind: &FieldKind) -> Value {
    match kind {
        FieldKind::Integer { min, .. } => json!(min),
        FieldKind::Number { min, .. } => json!(min),
        FieldKind::FontId => json!(1),
        FieldKind::Boolean => json!(true),
        FieldKind::FontSize { .. } => json!("auto"),
        FieldKind::OneOf(names) => json!(names.first()),
        _ => Value::Null,
    }
}

/// A new job with its rows.
pub(super) fn job() -> Value {
    json!({
        "request": {
            "text": "Dear {name},\n\nthank you for {gift|everything}!",
            "page_size": "card_5x7",
            "font_id": 3,
            "output_format": "pdf",
        },
        "rows": [{"name": "Ann", "gift": "the flowers"}, {"name": "Zoë", "gift": null}],
        "output": {"form": "zip", "name": "{row}-{name}"},
    })
}

/// The value of a field that is left out.
pub(super) fn default_of(field: &FieldDescription, endpoint: Endpoint) -> Option<Value> {
    match endpoint.only_format() {
        Some(only) if field.name == OutputName::FIELD => Some(only.name().into()),
        _ => field.default_json.clone(),
    }
}

/// Whole requests: name, what it shows, body.
pub(super) fn requests(endpoint: Endpoint) -> Vec<(&'static str, &'static str, Value)> {
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
    if endpoint == Endpoint::Preview {
        requests.push((
            "close",
            "A close look at a part of the page",
            json!({
                "text": "Dear Ann,\n\nThank you for the flowers!", "font_id": 3, "page_size": "card_5x7", "seed": 7,
                "region": {"x": 200, "y": 200, "width": 600, "height": 400},
            }),
        ));
    }
    if matches!(endpoint.only_format(), None | Some(OutputName::Pdf)) {
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
    use std::sync::Arc;

    use serde_json::Map;

    use super::*;
    use crate::artwork::{Artwork, ArtworkFacts, ArtworkKind, FindArtwork, KnownArtwork};
    use crate::spec::{Known, Violations, parse_value_for};

    /// Finds a picture of 400 × 200 px by every id.
    struct Picture;

    impl FindArtwork for Picture {
        fn find(&self, id: &ArtworkId) -> Option<Arc<Artwork>> {
            let kind = ArtworkKind::Png;
            let facts = ArtworkFacts {
                kind,
                bytes: 9,
                width: 400,
                height: 200,
                is_opaque: true,
                turn: 1,
                plain_channels: 0,
                drawing: None,
            };
            Some(Arc::new(Artwork::kept(*id, facts, "a.png".into())))
        }
    }

    fn accepted(request: &Value, endpoint: Endpoint) -> Result<(), Violations> {
        let known = Known { artwork: KnownArtwork::of(Arc::new(Picture)), ..Known::default() };
        parse_value_for(known, request, endpoint, || 0).map(drop)
    }

    #[test]
    fn every_example_of_a_request_is_accepted() {
        for endpoint in Endpoint::all() {
            for (name, _, request) in requests(endpoint) {
                accepted(&request, endpoint).unwrap_or_else(|error| panic!("{name} of {endpoint:?}: {error}"));
            }
            let example = |field: &FieldDescription| (field.name.to_owned(), of_field(field, endpoint));
            // The sides of a page go only with `page_size` `custom`, a mail piece with its own page, artwork with paths that
            // no machine writes, and a front and a back with a PDF.
            let apart = ["custom_page", "mail_piece", "artwork", "sides"];
            let (apart, all): (Vec<&FieldDescription>, Vec<_>) =
                endpoint.fields().iter().partition(|field| apart.contains(&field.name));
            let all: Map<String, Value> = all.into_iter().map(example).collect();
            accepted(&Value::Object(all.clone()), endpoint).unwrap();
            for field in apart.iter().filter(|field| field.name != "custom_page") {
                let request = json!({"text": "Hi", field.name: of_field(field, endpoint), "margin_left": 60});
                accepted(&request, endpoint).unwrap();
            }
            let mut custom = all;
            custom.extend(apart.into_iter().filter(|field| field.name == "custom_page").map(example));
            custom.insert("page_size".to_owned(), json!("custom"));
            accepted(&Value::Object(custom), endpoint).unwrap();
        }
    }

    #[test]
    fn every_telling_value_belongs_to_a_field() {
        for (name, _) in telling() {
            let members = Endpoint::Preview.fields().iter().flat_map(|field| field.kind.members());
            assert!(Endpoint::Preview.fields().iter().chain(members).any(|field| field.name == name), "{name}");
        }
    }
}
