//! Signs that fonts lack, drawn with the pen of the hand.

use kurbo::{BezPath, PathEl, Shape as _};
use longhand::catalogue::{FontFace, FontId};
use longhand::geometry::Rect;
use longhand::layout::{PageLayout, lay_out};
use longhand::spec::{Endpoint, RenderSpec, parse_value};
use longhand::units::Px;
use serde_json::json;

use super::pages::{CATALOGUE, spec};

const LIST: &str = "☐ milk\n☑ bread → shop\n☒ ✓ ✗ • № 5 ℅ Ann ♥♡ ★☆ ●○ ■ ☺ ☼ ⌂ ◇◆ △▽\nm² 10⁻⁵ 50ᵗʰ H₂O xᵢ\nC:\\Users";

fn written(face: &FontFace, text: &str) -> PageLayout {
    lay_out(&RenderSpec { font: face.id(), ..spec(text) }, &CATALOGUE).unwrap()
}

#[test]
fn every_hand_writes_a_list_without_another_hand() {
    for face in CATALOGUE.faces() {
        let page = written(face, LIST);
        assert!(page.warnings.is_empty(), "font {}: {:?}", face.id().get(), page.warnings);
        assert!(page.glyphs().all(|glyph| glyph.font == face.id()));
    }
}

#[test]
fn the_japanese_hand_writes_names_with_iteration_marks() {
    let page = written(CATALOGUE.face(FontId::new(90).unwrap()), "佐々木様、人々と時々、〆切、仝");
    assert!(page.warnings.is_empty(), "{:?}", page.warnings);
    let iteration = page.glyphs().nth(1).unwrap().ink;
    let ideograph = page.glyphs().next().unwrap().ink;
    let height = |ink: Rect<Px>| (ink.max.y - ink.min.y).get();
    assert!((0.6..1.2).contains(&(height(iteration) / height(ideograph))));
}

/// The pen of the hand: a box is as high as a capital or lower, and its line as wide as the strokes of letters.
#[test]
fn a_box_is_drawn_with_the_pen_of_the_hand() {
    for face in CATALOGUE.faces() {
        let glyph = face.glyph_for('☐').unwrap();
        if glyph.0 < face.glyph_count() {
            continue;
        }
        let ink = face.ink(glyph).unwrap();
        let (height, em) = ((ink.max.y - ink.min.y).get(), f64::from(face.units_per_em()));
        let capital = face.ink(face.glyph_for('H').unwrap()).unwrap().max.y.get();
        assert!(height < 1.15 * capital && height > 0.5 * face.x_height().get(), "font {}", face.id().get());
        // The length of the line times the width of the pen.
        let pen = face.stroke_em() * em;
        let length = ((ink.max.x - ink.min.x) + (ink.max.y - ink.min.y)).get() * 2.0 - 4.0 * pen;
        let outline: BezPath = face.outline(glyph).unwrap().commands.into_iter().map(PathEl::from).collect();
        let drawn = outline.area().abs() / (length * pen);
        assert!((0.9..1.15).contains(&drawn), "font {}: {drawn}", face.id().get());
    }
}

#[test]
fn hands_for_plotters_have_strokes_for_signs() {
    let request = json!({"text": LIST, "font_id": 2, "output_format": "svg", "svg": {"paths": "strokes"}});
    let spec = parse_value(&request, Endpoint::Generate, || 1).unwrap();
    let page = lay_out(&spec, &CATALOGUE).unwrap();
    let face = CATALOGUE.face(FontId::new(2).unwrap());
    for glyph in page.glyphs() {
        let strokes = face.glyph_strokes(glyph.glyph).unwrap_or_else(|| panic!("{:?}", glyph.glyph));
        assert!(!strokes.is_empty());
    }
}

#[test]
fn strokes_of_signs_fill_the_ink_of_the_hand_that_has_its_own() {
    for face in CATALOGUE.faces().filter(|face| face.has_strokes()) {
        for sign in "•♥★●■→←✓".chars().filter(|sign| face.has(*sign)) {
            let glyph = face.glyph_for(sign).unwrap();
            let strokes = face.glyph_strokes(glyph).unwrap_or_default();
            let whose = || format!("font {}: {sign}", face.id().get());
            assert!(!strokes.is_empty(), "{}", whose());
            let commands = strokes.iter().flat_map(|stroke| &stroke.commands);
            let line: BezPath = commands.copied().map(PathEl::from).collect();
            let (ink, pen) = (face.ink(glyph).unwrap(), face.stroke_em() * f64::from(face.units_per_em()));
            let covered = line.bounding_box().inflate(0.5 * pen, 0.5 * pen);
            // A drawn sign keeps its shape: it fills the width or the height.
            let filled =
                (covered.width() / (ink.max.x - ink.min.x).get()).max(covered.height() / (ink.max.y - ink.min.y).get());
            assert!(filled > 0.8 && filled < 2.0, "{}: {filled}", whose());
        }
    }
}
