//! Cost and length of a file of paths, estimated from its layout.

use super::Cost;
use crate::catalogue::FontCatalogue;
use crate::pipeline::prepare::laid_out::LaidOutText;
use crate::scene::RenderParams;
use crate::spec::{OutputFormat, RenderSpec, Representation};
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
pub(in crate::pipeline) const fn path_kind(representation: Representation) -> PathKind {
    match representation {
        Representation::Strokes => PathKind::Strokes,
        Representation::Welded => PathKind::ToWeld,
        Representation::Outlines | Representation::Image => PathKind::Outlines,
    }
}

/// What a file of paths takes.
#[derive(Clone, Copy, Debug)]
pub(in crate::pipeline) struct VectorEstimate {
    /// The work of making the paths and of writing the file. Measured over hands, sizes and effects, it is 0.6 to 1.7
    /// times what a core takes.
    pub(in crate::pipeline) cost: Cost,
    /// The length of the file, without a profile that it embeds: within a half for usual texts.
    pub(in crate::pipeline) bytes: u64,
}

impl VectorEstimate {
    /// Counts the paths of all pages.
    pub(in crate::pipeline) fn of(spec: &RenderSpec, pages: &[Vec<LaidOutText>], catalogue: &FontCatalogue) -> Self {
        let mut counter = PathCounter::new(path_kind(spec.representation()), catalogue);
        for (number, page) in (0..).zip(pages) {
            for LaidOutText { spec, layout, .. } in page {
                counter.add(layout, &RenderParams::of(spec, spec.drawn_dpi().scale()).on_page(number));
            }
        }
        let VectorAmount { glyphs, bent_edges, straight_edges, commands, distinct_commands, .. } = counter.amount;
        let (is_pdf, is_bent) = (matches!(spec.output, OutputFormat::Pdf(_)), bent_edges > 0.0);
        let is_welded = spec.representation() == Representation::Welded;
        // Commands of paths that the file has as fonts have them: those of each glyph once where it is repeated.
        let commands = if is_welded || is_bent {
            0.0
        } else if spec.shares_glyphs() || is_pdf {
            distinct_commands
        } else {
            commands
        };
        let per_edge = if is_pdf { BENT_EDGE + PACKED_EDGE } else { BENT_EDGE };
        let welded = if is_welded { straight_edges } else { 0.0 };
        let cost = glyphs * GLYPH + commands * COMMAND + bent_edges * per_edge + welded * WELDED_EDGE;
        let paths = match (is_bent, is_pdf) {
            _ if is_welded => straight_edges * SVG_EDGE,
            (true, true) => glyphs * PDF_PATH + bent_edges * PDF_BENT_EDGE,
            (true, false) => glyphs * SVG_PATH + bent_edges * SVG_BENT_EDGE,
            (false, true) => glyphs * PDF_USE + commands * PDF_COMMAND,
            (false, false) if spec.shares_glyphs() => glyphs * SVG_USE + commands * SHARED_COMMAND,
            (false, false) => glyphs * SVG_PATH + commands * SVG_COMMAND,
        };
        Self { cost: Cost::new(cost), bytes: (pages.len() as f64 * BLANK + paths) as u64 }
    }
}
