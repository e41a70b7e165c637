//! Coverage into the zlib stream of a PNG (RFC 1950), row by row from the strips.

use super::adler::{ByteSums, LastBytes};
use super::sparse_deflate::{NO_FILTER, PAPER, SparseDeflate};
use crate::raster::{Coverage, InkRun, TILE};

/// Deflate with a window of 32 KiB, fastest level (RFC 1950, 2.2).
const ZLIB_HEADER: [u8; 2] = [0x78, 0x01];

/// The bytes of a pixel; the coverage is always the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PixelLayout {
    /// One byte, the coverage, as an index into a palette from paper to ink.
    Index,
    /// Red, green and blue of the ink, then the coverage as alpha.
    InkAlpha([u8; 3]),
}

impl PixelLayout {
    /// The bytes that all pixels share, in front of the coverage.
    #[must_use]
    pub const fn prefix(&self) -> &[u8] {
        match self {
            Self::Index => &[],
            Self::InkAlpha(colour) => colour,
        }
    }

    /// Bytes a pixel.
    #[must_use]
    pub const fn pixel_bytes(&self) -> usize {
        self.prefix().len() + 1
    }
}

/// Writes the zlib stream of a PNG without interlacing, all rows with filter 0. The same stream is a PDF `FlateDecode`
/// image with PNG predictors (`/Predictor 15`).
///
/// Bands of a page are pushed from top to bottom, or the page as one; the stream is the same. It has as many rows as
/// were pushed.
#[derive(Debug)]
pub struct SparseZlib<'a> {
    layout: PixelLayout,
    width: u32,
    rows: SparseDeflate<'a>,
    sums: ByteSums,
    /// The sums of a row of paper.
    paper_row: ByteSums,
    /// Rows of paper that are not written yet.
    paper_rows: u64,
}

impl<'a> SparseZlib<'a> {
    /// Begins a stream of rows of `width` device px, at least 1, and appends it to `bytes`.
    #[must_use]
    pub fn new(layout: PixelLayout, width: u32, bytes: &'a mut Vec<u8>) -> Self {
        bytes.extend_from_slice(&ZLIB_HEADER);
        let paper = ByteSums::of(layout.prefix()).then(ByteSums::of(&[PAPER]));
        let paper_row = ByteSums::of(&[NO_FILTER]).then(paper.repeated(u64::from(width)));
        let rows = SparseDeflate::new(layout, width, bytes);
        Self { layout, width, rows, sums: ByteSums::default(), paper_row, paper_rows: 0 }
    }

    /// Appends the rows of a page, or of its next band, which must be as wide as the stream.
    pub fn push(&mut self, coverage: &Coverage) {
        debug_assert_eq!(coverage.width(), self.width, "a band of another width");
        let mut runs = Vec::new();
        let mut y = 0;
        for tile_row in coverage.strips().chunk_by(|left, right| left.tile_row == right.tile_row) {
            let top = (tile_row[0].tile_row * TILE).min(coverage.height());
            let bottom = (top + TILE).min(coverage.height());
            self.paper_rows += u64::from(top - y);
            for row in top..bottom {
                runs.clear();
                runs.extend(coverage.row(row));
                self.push_row(&runs);
            }
            y = bottom;
        }
        self.paper_rows += u64::from(coverage.height() - y);
    }

    /// Ends the stream.
    pub fn finish(mut self) {
        self.flush_paper_rows();
        self.rows.finish(&self.sums.adler32().to_be_bytes());
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
