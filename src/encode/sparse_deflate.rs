//! Writes rows of pixels as deflate blocks. The pixels share all bytes except the last.
//!
//! Such a row repeats with the period of a pixel until the last byte changes. So a run of k equal pixels and a new
//! pixel are one match, over k pixels and the shared bytes of the new one, and one literal.
//!
//! Long stretches of paper get their own blocks, in which the longest match costs two bits, the minimum of deflate. If
//! all bytes of a paper pixel are 0, like the filter byte, paper is one run over the ends of rows ("seamless").
//! Otherwise each row of paper is the same few symbols.

#![expect(clippy::inline_always, reason = "only inlined functions are compiled for the processor's instructions")]

use std::sync::LazyLock;

use fearless_simd::Simd;

use super::bit_writer::{BitWriter, Bits, joined};
use super::changes::{MOST_PIXELS, changes};
use super::huffman::{BlockCode, Distance, END_OF_BLOCK, LONGEST_MATCH, SHORTEST_MATCH, SYMBOLS, length_symbol};
use super::pixel_layout::PixelLayout;
use super::trained_code::{INDEX_LENGTHS, INK_ALPHA_LENGTHS};

/// The filter byte of every row: no filter.
pub(super) const NO_FILTER: u8 = 0;
/// The last byte of a pixel without ink.
pub(super) const PAPER: u8 = 0;
/// Fewest bytes of paper that get their own block. Leaving and re-entering the trained block costs about 75 bytes, and
/// each longest match saves about 3 bits.
const BLOCK_OF_PAPER: u64 = 256 * LONGEST_MATCH as u64;
/// An empty last block: final, fixed codes, end of block.
const EMPTY_FINAL_BLOCK: Bits = Bits::new(0b011, 10);
/// The head of a stored block, not the last (RFC 1951, 3.2.4).
const STORED_BLOCK: Bits = Bits::new(0, 3);
/// The rest of an empty stored block, from the next byte on: its length and the complement.
const EMPTY_STORED_BLOCK: [u8; 4] = [0, 0, 0xFF, 0xFF];

/// How rows end. Both end on a byte boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    /// Other blocks follow.
    Continues,
    /// The stream ends.
    Final,
}

/// A code trained for pixels of one size.
#[derive(Debug)]
struct TrainedCode {
    block: BlockCode,
    /// The match of each length one pixel back; empty for lengths that no match has.
    runs: [Bits; LONGEST_MATCH + 1],
    /// For runs too short for a match, each byte as often as the run is long. The last of the four is not used: it makes
    /// the lowest two bits of any length an index.
    short_runs: [[Bits; 256]; SHORTEST_MATCH + 1],
}

impl TrainedCode {
    fn new(lengths: &[u8; SYMBOLS], pixel_bytes: usize) -> Self {
        let block = BlockCode::new(lengths, pixel_bytes);
        let mut runs = [Bits::NONE; LONGEST_MATCH + 1];
        for (length, bits) in runs.iter_mut().enumerate().skip(SHORTEST_MATCH) {
            *bits = block.copy(length, Distance::Pixel);
        }
        let mut short_runs = [[Bits::NONE; 256]; SHORTEST_MATCH + 1];
        for byte in 0..=255_u8 {
            let once = block.literal(byte);
            short_runs[1][usize::from(byte)] = once;
            short_runs[2][usize::from(byte)] = once.then(once);
        }
        Self { block, runs, short_runs }
    }

    /// `run` bytes that repeat the last ones, and a new byte, if that takes at most one match. Runs of one or two bytes
    /// are literals; only pixels of one byte have them.
    #[inline(always)]
    fn change<const BYTES: u64>(&self, run: u64, last: u8, next: u8) -> Option<Bits> {
        debug_assert!(BYTES == 1 || run == 0 || run >= SHORTEST_MATCH as u64, "larger pixels have no such runs");
        let mut again = self.runs.get(run as usize)?;
        if BYTES == 1 {
            // Both are looked up, so that the choice needs no branch, which would often be mispredicted.
            let short = &self.short_runs[run as usize % (SHORTEST_MATCH + 1)][usize::from(last)];
            again = if run < SHORTEST_MATCH as u64 { short } else { again };
        }
        Some(again.then(self.block.literal(next)))
    }
}

/// Writes blocks of a deflate stream: rows, each a filter byte and `width` pixels. They do not refer to earlier bytes.
#[derive(Debug)]
pub(super) struct SparseDeflate<'a> {
    writer: BitWriter<'a>,
    layout: PixelLayout,
    /// Bytes per pixel.
    pixel_bytes: u64,
    /// Pixels per row.
    width: u64,
    trained: &'static TrainedCode,
    /// Whether a block with the trained code is open.
    block_is_open: bool,
    /// Last byte of the last pixel; `None` before the first.
    last: Option<u8>,
    /// Pending bytes that repeat the bytes one pixel back.
    run: u64,
}

