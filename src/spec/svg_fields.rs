//! The table of the `svg` object's members: names, defaults and descriptions.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::field::{Absent, Field, FieldDescription, FieldType as _};
use super::kinds::{Number, OneOf, OrNull};
use super::svg_options::{SvgGlyphs, SvgGroups, SvgOptions, SvgPaths};
use super::violation_collector::ViolationCollector;
use crate::units::Mm;

static PATHS: Field<OneOf<SvgPaths>> = Field {
    name: "paths",
    kind: OneOf(&[("outlines", SvgPaths::Outlines), ("welded", SvgPaths::Welded), ("strokes", SvgPaths::Strokes)]),
    absent: Absent::Default(SvgPaths::Outlines),
    meaning: "`outlines`: the letters as filled paths. `welded`: each word as one shape of straight edges without \
              overlaps, for cutters and lasers. `strokes`: centre lines in the order of writing, for pen plotters, in \
              fonts with `strokes`.",
};

static GROUP_BY: Field<OneOf<SvgGroups>> = Field {
    name: "group_by",
    kind: OneOf(&[("page", SvgGroups::Page), ("line", SvgGroups::Line), ("word", SvgGroups::Word)]),
    absent: Absent::Default(SvgGroups::Page),
    meaning: "What each `<g>` of the file holds: the page, a line, or a word.",
};

static GLYPHS: Field<OneOf<SvgGlyphs>> = Field {
    name: "glyphs",
    kind: OneOf(&[("paths", SvgGlyphs::Paths), ("shared", SvgGlyphs::Shared)]),
    absent: Absent::Default(SvgGlyphs::Paths),
    meaning: "`paths`: every letter as a path in its place, which all programs read. `shared`: every distinct letter \
              once, repeated by `<use>`: files of a tenth of the size for browsers and designers; many cutters and \
              plotters read no `<use>`. It has no effect on letters that are bent, welded or strokes.",
};

static STROKE_WIDTH_MM: Field<OrNull<Number>> = Field {
    name: "stroke_width_mm",
    kind: OrNull(Number { min: 0.01, max: 10.0 }),
    absent: Absent::Default(None),
    meaning: "Width of the strokes in millimetres, as the file is seen; a plotter draws as wide as its pen. Null: that \
              of the font's pen.",
};

static DESCRIPTIONS: LazyLock<Vec<FieldDescription>> =
    LazyLock::new(|| vec![PATHS.describe(), GROUP_BY.describe(), GLYPHS.describe(), STROKE_WIDTH_MM.describe()]);

/// The table, in the order of the contract.
pub(super) fn descriptions() -> &'static [FieldDescription] {
    &DESCRIPTIONS
}

/// Reads every known member.
pub(super) fn read(members: &Map<String, Value>, collector: &mut ViolationCollector) -> SvgOptions {
    SvgOptions {
        paths: PATHS.read(members, collector),
        group_by: GROUP_BY.read(members, collector),
        glyphs: GLYPHS.read(members, collector),
        stroke_width: STROKE_WIDTH_MM.read(members, collector).map(Mm::new),
    }
}

/// The options in the form of a request.
pub(super) fn to_json(options: &SvgOptions) -> Value {
    json!({
        PATHS.name: PATHS.kind.to_json(&options.paths),
        GROUP_BY.name: GROUP_BY.kind.to_json(&options.group_by),
        GLYPHS.name: GLYPHS.kind.to_json(&options.glyphs),
        STROKE_WIDTH_MM.name: STROKE_WIDTH_MM.kind.to_json(&options.stroke_width.map(Mm::get)),
    })
}
