//! Rows of coverage into a deflate stream, straight from the strips.

use std::ops::Range;

use super::adler::{ByteSums, LastBytes};
use super::sparse_deflate::{Ending, NO_FILTER, PAPER, SparseDeflate};
use super::sparse_zlib::PixelLayout;
use crate::raster::{Coverage, InkRun, TILE};

/// Appends the rows `rows` of `coverage` (device px, at least 1 wide) to `bytes`, all with filter 0, from a byte boundary
/// to a byte boundary, and gives the sums of what they expand to. Both ends of `rows` are ends of tile rows or of the page.
pub(super) fn append_rows(
    layout: PixelLayout,
    coverage: &Coverage,
    rows: Range<u32>,
    ending: Ending,
    bytes: &mut Vec<u8>,
) -> ByteSums {
    let mut written = SparseRows::new(layout, coverage.width(), bytes);
    let mut runs = Vec::new();
    let mut y = rows.start;
    for tile_row in coverage.tile_rows(rows.clone()) {
        let top = (tile_row[0].tile_row * TILE).min(rows.end);
        let bottom = (top + TILE).min(rows.end);
        written.paper_rows += u64::from(top - y);
        for row in top..bottom {
            runs.clear();
            runs.extend(coverage.row(row));
            written.push_row(&runs);
        }
        y = bottom;
    }
    written.paper_rows += u64::from(rows.end - y);
    written.flush_paper_rows();
    written.rows.finish(ending);
    written.sums
}

/// Rows as they are written, with the sums of their bytes.
#[derive(Debug)]
struct SparseRows<'a> {
    layout: PixelLayout,
    width: u32,
    rows: SparseDeflate<'a>,
    sums: ByteSums,
    /// The sums of a row of paper.
    paper_row: ByteSums,
    /// Rows of paper that are not written yet.
    paper_rows: u64,
}

impl<'a> SparseRows<'a> {
    fn new(layout: PixelLayout, width: u32, bytes: &'a mut Vec<u8>) -> Self {
        let paper = ByteSums::of(layout.prefix()).then(ByteSums::of(&[PAPER]));
        let paper_row = ByteSums::of(&[NO_FILTER]).then(paper.repeated(u64::from(width)));
        let rows = SparseDeflate::new(layout, width, bytes);
        Self { layout, width, rows, sums: ByteSums::default(), paper_row, paper_rows: 0 }
    }

    /// Appends the row that holds these runs.
    fn push_row(&mut self, runs: &[InkRun<'_>]) {
        if runs.iter().all(|run| is_paper(run.coverage)) {
            self.paper_rows += 1;
            return;
        }
        self.flush_paper_rows();
        let first = runs.first().filter(|run| run.x == 0).map_or(PAPER, |run| run.coverage[0]);
        self.rows.begin_row(first);
        let mut row = Row { rows: &mut self.rows, last: first, written: 1 };
        let mut alphas = LastBytes::default();
        let mut seen = 0;
        for &run in runs {
            row.paper(seen, run.x);
            row.ink(run);
            alphas.add(run.x, run.coverage);
            seen = run.x + run.coverage.len() as u32;
        }
        row.paper(seen, self.width);
        row.finish(self.width);
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
fn is_paper(coverage: &[u8]) -> bool {
    let (blocks, rest) = coverage.as_chunks::<16>();
    blocks.iter().all(|&block| u128::from_ne_bytes(block) == 0) && rest.iter().all(|&pixel| pixel == PAPER)
}

/// A row on its way to the deflate stream: finds the pixels that differ from the one before.
struct Row<'a, 'b> {
    rows: &'a mut SparseDeflate<'b>,
    /// Coverage of the last pixel seen.
    last: u8,
    /// How many pixels of the row are written; those between them and the last one seen repeat the last one written.
    written: u32,
}

impl Row<'_, '_> {
    /// The pixel at `x` differs from those before it.
    #[inline]
    fn change(&mut self, x: u32, coverage: u8) {
        self.rows.change(u64::from(x - self.written), coverage);
        self.written = x + 1;
    }

    /// The pixels from `start` to `end`, which is not part of them, are paper.
    fn paper(&mut self, start: u32, end: u32) {
        if start < end && self.last != PAPER {
            self.change(start, PAPER);
            self.last = PAPER;
        }
    }

    /// Eight pixels at a time: each byte of `changes` that is not 0 is a pixel unlike the one to its left.
    fn ink(&mut self, run: InkRun<'_>) {
        let (words, rest) = run.coverage.as_chunks::<8>();
        for (&word, x) in words.iter().zip((run.x..).step_by(8)) {
            let pixels = u64::from_le_bytes(word);
            let mut changes = pixels ^ (pixels << 8 | u64::from(self.last));
            while changes != 0 {
                let place = changes.trailing_zeros() / 8;
                self.change(x + place, (pixels >> (8 * place)) as u8);
                changes &= !(0xFF << (8 * place));
            }
            self.last = (pixels >> 56) as u8;
        }
        for (&pixel, x) in rest.iter().zip(run.x + words.len() as u32 * 8..) {
            if pixel != self.last {
                self.change(x, pixel);
                self.last = pixel;
            }
        }
    }

    /// Everything up to the row's end at `width` has been seen.
    fn finish(self, width: u32) {
        self.rows.repeat(u64::from(width - self.written));
    }
}
