//! The writing of a page, ready for a file.

use super::image::PageImage;
use crate::vector::{Shape, TextWord, VectorPage};

/// A page of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PdfPage {
    /// The writing.
    pub drawing: Drawing,
    /// The words of its text, for a file with a text layer; otherwise none.
    pub words: Vec<TextWord>,
}

/// How a page carries its writing.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// One image.
    Image(PageImage),
    /// Filled paths; only in files whose plan asks for outlines.
    Outlines(VectorPage),
}

impl PdfPage {
    /// Estimated bytes in the file.
    pub(super) fn estimated_size(&self) -> usize {
        let drawing: usize = match &self.drawing {
            Drawing::Image(image) => image.packed_size(),
            Drawing::Outlines(page) => page.paths().map(|path| size(&path.shape)).sum(),
        };
        drawing + 24 * self.words.len()
    }
}

/// Estimated bytes of a path on a page, packed.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Placed { .. } => 24,
        Shape::Free(path) => 12 * path.len(),
    }
}

impl From<PageImage> for PdfPage {
    fn from(image: PageImage) -> Self {
        Self { drawing: Drawing::Image(image), words: Vec::new() }
    }
}

impl From<VectorPage> for PdfPage {
    fn from(page: VectorPage) -> Self {
        Self { drawing: Drawing::Outlines(page), words: Vec::new() }
    }
}
