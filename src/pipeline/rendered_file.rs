//! The finished page and its metadata.

use std::ops::Range;

use crate::encode::PdfPage;
use crate::geometry::Rect;
use crate::spec::{DrawnRules, RenderSpec, Representation};
use crate::units::Px;
use crate::warning::Warning;

/// A file and its metadata.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderedFile {
    /// The file: PNG, PDF or SVG, as the specification says.
    pub bytes: Vec<u8>,
    /// Width in device px of the request's resolution.
    pub width: u32,
    /// Height in device px.
    pub height: u32,
    /// Number of pages.
    pub pages: usize,
    /// The chosen size in 300-DPI px, if `font_size` was `auto`.
    pub calculated_font_size: Option<u32>,
    /// The seed that the page was made from.
    pub seed: u32,
    /// How the file carries the writing.
    pub representation: Representation,
    /// Layout result of each block, in their order.
    pub blocks: Vec<PlacedBlock>,
    /// Warnings for the client.
    pub warnings: Vec<Warning>,
}

/// Layout result of a block, for the client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBlock {
    /// The size that `auto` chose, in 300-DPI px; `None` for a manual size.
    pub calculated_font_size: Option<u32>,
    /// The box around its ink on the page, in 300-DPI px, or a little larger; `None` without ink.
    pub ink: Option<Rect<Px>>,
}

impl RenderedFile {
    /// The file of a specification before its layout.
    pub(super) fn planned(spec: &RenderSpec) -> Self {
        let (page, scale) = (spec.page.px(), spec.dpi.scale());
        let pixels = |length: Px| length.to_device(scale).get().round() as u32;
        Self {
            bytes: Vec::new(),
            width: pixels(page.width),
            height: pixels(page.height),
            pages: 1,
            calculated_font_size: None,
            seed: spec.seed,
            representation: spec.representation(),
            blocks: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// The pages of one text, packed and not yet in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawnPages {
    /// The pages in order, at least one.
    pub pages: Vec<PdfPage>,
    /// The chosen size in 300-DPI px, if `font_size` was `auto`.
    pub calculated_font_size: Option<u32>,
    /// Warnings for the client.
    pub warnings: Vec<Warning>,
}

/// Whether a preview has a watermark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewMark {
    /// It has.
    Watermark,
    /// It has none.
    Nothing,
}

/// A small page.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The preview's file, with the width and height of the page at full size.
    pub page: RenderedFile,
    /// Width of the preview in px: 1200.
    pub width: u32,
    /// Height of the preview in px.
    pub height: u32,
    /// The page that it shows, from 1.
    pub number: usize,
    /// The words of that page in the order of their texts, if they are asked for.
    pub words: Vec<WordPlace>,
    /// The rules of that page that are not drawn, if places are asked for.
    pub hidden_rules: Option<DrawnRules>,
}

/// Where a word of a text is on a page.
#[derive(Clone, Debug, PartialEq)]
pub struct WordPlace {
    /// The number of the block, from 0; `None` for the text of the page.
    pub block: Option<usize>,
    /// Its characters in that text, in scalar values.
    pub source: Range<usize>,
    /// The box around its ink, in 300-DPI px, or a little larger.
    pub ink: Rect<Px>,
}
