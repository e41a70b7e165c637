//! What a pen draws of a font: the signs that its file lacks, and the strokes of its glyphs.

use super::FontFace;
use crate::catalogue::FreeEnd;
use crate::catalogue::GlyphId;
use crate::catalogue::drawn_signs::{DrawnSign, IDEOGRAPH, SignPen, Square, drawn, strokes_of_own_signs};
use crate::catalogue::free_ends::free_ends;
use crate::catalogue::strokes::{FontStrokes, Stroke};

impl FontFace {
    /// The glyph and advance, in font units, of a sign that is drawn for the font, because its file lacks it. Shaping
    /// does not know its glyph.
    #[must_use]
    pub fn drawn_sign(&self, character: char) -> Option<(GlyphId, i32)> {
        let glyph = self.signs.glyph(character)?;
        Some((glyph, self.sign(glyph)?.advance))
    }

    pub(super) fn sign(&self, glyph: GlyphId) -> Option<&DrawnSign> {
        self.signs.of(glyph, |sign| drawn(sign, &self.sign_pen(&|letter| self.own_letter(letter))))
    }

    /// A letter of the file.
    fn own_letter(&self, letter: char) -> Option<DrawnSign> {
        let glyph = self.glyph_for(letter).filter(|glyph| glyph.0 < self.glyph_count())?;
        let strokes = self.glyph_strokes(glyph).unwrap_or_default().to_vec();
        Some(DrawnSign { outline: self.outline(glyph)?, strokes, advance: i32::from(self.advance(letter)?) })
    }

    /// The pen that draws signs for the font: as wide as its strokes. Signs are as high as its capitals, but no more
    /// than 1.6 times as high as small letters.
    fn sign_pen<'a>(&self, letter: &'a dyn Fn(char) -> Option<DrawnSign>) -> SignPen<'a> {
        let em = f64::from(self.units_per_em());
        let capital = self.letter_ink('H').map_or(f64::INFINITY, |ink| ink.max.y.get());
        let square = self.letter_ink('国').or_else(|| self.letter_ink(IDEOGRAPH)).zip(self.advance(IDEOGRAPH));
        SignPen {
            width: self.stroke_em() * em,
            height: capital.min(1.6 * self.x_height.get()),
            slant_degrees: self.slant_degrees(),
            units_per_em: em,
            square: square.map(|(ink, advance)| Square { ink, advance: f64::from(advance) }),
            letter,
        }
    }

    /// The ends of the strokes of a glyph that lie away from all other ink; none without strokes.
    #[must_use]
    pub fn free_ends(&self, glyph: GlyphId) -> Vec<FreeEnd> {
        let pen = self.strokes().map_or(0.0, FontStrokes::pen_em) * f64::from(self.units_per_em());
        free_ends(self.glyph_strokes(glyph).unwrap_or_default(), pen)
    }

    /// Whether it has strokes for pens.
    #[must_use]
    pub const fn has_strokes(&self) -> bool {
        self.strokes.is_some()
    }

    /// Its strokes, read on first use; `None` where it has none.
    #[must_use]
    pub fn strokes(&self) -> Option<&FontStrokes> {
        self.strokes.as_ref()?.strokes()
    }

    /// The strokes of a glyph, in the order of writing: none for a blank glyph, `None` where the glyph lacks them. Those
    /// of a further drawing are those of its letter, unless an operator's font has some for it.
    #[must_use]
    pub fn glyph_strokes(&self, glyph: GlyphId) -> Option<&[Stroke]> {
        let strokes = self.strokes()?;
        let has_own = !self.id.is_bundled() && strokes.of(glyph).is_some();
        let glyph = if has_own { glyph } else { self.drawings.letter(glyph) };
        if let Some(sign) = self.sign(glyph) {
            return Some(&sign.strokes);
        }
        let of_sign = self.measured.sign_strokes.get_or_init(|| {
            let of_file = |sign| {
                let glyph = self.glyph_for(sign).filter(|glyph| glyph.0 < self.glyph_count())?;
                Some((glyph, self.ink(glyph)?, strokes.of(glyph)))
            };
            strokes_of_own_signs(&self.sign_pen(&|_| None), of_file)
        });
        if let Some(sign) = of_sign.get(&glyph) {
            return Some(sign);
        }
        strokes.of(glyph).or_else(|| self.ink(glyph).is_none().then_some(&[]))
    }
}
