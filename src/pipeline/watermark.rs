//! The watermark of previews: a word written across the page, repeatedly.
//!
//! Writing and watermark are drawn separately. `raster::stamp` adds the mark between the writing and cuts it out of the
//! writing, so that neither colour nor alpha can separate them again.

use crate::catalogue::{FontCatalogue, FontId};
use crate::geometry::{Point, Rect, Size};
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::units::{Degrees, FontUnits, Px};

/// The word.
const WORD: &str = "PREVIEW";
/// The font it is written in: an upright print, legible in capitals.
const FONT: u8 = 2;
/// Size of its em, in px of the preview.
const EM: Px = Px::new(120.0);
/// Its angle, rising to the right.
const ANGLE: Degrees = Degrees::new(-30.0);
/// White between two words of a row, in px of the preview.
const GAP: Px = Px::new(110.0);
/// Distance of rows in px of the preview.
const ROW_STEP: Px = Px::new(215.0);

/// The marks of a preview of `size`, in its own pixels: slanting rows of the word, every other row shifted by half a
/// step.
pub(super) fn watermark(size: Size<Px>, catalogue: &FontCatalogue) -> PageLayout {
    let (word, length) = centred_word(catalogue);
    let step = length + GAP;
    let (sin, cos) = ANGLE.get().to_radians().sin_cos();
    // Rows and columns run through the page's centre and reach its corners.
    let reach = size.width.get().hypot(size.height.get()) / 2.0;
    let (rows, columns) = ((reach / ROW_STEP.get()).ceil() as i32, (reach / step.get()).ceil() as i32 + 1);
    let mut words = Vec::new();
    for row in -rows..=rows {
        for column in -columns..=columns {
            let along = step * (f64::from(column) + if row % 2 == 0 { 0.0 } else { 0.5 });
            let across = ROW_STEP * f64::from(row);
            let (x, y) = (along * cos - across * sin, along * sin + across * cos);
            words.push(moved(&word, Point::new(size.width / 2.0 + x, size.height / 2.0 + y)));
        }
    }
    PageLayout { size, font_size: EM, words, ..PageLayout::default() }
}

/// The word with the centre of its ink at the origin, and its length.
fn centred_word(catalogue: &FontCatalogue) -> (PlacedWord, Px) {
    let font = FontId::new(FONT).unwrap_or(FontId::DEFAULT);
    let face = catalogue.face(font);
    let px = |units: FontUnits| units.to_px(EM, face.units_per_em());
    let gap = EM * 0.1;
    let mut pen = Px::ZERO;
    let mut glyphs: Vec<PlacedGlyph> = Vec::new();
    for glyph in WORD.chars().filter_map(|letter| face.glyph_for(letter)) {
        let Some(ink) = face.ink(glyph) else { continue };
        // Set by ink: a font's side bearings are not made for capitals in a row.
        let origin = Point::new(pen - px(ink.min.x), Px::ZERO);
        let ink =
            Rect { min: Point::new(px(ink.min.x), -px(ink.max.y)), max: Point::new(px(ink.max.x), -px(ink.min.y)) };
        let ink = ink.translated(origin);
        pen = ink.max.x + gap;
        glyphs.push(PlacedGlyph { font, glyph, em: EM, origin, ink });
    }
    let extent = glyphs.iter().map(|glyph| glyph.ink).reduce(Rect::union).unwrap_or_default();
    let centre = Point::new((extent.min.x + extent.max.x) / 2.0, (extent.min.y + extent.max.y) / 2.0);
    let word = PlacedWord { pivot: centre, rotation: ANGLE, glyphs, ..PlacedWord::default() };
    (moved(&word, Point::default() - centre), extent.max.x - extent.min.x)
}

fn moved(word: &PlacedWord, by: Point<Px>) -> PlacedWord {
    let glyphs = word.glyphs.iter().map(|glyph| PlacedGlyph {
        origin: glyph.origin + by,
        ink: glyph.ink.translated(by),
        ..*glyph
    });
    PlacedWord { pivot: word.pivot + by, glyphs: glyphs.collect(), ..word.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_all_over_the_page() {
        let catalogue = FontCatalogue::load().unwrap();
        for height in [521.0, 1200.0, 1697.0, 2761.0] {
            let layout = watermark(Size { width: Px::new(1200.0), height: Px::new(height) }, &catalogue);
            assert!(layout.words.iter().all(|word| word.glyphs.len() == WORD.len()));
            // No window of 600 px by 400 px is without a mark's centre.
            for (left, top) in (0..=6).flat_map(|column| (0..3).map(move |row| (column, row))) {
                let (left, top) = (f64::from(left) * 100.0, f64::from(top) * (height - 400.0) / 2.0);
                let inside = |word: &PlacedWord| {
                    let (x, y) = (word.pivot.x.get(), word.pivot.y.get());
                    (left..left + 600.0).contains(&x) && (top..top + 400.0).contains(&y)
                };
                assert!(layout.words.iter().any(inside), "nothing at ({left}, {top}) of {height}");
            }
        }
    }
}
