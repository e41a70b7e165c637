//! Places the glyphs of a page and gives each its ink.

use rayon::prelude::*;

use super::bend::{Bender, tolerance};
use super::boundary::box_of;
use super::glyph_shape::{GlyphShapes, glyph_shape};
use super::page::{PathKind, Shape, VectorPath, VectorText, VectorWord};
use super::pen_lines::{Joining, pen_lines};
use super::strokes::strokes_of;
use super::threads::in_own_threads;
use crate::catalogue::{FontCatalogue, FontStrokes, StrokePart};
use crate::geometry::{PathCommand, Size};
use crate::layout::{PageLayout, PlacedGlyph, PlacedWord};
use crate::mesh::MeshCache;
use crate::scene::{ComposeError, InkLoss, OutlineMap, RenderParams, WordRotation};
use crate::units::{Dpi, Px};
use crate::work::{IsWanted, Stopped};

/// Longest way that a pen goes twice along ink of joined writing, in em: about the height of a tall d.
const LONGEST_RETRACE_EM: f64 = 1.0;
/// Ink that covers wholly.
const SOLID: u8 = 255;

/// What is written on the page, as paths of a kind, in black and without a pen. The scale of `params` has no effect.
/// Words are bent in parallel.
///
/// # Errors
/// When a glyph cannot be tessellated, or the page is no longer wanted.
pub fn vector_text(
    layout: &PageLayout,
    params: &RenderParams,
    kind: PathKind,
    catalogue: &FontCatalogue,
    meshes: &MeshCache,
    is_wanted: IsWanted<'_>,
) -> Result<VectorText, ComposeError> {
    let mut shapes = GlyphShapes::default();
    // A pen of a machine draws its own line.
    let pen = params.pen.filter(|_| kind != PathKind::Strokes);
    let (map, tolerance) = (OutlineMap::of(&RenderParams { pen, ..*params }, layout.size), tolerance(kind));
    let bender = Bender { map, meshes, catalogue, tolerance };
    let unbent = layout.words.iter().filter(|word| !bender.map.bends(word.letters.first()));
    for glyph in unbent.flat_map(|word| &word.glyphs).filter(|_| kind != PathKind::Strokes) {
        let id = (glyph.font, glyph.glyph);
        shapes.entry(id).or_insert_with(|| glyph_shape(id.0, id.1, catalogue));
    }
    // No pen tints letters.
    let flow = params.ink_flow.filter(|_| kind == PathKind::Outlines && pen.is_none());
    let ink = flow.map(|flow| (InkLoss::of(layout, params.seed, params.page, flow.intensity, false), flow.intensity));
    let composer = Composer { kind, ink, shapes, bender, size: layout.size };
    let mut numbered: Vec<(usize, &PlacedWord)> = Vec::with_capacity(layout.words.len());
    for (number, line) in layout.lines.iter().enumerate() {
        let words = layout.words.get(line.words.clone()).unwrap_or_default();
        // A pen writes from right to left where the line does.
        let is_reversed = kind == PathKind::Strokes && line.runs.first().is_some_and(|run| run.right_to_left);
        let start = numbered.len();
        numbered.extend(words.iter().map(|word| (number, word)));
        if is_reversed {
            numbered[start..].reverse();
        }
    }
    let words = numbered.par_iter().map(|(line, word)| composer.word(*line, word, is_wanted));
    let words = in_own_threads(|| words.collect::<Result<Vec<_>, ComposeError>>())?;
    let (words, overhangs): (Vec<VectorWord>, Vec<bool>) = words.into_iter().unzip();
    let mut behind = 0;
    let lines = layout.lines.iter().map(|line| {
        behind += line.words.len();
        behind - line.words.len()..behind
    });
    let lines = lines.collect();
    Ok(VectorText { words, lines, overhangs: overhangs.contains(&true), ..VectorText::default() })
}

/// What all words of a page share.
struct Composer<'a> {
    kind: PathKind,
    /// The load of the pen and the intensity of its fading, if the ink fades.
    ink: Option<(InkLoss, f64)>,
    shapes: GlyphShapes,
    bender: Bender<'a>,
    size: Size<Px>,
}

