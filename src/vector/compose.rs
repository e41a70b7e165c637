//! Places the glyphs of a page and gives each its ink.

use super::glyph_shape::GlyphShapes;
use super::page::{OutlineGlyph, OutlinePage, OutlineWord, Shape};
use crate::catalogue::FontCatalogue;
use crate::geometry::Size;
use crate::layout::{PageLayout, PlacedGlyph};
use crate::scene::{InkLoad, RenderParams, WordRotation};
use crate::units::{Dpi, Px};
use crate::work::{IsWanted, Stopped};

/// Ink that covers wholly.
const SOLID: u8 = 255;

/// The outlines of a page. The scale of `params` has no effect.
///
/// # Errors
/// The page is no longer wanted.
pub fn outline_page(
    layout: &PageLayout,
    params: &RenderParams,
    catalogue: &FontCatalogue,
    is_wanted: IsWanted<'_>,
) -> Result<OutlinePage, Stopped> {
    let inks = Inks::of(layout, params);
    let mut shapes = GlyphShapes::new(catalogue);
    let mut page = OutlinePage { size: layout.size, ..OutlinePage::default() };
    for (number, line) in layout.lines.iter().enumerate() {
        let first = page.words.len();
        for word in layout.words.get(line.words.clone()).unwrap_or_default() {
            if !is_wanted() {
                return Err(Stopped::Unwanted);
            }
            let rotation = WordRotation::of(word, Dpi::default().scale());
            let mut glyphs = Vec::with_capacity(word.glyphs.len());
            for glyph in &word.glyphs {
                let units_per_em = catalogue.face(glyph.font).units_per_em();
                let Some(shape) = shapes.shape(glyph.font, glyph.glyph) else { continue };
                let map = rotation.placement(glyph, units_per_em).map();
                let place = Place::of(around(shape.bounds, map), layout.size);
                page.overhangs |= place == Place::Across;
                if place != Place::Outside {
                    glyphs
                        .push(OutlineGlyph { shape: Shape::Placed { glyph: shape, map }, ink: inks.at(number, glyph) });
                }
            }
            page.words.push(OutlineWord { glyphs });
        }
        page.lines.push(first..page.words.len());
    }
    Ok(page)
}

/// Where the ink of a glyph lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Inside,
    Across,
    Outside,
}

impl Place {
    /// The place of a box on the page, both in page px.
    fn of([left, top, right, bottom]: [f64; 4], page: Size<Px>) -> Self {
        let (width, height) = (page.width.get(), page.height.get());
        if right <= 0.0 || bottom <= 0.0 || left >= width || top >= height {
            Self::Outside
        } else if left < 0.0 || top < 0.0 || right > width || bottom > height {
            Self::Across
        } else {
            Self::Inside
        }
    }
}

/// The box around the image of a box.
fn around([left, bottom, right, top]: [f64; 4], [a, b, c, d, e, f]: [f64; 6]) -> [f64; 4] {
    let corners = [[left, bottom], [right, bottom], [left, top], [right, top]];
    let image = corners.map(|[x, y]| [a * x + c * y + e, b * x + d * y + f]);
    image.iter().fold([f64::MAX, f64::MAX, f64::MIN, f64::MIN], |around, [x, y]| {
        [around[0].min(*x), around[1].min(*y), around[2].max(*x), around[3].max(*y)]
    })
}

/// The strength of the ink along the writing.
struct Inks {
    load: Option<(InkLoad, f64)>,
}

impl Inks {
    fn of(layout: &PageLayout, params: &RenderParams) -> Self {
        let load = |intensity| (InkLoad::of(layout, params.seed, params.page, intensity), intensity);
        Self { load: params.ink_flow.map(|flow| load(flow.intensity)) }
    }

