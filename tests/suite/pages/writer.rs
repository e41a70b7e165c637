//! Writer variation: what it leaves alone, where its ink stays, and the device's outlines against the map in Rust.

use longhand::catalogue::FontId;
use longhand::layout::{PageLayout, PlacedGlyph, PlacedWord, lay_out};
use longhand::mesh::{Detail, GlyphKey, GlyphMesh, MeshCache, MeshKey};
use longhand::spec::{Alignment, Effects, Overflow, RenderSpec, VerticalAlignment, WriterVariation};
use longhand::units::{Degrees, DevicePx, Px};
use longhand::variation::LetterMap;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::rendered::{Pictures, render, spec as spec_of};
use crate::layout::pages::{CATALOGUE, any_spec, spec};
use crate::oracle::{ask, number};
use crate::sample;

pub(crate) const LETTER: &str = "Dear Mrs. Hawthorne,\n\nThank you so much for the lovely afternoon last Sunday. The garden \
    was in full bloom, and Thomas has not stopped talking about the bees ever since! Would you join us for tea?";

fn varied(strength: f64) -> Effects {
    Effects { writer_variation: Some(WriterVariation { strength }), ..Effects::default() }
}

fn page(spec: &RenderSpec) -> PageLayout {
    lay_out(spec, &CATALOGUE).unwrap_or_else(|error| panic!("font {}: {error}", spec.font.get()))
}

/// A corner of a polygon, and the normal there.
pub(crate) type Corner = ([f32; 2], [f32; 2]);

/// A glyph's boundary as polygons with the normals at their corners, fine enough for 60 px at ten times the resolution.
pub(crate) fn polygons(font: FontId, glyph: &PlacedGlyph, meshes: &MeshCache) -> Vec<Vec<Corner>> {
    let em = DevicePx::new(600.0);
    let detail = Detail::for_em(em).in_pieces(DevicePx::new(8.0), em).with_normals();
    let mesh =
        meshes.mesh(MeshKey::Glyph(GlyphKey::new(CATALOGUE.face(font), glyph.glyph, detail)), &CATALOGUE).unwrap();
    contours(&mesh)
}

/// The closed polygons of a mesh.
fn contours(mesh: &GlyphMesh) -> Vec<Vec<Corner>> {
    let mut contours: Vec<Vec<Corner>> = Vec::new();
    let mut end = None;
    for [from, to] in mesh.lines() {
        if end != Some(from) {
            contours.push(Vec::new());
        }
        let [x, y, a, b] = from;
        contours.last_mut().unwrap().push(([x, y], [a, b]));
        end = Some(to);
    }
    contours
}

/// Where a bent point of a glyph lies on the page, in page px.
pub(crate) fn on_page(word: &PlacedWord, glyph: &PlacedGlyph, [x, y]: [f32; 2]) -> [f64; 2] {
    let unit = glyph.em.get() / f64::from(CATALOGUE.face(glyph.font).units_per_em());
    let (sin, cos) = word.rotation.get().to_radians().sin_cos();
    let x = (glyph.origin.x - word.pivot.x).get() + f64::from(x) * unit;
    let y = (glyph.origin.y - word.pivot.y).get() - f64::from(y) * unit;
    [word.pivot.x.get() + x * cos - y * sin, word.pivot.y.get() + x * sin + y * cos]
}

/// Every glyph of a page as polygons bent by the map in Rust, in page px.
pub(crate) fn bent(page: &PageLayout, meshes: &MeshCache) -> Vec<Vec<Vec<[f64; 2]>>> {
    let mut glyphs = Vec::new();
    for word in &page.words {
        for (glyph, letter) in word.glyphs.iter().zip(&word.letters) {
            let bent = |letter: &LetterMap, contour: &[Corner]| {
                contour.iter().map(|(at, normal)| on_page(word, glyph, letter.bend(*at, *normal))).collect::<Vec<_>>()
            };
            glyphs.push(polygons(glyph.font, glyph, meshes).iter().map(|contour| bent(letter, contour)).collect());
        }
    }
    glyphs
}

