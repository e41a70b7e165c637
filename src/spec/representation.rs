//! How a file carries the writing.

/// How a file carries the writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Representation {
    /// One image per page.
    Image,
    /// The letters as filled paths.
    Outlines,
    /// One filled path per word, without overlaps.
    Welded,
    /// The centre lines of the letters.
    Strokes,
}

impl Representation {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Image, Self::Outlines, Self::Welded, Self::Strokes];

    /// The wire name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Outlines => "outlines",
            Self::Welded => "welded",
            Self::Strokes => "strokes",
        }
    }
}
