//! Records the outline of a glyph as ttf-parser draws it.

use ttf_parser::Face;

use super::outline::{Outline, OutlineCommand};
use crate::geometry::Point;
use crate::units::FontUnits;

/// The glyph's contours; `None` for a blank glyph or an unknown index.
pub(super) fn outline_of(face: &Face<'_>, glyph: super::GlyphId) -> Option<Outline> {
    let glyph = ttf_parser::GlyphId(glyph.0);
    let mut recorder = OutlineRecorder { commands: Vec::new(), shift: bearing_shift(face, glyph).unwrap_or(0.0) };
    face.outline_glyph(glyph, &mut recorder)?;
    Outline::new(recorder.commands)
}

/// How far a glyph's points move so that its `xMin` equals its left side bearing, as in TrueType rasterisers (the first
/// phantom point becomes the origin). ttf-parser returns the points as stored; in 15 of the fonts the two differ, by up
/// to 0.03 em.
fn bearing_shift(face: &Face<'_>, glyph: ttf_parser::GlyphId) -> Option<f32> {
    let x_min = face.tables().glyf?.bbox(glyph)?.x_min;
    Some(f32::from(face.glyph_hor_side_bearing(glyph)?) - f32::from(x_min))
}

/// Collects the outline that ttf-parser draws.
struct OutlineRecorder {
    commands: Vec<OutlineCommand>,
    /// Added to each x.
    shift: f32,
}

impl OutlineRecorder {
    fn point(&self, x: f32, y: f32) -> Point<FontUnits> {
        Point::new(FontUnits::new(f64::from(x + self.shift)), FontUnits::new(f64::from(y)))
    }
}

impl ttf_parser::OutlineBuilder for OutlineRecorder {
    fn move_to(&mut self, x: f32, y: f32) {
        self.commands.push(OutlineCommand::MoveTo(self.point(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.commands.push(OutlineCommand::LineTo(self.point(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.commands.push(OutlineCommand::QuadTo(self.point(x1, y1), self.point(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.commands.push(OutlineCommand::CubicTo(self.point(x1, y1), self.point(x2, y2), self.point(x, y)));
    }

    fn close(&mut self) {
        self.commands.push(OutlineCommand::Close);
    }
}
