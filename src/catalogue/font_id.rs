//! The numbers of fonts and glyphs.

use std::ops::RangeInclusive;

/// Number of fonts in the program.
pub const FONT_COUNT: u16 = 90;

/// The numbers that an operator's fonts may have.
pub const OPERATOR_IDS: RangeInclusive<u16> = 1001..=1999;

/// A font's number in the contract: 1 to 90 for a font of the program, 1001 to 1999 for one of the operator, which may
/// be loaded or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FontId(u16);

impl FontId {
    /// The default font.
    pub const DEFAULT: Self = Self(1);

    /// The font with that number, if a font may have it.
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        ((1..=FONT_COUNT).contains(&number) || OPERATOR_IDS.contains(&number)).then_some(Self(number))
    }

    /// The numbers of the fonts of the program, in order.
    pub fn bundled() -> impl Iterator<Item = Self> {
        (1..=FONT_COUNT).map(Self)
    }

    /// Whether the font is one of the program, which is always loaded.
    #[must_use]
    pub const fn is_bundled(self) -> bool {
        self.0 <= FONT_COUNT
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }
}

/// A glyph index inside one font.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlyphId(pub u16);
