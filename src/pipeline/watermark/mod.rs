//! The watermark of previews: a word written across the page, repeatedly.
//!
//! Writing and watermark are drawn separately. `raster::stamp` adds the mark between the writing and cuts it out of the
//! writing, so that neither colour nor alpha can separate them again.
//!
//! The writing stays legible: the mark's strokes are thin, it is shifted until it covers little writing, and no two
//! marks cross the same word between its baseline and its x-height. All of this follows from the layout of the page
//! alone, so every region of a page has the mark of the page.
//!
//! All marks of a grid are drawn together, also those that are left out on a page: the drawn grid is the same for all
//! pages of one size and shift, and `drawn_marks` keeps it. Each strip belongs to one mark, so a page takes the strips
//! of its own marks.

mod drawn_marks;
mod grid;
mod mark;
mod search;
mod word_zone;

use crate::catalogue::FontCatalogue;
use crate::geometry::{Point, Size};
use crate::layout::{PageLayout, PlacedWord};
use crate::raster::{Coverage, Strip, TILE};
use crate::scene::RenderParams;
use crate::units::Px;
use drawn_marks::DrawnMarks;
use grid::{Axes, Grid};
use mark::{EM, Mark};
use search::best_grid;
use word_zone::WordZone;

/// Width of the page in the mark's px, which are those of a preview.
const PAGE_WIDTH: f64 = 1200.0;

/// Data that all previews share: the mark, and drawn grids of marks.
pub(super) struct Marks {
    mark: Mark,
    /// The drawn grids.
    pub(super) drawn: DrawnMarks,
}

impl Marks {
    /// In the bundled font of this catalogue.
    pub(super) fn new(catalogue: &FontCatalogue) -> Self {
        Self { mark: Mark::new(catalogue), drawn: DrawnMarks::default() }
    }

    /// The watermark of a page with these words.
    pub(super) fn watermark<'a>(
        &self,
        page: Size<Px>,
        words: impl Iterator<Item = &'a PlacedWord>,
        catalogue: &FontCatalogue,
    ) -> Watermark<'_> {
        let scale = PAGE_WIDTH / page.width.get();
        let size = Size { width: page.width * scale, height: page.height * scale };
        let axes = Axes::of(size);
        let zones: Vec<WordZone> = words.filter_map(|word| WordZone::of(word, scale, &axes, catalogue)).collect();
        Watermark { mark: &self.mark, grid: best_grid(size, &self.mark, &zones) }
    }
}

/// The watermark of a page: slanting rows of the word, every other row shifted by half a step. Lengths are in px of a
/// preview.
pub(super) struct Watermark<'a> {
    mark: &'a Mark,
    grid: Grid,
}

impl Watermark<'_> {
    /// All marks of its grid, also those that are left out.
    pub(super) fn layout(&self) -> PageLayout {
        let words = self.grid.marks(self.mark).map(|(_, mark)| mark).collect();
        PageLayout { size: self.grid.size, font_size: EM, words, ..PageLayout::default() }
    }

    /// The size of the page.
    pub(super) const fn size(&self) -> Size<Px> {
        self.grid.size
    }

    /// The marks that are not left out, of `drawn`: all marks of its grid, drawn with `params` and cut out by their
    /// window.
    pub(super) fn kept(&self, drawn: &Coverage, params: &RenderParams) -> Coverage {
        let (axes, corner) = (Axes::of(self.grid.size), params.window.unwrap_or_default().min);
        let px = |device: u32| Px::new(f64::from(device) / params.scale.get());
        drawn.with_strips(|Strip { tile_row, x, width, .. }| {
            let middle = Point::new(px(corner.x + x + width / 2), px(corner.y + tile_row * TILE + TILE / 2));
            !self.grid.left_out.contains(&self.grid.nearest_to(axes.distances(middle)))
        })
    }
}

#[cfg(test)]
mod tests;
