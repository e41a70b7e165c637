//! Rows of pictures into a zlib stream, filtered as those of a PNG.
//!
//! Every row has filter 1, the difference to the pixel on its left (PNG, 9.2): it makes photographs much smaller, and a
//! row does not depend on the one above it. Parts of equal height are packed in parallel.

use std::ops::Range;

use miniz_oxide::deflate::core::{
    CompressorOxide, TDEFLFlush, TDEFLStatus, compress_to_output, create_comp_flags_from_zip_params,
};

use super::adler::ByteSums;
use super::zlib_parts::append_zlib_in_parts;
use crate::work::{IsWanted, Stopped};

/// Rows of a part.
pub(super) const PART: u32 = 256;
/// Raw deflate data, without a zlib header.
const RAW: i32 = -15;
/// How hard pictures are packed.
const LEVEL: i32 = 3;
/// The filter byte of every row: the difference to the left.
const SUB: u8 = 1;

/// Appends the zlib stream of a picture of `height` rows, of `pixel_bytes` bytes per pixel. `rows` gives the bytes of
/// some rows of `width` px.
///
/// # Errors
/// The picture is no longer wanted. `bytes` then has a part of it.
pub(super) fn append_rows_while(
    (width, height): (u32, u32),
    pixel_bytes: usize,
    rows: impl Fn(Range<u32>) -> Vec<u8> + Sync,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<(), Stopped> {
    let row_bytes = (width as usize * pixel_bytes).max(1);
    let write = |part: usize| {
        let (part, flush) = part_of(part, height);
        let plain = rows(part);
        let mut packer = Packer::new(LEVEL);
        let (last, mut row) = ((plain.len() / row_bytes).saturating_sub(1), Vec::with_capacity(row_bytes + 1));
        for (number, pixels) in plain.chunks_exact(row_bytes).enumerate() {
            row.clear();
            row.push(SUB);
            row.extend_from_slice(&pixels[..pixel_bytes]);
            row.extend(pixels.iter().zip(&pixels[pixel_bytes..]).map(|(left, own)| own.wrapping_sub(*left)));
            packer.pack(&row, if number == last { flush } else { TDEFLFlush::None });
        }
        packer.finish()
    };
    append_zlib_in_parts(height.div_ceil(PART) as usize, 1, write, is_wanted, bytes)
}

/// The rows of a part of `height` rows, and how its last row ends.
pub(super) fn part_of(number: usize, height: u32) -> (Range<u32>, TDEFLFlush) {
    let top = number as u32 * PART;
    let rows = top..(top + PART).min(height);
    let flush = if rows.end == height { TDEFLFlush::Finish } else { TDEFLFlush::Sync };
    (rows, flush)
}

/// Packs rows as deflate data, and sums their bytes.
pub(super) struct Packer {
    deflate: Box<CompressorOxide>,
    bytes: Vec<u8>,
    sums: ByteSums,
}

impl Packer {
    pub(super) fn new(level: i32) -> Self {
        let deflate = Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(level, RAW, 0)));
        Self { deflate, bytes: Vec::new(), sums: ByteSums::default() }
    }

    /// Packs a row. With [`TDEFLFlush::Sync`] or [`TDEFLFlush::Finish`] the data ends on a byte boundary.
    pub(super) fn pack(&mut self, row: &[u8], flush: TDEFLFlush) {
        self.sums = self.sums.then(ByteSums::of(row));
        let (status, _) = compress_to_output(&mut self.deflate, row, flush, |packed| {
            self.bytes.extend_from_slice(packed);
            true
        });
        debug_assert!(matches!(status, TDEFLStatus::Okay | TDEFLStatus::Done), "deflate takes any bytes");
    }

    /// The data, and the sums of what it packs.
    pub(super) fn finish(self) -> (Vec<u8>, ByteSums) {
        (self.bytes, self.sums)
    }
}
