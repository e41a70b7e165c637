//! The `svg` object of a request: its members, their ranges and defaults.

use super::field::ObjectFields;
use super::field_table::field_table;
use super::kinds::{Number, OneOf, OrNull};
use super::representation::Representation;
use crate::named::named;

field_table! {
    /// The `svg` object.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SvgOptions {}

    /// `outlines`: the letters as filled paths. `welded`: each word as one shape of straight edges without overlaps,
    /// for cutters and lasers. `strokes`: centre lines in the order of writing, for pen plotters, in fonts with
    /// `strokes`.
    PATHS paths: OneOf<Representation> = OneOf(&[
        ("outlines", Representation::Outlines),
        ("welded", Representation::Welded),
        ("strokes", Representation::Strokes),
    ]), Default(Representation::Outlines);
    /// What each `<g>` of the file holds: the page, a line, a word, or all writing of one ink, as a layer whose name
    /// begins with its number, so that a plotter pauses for each pen. A page of several inks has a group for each.
    GROUP_BY group_by: OneOf<SvgGroups> = OneOf(SvgGroups::NAMES), Default(SvgGroups::Page);
    /// `paths`: every letter as a path in its place, which all programs read. `shared`: every distinct letter once,
    /// repeated by `<use>`: files of a tenth of the size for browsers and designers; many cutters and plotters read no
    /// `<use>`. It has no effect on letters that are bent, welded or strokes.
    GLYPHS glyphs: OneOf<SvgGlyphs> = OneOf(SvgGlyphs::NAMES), Default(SvgGlyphs::Paths);
    /// Width of the strokes in millimetres, as the file is seen; a plotter draws as wide as its pen. Null: that of the
    /// font's pen.
    STROKE_WIDTH_MM stroke_width_mm: OrNull<Number> = OrNull(Number { min: 0.01, max: 10.0 }), Default(None) in "mm";
}

impl ObjectFields for SvgOptions {
    const SCHEMA: &'static str = "SvgOptions";
    const MEANING: &'static str = "SVG options; checked whenever they are there, used when `output_format` is `svg`.";
    const EXPECTED: &'static str = "an object with SVG options";
}

named! {
    /// What each group of an SVG holds.
    pub enum SvgGroups {
        /// The whole page, or what has the same ink on it.
        Page = "page",
        /// A line of writing.
        Line = "line",
        /// A word.
        Word = "word",
        /// All writing of one ink.
        Ink = "ink",
    }

    /// How an SVG has letters that are written several times.
    pub enum SvgGlyphs {
        /// Each as a path in its place.
        Paths = "paths",
        /// As one definition, which `<use>` repeats.
        Shared = "shared",
    }
}
