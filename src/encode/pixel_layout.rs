//! The bytes of a pixel in a file.

/// The bytes of a pixel; the coverage is always the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelLayout {
    /// One byte, the coverage, as an index into a palette from paper to ink.
    Index,
    /// Red, green and blue of the ink, then the coverage as alpha.
    InkAlpha([u8; 3]),
}

impl PixelLayout {
    /// The bytes that all pixels share, in front of the coverage.
    #[must_use]
    pub const fn prefix(&self) -> &[u8] {
        match self {
            Self::Index => &[],
            Self::InkAlpha(colour) => colour,
        }
    }

    /// Bytes per pixel.
    #[must_use]
    pub const fn pixel_bytes(&self) -> usize {
        self.prefix().len() + 1
    }
}
