//! The finished page.

use crate::encode::PageImage;
use crate::layout::Warning;

/// A file, and what its caller is told beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    /// The file: PNG or PDF, as the specification says.
    pub bytes: Vec<u8>,
    /// Width in device px; of a PDF the width of each page's image.
    pub width: u32,
    /// Height in device px.
    pub height: u32,
    /// The size that was chosen, in 300-DPI px, where the caller asked for `auto`.
    pub calculated_font_size: Option<u32>,
    /// The seed that the page was made from.
    pub seed: u32,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// The pages of one text, packed and not yet in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnPages {
    /// The pages in order, at least one.
    pub images: Vec<PageImage>,
    /// The size that was chosen, in 300-DPI px, where the caller asked for `auto`.
    pub calculated_font_size: Option<u32>,
    /// What the caller should know.
    pub warnings: Vec<Warning>,
}

/// A page made small and watermarked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    /// The file is the preview's; width and height are those of the page at full size.
    pub page: Artifact,
    /// Width of the preview in px: 1200.
    pub width: u32,
    /// Height of the preview in px.
    pub height: u32,
}
