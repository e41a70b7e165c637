//! White between the glyphs of a word: of two letters as the font has them, and of varied glyphs of which one is a sign.

use super::shaped_glyph::{ShapedGlyph, VariedGlyph};
use crate::catalogue::{FontFace, GlyphId};

/// White between two letters from which on they are not joined, in x-heights.
const SEPARATE: f64 = 0.03;
/// How far variation raises or lowers ink towards other ink, in x-heights.
const MOST_RISE: f64 = 0.25;

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

/// White between the low ink of a varied letter and a full stop or comma after it, in ems of the chosen font.
pub(super) fn white_before_mark(
    face: &FontFace,
    (letter_glyph, letter): (&ShapedGlyph, &VariedGlyph),
    (mark_glyph, mark): (&ShapedGlyph, &VariedGlyph),
    unit: f64,
) -> Option<f64> {
    let ends = face.right_ends_beside_mark(letter_glyph.glyph).into_iter().flatten();
    let right = ends.map(|at| bent_end(face, letter, at, 1.0, unit)[0]).reduce(f64::max)?;
    let of_mark = face.hull(mark_glyph.glyph)?.support_point([-1.0, 0.0])?;
    let [left, _] = bent_end(face, mark, [of_mark.x.get(), of_mark.y.get()], -1.0, unit);
    Some(left - right)
}

/// White between the boxes of two varied glyphs, in ems of the chosen font; the outlines are no nearer. `None` where one
/// is blank.
pub(super) fn white_between_boxes(varied: &VariedGlyph, next: &VariedGlyph) -> Option<f64> {
    Some(next.origin + next.ink?.left - varied.origin - varied.ink?.right)
}

/// How far the second of two varied glyphs has to move to the right until its outline is `clearance` away from that of
/// the first, both in ems of the chosen font; below zero where it is farther. `None` where neither is beside the other.
pub(super) fn way_apart(
    face: &FontFace,
    (glyph, varied): (&ShapedGlyph, &VariedGlyph),
    (next_glyph, next): (&ShapedGlyph, &VariedGlyph),
    unit: f64,
    clearance: f64,
) -> Option<f64> {
    let [ink, next_ink] = [face.ink(glyph.glyph)?, face.ink(next_glyph.glyph)?];
    let reach = clearance / unit + MOST_RISE * face.x_height().get();
    let [low, high] = [ink.min.y.max(next_ink.min.y).get() - reach, ink.max.y.min(next_ink.max.y).get() + reach];
    let is_beside = |[_, y]: &[f64; 2]| (low..=high).contains(y);
    let units_per_em = face.units_per_em();
    let rights = face.sides(glyph.glyph)?.rights(units_per_em).filter(is_beside);
    let rights: Vec<[f64; 2]> = rights.map(|at| bent_end(face, varied, at, 1.0, unit)).collect();
    let lefts = face.sides(next_glyph.glyph)?.lefts(units_per_em).filter(is_beside);
    let way = |left: [f64; 2], right: [f64; 2]| {
        let height = left[1] - right[1];
        (height.abs() < clearance).then(|| right[0] - left[0] + (clearance.powi(2) - height.powi(2)).sqrt())
    };
    let ways = lefts.flat_map(|left| {
        let left = bent_end(face, next, left, -1.0, unit);
        rights.iter().filter_map(move |right| way(left, *right))
    });
    ways.reduce(f64::max)
}

/// Where an end of a glyph's ink at the right (`side` 1) or left (-1) goes, in font units from the glyph's origin: in ems
/// of the chosen font, from the left end of the run and from the height of the origin.
fn bent_end(face: &FontFace, varied: &VariedGlyph, at: [f64; 2], side: f64, unit: f64) -> [f64; 2] {
    let half_stroke = 0.5 * face.stroke_em() * f64::from(face.units_per_em());
    let [x, y] = varied.letter.bend(at.map(|part| part as f32), [(side * half_stroke) as f32, 0.0]);
    [varied.origin + f64::from(x) * unit, f64::from(y) * unit]
}
