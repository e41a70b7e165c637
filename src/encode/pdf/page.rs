//! The writing of a page, ready for a file.

use super::image::PageImage;
use super::picture::{PlacedPicture, Shown};
use crate::geometry::Point;
use crate::spec::{DrawnRules, Rgb};
use crate::vector::{Shape, TextWord, VectorPage};

/// A page of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct PdfPage {
    /// The writing.
    pub drawing: Drawing,
    /// The words of its text, for a file with a text layer; otherwise none.
    pub words: Vec<TextWord>,
    /// The artwork under the writing, the lowest first.
    pub artwork: Vec<PlacedPicture>,
}

/// How a page carries its writing.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawing {
    /// One image.
    Image(PageImage),
    /// Rules and images of several inks on one another.
    Layers(LayeredPage),
    /// Filled paths; only in files whose plan asks for outlines.
    Outlines(VectorPage),
}

/// A page of several layers, from the lowest to the top one.
#[derive(Clone, Debug, PartialEq)]
pub struct LayeredPage {
    /// The rules, below all writing.
    pub rules: Option<DrawnRules>,
    /// An image for each ink.
    pub images: Vec<InkImage>,
}

/// The image of one ink, at its place on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct InkImage {
    /// The coverage by the ink.
    pub image: PageImage,
    /// The ink.
    pub ink: Rgb,
    /// Its upper left corner, in device px from that of the page.
    pub corner: Point<u32>,
}

impl PdfPage {
    /// Whether it has several layers.
    pub(super) const fn has_layers(&self) -> bool {
        matches!(self.drawing, Drawing::Layers(_)) || !self.artwork.is_empty()
    }

    /// Whether it has drawings.
    pub(super) fn has_drawings(&self) -> bool {
        self.artwork.iter().any(|placed| matches!(placed.shown, Shown::Shapes { .. }))
    }

    /// The inks on it, besides that of the document.
    pub fn inks(&self) -> impl Iterator<Item = Rgb> + use<'_> {
        let (images, texts, rules) = match &self.drawing {
            Drawing::Layers(page) => (page.images.as_slice(), &[][..], page.rules.as_ref()),
            Drawing::Outlines(page) => (&[][..], page.texts.as_slice(), page.rules.as_ref()),
            Drawing::Image(_) => (&[][..], &[][..], None),
        };
        let inks = images.iter().map(|placed| placed.ink).chain(texts.iter().map(|text| text.ink));
        inks.chain(rules.map(|rules| rules.color))
    }

    /// Estimated bytes in the file.
    pub(super) fn estimated_size(&self) -> usize {
        let drawing: usize = match &self.drawing {
            Drawing::Image(image) => image.packed_size(),
            Drawing::Layers(page) => page.images.iter().map(|placed| placed.image.packed_size()).sum(),
            Drawing::Outlines(page) => page.paths().map(|path| size(&path.shape)).sum(),
        };
        let artwork: usize = self.artwork.iter().map(|placed| placed.shown.packed_size()).sum();
        drawing + 24 * self.words.len() + artwork
    }
}

/// Estimated bytes of a path on a page, packed.
fn size(shape: &Shape) -> usize {
    match shape {
        Shape::Placed { .. } => 24,
        Shape::Free(path) => 12 * path.len(),
    }
}

impl From<Drawing> for PdfPage {
    fn from(drawing: Drawing) -> Self {
        Self { drawing, words: Vec::new(), artwork: Vec::new() }
    }
}
