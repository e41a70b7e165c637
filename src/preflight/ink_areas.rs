//! Where the ink of each glyph lies, as near as its convex hull tells.

use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Rect};
use crate::layout::{PageLayout, PlacedWord};
use crate::units::{Mm, Px};

/// A box around the ink of each glyph of a page, grown by how far natural variation may move ink.
pub(super) fn ink_areas(page: &PageLayout, reach: Px, catalogue: &FontCatalogue) -> Vec<Rect<Px>> {
    let of_word = |word: &PlacedWord| -> Vec<Rect<Px>> {
        (0..word.glyphs.len()).filter_map(|index| ink_area(word, index, catalogue)).collect()
    };
    let grown =
        |area: Rect<Px>| Rect { min: area.min - Point::new(reach, reach), max: area.max + Point::new(reach, reach) };
    page.words.iter().flat_map(of_word).map(grown).collect()
}

/// A box around the ink of a glyph of a word, bent and rotated.
fn ink_area(word: &PlacedWord, index: usize, catalogue: &FontCatalogue) -> Option<Rect<Px>> {
    let glyph = word.glyphs.get(index)?;
    let letter = word.letters.get(index);
    let face = catalogue.face(glyph.font);
    let unit = glyph.em.get() / f64::from(face.units_per_em());
    let turn = word.rotation.get().to_radians().sin_cos();
    let on_page = |[x, y]: [f64; 2]| {
        let (x, y) = match letter {
            // Strokes that grow wider move the corner by less than a tenth of a millimetre.
            Some(letter) => {
                let [x, y] = letter.bend([x as f32, y as f32], [0.0, 0.0]);
                (f64::from(x), f64::from(y))
            }
            None => (x, y),
        };
        (glyph.origin + Point::new(Px::new(x * unit), Px::new(-y * unit))).turned(word.pivot, turn)
    };
    let Some(hull) = face.hull(glyph.glyph) else { return Some(glyph.ink) };
    hull.corners()
        .iter()
        .map(|corner| on_page([corner.x.get(), corner.y.get()]))
        .map(|at| Rect { min: at, max: at })
        .reduce(Rect::union)
}

/// A box on the page in mm.
pub(super) fn in_mm(area: Rect<Px>) -> Rect<Mm> {
    area.map(|at| Point::new(at.x.to_mm(), at.y.to_mm()))
}