    /// That of a glyph: one tint, as the pen leaves it in the middle of the glyph. Variation within a stroke and the
    /// grain of the paper are left out.
    fn at(&self, line: usize, glyph: &PlacedGlyph) -> u8 {
        let Some((load, intensity)) = &self.load else { return SOLID };
        let middle = f64::midpoint(glyph.ink.min.x.get(), glyph.ink.max.x.get());
        let opacity = load.opacity(line, middle, *intensity);
        (opacity * f64::from(SOLID)).round() as u8
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::layout::lay_out;
    use crate::spec::{Endpoint, RenderSpec, parse_value};

    fn spec(members: serde_json::Value) -> RenderSpec {
        let mut request = json!({"text": "the quick brown fox\njumps over the lazy dog", "page_size": "a6", "seed": 3});
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        parse_value(&request, Endpoint::Generate, || 1).unwrap()
    }

    fn outlined(members: serde_json::Value) -> (PageLayout, OutlinePage) {
        let (catalogue, spec) = (FontCatalogue::load().unwrap(), spec(members));
        let layout = lay_out(&spec, &catalogue).unwrap();
        let params = RenderParams::of(&spec, spec.dpi.scale());
        let page = outline_page(&layout, &params, &catalogue, &|| true).unwrap();
        (layout, page)
    }

    #[test]
    fn every_glyph_stands_where_the_layout_has_it_and_shares_its_outline() {
        let (layout, page) = outlined(json!({}));
        let glyphs: Vec<&OutlineGlyph> = page.words.iter().flat_map(|word| &word.glyphs).collect();
        assert_eq!((glyphs.len(), page.words.len(), page.lines.len()), (35, 9, layout.lines.len()));
        assert!(!page.overhangs);
        for (drawn, placed) in glyphs.iter().zip(layout.glyphs()) {
            let Shape::Placed { glyph, map } = &drawn.shape;
            let [left, top, right, bottom] = around(glyph.bounds, *map);
            let unit = map[0];
            // The bounds are a font unit larger than the ink, and rounded.
            for (found, expected, outwards) in [
                (left, placed.ink.min.x.get(), -1.0),
                (top, placed.ink.min.y.get(), -1.0),
                (right, placed.ink.max.x.get(), 1.0),
                (bottom, placed.ink.max.y.get(), 1.0),
            ] {
                assert!((0.9 * unit..2.1 * unit).contains(&((found - expected) * outwards)), "{found} {expected}");
            }
            assert_eq!(drawn.ink, SOLID);
        }
        let mut distinct: Vec<_> = glyphs
            .iter()
            .map(|glyph| match &glyph.shape {
                Shape::Placed { glyph, .. } => std::sync::Arc::as_ptr(glyph),
            })
            .collect();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() <= 27, "{}", distinct.len());
    }

    #[test]
    fn a_rotated_word_turns_about_its_pivot() {
        let (layout, page) = outlined(json!({"enable_word_rotation": true, "word_rotation_range": 10}));
        for (word, placed) in page.words.iter().zip(&layout.words) {
            let angle = placed.rotation.get().to_radians();
            let Shape::Placed { map, .. } = &word.glyphs[0].shape;
            // y points down, so a clockwise angle takes the x axis downwards.
            assert!((map[1].atan2(map[0]) - angle).abs() < 1e-9);
            let distance = |at: [f64; 2]| (at[0] - placed.pivot.x.get()).hypot(at[1] - placed.pivot.y.get());
            let origin = placed.glyphs[0].origin;
            assert!((distance([map[4], map[5]]) - distance([origin.x.get(), origin.y.get()])).abs() < 1e-6);
        }
        assert!(layout.words.iter().any(|word| word.rotation.get().abs() > 1.0));
    }

    #[test]
    fn ink_flow_gives_each_letter_one_tint_and_fades_more_with_more_intensity() {
        let mean = |intensity: f64| {
            // A pen dries over lines.
            let text = "the quick brown fox jumps over the lazy dog, and ".repeat(12);
            let (_, page) = outlined(json!({"text": text, "enable_ink_flow": true, "ink_flow_intensity": intensity}));
            let inks: Vec<f64> =
                page.words.iter().flat_map(|word| &word.glyphs).map(|glyph| f64::from(glyph.ink)).collect();
            inks.iter().sum::<f64>() / inks.len() as f64
        };
        let means = [0.0, 1.0, 2.0, 3.0].map(mean);
        assert!(means[0] > 254.9 && means.windows(2).all(|pair| pair[0] > pair[1]), "{means:?}");
    }

    #[test]
    fn ink_beyond_the_page_is_noticed() {
        let page = Size { width: Px::new(100.0), height: Px::new(50.0) };
        assert_eq!(Place::of([0.0, 0.0, 100.0, 50.0], page), Place::Inside);
        assert_eq!(Place::of([90.0, 10.0, 101.0, 20.0], page), Place::Across);
        assert_eq!(Place::of([10.0, 50.0, 20.0, 60.0], page), Place::Outside);
    }
}
