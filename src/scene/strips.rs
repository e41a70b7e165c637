//! Which tiles hold ink, gathered into strips.

use std::ops::Range;

use super::bands::Band;
use super::records::{TilePlace, TileRow};
use crate::raster::{Strip, TILE};

/// A box of whole tiles, inside the page's tile grid and not empty.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TileBox {
    /// First column of tiles.
    pub(super) left: u32,
    /// First row of tiles.
    pub(super) top: u32,
    /// One past the last column.
    pub(super) right: u32,
    /// One past the last row.
    pub(super) bottom: u32,
}

impl TileBox {
    /// The smallest box around both.
    fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    const fn columns(self) -> usize {
        (self.right - self.left) as usize
    }
}

/// The strips of a page and where to find the one that holds a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StripPlan {
    /// Ordered by tile row, then by x; their bytes follow one another without gaps.
    pub(super) strips: Vec<Strip>,
    /// For each tile row the index of its first strip, and the number of strips at the end.
    row_starts: Vec<usize>,
    /// Most boxes that share a tile.
    pub(super) overlap: u32,
}

impl StripPlan {
    /// The runs of tiles that the boxes touch, on a page of so many rows of tiles.
    pub(super) fn covering(boxes: &[TileBox], rows: u32) -> Self {
        let boxes_a_tile = TileGrid::counting(boxes);
        let mut strips = Vec::new();
        let mut row_starts = Vec::with_capacity(rows as usize + 1);
        let mut offset = 0;
        for tile_row in 0..rows {
            row_starts.push(strips.len());
            for (left, right) in boxes_a_tile.runs(tile_row) {
                let (x, width) = (left * TILE, (right - left) * TILE);
                let strip = Strip { tile_row, x, width, offset };
                offset += strip.pixels();
                strips.push(strip);
            }
        }
        row_starts.push(strips.len());
        Self { strips, row_starts, overlap: boxes_a_tile.largest() }
    }

    /// Where the box's tile rows lie in their bands, from the top.
    pub(super) fn tile_rows(&self, tiles: TileBox, bands: &[Band]) -> impl Iterator<Item = TileRow> {
        let x = tiles.left * TILE;
        (tiles.top..tiles.bottom).filter_map(move |tile_row| {
            let strips = &self.strips[self.row_starts[tile_row as usize]..self.row_starts[tile_row as usize + 1]];
            let strip = strips.get(strips.partition_point(|strip| strip.x + strip.width <= x))?;
            let band = bands.get(bands.partition_point(|band| band.tile_rows.end <= tile_row))?;
            let goes_on = strip.x + strip.width > tiles.right * TILE;
            Some(TileRow::new(strip.offset + (x - strip.x) as usize - band.pixels.start, strip.width, goes_on))
        })
    }

    /// Where each tile of a page of `columns` × `rows` tiles lies, row by row, and a row of paper below them.
    pub(super) fn tile_places(&self, columns: u32, rows: u32) -> Vec<TilePlace> {
        let mut places = vec![TilePlace::PAPER; (columns * (rows + 1)) as usize];
        for strip in &self.strips {
            let first = (strip.tile_row * columns + strip.x / TILE) as usize;
            for (place, column) in places[first..].iter_mut().zip(0..strip.width / TILE) {
                *place = TilePlace(strip.offset as u32 + column * TILE);
            }
        }
        places
    }

    /// The strips of these rows of tiles.
    pub(super) fn of_rows(&self, tile_rows: &Range<u32>) -> Range<usize> {
        self.row_starts[tile_rows.start as usize]..self.row_starts[tile_rows.end as usize]
    }
}

/// How many boxes touch each tile of the smallest box around them all, row by row.
struct TileGrid {
    bounds: TileBox,
    counts: Vec<u32>,
}

impl TileGrid {
    fn counting(boxes: &[TileBox]) -> Self {
        let bounds = boxes.iter().copied().reduce(TileBox::union).unwrap_or_default();
        let mut grid = Self { bounds, counts: vec![0; bounds.columns() * (bounds.bottom - bounds.top) as usize] };
        for tiles in boxes {
            let columns = (tiles.left - bounds.left) as usize..(tiles.right - bounds.left) as usize;
            for row in tiles.top..tiles.bottom {
                let start = (row - bounds.top) as usize * bounds.columns();
                for count in &mut grid.counts[start..][columns.clone()] {
                    *count += 1;
                }
            }
        }
        grid
    }

    /// The counts of a row, from the left edge of the bounds on.
    fn row(&self, row: u32) -> &[u32] {
        if (self.bounds.top..self.bounds.bottom).contains(&row) {
            &self.counts[(row - self.bounds.top) as usize * self.bounds.columns()..][..self.bounds.columns()]
        } else {
            &[]
        }
    }

    /// The runs of touched tiles of a row as (first column, one past the last).
    fn runs(&self, row: u32) -> impl Iterator<Item = (u32, u32)> {
        let mut column = self.bounds.left;
        self.row(row).chunk_by(|a, b| (*a == 0) == (*b == 0)).filter_map(move |run| {
            let left = column;
            column += run.len() as u32;
            (run[0] != 0).then_some((left, column))
        })
    }

    fn largest(&self) -> u32 {
        self.counts.iter().copied().max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::super::bands::split;
    use super::*;

    const fn tiles(left: u32, top: u32, right: u32, bottom: u32) -> TileBox {
        TileBox { left, top, right, bottom }
    }

    #[test]
    fn touching_boxes_share_a_strip_and_distant_ones_do_not() {
        let plan = StripPlan::covering(&[tiles(0, 0, 2, 1), tiles(2, 0, 3, 1), tiles(5, 0, 6, 1)], 2);
        assert_eq!(
            plan.strips,
            [Strip { tile_row: 0, x: 0, width: 48, offset: 0 }, Strip { tile_row: 0, x: 80, width: 16, offset: 768 },]
        );
    }

    #[test]
    fn strips_lie_where_their_boxes_lie() {
        let plan = StripPlan::covering(&[tiles(60, 1, 70, 2)], 2);
        assert_eq!(plan.strips, [Strip { tile_row: 1, x: 960, width: 160, offset: 0 }]);
    }

    #[test]
    fn each_tile_row_of_a_box_is_found_in_its_strip() {
        let plan = StripPlan::covering(&[tiles(0, 0, 4, 1), tiles(2, 0, 3, 2)], 2);
        let rows =
            |budget| plan.tile_rows(tiles(2, 0, 3, 2), &split(&plan.strips, &[], budget, u32::MAX)).collect::<Vec<_>>();
        assert_eq!(rows(usize::MAX), [TileRow::new(32, 64, true), TileRow::new(1024, 16, false)]);
        assert_eq!(rows(0), [TileRow::new(32, 64, true), TileRow::new(0, 16, false)]);
    }

    #[test]
    fn each_inked_tile_has_its_place_and_paper_has_none() {
        let plan = StripPlan::covering(&[tiles(1, 0, 3, 1), tiles(0, 1, 1, 2)], 2);
        let paper = TilePlace::PAPER;
        let expected = [paper, TilePlace(0), TilePlace(16), TilePlace(512), paper, paper, paper, paper, paper];
        assert_eq!(plan.tile_places(3, 2), expected);
        assert_eq!((plan.of_rows(&(0..2)), plan.of_rows(&(1..2)), plan.of_rows(&(0..0))), (0..2, 1..2, 0..0));
    }

    #[test]
    fn a_page_without_boxes_has_no_strips() {
        let plan = StripPlan::covering(&[], 2);
        assert!(plan.strips.is_empty());
    }
}