impl Composer<'_> {
    /// A word of a line, and whether its ink leaves the page.
    fn word(
        &self,
        line: usize,
        word: &PlacedWord,
        is_wanted: IsWanted<'_>,
    ) -> Result<(VectorWord, bool), ComposeError> {
        let rotation = WordRotation::of(word, Dpi::default().scale());
        let mut paths = Vec::with_capacity(word.glyphs.len());
        let mut strokes: Vec<(StrokePart, Vec<PathCommand>)> = Vec::new();
        let mut overhangs = false;
        let mut glyphs: Vec<(usize, &PlacedGlyph)> = word.glyphs.iter().enumerate().collect();
        if self.kind == PathKind::Strokes && word.text.right_to_left {
            glyphs.reverse();
        }
        for (position, glyph) in glyphs {
            if !is_wanted() {
                return Err(Stopped::Unwanted.into());
            }
            let letter = word.letters.get(position);
            let face = self.bender.catalogue.face(glyph.font);
            let placement = rotation.placement(glyph, face.units_per_em());
            let (shape, bounds) = if self.kind == PathKind::Strokes {
                strokes.extend(strokes_of(glyph, letter, &placement, &self.bender.map, self.bender.catalogue));
                continue;
            } else if self.bender.map.bends(letter) {
                let (path, bounds) = self.bender.bent(word, position, glyph, &placement)?;
                (Shape::Free(path), bounds)
            } else {
                let Some(shape) = self.shapes.get(&(glyph.font, glyph.glyph)).cloned().flatten() else { continue };
                let (bounds, map) = (around(shape.bounds, |at| placement.applied(at)), placement.map());
                (Shape::Placed { glyph: shape, map }, bounds)
            };
            if let Some(is_beyond) = beyond_page(bounds, self.size) {
                overhangs |= is_beyond;
                paths.push(VectorPath { shape, ink: strength(self.ink.as_ref(), line, glyph) });
            }
        }
        let joining = self.joining(word);
        if joining.longest_retrace > 0.0 {
            // Joined writing adds bars and dots to the word when it is written.
            strokes.sort_by_key(|(part, _)| part.is_late());
        }
        let strokes: Vec<Vec<PathCommand>> = strokes.into_iter().map(|(_, path)| path).collect();
        for path in pen_lines(&strokes, joining) {
            if let Some(is_beyond) = beyond_page(path_bounds(&path), self.size) {
                overhangs |= is_beyond;
                paths.push(VectorPath { shape: Shape::Free(path), ink: SOLID });
            }
        }
        Ok((VectorWord { paths }, overhangs))
    }

    /// When strokes of a word are one line.
    fn joining(&self, word: &PlacedWord) -> Joining {
        // A word is in one font, with few exceptions.
        let Some(glyph) = word.glyphs.first() else { return Joining { reach: 0.0, longest_retrace: 0.0 } };
        let face = self.bender.catalogue.face(glyph.font);
        let retrace_em = if face.is_joined() { LONGEST_RETRACE_EM } else { 0.0 };
        Joining {
            reach: face.strokes().map_or(0.0, FontStrokes::pen_em) * glyph.em.get(),
            longest_retrace: retrace_em * glyph.em.get(),
        }
    }
}

/// Whether ink in this box goes beyond the page; `None` if all of it lies outside.
fn beyond_page([left, top, right, bottom]: [f64; 4], page: Size<Px>) -> Option<bool> {
    let (width, height) = (page.width.get(), page.height.get());
    let is_outside = right <= 0.0 || bottom <= 0.0 || left >= width || top >= height;
    (!is_outside).then_some(left < 0.0 || top < 0.0 || right > width || bottom > height)
}

/// The box around the ends of a path.
fn path_bounds(path: &[PathCommand]) -> [f64; 4] {
    box_of(path.iter().filter_map(PathCommand::end))
}