/// A letter at a size for which outlines are cut as coarsely as for any.
fn request(font: u16, strength: f64) -> Value {
    json!({"text": LETTER, "font_id": font, "page_size": "a5", "font_size": 72, "line_height_multiplier": 2, "seed": 7,
           "overflow": "clip", "enable_writer_variation": true, "writer_variation_strength": strength})
}

/// Fonts tried by every run: joined and not, steep, thick, thin; or all.
pub(crate) fn fonts() -> Vec<u16> {
    sample::either(vec![1, 3, 4, 12, 35, 43, 67, 75, 80], (1..=90).collect())
}

/// Each of these fonts at strength 1, and every third at the others.
pub(super) fn at_strength_one_or(others: [f64; 2]) -> Vec<(u16, f64)> {
    let at_others = sample::every(3, fonts()).into_iter().flat_map(|font| others.map(|strength| (font, strength)));
    fonts().into_iter().map(|font| (font, 1.0)).chain(at_others).collect()
}

#[test]
fn the_page_is_that_of_the_map_in_rust_filled_by_freetype() {
    let meshes = MeshCache::default();
    let mut far = Vec::new();
    for font in fonts() {
        let request = request(font, 1.0);
        let glyphs = bent(&page(&spec_of(&request)), &meshes);
        let mut pictures = Pictures::new();
        let picture = pictures.add(&request);
        let figures = ask("bent_outlines.py", &json!({"picture": picture, "glyphs": glyphs}));
        println!("font {font}: {figures}");
        assert!(number(&figures, "inked") > 5_000.0);
        // The bound; the largest errors are single pixels where strokes of letters that are no neighbours
        // cross.
        if number(&figures, "mean") > 1.5 {
            far.push((font, number(&figures, "mean")));
        }
        let shifted = ask("bent_outlines.py", &json!({"picture": picture, "glyphs": glyphs, "shift": 0.1}));
        assert!(number(&shifted, "mean") > number(&figures, "mean") + 1.5, "a shift is not seen: {shifted}");
    }
    assert!(far.is_empty(), "mean errors above 1.5 by font: {far:?}");
}

#[test]
fn no_strength_and_no_effect_are_the_plain_page_to_the_byte() {
    for font in [1, 3, 81, 87] {
        let plain = json!({"text": LETTER, "font_id": font, "page_size": "a5", "font_size": 50, "seed": 7});
        let with = |more: Value| {
            let mut request = plain.clone();
            request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            render(&request).bytes
        };
        let bytes = render(&plain).bytes;
        assert!(bytes == with(json!({"enable_writer_variation": true, "writer_variation_strength": 0})));
        assert!(bytes == with(json!({"writer_variation_strength": 2})));
        assert!(bytes != with(json!({"enable_writer_variation": true, "writer_variation_strength": 0.1})));
    }
}

#[test]
fn a_word_changed_later_changes_nothing_before_it() {
    let first = page(&RenderSpec { effects: varied(1.0), ..spec(LETTER) });
    let changed = LETTER.replace("Would you join us for tea?", "We thank you for all of it.");
    let second = page(&RenderSpec { effects: varied(1.0), ..spec(&changed) });
    let before = LETTER[..LETTER.find("Would").unwrap()].split_whitespace().count();
    // Words of the line on which the change stands may move with it.
    let settled = before - 8;
    assert_eq!(first.words[..settled], second.words[..settled]);
    assert_ne!(first.words[before..], second.words[before..]);
}

#[test]
fn the_strength_scales_draws_and_does_not_change_them() {
    let letters = |strength: f64| {
        let page = page(&RenderSpec { effects: varied(strength), ..spec(LETTER) });
        page.words.into_iter().flat_map(|word| word.letters).collect::<Vec<LetterMap>>()
    };
    let (half, whole) = (letters(0.5), letters(1.0));
    assert_eq!(half.len(), whole.len());
    // The first letter of a word is not limited by one before it.
    for (half, whole) in half.iter().zip(&whole).filter(|(half, _)| half.begins_word()) {
        // Heights are logarithms, baselines and waves are lengths.
        let height = |letter: &LetterMap| f64::from(letter.own.size[1]).ln_1p();
        assert!((2.0 * height(half) - height(whole)).abs() < 1e-5);
        assert!((2.0 * half.own.size[3] - whole.own.size[3]).abs() < 1e-3);
        assert!((2.0 * half.own.waves[2][1] - whole.own.waves[2][1]).abs() < 1e-3);
    }
}

