//! The writings of a file after their layout.

use std::sync::Arc;

use crate::geometry::{Point, Rect};
use crate::layout::{PageLayout, PlacedWord};
use crate::raster::{Coverage, TILE};
use crate::spec::RenderSpec;
use crate::units::Px;
use crate::warning::Warning;

/// A writing of a page, laid out.
#[derive(Clone, Debug)]
pub(in crate::pipeline) struct LaidOutWriting {
    /// The number of the block; `None` for the body.
    pub(in crate::pipeline) block: Option<usize>,
    /// The specification of a page with this writing alone.
    pub(in crate::pipeline) spec: Arc<RenderSpec>,
    /// The page with it.
    pub(in crate::pipeline) layout: PageLayout,
}

/// The writings of a file, and what is known of them.
#[derive(Clone, Debug, Default)]
pub(in crate::pipeline) struct LaidOutFile {
    /// The writings of each page, the lowest first. There is at least one page.
    pub(in crate::pipeline) pages: Vec<Vec<LaidOutWriting>>,
    /// The size that `auto` found for the body.
    pub(in crate::pipeline) calculated_font_size: Option<u32>,
    /// Layout result of each block.
    pub(in crate::pipeline) blocks: Vec<PlacedBlock>,
    /// Warnings for the client.
    pub(in crate::pipeline) warnings: Vec<Warning>,
}

/// Layout result of a block, for the client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBlock {
    /// The size that `auto` chose, in 300-DPI px; `None` for a manual size.
    pub calculated_font_size: Option<u32>,
    /// The box around its ink on the page, in 300-DPI px, or a little larger; `None` without ink.
    pub ink: Option<Rect<Px>>,
}

impl LaidOutWriting {
    /// The box around its ink.
    pub(in crate::pipeline) fn ink(&self) -> Option<Rect<Px>> {
        self.layout.word_boxes().reduce(Rect::union)
    }
}

/// All words of a page.
pub(in crate::pipeline) fn all_words(writings: &[LaidOutWriting]) -> impl Iterator<Item = &PlacedWord> {
    writings.iter().flat_map(|writing| &writing.layout.words)
}

/// The corner of the box around the strips of a page, and that box; `None` for a blank page.
pub(in crate::pipeline) fn inked_window(page: &Coverage) -> Option<Rect<u32>> {
    let tile = TILE;
    let boxes = page.strips().iter().map(|strip| {
        let min = Point::new(strip.x, strip.tile_row * tile);
        let max = Point::new((strip.x + strip.width).min(page.width()), (min.y + tile).min(page.height()));
        Rect { min, max }
    });
    boxes.reduce(Rect::union)
}