impl<'a> SparseDeflate<'a> {
    pub(super) fn new(layout: PixelLayout, width: u32, bytes: &'a mut Vec<u8>) -> Self {
        static INDEX: LazyLock<TrainedCode> = LazyLock::new(|| TrainedCode::new(&INDEX_LENGTHS, 1));
        static INK_ALPHA: LazyLock<TrainedCode> = LazyLock::new(|| TrainedCode::new(&INK_ALPHA_LENGTHS, 4));
        let trained = match layout {
            PixelLayout::Index => &INDEX,
            PixelLayout::InkAlpha(_) => &INK_ALPHA,
        };
        Self {
            writer: BitWriter::new(bytes),
            layout,
            pixel_bytes: layout.pixel_bytes() as u64,
            width: u64::from(width),
            trained,
            block_is_open: false,
            last: None,
            run: 0,
        }
    }

    /// Begins a row and writes its first pixel, which ends in `first`.
    pub(super) fn begin_row(&mut self, first: u8) {
        if self.paper_is_seamless() && self.last == Some(PAPER) {
            self.run += 1;
            return self.pixel(first);
        }
        self.flush_run();
        self.open_block();
        self.writer.push(self.trained.block.literal(NO_FILTER));
        let layout = self.layout;
        if layout.prefix().is_empty() {
            self.last = Some(NO_FILTER);
            return self.pixel(first);
        }
        if self.last.is_none() {
            for &byte in layout.prefix() {
                self.writer.push(self.trained.block.literal(byte));
            }
        } else {
            self.writer.push(self.trained.block.copy(layout.prefix().len(), Distance::RowStart));
        }
        // A literal even if the whole pixel repeats, because the length of one pixel is rare and so has a long code.
        self.literal(first);
    }

    /// Writes `pixels` more pixels equal to the last one.
    pub(super) const fn repeat(&mut self, pixels: u64) {
        self.run += pixels * self.pixel_bytes;
    }

    /// Writes `pixels` pixels of paper.
    pub(super) fn paper(&mut self, pixels: u32) {
        if pixels > 0 {
            self.pixel(PAPER);
            self.repeat(u64::from(pixels) - 1);
        }
    }

    /// Writes pixels that end in these bytes, after the first of a row.
    #[inline(always)]
    pub(super) fn pixels<S: Simd>(&mut self, simd: S, ends: &[u8]) {
        match self.layout {
            PixelLayout::Index => self.pixels_of::<S, 1>(simd, ends),
            PixelLayout::InkAlpha(_) => self.pixels_of::<S, 4>(simd, ends),
        }
    }

    /// As [`pixels`](Self::pixels), for pixels of `BYTES` bytes.
    #[inline(always)]
    fn pixels_of<S: Simd, const BYTES: u64>(&mut self, simd: S, ends: &[u8]) {
        let trained = self.trained;
        let mut last = self.last.unwrap_or(PAPER);
        for part in ends.chunks(MOST_PIXELS) {
            let mut run = std::mem::take(&mut self.run);
            // The pixels before this one are written.
            let mut start = 0;
            let mut changes = changes(simd, part, last);
            let mut change = |place: usize| {
                let next = part[place];
                let repeated = run + (place - start) as u64 * BYTES + BYTES - 1;
                let bits = trained.change::<BYTES>(repeated, last, next);
                (run, start, last) = (0, place + 1, next);
                bits.ok_or((repeated, next))
            };
            // What is not written so is longer than a match, so `self.last`, which is older, is not written.
            while let Some((repeated, next)) = self.writer.push_until(changes.by_ref().map(&mut change)) {
                self.change_after(repeated, next);
            }
            self.run = run + (part.len() - start) as u64 * BYTES;
        }
        self.last = Some(last);
    }

    /// Writes `run` bytes that repeat the last ones, then a different byte.
    fn change_after(&mut self, run: u64, next: u8) {
        self.write_run(run);
        self.open_block();
        self.literal(next);
    }

    /// Writes `rows` rows of paper.
    pub(super) fn paper_rows(&mut self, mut rows: u64) {
        let rest_of_row = self.width.saturating_sub(1);
        if self.last != Some(PAPER) && rows > 0 {
            self.begin_row(PAPER);
            self.repeat(rest_of_row);
            rows -= 1;
        }
        let row_bytes = 1 + self.width * self.pixel_bytes;
        if self.paper_is_seamless() {
            self.run += rows * row_bytes;
        } else if rows * row_bytes >= BLOCK_OF_PAPER {
            self.flush_run();
            self.close_block();
            self.write_block_of_rows(rows);
        } else {
            for _ in 0..rows {
                self.begin_row(PAPER);
                self.repeat(rest_of_row);
            }
        }
    }

    /// Ends the rows.
    pub(super) fn finish(mut self, ending: Ending) {
        self.flush_run();
        self.close_block();
        match ending {
            Ending::Continues => {
                self.writer.push(STORED_BLOCK);
                self.writer.finish(&EMPTY_STORED_BLOCK);
            }
            Ending::Final => {
                self.writer.push(EMPTY_FINAL_BLOCK);
                self.writer.finish(&[]);
            }
        }
    }

