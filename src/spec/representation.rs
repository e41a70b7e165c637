//! How a file carries the writing.

use crate::named::named;

named! {
    /// How a file carries the writing.
    pub enum Representation {
        /// One image per page.
        Image = "image",
        /// The letters as filled paths.
        Outlines = "outlines",
        /// One filled path per word, without overlaps.
        Welded = "welded",
        /// The centre lines of the letters.
        Strokes = "strokes",
    }
}
