//! White between the glyphs of a word: of two letters as the font has them, and of a varied letter and the sign after
//! it.

use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use crate::catalogue::{FontFace, GlyphId};

/// White between two letters from which on they are not joined, in x-heights.
const SEPARATE: f64 = 0.03;

/// White between two glyphs at the same heights, in font units; `None` where the font has them joined, or above one
/// another. Whether they are joined does not depend on their drawings.
pub(super) fn white_between(face: &FontFace, glyph: &ShapedGlyph, next: &ShapedGlyph) -> Option<f64> {
    let white = |before: GlyphId, after: GlyphId| {
        face.sides(before)?.white_before(face.sides(after)?, f64::from(next.x - glyph.x))
    };
    let of_font = |glyph: GlyphId| face.drawings(glyph).first().copied().unwrap_or(glyph);
    white(of_font(glyph.glyph), of_font(next.glyph))
        .filter(|white| *white > SEPARATE * face.x_height().get())
        .and_then(|_| white(glyph.glyph, next.glyph))
}

/// White between a varied letter, of which these right ends of ink are beside a sign, and that sign after it, which moves by
/// `moved`, in ems of the chosen font.
pub(super) fn white_before_sign(
    face: &FontFace,
    (letter, ends): (&VariedGlyph, [Option<[f64; 2]>; 4]),
    (mark_glyph, mark): (&ShapedGlyph, &VariedGlyph),
    unit: f64,
    moved: f64,
) -> Option<f64> {
    let half_stroke = 0.5 * face.stroke_em() * f64::from(face.units_per_em());
    let end = |varied: &VariedGlyph, at: [f64; 2], outwards: f64| {
        let [x, _] = varied.letter.bend(at.map(|part| part as f32), [outwards as f32, 0.0]);
        varied.origin + f64::from(x) * unit
    };
    let right = ends.into_iter().flatten().map(|at| end(letter, at, half_stroke)).reduce(f64::max)?;
    let of_mark = face.hull(mark_glyph.glyph)?.support_point([-1.0, 0.0])?;
    let left = end(mark, [of_mark.x.get(), of_mark.y.get()], -half_stroke);
    Some(left + moved - right)
}

/// The right end of the ink of a glyph at the heights of the sign after it, in font units.
pub(super) fn right_end_beside(face: &FontFace, glyph: &ShapedGlyph, sign: &ShapedGlyph) -> Option<[f64; 2]> {
    let ink = face.ink(sign.glyph)?;
    face.right_end_between(glyph.glyph, ink.min.y.get(), ink.max.y.get())
}
