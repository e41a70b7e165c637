//! The outline of a glyph as cubics in whole font units.

use std::collections::HashMap;
use std::sync::Arc;

use crate::catalogue::{FontCatalogue, FontId, GlyphId, OutlineCommand};
use crate::geometry::{PathCommand, Point, Rect};
use crate::units::FontUnits;

/// Names a glyph of a font; equal in all files and on all pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlyphShapeId(u32);

impl GlyphShapeId {
    fn of(font: FontId, glyph: GlyphId) -> Self {
        Self(u32::from(font.get()) << 16 | u32::from(glyph.0))
    }
}

/// A glyph's outline.
#[derive(Clone, Debug, PartialEq)]
pub struct GlyphShape {
    /// Its name.
    pub id: GlyphShapeId,
    /// The contours in whole font units, y up. Quadratics are raised to cubics, whose control points are rounded.
    pub path: Vec<PathCommand>,
    /// A box around the ink in whole font units: min x, min y, max x, max y.
    pub bounds: [f64; 4],
}

/// The outlines of a page's glyphs, each made once; none of those without ink.
pub(super) type GlyphShapes = HashMap<(FontId, GlyphId), Option<Arc<GlyphShape>>, foldhash::fast::RandomState>;

/// The outline of a glyph; `None` without ink.
pub(super) fn glyph_shape(font: FontId, glyph: GlyphId, catalogue: &FontCatalogue) -> Option<Arc<GlyphShape>> {
    let outline = catalogue.face(font).outline(glyph)?;
    let Rect { min, max } = outline.ink;
    let [left, bottom] = [min.x, min.y].map(|edge| edge.get().floor() - 1.0);
    let [right, top] = [max.x, max.y].map(|edge| edge.get().ceil() + 1.0);
    let (id, bounds) = (GlyphShapeId::of(font, glyph), [left, bottom, right, top]);
    Some(Arc::new(GlyphShape { id, path: cubics(&outline.commands), bounds }))
}

/// The commands with quadratics raised to cubics and all points rounded to whole units.
fn cubics(commands: &[OutlineCommand]) -> Vec<PathCommand> {
    let mut at = [0.0; 2];
    let mut raised = Vec::with_capacity(commands.len());
    for command in commands {
        raised.push(match *command {
            OutlineCommand::MoveTo(to) => PathCommand::MoveTo(rounded(vector(to))),
            OutlineCommand::LineTo(to) => PathCommand::LineTo(rounded(vector(to))),
            OutlineCommand::QuadTo(control, to) => {
                let (control, to) = (vector(control), vector(to));
                let toward = |end: [f64; 2]| rounded([0, 1].map(|axis| (end[axis] + 2.0 * control[axis]) / 3.0));
                PathCommand::CubicTo(toward(at), toward(to), rounded(to))
            }
            OutlineCommand::CubicTo(first, second, to) => {
                PathCommand::CubicTo(rounded(vector(first)), rounded(vector(second)), rounded(vector(to)))
            }
            OutlineCommand::Close => PathCommand::Close,
        });
        match *command {
            OutlineCommand::MoveTo(to)
            | OutlineCommand::LineTo(to)
            | OutlineCommand::QuadTo(_, to)
            | OutlineCommand::CubicTo(_, _, to) => at = vector(to),
            OutlineCommand::Close => {}
        }
    }
    raised
}

fn vector(at: Point<FontUnits>) -> [f64; 2] {
    [at.x.get(), at.y.get()]
}

fn rounded(at: [f64; 2]) -> [f64; 2] {
    at.map(f64::round)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_outline_of_a_font_becomes_whole_numbers_in_its_bounds() {
        let catalogue = FontCatalogue::load().unwrap();
        for face in catalogue.faces() {
            for letter in "agÅ&".chars().filter_map(|letter| face.glyph_for(letter)) {
                let shape = glyph_shape(face.id(), letter, &catalogue).unwrap();
                let [left, bottom, right, top] = shape.bounds;
                for command in &shape.path {
                    let (PathCommand::MoveTo(to) | PathCommand::LineTo(to) | PathCommand::CubicTo(_, _, to)) = *command
                    else {
                        continue;
                    };
                    assert!(to.iter().all(|part| part.fract().abs() < 1e-9), "{command:?}");
                    assert!(left <= to[0] && to[0] <= right && bottom <= to[1] && to[1] <= top, "{command:?}");
                }
            }
        }
    }
}
