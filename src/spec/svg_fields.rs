//! The table of the `svg` object's members: names, defaults and descriptions.

use serde_json::{Map, Value};

use super::field::{ObjectDescription, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Number, OneOf, OrNull};
use super::svg_options::{SvgGlyphs, SvgGroups, SvgOptions, SvgPaths};
use super::violation_collector::ViolationCollector;
use crate::units::Mm;

field_table! {
    /// The members of `svg` as in the request.
    #[derive(Debug)]
    struct SvgFields {}

    /// `outlines`: the letters as filled paths. `welded`: each word as one shape of straight edges without overlaps,
    /// for cutters and lasers. `strokes`: centre lines in the order of writing, for pen plotters, in fonts with
    /// `strokes`.
    PATHS paths: OneOf<SvgPaths> = OneOf(&[
        ("outlines", SvgPaths::Outlines),
        ("welded", SvgPaths::Welded),
        ("strokes", SvgPaths::Strokes),
    ]), Default(SvgPaths::Outlines);
    /// What each `<g>` of the file holds: the page, a line, or a word.
    GROUP_BY group_by: OneOf<SvgGroups> = OneOf(&[
        ("page", SvgGroups::Page),
        ("line", SvgGroups::Line),
        ("word", SvgGroups::Word),
    ]), Default(SvgGroups::Page);
    /// `paths`: every letter as a path in its place, which all programs read. `shared`: every distinct letter once,
    /// repeated by `<use>`: files of a tenth of the size for browsers and designers; many cutters and plotters read no
    /// `<use>`. It has no effect on letters that are bent, welded or strokes.
    GLYPHS glyphs: OneOf<SvgGlyphs> = OneOf(&[
        ("paths", SvgGlyphs::Paths),
        ("shared", SvgGlyphs::Shared),
    ]), Default(SvgGlyphs::Paths);
    /// Width of the strokes in millimetres, as the file is seen; a plotter draws as wide as its pen. Null: that of the
    /// font's pen.
    STROKE_WIDTH_MM stroke_width_mm: OrNull<Number> = OrNull(Number { min: 0.01, max: 10.0 }), Default(None) in "mm";
}

impl ObjectFields for SvgOptions {
    const OBJECT: ObjectDescription = ObjectDescription {
        schema: "SvgOptions",
        meaning: "SVG options; checked whenever they are there, used when `output_format` is `svg`.",
        members: SvgFields::descriptions,
    };
    const EXPECTED: &'static str = "an object with SVG options";

    fn of(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Option<Self> {
        let SvgFields { paths, group_by, glyphs, stroke_width_mm } = SvgFields::read(members, collector);
        Some(Self { paths, group_by, glyphs, stroke_width: stroke_width_mm.map(Mm::new) })
    }
}
