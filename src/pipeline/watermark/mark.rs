//! The word that is written across previews, and where its letters are.

use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::{Point, Rect};
use crate::layout::{PlacedGlyph, PlacedWord};
use crate::units::{Degrees, FontUnits, Px};

/// The word.
pub(super) const WORD: &str = "PREVIEW";
/// The font it is written in: an upright print with thin strokes, legible in capitals.
const FONT: u16 = 25;
/// Size of its em.
pub(super) const EM: Px = Px::new(124.0);
/// White between two of its letters.
const LETTER_GAP: Px = Px::new(26.0);
/// Its angle, rising to the right.
pub(super) const ANGLE: Degrees = Degrees::new(-30.0);
/// White between two words of a row.
const GAP: Px = Px::new(110.0);

/// The word with the centre of its ink at the origin, not yet turned.
pub(super) struct Mark {
    pub(in crate::pipeline) word: PlacedWord,
    /// The box of all letters.
    pub(in crate::pipeline) extent: Rect<Px>,
    /// Distance of the centres of two words of a row.
    pub(in crate::pipeline) step: Px,
}

impl Mark {
    /// The word in the outlines of its font.
    pub(in crate::pipeline) fn new(catalogue: &FontCatalogue) -> Self {
        let font = FontId::new(FONT).unwrap_or(FontId::DEFAULT);
        let face = catalogue.face(font);
        let px = |units: FontUnits| units.to_px(EM, face.units_per_em());
        let mut pen = Px::ZERO;
        let mut glyphs: Vec<PlacedGlyph> = Vec::new();
        for glyph in WORD.chars().filter_map(|letter| face.glyph_for(letter)) {
            let Some(ink) = face.ink(glyph) else { continue };
            // Set by ink: a font's side bearings are not made for capitals in a row.
            let origin = Point::new(pen - px(ink.min.x), Px::ZERO);
            let ink =
                Rect { min: Point::new(px(ink.min.x), -px(ink.max.y)), max: Point::new(px(ink.max.x), -px(ink.min.y)) };
            let ink = ink.translated(origin);
            pen = ink.max.x + LETTER_GAP;
            glyphs.push(PlacedGlyph { font, glyph, em: EM, origin, ink });
        }
        let extent = glyphs.iter().map(|glyph| glyph.ink).reduce(Rect::union).unwrap_or_default();
        let centre = Point::new((extent.min.x + extent.max.x) / 2.0, (extent.min.y + extent.max.y) / 2.0);
        let word = PlacedWord { pivot: centre, rotation: ANGLE, glyphs, ..PlacedWord::default() };
        let to_middle = Point::default() - centre;
        let (word, extent) = (moved(&word, to_middle), extent.translated(to_middle));
        Self { word, extent, step: extent.width() + GAP }
    }

    /// Whether a point is in the box of a letter. It is relative to the centre, along the word and across it.
    pub(in crate::pipeline) fn covers(&self, at: Point<Px>) -> bool {
        let at = Rect { min: at, max: at };
        self.word.glyphs.iter().any(|glyph| glyph.ink.touches(at))
    }

    /// Whether a point, by its distance from the centre across the word, is at the height of the letters.
    pub(super) fn is_level(&self, across: Px) -> bool {
        (self.extent.min.y..=self.extent.max.y).contains(&across)
    }
}

/// A word moved by a distance.
pub(in crate::pipeline) fn moved(word: &PlacedWord, by: Point<Px>) -> PlacedWord {
    let glyphs = word.glyphs.iter().map(|glyph| PlacedGlyph {
        origin: glyph.origin + by,
        ink: glyph.ink.translated(by),
        ..*glyph
    });
    PlacedWord { pivot: word.pivot + by, glyphs: glyphs.collect(), ..word.clone() }
}