/// The box around the image of a box.
fn around([left, bottom, right, top]: [f64; 4], map: impl Fn([f64; 2]) -> [f64; 2]) -> [f64; 4] {
    box_of([[left, bottom], [right, bottom], [left, top], [right, top]].map(map).into_iter())
}

/// The strength of the ink of a glyph: one tint, as the pen leaves it in the middle of the glyph. Variation within a
/// stroke and the grain of the paper are left out.
fn strength(ink: Option<&(InkLoss, f64)>, line: usize, glyph: &PlacedGlyph) -> u8 {
    let Some((load, intensity)) = ink else { return SOLID };
    let middle = f64::midpoint(glyph.ink.min.x.get(), glyph.ink.max.x.get());
    (load.opacity(line, middle, *intensity) * f64::from(SOLID)).round() as u8
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::layout::lay_out;
    use crate::spec::{Endpoint, RenderSpec, parse_value};

    fn spec(members: &serde_json::Value) -> RenderSpec {
        let mut request = json!({"text": "the quick brown fox\njumps over the lazy dog", "page_size": "a6", "seed": 3});
        request.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        parse_value(&request, Endpoint::Generate, || 1).unwrap()
    }

    fn outlined(members: &serde_json::Value) -> (PageLayout, VectorText) {
        let (catalogue, spec) = (FontCatalogue::load().unwrap(), spec(members));
        let layout = lay_out(&spec, &catalogue).unwrap();
        let params = RenderParams::of(&spec, spec.dpi.scale());
        let page =
            vector_text(&layout, &params, PathKind::Outlines, &catalogue, &MeshCache::default(), &|| true).unwrap();
        (layout, page)
    }

    #[test]
    fn every_glyph_stands_where_the_layout_has_it_and_shares_its_outline() {
        let (layout, page) = outlined(&json!({}));
        let glyphs: Vec<&VectorPath> = page.paths().collect();
        assert_eq!((glyphs.len(), page.words.len(), page.lines.len()), (35, 9, layout.lines.len()));
        assert!(!page.overhangs);
        for (drawn, placed) in glyphs.iter().zip(layout.glyphs()) {
            let Shape::Placed { glyph, map } = &drawn.shape else { panic!("bent") };
            let [left, top, right, bottom] =
                around(glyph.bounds, |[x, y]| [map[0] * x + map[2] * y + map[4], map[1] * x + map[3] * y + map[5]]);
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
                Shape::Free(_) => panic!("bent"),
            })
            .collect();
        distinct.sort_unstable();
        distinct.dedup();
        // The font has alternates of some letters.
        assert!(distinct.len() < glyphs.len(), "{}", distinct.len());
    }

    #[test]
    fn a_rotated_word_turns_about_its_pivot() {
        let (layout, page) = outlined(&json!({"enable_word_rotation": true, "word_rotation_range": 10}));
        for (word, placed) in page.words.iter().zip(&layout.words) {
            let angle = placed.rotation.get().to_radians();
            let Shape::Placed { map, .. } = &word.paths[0].shape else { panic!("bent") };
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
            let (_, page) = outlined(&json!({"text": text, "enable_ink_flow": true, "ink_flow_intensity": intensity}));
            let inks: Vec<f64> = page.paths().map(|glyph| f64::from(glyph.ink)).collect();
            inks.iter().sum::<f64>() / inks.len() as f64
        };
        let means = [0.0, 1.0, 2.0, 3.0].map(mean);
        assert!(means[0] > 254.9 && means.windows(2).all(|pair| pair[0] > pair[1]), "{means:?}");
    }

    #[test]
    fn ink_beyond_the_page_is_noticed() {
        let page = Size { width: Px::new(100.0), height: Px::new(50.0) };
        assert_eq!(beyond_page([0.0, 0.0, 100.0, 50.0], page), Some(false));
        assert_eq!(beyond_page([90.0, 10.0, 101.0, 20.0], page), Some(true));
        assert_eq!(beyond_page([10.0, 50.0, 20.0, 60.0], page), None);
    }
}
