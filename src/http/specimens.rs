//! The specimens of the fonts, each drawn once.

use std::sync::OnceLock;

use axum::body::Bytes;

use crate::catalogue::{FONT_COUNT, FontId};

/// The specimens that were drawn, by font. Each is drawn at its first request.
pub(super) struct Specimens([OnceLock<Bytes>; FONT_COUNT as usize]);

impl Default for Specimens {
    fn default() -> Self {
        Self([const { OnceLock::new() }; FONT_COUNT as usize])
    }
}

impl Specimens {
    /// The place of a font's specimen.
    pub(super) fn of(&self, font: FontId) -> Option<&OnceLock<Bytes>> {
        self.0.get(font.index())
    }
}
