//! What an operator's font has besides those of the program: forms of letters, a writer of its own, and keys that it is for.

use super::FontFace;
use crate::variation::Manner;

impl FontFace {
    /// Whether it is an operator's font whose file has several forms of letters for a random choice.
    #[must_use]
    pub fn has_own_forms(&self) -> bool {
        !self.id.is_bundled() && !self.drawings.is_empty()
    }

    /// Whether its contextual alternates only vary letters of which it has several forms, so that they are not applied.
    #[must_use]
    pub fn ignores_alternates(&self) -> bool {
        self.parts.variants && self.has_own_forms()
    }

    /// Whether it is for all API keys.
    #[must_use]
    pub const fn is_for_all(&self) -> bool {
        self.parts.keys.is_empty()
    }

    /// The API keys that it is given to; none of a font for all.
    #[must_use]
    pub fn keys(&self) -> &[String] {
        &self.parts.keys
    }

    /// Whether it is given to the API key of this identifier.
    #[must_use]
    pub fn is_for(&self, key: &str) -> bool {
        self.is_for_all() || self.parts.keys.iter().any(|known| known == key)
    }

    /// How far its writer varies.
    #[must_use]
    pub const fn manner(&self) -> Manner {
        self.parts.manner
    }
}
