//! Writes rows of coverage into a deflate stream, directly from the strips.

use std::ops::Range;

use super::adler::{ByteSums, LastBytes};
use super::pixel_layout::PixelLayout;
use super::sparse_deflate::{Change, Ending, NO_FILTER, PAPER, SparseDeflate};
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
    /// Scratch memory for the positions in a run where pixels change.
    places: Vec<u32>,
}

impl<'a> SparseRows<'a> {
    fn new(layout: PixelLayout, width: u32, bytes: &'a mut Vec<u8>) -> Self {
        let paper = ByteSums::of(layout.prefix()).then(ByteSums::of(&[PAPER]));
        let paper_row = ByteSums::of(&[NO_FILTER]).then(paper.repeated(u64::from(width)));
        let rows = SparseDeflate::new(layout, width, bytes);
        Self { layout, width, rows, sums: ByteSums::default(), paper_row, paper_rows: 0, places: Vec::new() }
    }

    /// Appends the row with these runs.
    fn push_row(&mut self, runs: &[InkRun<'_>]) {
        if runs.iter().all(|run| is_paper(run.coverage)) {
            self.paper_rows += 1;
            return;
        }
        self.flush_paper_rows();
        let first = runs.first().filter(|run| run.x == 0).map_or(PAPER, |run| run.coverage[0]);
        self.rows.begin_row(first);
        let mut row = Row { rows: &mut self.rows, places: &mut self.places, last: first, written: 1 };
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

/// A row in progress: finds the pixels that differ from the previous one.
struct Row<'a, 'b> {
    rows: &'a mut SparseDeflate<'b>,
    places: &'a mut Vec<u32>,
    /// Coverage of the last pixel seen.
    last: u8,
    /// Number of written pixels of the row. The pixels from there to the last one seen repeat the last written one.
    written: u32,
}

impl Row<'_, '_> {
    /// The pixels from `start` to before `end` are paper.
    fn paper(&mut self, start: u32, end: u32) {
        if start < end && self.last != PAPER {
            self.rows.change(std::iter::once(Change { repeated: start - self.written, next: PAPER }));
            self.written = start + 1;
            self.last = PAPER;
        }
    }

    /// The pixels of a run. One loop finds the changes and another writes them, so that neither waits for the other's
    /// branches.
    fn ink(&mut self, run: InkRun<'_>) {
        let count = find_changes(run.coverage, self.last, self.places);
        self.rows.change(self.places[..count].iter().map(|&place| {
            let x = run.x + place;
            let repeated = x - self.written;
            self.written = x + 1;
            Change { repeated, next: run.coverage[place as usize] }
        }));
        self.last = run.coverage.last().copied().unwrap_or(self.last);
    }

    /// Ends the row at `width`.
    fn finish(self, width: u32) {
        self.rows.repeat(u64::from(width - self.written));
    }
}

/// Finds the pixels that differ from the one to their left; left of the first is `last`. Writes their positions to the
/// start of `places` and returns their number. Takes eight pixels at a time, without a branch that depends on them.
fn find_changes(coverage: &[u8], mut last: u8, places: &mut Vec<u32>) -> usize {
    // The positions of eight pixels are written at once.
    places.resize(places.len().max(coverage.len() + 8), 0);
    let (words, rest) = coverage.as_chunks::<8>();
    let mut count = 0;
    for (&word, first) in words.iter().zip((0..).step_by(8)) {
        let pixels = u64::from_le_bytes(word);
        let changes = pixels ^ (pixels << 8 | u64::from(last));
        if changes != 0 {
            let which = nonzero_bytes(changes);
            for (place, of_word) in places[count..count + 8].iter_mut().zip(SET_BITS[usize::from(which)]) {
                *place = first + u32::from(of_word);
            }
            count += which.count_ones() as usize;
        }
        last = (pixels >> 56) as u8;
    }
    for (&pixel, place) in rest.iter().zip(words.len() as u32 * 8..) {
        places[count] = place;
        count += usize::from(pixel != last);
        last = pixel;
    }
    count
}

/// One bit per byte that is not 0, the lowest first.
const fn nonzero_bytes(bytes: u64) -> u8 {
    const LOW_BITS: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let highest_bits = (((bytes & LOW_BITS) + LOW_BITS) | bytes) & !LOW_BITS;
    // Bit 8 i times 2^(56 - 7 i) is bit 56 + i.
    ((highest_bits >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// For each byte, the numbers of its set bits at the start, the lowest first.
const SET_BITS: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < table.len() {
        let (mut bit, mut count) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][count] = bit;
                count += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_byte_has_its_bit() {
        for which in 0..=255_u8 {
            let byte =
                |fill: u8| (0..8).fold(0, |bytes, bit| bytes | u64::from(fill * (which >> bit & 1)) << (8 * bit));
            for fill in [1, 0x7F, 0x80, 0xFF] {
                assert_eq!(nonzero_bytes(byte(fill)), which, "of {fill}");
            }
        }
    }

    proptest! {
        #[test]
        fn every_change_is_found(coverage in proptest::collection::vec(0_u8..3, 0..70), last in 0_u8..3) {
            let before = std::iter::once(&last).chain(&coverage);
            let expected: Vec<u32> = (0..)
                .zip(coverage.iter().zip(before))
                .filter_map(|(place, (pixel, before))| (pixel != before).then_some(place))
                .collect();
            let mut places = Vec::new();
            let count = find_changes(&coverage, last, &mut places);
            prop_assert_eq!(&places[..count], expected);
        }
    }
}
