//! The schemas of artwork that clients upload, and their answers.

use serde_json::{Value, json};

use super::schema::Schemas;
use crate::artwork::ArtworkId;
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
        "description": "A PNG or JPEG of at most 20 MiB and 40 million pixels, in RGB or grey. The picture itself tells \
                        which of them it is; `Content-Type` may also be `image/png` or `image/jpeg`.",
        "content": {media_type: {"schema": {"type": "string", "contentMediaType": media_type, "format": "binary"}}},
    })
}

fn kept() -> KeptArtwork {
    let id = ArtworkId::of(b"a card shop's background").to_string();
    KeptArtwork { id, kind: "jpeg", bytes: 1_482_113, width: 1571, height: 2173, is_opaque: true }
}

/// A picture.
pub(in crate::http) fn kept_example() -> Value {
    serde_json::to_value(kept()).unwrap_or_default()
}

/// The pictures of a key.
pub(in crate::http) fn list_example() -> Value {
    let list = ArtworkList { artwork: vec![kept()], most: MOST_FILES, most_bytes: MOST_BYTES };
    serde_json::to_value(list).unwrap_or_default()
}
