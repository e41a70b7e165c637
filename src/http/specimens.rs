//! The specimens of the fonts, each drawn once.

use std::sync::OnceLock;

use axum::body::Bytes;

use crate::catalogue::{FONT_COUNT, FontId};

/// The specimens that were drawn, by font: plain, and with writer variation. Each is drawn at its first request.
pub(super) struct Specimens([[OnceLock<Bytes>; 2]; FONT_COUNT as usize]);

impl Default for Specimens {
    fn default() -> Self {
        Self([const { [const { OnceLock::new() }; 2] }; FONT_COUNT as usize])
    }
}

impl Specimens {
    /// The place of a font's specimen.
    pub(super) fn of(&self, font: FontId, varies: bool) -> Option<&OnceLock<Bytes>> {
        self.0.get(usize::from(font.get()) - 1)?.get(usize::from(varies))
    }
}
