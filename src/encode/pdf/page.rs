//! The writing of a page, ready for a file.

use super::image::PageImage;
use crate::vector::{OutlinePage, Shape};

/// A page of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum PdfPage {
    /// One image.
    Image(PageImage),
    /// Filled paths; only in files whose plan asks for outlines.
    Outlines(OutlinePage),
}

impl PdfPage {
    /// Estimated bytes in the file.
    pub(super) fn estimated_size(&self) -> usize {
        match self {
            Self::Image(image) => image.packed_size(),
            Self::Outlines(page) => {
                page.words.iter().flat_map(|word| &word.glyphs).map(|glyph| size(&glyph.shape)).sum()
            }
        }
    }
}

/// Estimated bytes of a glyph on a page, packed.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Placed { .. } => 24,
        Shape::Bent(path) => 12 * path.len(),
    }
}

impl From<PageImage> for PdfPage {
    fn from(image: PageImage) -> Self {
        Self::Image(image)
    }
}

impl From<OutlinePage> for PdfPage {
    fn from(page: OutlinePage) -> Self {
        Self::Outlines(page)
    }
}
