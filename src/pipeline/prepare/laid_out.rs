//! The texts of a file after their layout.

use std::sync::Arc;

use crate::geometry::{Point, Rect};
use crate::layout::{PageLayout, PlacedWord};
use crate::pipeline::rendered_file::RenderedFile;
use crate::raster::{Coverage, TILE};
use crate::spec::RenderSpec;
use crate::units::Px;

/// A text of a page, laid out.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct LaidOutText {
    /// The number of the block; `None` for the body.
    pub(in crate::pipeline) block: Option<usize>,
    /// The specification of a page with this text alone.
    pub(in crate::pipeline) spec: Arc<RenderSpec>,
    /// The page with it.
    pub(in crate::pipeline) layout: PageLayout,
}

/// The texts of a file, and what is known of it.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct LaidOutFile {
    /// The texts of each page, the lowest first. There is at least one page.
    pub(in crate::pipeline) pages: Vec<Vec<LaidOutText>>,
    /// The file, without its bytes.
    pub(in crate::pipeline) file: RenderedFile,
}

impl LaidOutFile {
    /// The texts of a page, counted from 1, or of the last if there are fewer; and its number.
    pub(in crate::pipeline) fn page(&self, number: usize) -> (usize, &[LaidOutText]) {
        let number = number.clamp(1, self.pages.len().max(1));
        (number, self.pages.get(number - 1).map(Vec::as_slice).unwrap_or_default())
    }

    /// The texts of the first page.
    pub(in crate::pipeline) fn first_page(&self) -> &[LaidOutText] {
        self.page(1).1
    }
}

impl LaidOutText {
    /// The box around its ink.
    pub(in crate::pipeline) fn ink(&self) -> Option<Rect<Px>> {
        self.layout.word_boxes().reduce(Rect::union)
    }
}

/// All words of a page.
pub(in crate::pipeline) fn all_words(texts: &[LaidOutText]) -> impl Iterator<Item = &PlacedWord> {
    texts.iter().flat_map(|text| &text.layout.words)
}

/// The corner of the box around the strips of a page, and that box; `None` for a blank page.
pub(in crate::pipeline) fn inked_window(page: &Coverage) -> Option<Rect<u32>> {
    let boxes = page.strips().iter().map(|strip| {
        let min = Point::new(strip.x, strip.tile_row * TILE);
        let max = Point::new((strip.x + strip.width).min(page.width()), (min.y + TILE).min(page.height()));
        Rect { min, max }
    });
    boxes.reduce(Rect::union)
}
