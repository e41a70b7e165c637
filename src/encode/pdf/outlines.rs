//! The content stream of a page of outlines: paper, each glyph in its place and colour, the marks.

use pdf_writer::{Content, Name};

use super::boxes::{PageBoxes, add_box};
use super::content::{Under, paint_marks, paper, set_fill};
use super::document::PdfDocument;
use super::forms::add_path;
use crate::geometry::PathCommand;
use crate::units::PT_PER_INCH;
use crate::vector::{GlyphShape, Shape, VectorPage, VectorPath};

/// Points per page px.
const PT_PER_PX: f64 = PT_PER_INCH / 300.0;
/// Positions are whole multiples of this part of a point: 0.35 µm.
const STEPS_PER_PT: f64 = 1000.0;
/// Points of bent paths are whole multiples of this part of a point: 3.5 µm.
const BENT_STEPS_PER_PT: f64 = 100.0;

/// The content stream of `page` on its paper and artwork. `name` tells the name of a glyph's form.
pub(super) fn content(
    document: &PdfDocument<'_>,
    boxes: &PageBoxes,
    page: &VectorPage,
    under: Under<'_>,
    mut name: impl FnMut(&GlyphShape) -> String,
) -> Content {
    let mut content = paper(document, boxes, under);
    if page.overhangs() {
        content.save_state();
        add_box(&mut content, boxes.trim).clip_nonzero().end_path();
    }
    let mut ink = None;
    let colored = page.texts.iter().flat_map(|text| text.paths().map(|path| (text.ink, path)));
    for (color, glyph) in colored {
        if ink != Some((color, glyph.ink)) {
            set_fill(&mut content, document.colors.fill(color, glyph.ink));
            ink = Some((color, glyph.ink));
        }
        paint_glyph(&mut content, boxes, glyph, &mut name);
    }
    if page.overhangs() {
        content.restore_state();
    }
    paint_marks(&mut content, document.plan, boxes);
    content
}

fn paint_glyph(
    content: &mut Content,
    boxes: &PageBoxes,
    glyph: &VectorPath,
    name: &mut impl FnMut(&GlyphShape) -> String,
) {
    match &glyph.shape {
        Shape::Placed { glyph, map } => {
            content.save_state().transform(on_sheet(*map, boxes));
            content.x_object(Name(name(glyph).as_bytes())).restore_state();
        }
        Shape::Free(path) => paint_bent(content, boxes, path),
    }
}

/// Fills a path in page px. Coordinates are whole multiples of a [`BENT_STEPS_PER_PT`]th of a point from the path's
/// first point, so that they are short.
fn paint_bent(content: &mut Content, boxes: &PageBoxes, path: &[PathCommand]) {
    let Some(PathCommand::MoveTo([x, y])) = path.first() else { return };
    let (left, top) = (boxes.trim.min.x.get(), boxes.trim.max.y.get());
    let step = 1.0 / BENT_STEPS_PER_PT;
    let origin = [left + x * PT_PER_PX, top - y * PT_PER_PX].map(|length| (length / step).round() * step);
    let [across, up] = origin.map(|length| length as f32);
    content.save_state().transform([step as f32, 0.0, 0.0, step as f32, across, up]);
    let steps = |[x, y]: [f64; 2]| {
        [left + x * PT_PER_PX - origin[0], top - y * PT_PER_PX - origin[1]].map(|length| (length / step).round() + 0.0)
    };
    let stepped: Vec<PathCommand> = path.iter().map(|command| command.mapped(steps)).collect();
    add_path(content, &stepped);
    content.fill_nonzero().restore_state();
}

/// A map to page px, as a map to the sheet in points, y up from its lower left corner (ISO 32000-1, 8.3.4).
fn on_sheet([xx, yx, xy, yy, x, y]: [f64; 6], boxes: &PageBoxes) -> [f32; 6] {
    let (left, top) = (boxes.trim.min.x.get(), boxes.trim.max.y.get());
    let place = |length: f64| (length * STEPS_PER_PT).round() / STEPS_PER_PT;
    let [xx, yx, xy, yy] = [xx, -yx, xy, -yy].map(|part| part * PT_PER_PX);
    [xx, yx, xy, yy, place(left + x * PT_PER_PX), place(top - y * PT_PER_PX)].map(|part| (part + 0.0) as f32)
}
