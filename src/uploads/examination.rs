//! Examines a picture in the process that has limits.

use std::io::{Read, Write};

use serde::{Deserialize, Serialize};

use crate::artwork::{Artwork, ArtworkFacts};

/// What became of a picture.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Examined {
    /// It can be shown.
    Facts(ArtworkFacts),
    /// It cannot, for this reason.
    Refused(String),
}

/// Reads a picture from `source`, and writes its facts to `target` as JSON. For the process with limits.
///
/// # Errors
/// The picture cannot be read, or the facts cannot be written.
pub fn examine_from(source: &mut impl Read, target: &mut impl Write) -> std::io::Result<()> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes)?;
    let examined = match Artwork::read(bytes) {
        Ok(artwork) => Examined::Facts(*artwork.facts()),
        Err(error) => Examined::Refused(error.to_string()),
    };
    serde_json::to_writer(&mut *target, &examined)?;
    target.flush()
}
