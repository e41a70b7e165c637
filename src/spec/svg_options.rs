//! The members of a request's `svg` object.

use crate::units::Mm;

/// The `svg` object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SvgOptions {
    /// `paths`.
    pub paths: SvgPaths,
    /// `group_by`.
    pub group_by: SvgGroups,
    /// `glyphs`.
    pub glyphs: SvgGlyphs,
    /// `stroke_width_mm`; `None` is the width of the font's pen.
    pub stroke_width: Option<Mm>,
}

/// What the paths of an SVG are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SvgPaths {
    /// The letters as the font has them, filled.
    #[default]
    Outlines,
    /// The letters of a word as one shape without overlaps.
    Welded,
    /// The centre lines of the letters, open and in the order of writing.
    Strokes,
}

/// What each group of an SVG holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SvgGroups {
    /// The whole page.
    #[default]
    Page,
    /// A line of writing.
    Line,
    /// A word.
    Word,
}

/// How an SVG has letters that are written several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SvgGlyphs {
    /// Each as a path in its place.
    #[default]
    Paths,
    /// As one definition, which `<use>` repeats.
    Shared,
}
