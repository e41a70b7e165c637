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

/// The outlines of a page's glyphs, each made once.
pub(super) struct GlyphShapes<'a> {
    catalogue: &'a FontCatalogue,
    made: HashMap<GlyphShapeId, Option<Arc<GlyphShape>>, foldhash::fast::RandomState>,
}

impl<'a> GlyphShapes<'a> {
    pub(super) fn new(catalogue: &'a FontCatalogue) -> Self {
        Self { catalogue, made: HashMap::default() }
    }

    /// Makes the outline of a glyph, unless it is made.
    pub(super) fn add(&mut self, font: FontId, glyph: GlyphId) {
        let (id, catalogue) = (GlyphShapeId::of(font, glyph), self.catalogue);
        self.made.entry(id).or_insert_with(|| {
            let outline = catalogue.face(font).outline(glyph)?;
            let Rect { min, max } = outline.ink;
            let bounds = [
                min.x.get().floor() - 1.0,
                min.y.get().floor() - 1.0,
                max.x.get().ceil() + 1.0,
                max.y.get().ceil() + 1.0,
            ];
            Some(Arc::new(GlyphShape { id, path: cubics(&outline.commands), bounds }))
        });
    }

    /// The outline of a glyph that was [added](Self::add); `None` without ink.
    pub(super) fn shape(&self, font: FontId, glyph: GlyphId) -> Option<Arc<GlyphShape>> {
        self.made.get(&GlyphShapeId::of(font, glyph)).cloned().flatten()
    }
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
            let mut shapes = GlyphShapes::new(&catalogue);
            for letter in "agÅ&".chars().filter_map(|letter| face.glyph_for(letter)) {
                shapes.add(face.id(), letter);
                let shape = shapes.shape(face.id(), letter).unwrap();
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