    /// Writes one pixel, which may equal the last one.
    fn pixel(&mut self, next: u8) {
        if self.last == Some(next) {
            self.repeat(1);
        } else {
            let run = std::mem::take(&mut self.run);
            self.change_after(run + self.pixel_bytes - 1, next);
        }
    }

    /// Whether a paper pixel is all zeros, like the filter byte.
    fn paper_is_seamless(&self) -> bool {
        self.layout.prefix().iter().all(|&byte| byte == NO_FILTER)
    }

    fn literal(&mut self, byte: u8) {
        self.writer.push(self.trained.block.literal(byte));
        self.last = Some(byte);
    }

    fn open_block(&mut self) {
        if !self.block_is_open {
            self.trained.block.write_header(&mut self.writer);
            self.block_is_open = true;
        }
    }

    fn close_block(&mut self) {
        if self.block_is_open {
            self.writer.push(self.trained.block.end_of_block());
            self.block_is_open = false;
        }
    }

    fn flush_run(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.write_run(run);
    }

    /// Writes `run` bytes that repeat the bytes one pixel back.
    fn write_run(&mut self, mut run: u64) {
        if run >= BLOCK_OF_PAPER {
            let (longest, rest) = split_run(run);
            self.close_block();
            self.write_block_of_matches(longest);
            run = rest;
        }
        if run == 0 {
            return;
        }
        self.open_block();
        let (longest, rest) = split_run(run);
        self.writer.push_repeated(self.trained.runs[LONGEST_MATCH], longest);
        match rest as usize {
            // Only with pixels of one byte is a run too short for a match.
            short @ 0..SHORTEST_MATCH => {
                let last = self.trained.block.literal(self.last.unwrap_or(PAPER));
                self.writer.push_repeated(last, short as u64);
            }
            length if length <= LONGEST_MATCH => self.writer.push(self.trained.runs[length]),
            length => {
                self.writer.push(self.trained.runs[length - SHORTEST_MATCH].then(self.trained.runs[SHORTEST_MATCH]));
            }
        }
    }

    /// Writes a block of `count` longest matches.
    fn write_block_of_matches(&mut self, count: u64) {
        let mut lengths = [0; SYMBOLS];
        lengths[END_OF_BLOCK] = 1;
        lengths[SYMBOLS - 1] = 1;
        let code = BlockCode::new(&lengths, self.layout.pixel_bytes());
        code.write_header(&mut self.writer);
        self.writer.push_repeated(code.copy(LONGEST_MATCH, Distance::Pixel), count);
        self.writer.push(code.end_of_block());
    }

    /// Writes a block of `rows` rows of paper, each the filter byte, a copy of the last pixel above, and that pixel
    /// repeated.
    fn write_block_of_rows(&mut self, rows: u64) {
        let pixel_bytes = self.layout.pixel_bytes();
        let (longest, rest) = split_run(self.width.saturating_sub(1) * self.pixel_bytes);
        // The rest is even, so if it is too long for one match it is two of equal length.
        let pieces = 1 + u64::from(rest as usize > LONGEST_MATCH);
        let piece = (rest / pieces) as usize;

        let mut rare = vec![usize::from(NO_FILTER), END_OF_BLOCK, length_symbol(pixel_bytes).0];
        if piece > 0 {
            rare.push(length_symbol(piece).0);
        }
        rare.sort_unstable();
        rare.dedup();
        let mut lengths = [0; SYMBOLS];
        lengths[SYMBOLS - 1] = 1;
        lengths[NO_FILTER as usize] = if rare.len() == 3 { 2 } else { 3 };
        for &symbol in &rare[1..] {
            lengths[symbol] = 3;
        }

        let code = BlockCode::new(&lengths, pixel_bytes);
        let mut row = vec![code.literal(NO_FILTER).then(code.copy(pixel_bytes, Distance::RowStart))];
        row.extend(vec![code.copy(LONGEST_MATCH, Distance::Pixel); longest as usize]);
        if piece > 0 {
            row.extend(vec![code.copy(piece, Distance::Pixel); pieces as usize]);
        }
        let row = joined(&row);
        code.write_header(&mut self.writer);
        for _ in 0..rows {
            for &bits in &row {
                self.writer.push(bits);
            }
        }
        self.writer.push(code.end_of_block());
    }
}

/// The number of longest matches in a run of bytes, and the rest: 0, or enough for one or two matches (up to 260),
/// unless the whole run is too short for a match.
const fn split_run(run: u64) -> (u64, u64) {
    let (longest, rest) = (run / LONGEST_MATCH as u64, run % LONGEST_MATCH as u64);
    if longest > 0 && rest > 0 && rest < SHORTEST_MATCH as u64 {
        (longest - 1, rest + LONGEST_MATCH as u64)
    } else {
        (longest, rest)
    }
}