#[test]
fn bent_ink_stays_in_its_box_and_within_the_margins() {
    let meshes = MeshCache::default();
    for (font, strength) in fonts().into_iter().flat_map(|font| [(font, 1.0), (font, 2.0)]) {
        for (alignment, vertical_alignment) in [
            (Alignment::Left, VerticalAlignment::Top),
            (Alignment::Center, VerticalAlignment::Center),
            (Alignment::Right, VerticalAlignment::Bottom),
        ] {
            let turned = Some(Degrees::new(3.0));
            let spec = RenderSpec {
                font: FontId::new(font).unwrap(),
                effects: Effects { word_rotation: turned, ..varied(strength) },
                alignment,
                vertical_alignment,
                overflow: Overflow::Shrink,
                ..spec(LETTER)
            };
            let page = page(&spec);
            let inside = |[x, y]: [f64; 2]| {
                let (margins, size) = (spec.margins, page.size);
                (margins.left.get()..=(size.width - margins.right).get()).contains(&x)
                    && (margins.top.get()..=(size.height - margins.bottom).get()).contains(&y)
            };
            let outside = bent(&page, &meshes).into_iter().flatten().flatten().find(|at| !inside(*at));
            assert!(outside.is_none(), "font {font} at {strength}: ink at {outside:?}");
        }
    }
}

#[test]
fn widths_are_known_to_the_automatic_size() {
    for font in [2, 3, 75] {
        let request = json!({"text": LETTER.repeat(3), "font_id": font, "page_size": "a5", "seed": 7,
                             "enable_writer_variation": true});
        let spec = spec_of(&request);
        let size = page(&spec).calculated_font_size.unwrap();
        let fixed = |size: u32| RenderSpec {
            font_size: longhand::spec::FontSize::Fixed(Px::new(f64::from(size))),
            ..spec.clone()
        };
        assert!(lay_out(&fixed(size), &CATALOGUE).is_ok());
        assert!(lay_out(&fixed(size + 1), &CATALOGUE).is_err(), "font {font}: {size} is not the largest");
    }
}

#[test]
fn a_blank_end_of_a_line_moves_no_ink_over_the_margin() {
    let request = json!({"text": "กเ\u{ad} \u{ad} a a", "font_id": 43, "font_size": 12, "page_size": "a6", "seed": 7,
                         "margin_left": 506, "margin_right": 506, "margin_top": 0, "margin_bottom": 0,
                         "word_spacing": 157, "line_height_multiplier": 0.5, "text_alignment": "right",
                         "enable_writer_variation": true});
    let spec = spec_of(&request);
    let page = page(&spec);
    let right = (page.size.width - spec.margins.right).get();
    for glyph in page.words.iter().flat_map(|word| &word.glyphs) {
        assert!(glyph.ink.max.x.get() <= right + 0.05 * glyph.em.get(), "{glyph:?} is right of {right}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_varied_page_is_laid_out_inside_its_margins(spec in any_spec(), strength in 0.1_f64..2.0) {
        let spec = RenderSpec { effects: varied(strength), ..spec };
        if let Ok(page) = lay_out(&spec, &CATALOGUE) {
            let (margins, size) = (spec.margins, page.size);
            for word in &page.words {
                prop_assert_eq!(word.letters.len(), word.glyphs.len());
                for glyph in &word.glyphs {
                    // Words follow slopes of at most 2.5°, for which room is left.
                    let close = 1e-6 + 0.05 * glyph.em.get();
                    prop_assert!(glyph.ink.min.x.get() >= margins.left.get() - close);
                    prop_assert!(glyph.ink.max.x.get() <= (size.width - margins.right).get() + close);
                    prop_assert!(glyph.ink.min.y.get() >= margins.top.get() - close);
                    prop_assert!(glyph.ink.max.y.get() <= (size.height - margins.bottom).get() + close);
                }
            }
            prop_assert_eq!(&page, &lay_out(&spec, &CATALOGUE).unwrap());
        }
    }
}
