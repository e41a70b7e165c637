//! Cost and length of a file of paths, estimated from its layout.

use super::Cost;
use crate::catalogue::FontCatalogue;
use crate::pipeline::prepare::laid_out::LaidOutWriting;
use crate::scene::RenderParams;
use crate::spec::{OutputFormat, RenderSpec, Writing};
use crate::vector::{PathCounter, PathKind, VectorAmount};

/// Cost of a glyph of any kind, in megapixels: placing it and writing it into the file.
const GLYPH: f64 = 0.000_5;
/// Cost of a command of a path of a font, in megapixels, where the file has the path.
const COMMAND: f64 = 0.000_04;
/// Cost of an edge that is bent, in megapixels: moving it, finding areas that are turned over, fitting cubics, writing
/// them. In a PDF they are compressed as well.
const BENT_EDGE: f64 = 0.000_13;
const PACKED_EDGE: f64 = 0.000_03;
/// Cost of an edge that is welded, in megapixels.
const WELDED_EDGE: f64 = 0.000_07;

/// Bytes of a page without paths.
const BLANK: f64 = 700.0;
/// Bytes of a path besides its commands in an SVG, and of a glyph that is repeated.
const SVG_PATH: f64 = 16.0;
const SVG_USE: f64 = 90.0;
/// The same in a PDF, compressed.
const PDF_PATH: f64 = 25.0;
const PDF_USE: f64 = 11.0;
/// Bytes of a command of a path of a font, in place and in font units, of an edge that is bent (a third of a cubic), and
/// of an edge of a welded word.
const SVG_COMMAND: f64 = 27.0;
const SHARED_COMMAND: f64 = 14.0;
const SVG_BENT_EDGE: f64 = 8.5;
const SVG_EDGE: f64 = 9.0;
const PDF_COMMAND: f64 = 8.0;
const PDF_BENT_EDGE: f64 = 3.0;

/// The kind of paths that a file is made of.
pub(in crate::pipeline) const fn path_kind(writing: Writing) -> PathKind {
    match writing {
        Writing::Strokes => PathKind::Strokes,
        Writing::Welded => PathKind::ToWeld,
        Writing::Outlines | Writing::Image => PathKind::Outlines,
    }
}

/// Totals of the paths of a file.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline) struct VectorEstimate {
    amount: VectorAmount,
    writing: Writing,
    pages: usize,
}

impl VectorEstimate {
    /// Counts the paths of all pages.
    pub(in crate::pipeline) fn of(spec: &RenderSpec, pages: &[Vec<LaidOutWriting>], catalogue: &FontCatalogue) -> Self {
        let writing = spec.writing();
        let mut counter = PathCounter::new(path_kind(writing), catalogue);
        for (number, page) in (0..).zip(pages) {
            for LaidOutWriting { spec, layout, .. } in page {
                counter.add(layout, &RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number));
            }
        }
        Self { amount: counter.amount, writing, pages: pages.len() }
    }

    /// The work of making the paths and of writing the file. Measured over hands, sizes and effects, it is 0.6 to 1.7
    /// times what a core takes.
    pub(in crate::pipeline) fn cost(&self, spec: &RenderSpec) -> Cost {
        let VectorAmount { glyphs, bent_edges, straight_edges, .. } = self.amount;
        let per_edge = if matches!(spec.output, OutputFormat::Pdf(_)) { BENT_EDGE + PACKED_EDGE } else { BENT_EDGE };
        let welded = if self.writing == Writing::Welded { straight_edges } else { 0.0 };
        Cost::megapixels(glyphs * GLYPH + self.commands(spec) * COMMAND + bent_edges * per_edge + welded * WELDED_EDGE)
    }

    /// The length of the file, without a profile that it embeds: within a half for usual texts.
    pub(in crate::pipeline) fn bytes(&self, spec: &RenderSpec) -> u64 {
        let VectorAmount { glyphs, bent_edges, straight_edges, .. } = self.amount;
        let is_pdf = matches!(spec.output, OutputFormat::Pdf(_));
        let paths = match (self.writing, bent_edges > 0.0) {
            (Writing::Welded, _) => straight_edges * SVG_EDGE,
            (_, true) if is_pdf => glyphs * PDF_PATH + bent_edges * PDF_BENT_EDGE,
            (_, true) => glyphs * SVG_PATH + bent_edges * SVG_BENT_EDGE,
            (_, false) if is_pdf => glyphs * PDF_USE + self.commands(spec) * PDF_COMMAND,
            (_, false) if spec.shares_glyphs() => glyphs * SVG_USE + self.commands(spec) * SHARED_COMMAND,
            (_, false) => glyphs * SVG_PATH + self.commands(spec) * SVG_COMMAND,
        };
        (self.pages as f64 * BLANK + paths) as u64
    }

    /// Commands of paths that the file has as fonts have them: those of each glyph once where it is repeated.
    fn commands(&self, spec: &RenderSpec) -> f64 {
        if self.writing == Writing::Welded || self.amount.bent_edges > 0.0 {
            0.0
        } else if spec.shares_glyphs() || matches!(spec.output, OutputFormat::Pdf(_)) {
            self.amount.distinct_commands
        } else {
            self.amount.commands
        }
    }
}
