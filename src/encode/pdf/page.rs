//! The writing of a page, ready for a file.

use super::image::PageImage;
use crate::vector::{Shape, VectorPage};

/// A page of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum PdfPage {
    /// One image.
    Image(PageImage),
    /// Filled paths; only in files whose plan asks for outlines.
    Outlines(VectorPage),
}

impl PdfPage {
    /// Estimated bytes in the file.
    pub(super) fn estimated_size(&self) -> usize {
        match self {
            Self::Image(image) => image.packed_size(),
            Self::Outlines(page) => page.paths().map(|glyph| size(&glyph.shape)).sum(),
        }
    }
}

/// Estimated bytes of a glyph on a page, packed.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Placed { .. } => 24,
        Shape::Free(path) => 12 * path.len(),
    }
}

impl From<PageImage> for PdfPage {
    fn from(image: PageImage) -> Self {
        Self::Image(image)
    }
}

impl From<VectorPage> for PdfPage {
    fn from(page: VectorPage) -> Self {
        Self::Outlines(page)
    }
}
