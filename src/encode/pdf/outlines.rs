//! The content stream of a page of outlines: paper, each glyph in its place and colour, the marks.

use pdf_writer::{Content, Name};

use super::boxes::{PageBoxes, number};
use super::content::{paint_marks, paint_paper};
use super::document::PageColors;
use super::marks;
use crate::encode::color::FillColor;
use crate::spec::PressPlan;
use crate::units::PT_PER_INCH;
use crate::vector::{GlyphShape, OutlineGlyph, OutlinePage, Shape};

/// Points per page px.
const PT_PER_PX: f64 = PT_PER_INCH / 300.0;
/// Positions are whole multiples of this part of a point: 0.35 µm.
const STEPS_PER_PT: f64 = 1000.0;

/// The content stream of `page`. `name` tells the name of a glyph's form.
pub(super) fn content(
    plan: &PressPlan,
    boxes: &PageBoxes,
    page: &OutlinePage,
    colors: &PageColors<'_>,
    mut name: impl FnMut(&GlyphShape) -> String,
) -> Content {
    let mut content = Content::new();
    paint_paper(&mut content, boxes.bleed, plan.colors);
    if page.overhangs {
        let (min, max) = (boxes.trim.min, boxes.trim.max);
        content.save_state();
        content.rect(number(min.x), number(min.y), number(max.x - min.x), number(max.y - min.y));
        content.clip_nonzero().end_path();
    }
    let mut ink = None;
    for glyph in page.words.iter().flat_map(|word| &word.glyphs) {
        if ink != Some(glyph.ink) {
            set_fill(&mut content, colors.fill(glyph.ink));
            ink = Some(glyph.ink);
        }
        paint_glyph(&mut content, boxes, glyph, &mut name);
    }
    if page.overhangs {
        content.restore_state();
    }
    if let Some(marks) = plan.marks {
        paint_marks(&mut content, &marks::lines(marks, boxes), plan.colors);
    }
    content
}

fn paint_glyph(
    content: &mut Content,
    boxes: &PageBoxes,
    glyph: &OutlineGlyph,
    name: &mut impl FnMut(&GlyphShape) -> String,
) {
    match &glyph.shape {
        Shape::Placed { glyph, map } => {
            content.save_state().transform(on_sheet(*map, boxes));
            content.x_object(Name(name(glyph).as_bytes())).restore_state();
        }
    }
}

/// A map to page px, as a map to the sheet in points, y up from its lower left corner (ISO 32000-1, 8.3.4).
fn on_sheet([a, b, c, d, e, f]: [f64; 6], boxes: &PageBoxes) -> [f32; 6] {
    let (left, top) = (boxes.trim.min.x.get(), boxes.trim.max.y.get());
    let place = |length: f64| (length * STEPS_PER_PT).round() / STEPS_PER_PT;
    let [a, b, c, d] = [a, -b, c, -d].map(|part| part * PT_PER_PX);
    [a, b, c, d, place(left + e * PT_PER_PX), place(top - f * PT_PER_PX)].map(|part| (part + 0.0) as f32)
}

fn set_fill(content: &mut Content, color: FillColor) {
    match color {
        FillColor::Gray(light) => content.set_fill_gray(light),
        FillColor::Rgb([red, green, blue]) => content.set_fill_rgb(red, green, blue),
        FillColor::Cmyk([cyan, magenta, yellow, black]) => content.set_fill_cmyk(cyan, magenta, yellow, black),
    };
}
