//! The map that bends outlines, for files that carry outlines, and the detail of outlines to be bent.
//!
//! `bend` computes the same on the device: first the map of the letter and the pen, then the elastic field.

use super::displacement::Displacement;
use super::placement::Placement;
use super::render_params::RenderParams;
use crate::catalogue::FontCatalogue;
use crate::geometry::Size;
use crate::layout::{PlacedGlyph, PlacedWord};
use crate::mesh::{Detail, GlyphKey, GlyphMesh, JoinKey, Vertex};
use crate::pen::{LinePen, Pen, PenMarks};
use crate::units::{DevicePx, DeviceScale, Dpi, Px};
use crate::variation::{BentPoint, LetterMap};

/// Largest deviation of chords from outlines of varied letters, in device px.
const BENT_TOLERANCE: f64 = 0.016;
/// Square of the length of the pieces of varied outlines, in device px, per device px of the x-height. The curvature of
/// the map is about one over the x-height, so chords deviate by 0.03 px.
const PIECE_SQUARED: f64 = 0.25;

/// How the outlines of a page are bent.
#[derive(Clone, Copy, Debug)]
pub struct OutlineMap {
    /// At 600 DPI, so that outlines have more points than the pixels of any page show.
    displacement: Option<Displacement>,
    pen: Option<Pen>,
    size: Size<Px>,
}

/// How a glyph is bent besides the elastic field.
#[derive(Clone, Copy, Debug)]
pub struct GlyphBend<'a> {
    letter: Option<&'a LetterMap>,
    pen: Option<(LinePen, PenMarks)>,
    /// From font units to page px, and page px per font unit.
    placement: &'a Placement,
    unit: f32,
}

impl GlyphBend<'_> {
    /// Where a corner of a mesh goes, in page px.
    #[must_use]
    pub fn applied(&self, mesh: &GlyphMesh, corner: Vertex) -> [f64; 2] {
        let [x, y, normal_x, normal_y] = corner;
        let (at, normal) = ([x, y], [normal_x, normal_y]);
        let unbent = || BentPoint { middle: [at[0] - normal[0], at[1] - normal[1]], pen: normal, dot: [0.0; 2] };
        let to = match (self.letter, self.pen) {
            (None, None) => return self.placement.applied(at.map(f64::from)),
            (letter, None) => letter.map_or_else(unbent, |letter| letter.bend_parts(at, normal)),
            (letter, Some((line, marks))) => {
                let to = letter.map_or_else(unbent, |letter| letter.bend_parts(at, normal));
                let middle = [0, 1].map(|axis| f64::from(to.middle[axis] + to.dot[axis]));
                let place = self.placement.applied(middle).map(|part| part as f32);
                BentPoint { pen: line.bend(to.pen, &marks, place, mesh.end_near(corner), self.unit), ..to }
            }
        };
        self.placement.applied([0, 1].map(|axis| f64::from(to.middle[axis] + to.pen[axis] + to.dot[axis])))
    }
}

impl OutlineMap {
    /// The map of a page of `size`. The scale of `params` has no effect.
    #[must_use]
    pub fn of(params: &RenderParams, size: Size<Px>) -> Self {
        let fine = RenderParams { scale: Self::scale(), ..*params };
        Self { displacement: Displacement::of(&fine), pen: params.page_pen(), size }
    }

    /// The scale of the meshes that it bends.
    #[must_use]
    pub fn scale() -> DeviceScale {
        Dpi::Dpi600.scale()
    }

    /// Whether it bends a glyph with this map of its letter.
    #[must_use]
    pub const fn bends(&self, letter: Option<&LetterMap>) -> bool {
        letter.is_some() || self.displacement.is_some() || self.pen.is_some()
    }

    /// The key of the outline to bend: closed paths of pieces so short that they follow the map.
    #[must_use]
    pub fn key(&self, glyph: &PlacedGlyph, letter: Option<&LetterMap>, catalogue: &FontCatalogue) -> GlyphKey {
        glyph_key(glyph, letter, self.pen.is_some(), self.displacement, Self::scale(), catalogue)
    }

