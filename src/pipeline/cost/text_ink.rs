//! The ink of a text, estimated before it is laid out.

use crate::catalogue::{FontFace, is_combining_mark};

/// The ink of a text in ems, character by character as the chosen font has them.
pub(super) struct TextInk {
    pub(in crate::pipeline) characters: usize,
    /// Sum of widths, never 0.
    pub(in crate::pipeline) advance: f64,
    pub(super) ink_width: f64,
    pub(super) ink_area: f64,
}

impl TextInk {
    /// Blank characters count as one of average width.
    const BLANK: f64 = 0.3;
    /// A character of another font counts as a square of this side.
    const SUBSTITUTED: f64 = 0.8;

    /// The ink of a text in this font.
    pub(in crate::pipeline) fn of(text: &str, face: &FontFace) -> Self {
        let mut ink = Self { characters: 0, advance: 0.0, ink_width: 0.0, ink_area: 0.0 };
        let em = f64::from(face.units_per_em());
        let extent_of = |character| match face.glyph_for(character) {
            Some(glyph) => {
                face.ink(glyph).map(|ink| [ink.max.x - ink.min.x, ink.max.y - ink.min.y].map(|side| side.get() / em))
            }
            None => Some([Self::SUBSTITUTED; 2]),
        };
        // The usual characters are looked up once each.
        let mut of_ascii = [None; 128];
        for character in text.chars() {
            let extent = match of_ascii.get_mut(character as usize) {
                Some(known) => *known.get_or_insert_with(|| extent_of(character)),
                None => extent_of(character),
            };
            ink.characters += 1;
            // However many marks a letter has, they take no place of their own.
            if !is_combining_mark(character) {
                ink.advance += extent.map_or(Self::BLANK, |[width, _]| width);
            }
            if let Some([width, height]) = extent {
                ink.ink_width += width;
                ink.ink_area += width * height;
            }
        }
        ink.advance = ink.advance.max(Self::BLANK);
        ink
    }
}
