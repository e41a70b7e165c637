//! Figures of a page that is laid out.

use super::ink_areas::{in_mm, ink_areas};
use crate::catalogue::FontCatalogue;
use crate::geometry::Rect;
use crate::layout::{PageLayout, PlacedGlyph};
use crate::pen::Pen;
use crate::spec::PenUse;
use crate::units::{BASELINE_DPI, MM_PER_INCH, Mm, PT_PER_INCH, Px};

/// Figures of a page. A blank page has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PageFacts {
    /// Width of the thinnest pen stroke of its fonts and sizes, in pt.
    pub thinnest_stroke_pt: Option<f64>,
    /// Smallest x-height of its fonts and sizes, in mm.
    pub x_height_mm: Option<f64>,
    /// A box around its ink, in mm from the upper left corner of the trim, y down.
    pub ink: Option<Rect<Mm>>,
}

/// The figures of a page with the texts of all these, written with a pen, without natural variation.
#[must_use]
pub fn page_facts(texts: &[&PageLayout], pen: PenUse, catalogue: &FontCatalogue) -> PageFacts {
    let inches = |px: f64| px / BASELINE_DPI;
    let glyphs = || texts.iter().flat_map(|page| page.glyphs());
    let least = |figure: &dyn Fn(&PlacedGlyph) -> f64| glyphs().map(figure).reduce(f64::min);
    let ink = texts.iter().flat_map(|page| ink_areas(page, Px::ZERO, catalogue));
    // How a line varies does not depend on the seed.
    let pen = pen.in_use().map(|pen| Pen::new(pen, 0, 0));
    let stroke = least(&|glyph| {
        let face = catalogue.face(glyph.font);
        let widened = pen.map_or(1.0, |pen| f64::from(pen.line(face, glyph.em).scale()).exp());
        widened * face.stroke_em() * glyph.em.get()
    });
    let x_height = least(&|glyph| {
        let face = catalogue.face(glyph.font);
        face.x_height().to_px(glyph.em, face.units_per_em()).get()
    });
    PageFacts {
        thinnest_stroke_pt: stroke.map(|stroke| inches(stroke) * PT_PER_INCH),
        x_height_mm: x_height.map(|height| inches(height) * MM_PER_INCH),
        ink: ink.reduce(Rect::union).map(in_mm),
    }
}
