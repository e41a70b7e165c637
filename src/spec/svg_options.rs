//! The members of a request's `svg` object.

/// The `svg` object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SvgOptions {
    /// `paths`.
    pub paths: SvgPaths,
    /// `group_by`.
    pub group_by: SvgGroups,
}

/// What the paths of an SVG are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SvgPaths {
    /// The letters as the font has them, filled.
    #[default]
    Outlines,
    /// The letters of a word as one shape without overlaps.
    Welded,
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