    /// The map of a glyph that is placed so on the page, before [`displaced`](Self::displaced). `is_joined` to a
    /// neighbour it has no free ends.
    #[must_use]
    pub fn of_glyph<'a>(
        &self,
        glyph: &PlacedGlyph,
        letter: Option<&'a LetterMap>,
        is_joined: bool,
        placement: &'a Placement,
        catalogue: &FontCatalogue,
    ) -> GlyphBend<'a> {
        let face = catalogue.face(glyph.font);
        let unit = (glyph.em.get() / f64::from(face.units_per_em())) as f32;
        let pen = self.pen.map(|pen| (pen.line(face, glyph.em).with_ends(!is_joined), pen.marks()));
        GlyphBend { letter, pen, placement, unit }
    }

    /// Where the field moves a point of the page, both in page px.
    #[must_use]
    pub fn displaced(&self, at: [f64; 2]) -> [f64; 2] {
        self.displacement.map_or(at, |displacement| displacement.displaced(at, self.size))
    }
}

/// The key of a glyph that is drawn at a scale, bent by its letter, a pen and the displacement.
pub(super) fn glyph_key(
    glyph: &PlacedGlyph,
    letter: Option<&LetterMap>,
    has_pen: bool,
    displacement: Option<Displacement>,
    scale: DeviceScale,
    catalogue: &FontCatalogue,
) -> GlyphKey {
    let em = glyph.em.to_device(scale);
    let detail = displacement.map_or_else(|| Detail::for_em(em), |displacement| displacement.outline_detail(em));
    let face = catalogue.face(glyph.font);
    let x_height = letter.map(|letter| f64::from(letter.x_height()));
    let x_height = x_height.or_else(|| has_pen.then(|| face.x_height().get()));
    let detail =
        x_height.map_or(detail, |x_height| bent_detail(em, x_height / f64::from(face.units_per_em()), displacement));
    GlyphKey::new(face, glyph.glyph, detail)
}

/// The key of the join of the glyph at `position`, whose key is `first`, with its neighbour of the same font and size,
/// at their distance without variation. `None` if they do not touch, or a word begins with the neighbour.
#[must_use]
pub fn join_key(first: GlyphKey, word: &PlacedWord, position: usize, catalogue: &FontCatalogue) -> Option<JoinKey> {
    let (glyph, next) = (word.glyphs.get(position)?, word.glyphs.get(position + 1)?);
    if !glyph.ink.touches(next.ink) || (glyph.font, glyph.em) != (next.font, next.em) {
        return None;
    }
    let away = if let Some(letter) = word.letters.get(position) {
        letter.way_to(word.letters.get(position + 1)?)?.map(|units| f64::from(units) * JoinKey::STEPS)
    } else {
        let steps = JoinKey::STEPS * f64::from(catalogue.face(glyph.font).units_per_em()) / glyph.em.get();
        let away = next.origin - glyph.origin;
        [away.x.get() * steps, -away.y.get() * steps]
    };
    Some(JoinKey { first, second: next.glyph, offset: away.map(|offset| offset.round() as i32) })
}

/// The detail of outlines of varied letters with this em and this x-height (in ems).
fn bent_detail(em: DevicePx, x_height: f64, displacement: Option<Displacement>) -> Detail {
    let piece = (PIECE_SQUARED * x_height * em.get()).sqrt().max(1.0);
    let elastic = displacement.filter(|displacement| !displacement.is_grain);
    let piece = elastic.map_or(piece, |elastic| piece.min(elastic.piece));
    Detail::within(BENT_TOLERANCE, em).in_pieces(DevicePx::new(piece), em).with_normals()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::NaturalVariation;

    fn map(sigma: u8) -> OutlineMap {
        let variation = Some(NaturalVariation { alpha: 15, sigma });
        let params = RenderParams { variation, seed: 3, ..RenderParams::plain(Dpi::Dpi300.scale()) };
        OutlineMap::of(&params, Size { width: Px::new(800.0), height: Px::new(600.0) })
    }

    #[test]
    fn a_field_moves_ink_smoothly_and_never_beyond_the_page() {
        let map = map(5);
        let mut moved = 0.0_f64;
        for x in 0..800 {
            let [from, to] = [f64::from(x), f64::from(x) + 0.5].map(|x| map.displaced([x, 300.0]));
            assert!((0.0..2.0).contains(&(to[0] - from[0])), "points keep their order");
            moved = moved.max((from[1] - 300.0).abs());
            let edge = map.displaced([f64::from(x), 0.0]);
            assert!(edge[1].abs() < 1e-9, "{edge:?}");
        }
        assert!(moved > 0.5 && moved < 6.0, "{moved}");
    }
}
