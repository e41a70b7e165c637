//! Writes rows of coverage into a deflate stream, directly from the strips.

#![expect(clippy::inline_always, reason = "only inlined functions are compiled for the processor's instructions")]

use std::ops::Range;

use fearless_simd::{Level, Simd, dispatch};

use super::adler::{ByteSums, LastBytes};
use super::pixel_layout::PixelLayout;
use super::sparse_deflate::{Ending, NO_FILTER, PAPER, SparseDeflate};
use crate::raster::{Coverage, InkRun, TILE};

/// Appends the rows `rows` of `coverage` (device px, at least 1 wide) to `bytes`, all with filter 0, in whole bytes.
/// Returns the sums of the expanded bytes. Both ends of `rows` are ends of tile rows or of the page.
pub(super) fn append_rows(
    layout: PixelLayout,
    coverage: &Coverage,
    rows: Range<u32>,
    ending: Ending,
    bytes: &mut Vec<u8>,
) -> ByteSums {
    dispatch!(Level::new(), simd => append_rows_with(simd, layout, coverage, rows, ending, bytes))
}

/// As [`append_rows`], with the instructions of `simd`.
#[inline(always)]
fn append_rows_with<S: Simd>(
    simd: S,
    layout: PixelLayout,
    coverage: &Coverage,
    rows: Range<u32>,
    ending: Ending,
    bytes: &mut Vec<u8>,
) -> ByteSums {
    let mut written = SparseRows::new(layout, coverage.width(), bytes);
    let mut y = rows.start;
    for tile_row in coverage.tile_rows(rows.clone()) {
        let top = (tile_row[0].tile_row * TILE).min(rows.end);
        let bottom = (top + TILE).min(rows.end);
        written.paper_rows += u64::from(top - y);
        for row in top..bottom {
            written.push_row(simd, tile_row.iter().filter_map(|strip| coverage.run(strip, row)));
        }
        y = bottom;
    }
    written.paper_rows += u64::from(rows.end - y);
    written.flush_paper_rows();
    written.rows.finish(ending);
    written.sums
}

/// A writer of rows that sums their bytes.
#[derive(Debug)]
struct SparseRows<'a> {
    layout: PixelLayout,
    width: u32,
    rows: SparseDeflate<'a>,
    sums: ByteSums,
    /// The sums of a row of paper.
    paper_row: ByteSums,
    /// Pending rows of paper.
    paper_rows: u64,
}

impl<'a> SparseRows<'a> {
    fn new(layout: PixelLayout, width: u32, bytes: &'a mut Vec<u8>) -> Self {
        let paper = ByteSums::of(layout.prefix()).then(ByteSums::of(&[PAPER]));
        let paper_row = ByteSums::of(&[NO_FILTER]).then(paper.repeated(u64::from(width)));
        let rows = SparseDeflate::new(layout, width, bytes);
        Self { layout, width, rows, sums: ByteSums::default(), paper_row, paper_rows: 0 }
    }

    /// Appends the row with these runs.
    #[inline(always)]
    fn push_row<'b, S: Simd>(&mut self, simd: S, runs: impl Iterator<Item = InkRun<'b>>) {
        // Many rows of a strip have no ink.
        let mut inked = runs.filter(|run| !is_paper(run.coverage)).peekable();
        let Some(leftmost) = inked.peek() else {
            self.paper_rows += 1;
            return;
        };
        self.flush_paper_rows();
        self.rows.begin_row(if leftmost.x == 0 { leftmost.coverage[0] } else { PAPER });
        let mut alphas = LastBytes::default();
        let mut seen = 1;
        for run in inked {
            self.rows.paper(run.x.saturating_sub(seen));
            // The first pixel of the row is already written.
            self.rows.pixels(simd, &run.coverage[usize::from(run.x == 0)..]);
            alphas.add(run.x, run.coverage);
            seen = run.x + run.coverage.len() as u32;
        }
        self.rows.paper(self.width - seen);
        let pixel_bytes = self.layout.pixel_bytes() as u64;
        self.sums = self.sums.then(self.paper_row.with_last_bytes(&alphas, u64::from(self.width), pixel_bytes));
    }

    fn flush_paper_rows(&mut self) {
        let count = std::mem::take(&mut self.paper_rows);
        self.rows.paper_rows(count);
        self.sums = self.sums.then(self.paper_row.repeated(count));
    }
}

/// Whether no pixel has ink.
#[inline(always)]
fn is_paper(coverage: &[u8]) -> bool {
    let (blocks, rest) = coverage.as_chunks::<16>();
    blocks.iter().all(|&block| u128::from_ne_bytes(block) == 0) && rest.iter().all(|&pixel| pixel == PAPER)
}
