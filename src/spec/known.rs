//! What a request may name.

use crate::artwork::KnownArtwork;
use crate::catalogue::FontNames;

/// The fonts and the artwork that a request may name; by default the fonts of the program, and no artwork.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The fonts.
    pub fonts: FontNames,
    /// The artwork.
    pub artwork: KnownArtwork,
}

impl From<&FontNames> for Known {
    fn from(fonts: &FontNames) -> Self {
        Self { fonts: fonts.clone(), ..Self::default() }
    }
}
