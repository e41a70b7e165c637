//! The schemas of artwork that clients upload, and their answers.

use serde_json::{Value, json};

use super::schema::Schemas;
use crate::artwork::{ArtworkFacts, ArtworkId, ArtworkKind, DrawingFacts, FilePart};
use crate::http::handlers::artwork::ArtworkList;
use crate::uploads::{KeptArtwork, MOST_BYTES, MOST_FILES};

/// Adds the schemas of answers.
pub(super) fn describe(schemas: &mut Schemas) {
    schemas.add::<ArtworkList>();
}

/// The body of a request with a picture. Generators of clients know one type of bytes.
pub(super) fn request() -> Value {
    let media_type = "application/octet-stream";
    json!({
        "required": true,
        "description": "A PNG or JPEG of at most 40 million pixels in RGB or grey, an SVG without text, or a PDF of one \
                        page, of at most 20 MiB. The file itself tells which of them it is; `Content-Type` may also be \
                        `image/png`, `image/jpeg`, `image/svg+xml` or `application/pdf`.",
        "content": {media_type: {"schema": {"type": "string", "contentMediaType": media_type, "format": "binary"}}},
    })
}

fn kept() -> KeptArtwork {
    let id = ArtworkId::of(b"a card shop's background");
    let facts = ArtworkFacts {
        kind: ArtworkKind::Jpeg,
        bytes: 1_482_113,
        width: 1571,
        height: 2173,
        is_opaque: true,
        turn: 1,
        plain_channels: 3,
        drawing: None,
    };
    KeptArtwork::of(&id, &facts)
}

/// A logo of 40 × 15 mm.
fn kept_drawing() -> KeptArtwork {
    let part = FilePart { id: ArtworkId::of(b""), bytes: 0 };
    let drawing = DrawingFacts {
        width_mm: 40.0,
        height_mm: 15.0,
        is_printable: false,
        least_dpi: None,
        pixels: part,
        page: part,
    };
    let facts = ArtworkFacts {
        kind: ArtworkKind::Svg,
        bytes: 8_920,
        width: 2400,
        height: 900,
        is_opaque: false,
        turn: 1,
        plain_channels: 0,
        drawing: Some(drawing),
    };
    KeptArtwork::of(&ArtworkId::of(b"a card shop's logo"), &facts)
}

/// A picture.
pub(in crate::http) fn kept_example() -> Value {
    serde_json::to_value(kept()).unwrap_or_default()
}

/// The pictures of a key.
pub(in crate::http) fn list_example() -> Value {
    let list = ArtworkList { artwork: vec![kept(), kept_drawing()], most: MOST_FILES, most_bytes: MOST_BYTES };
    serde_json::to_value(list).unwrap_or_default()
}
