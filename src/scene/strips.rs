//! Gathers the tiles with ink into strips.

use super::bands::Band;
use super::ink_tiles::{InkTiles, TileBox, TileRun};
use super::records::TileRow;
use crate::raster::{Strip, TILE};

/// The strips of a page, with an index to find the strip of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StripPlan {
    /// Ordered by tile row, then by x; their bytes are contiguous.
    pub(super) strips: Vec<Strip>,
    /// For each tile row, the index of its first strip; at the end, the number of strips.
    row_starts: Vec<usize>,
    /// The most glyphs in one tile.
    pub(super) overlap: u32,
}

impl StripPlan {
    /// The strips of all touched tiles, on a page with `rows` rows of tiles.
    pub(super) fn covering(ink: &InkTiles, rows: u32) -> Self {
        let glyphs_a_tile = TileGrid::counting(ink);
        let mut strips = Vec::new();
        let mut row_starts = Vec::with_capacity(rows as usize + 1);
        let mut offset = 0;
        for tile_row in 0..rows {
            row_starts.push(strips.len());
            for (left, right) in glyphs_a_tile.runs(tile_row) {
                let (x, width) = (left * TILE, (right - left) * TILE);
                let strip = Strip { tile_row, x, width, offset };
                offset += strip.pixels();
                strips.push(strip);
            }
        }
        row_starts.push(strips.len());
        Self { strips, row_starts, overlap: glyphs_a_tile.largest() }
    }

    /// The positions of the tile rows of a box with these runs in their bands, from the top.
    pub(super) fn tile_rows<'a>(
        &'a self,
        tiles: TileBox,
        runs: &'a [TileRun],
        bands: &'a [Band],
    ) -> impl Iterator<Item = TileRow> + 'a {
        (tiles.top..)
            .zip(runs)
            .map(move |(tile_row, run)| self.tile_row(tiles, tile_row, *run, bands).unwrap_or(TileRow::WITHOUT_INK))
    }

    fn tile_row(&self, tiles: TileBox, tile_row: u32, run: TileRun, bands: &[Band]) -> Option<TileRow> {
        if run.is_empty() {
            return None;
        }
        let x = run.left * TILE;
        let strips = &self.strips[self.row_starts[tile_row as usize]..self.row_starts[tile_row as usize + 1]];
        let strip = strips.get(strips.partition_point(|strip| strip.x + strip.width <= x))?;
        let band = bands.get(bands.partition_point(|band| band.tile_rows.end <= tile_row))?;
        let goes_on = strip.x + strip.width > tiles.right * TILE;
        // The strip may begin to the right of the box.
        let address = (strip.offset - band.pixels.start) as i64 + i64::from(tiles.left * TILE) - i64::from(strip.x);
        Some(TileRow::new(address, strip.width, goes_on))
    }
}

/// The number of glyphs that touch each tile, row by row, in the smallest box around all glyphs.
struct TileGrid {
    bounds: TileBox,
    counts: Vec<u32>,
}

impl TileGrid {
    fn counting(ink: &InkTiles) -> Self {
        let bounds = ink.bounds().unwrap_or_default();
        let mut grid = Self { bounds, counts: vec![0; bounds.columns() * bounds.rows()] };
        for (tiles, runs) in ink.iter() {
            let rows = grid.counts.chunks_exact_mut(bounds.columns()).skip((tiles.top - bounds.top) as usize);
            for (row, run) in rows.zip(runs).filter(|(_, run)| !run.is_empty()) {
                for count in &mut row[(run.left - bounds.left) as usize..(run.right - bounds.left) as usize] {
                    *count += 1;
                }
            }
        }
        grid
    }

    /// The counts of a row, from the left edge of the bounds.
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
    use crate::geometry::Size;

    const fn tiles(left: u32, top: u32, right: u32, bottom: u32) -> TileBox {
        TileBox { left, top, right, bottom }
    }

    /// The plan of glyphs whose ink fills these boxes.
    fn filling(boxes: &[TileBox], rows: u32) -> StripPlan {
        StripPlan::covering(&InkTiles::filling(boxes), rows)
    }

    #[test]
    fn touching_boxes_share_a_strip_and_distant_ones_do_not() {
        let plan = filling(&[tiles(0, 0, 2, 1), tiles(2, 0, 3, 1), tiles(5, 0, 6, 1)], 2);
        assert_eq!(
            plan.strips,
            [Strip { tile_row: 0, x: 0, width: 48, offset: 0 }, Strip { tile_row: 0, x: 80, width: 16, offset: 768 },]
        );
    }

    #[test]
    fn strips_lie_where_their_boxes_lie() {
        let plan = filling(&[tiles(60, 1, 70, 2)], 2);
        assert_eq!(plan.strips, [Strip { tile_row: 1, x: 960, width: 160, offset: 0 }]);
    }

    #[test]
    fn strips_hold_the_runs_of_ink_and_not_the_rest_of_a_box() {
        let mut ink = InkTiles::default();
        let page = TileBox::of_page(Size { width: 100, height: 100 });
        ink.push(&[[2.0, 2.0, 5.0, 9.0], [40.0, 34.0, 45.0, 40.0]], [0.0; 4], page);
        let plan = StripPlan::covering(&ink, 3);
        assert_eq!(
            plan.strips.iter().map(|strip| (strip.tile_row, strip.x, strip.width)).collect::<Vec<_>>(),
            [(0, 0, 16), (2, 32, 16)]
        );
        let bands = split(&plan.strips, &[], usize::MAX);
        let (bounds, runs) = ink.iter().next().unwrap();
        // Addresses are those that the box's left edge would have.
        let expected = [TileRow::new(0, 16, false), TileRow::WITHOUT_INK, TileRow::new(256 - 32, 16, false)];
        assert_eq!(plan.tile_rows(bounds, runs, &bands).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn each_tile_row_of_a_box_is_found_in_its_strip() {
        let ink = InkTiles::filling(&[tiles(0, 0, 4, 1), tiles(2, 0, 3, 2)]);
        let plan = StripPlan::covering(&ink, 2);
        let (bounds, runs) = ink.iter().nth(1).unwrap();
        let rows = |budget| plan.tile_rows(bounds, runs, &split(&plan.strips, &[], budget)).collect::<Vec<_>>();
        assert_eq!(rows(usize::MAX), [TileRow::new(32, 64, true), TileRow::new(1024, 16, false)]);
        assert_eq!(rows(0), [TileRow::new(32, 64, true), TileRow::new(0, 16, false)]);
    }

    #[test]
    fn a_page_without_boxes_has_no_strips() {
        let plan = filling(&[], 2);
        assert!(plan.strips.is_empty());
    }
}
