//! The ninety hands: which font a number means, what it can write, and the outlines of its glyphs.
//!
//! Input: `fonts/catalog.tsv` and the TTF files beside it. Output: a [`FontCatalogue`], loaded and checked once at
//! start. Phases: `table` (the catalogue rows) -> `face` (one parsed font: metrics, cmap, outlines) -> `coverage` and
//! `fallback` (which other hand writes what this one lacks). It is the only module that names ttf-parser; it does
//! not shape text.

mod outline;

pub use outline::{Outline, OutlineCommand};

/// Number of fonts in the catalogue.
pub const FONT_COUNT: u8 = 90;

/// A font's number in the contract, 1 to 90.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(u8);

impl FontId {
    /// The default hand.
    pub const DEFAULT: Self = Self(1);

    /// The font of that number, if there is one.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (1..=FONT_COUNT).contains(&number).then_some(Self(number))
    }

    /// The number, 1 to 90.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Position in tables ordered by id, 0 to 89.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

/// A glyph index inside one font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlyphId(pub u16);
