//! Writes coverage as the zlib stream of a PNG (RFC 1950), in parts that are written in parallel.

use std::ops::Range;

use super::pixel_layout::PixelLayout;
use super::sparse_deflate::Ending;
use super::sparse_rows::append_rows;
use super::zlib_parts::append_zlib_in_parts;
use crate::raster::{Coverage, Strip, TILE};
use crate::work::{IsWanted, Stopped};

/// Pixels of strips per part. A part takes about 0.1 ms, and adds 90 bytes.
const PART: usize = 1 << 17;

/// Parts for which it pays to wake a helper. On a host of 16 cores, a helper for every part took a dense page of ten parts
/// 0.6 ms more of the CPU than three helpers, and made it no faster.
const PARTS_OF_A_HELPER: usize = 3;

/// Appends the zlib stream of a PNG without interlacing, all rows with filter 0. The same stream is a PDF `FlateDecode`
/// image with PNG predictors (`/Predictor 15`).
///
/// Dense pages are split between rows of tiles into parts, which idle threads help to write. The split depends on the
/// ink alone, so equal pages give equal bytes. Checks before each part whether the stream is still wanted.
///
/// # Errors
/// The stream is no longer wanted. `bytes` then has a part of it.
pub fn append_zlib_while(
    layout: PixelLayout,
    coverage: &Coverage,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<(), Stopped> {
    append_in_parts(layout, coverage, PART, is_wanted, bytes)
}

/// As [`append_zlib_while`], in parts of about `pixels` pixels of strips.
fn append_in_parts(
    layout: PixelLayout,
    coverage: &Coverage,
    pixels: usize,
    is_wanted: IsWanted<'_>,
    bytes: &mut Vec<u8>,
) -> Result<(), Stopped> {
    let parts = parts(coverage, pixels);
    let write = |number: usize| {
        let rows: Range<u32> = parts[number].clone();
        let ending = if rows.end == coverage.height() { Ending::Final } else { Ending::Continues };
        let mut part = Vec::with_capacity(pixels / 2);
        let sums = append_rows(layout, coverage, rows, ending, &mut part);
        (part, sums)
    };
    append_zlib_in_parts(parts.len(), PARTS_OF_A_HELPER, write, is_wanted, bytes)
}

/// The rows of `coverage` from top to bottom, split above rows of tiles into at least one part. All parts have about
/// the same number of pixels of strips, near `pixels`.
fn parts(coverage: &Coverage, pixels: usize) -> Vec<Range<u32>> {
    let count = (coverage.strip_pixels() / pixels).max(1);
    let share = coverage.strip_pixels().div_ceil(count);
    let (mut parts, mut start, mut seen) = (Vec::with_capacity(count), 0, 0);
    for tile_row in coverage.tile_rows(0..coverage.height()) {
        if seen >= share * (parts.len() + 1) {
            let top = tile_row[0].tile_row * TILE;
            parts.push(start..top);
            start = top;
        }
        seen += tile_row.iter().map(Strip::pixels).sum::<usize>();
    }
    parts.push(start..coverage.height());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Pages with full rows of strips and rows without any. The page may cut the last row of tiles.
    fn pages() -> impl Strategy<Value = (Coverage, Vec<u8>)> {
        let tile_rows = proptest::collection::vec(proptest::option::of(any::<u32>()), 1..9);
        (1_u32..90, 1..=TILE, tile_rows).prop_map(|(width, last_rows, seeds)| {
            let height = (seeds.len() as u32 - 1) * TILE + last_rows;
            let strip_width = width.next_multiple_of(TILE);
            let (mut strips, mut bytes) = (Vec::new(), Vec::new());
            let mut pixels = vec![0; (width * height) as usize];
            for (tile_row, seed) in (0..).zip(seeds) {
                let Some(mut state) = seed else { continue };
                strips.push(Strip { tile_row, x: 0, width: strip_width, offset: bytes.len() });
                for place in 0..strip_width * TILE {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    // Half of the pixels are paper.
                    let pixel = if state >> 31 == 0 { 0 } else { (state >> 16) as u8 };
                    bytes.push(pixel);
                    let (x, y) = (place % strip_width, tile_row * TILE + place / strip_width);
                    if x < width && y < height {
                        pixels[(y * width + x) as usize] = pixel;
                    }
                }
            }
            (Coverage::new(width, height, strips, bytes), pixels)
        })
    }

    proptest! {
        #[test]
        fn a_page_in_parts_is_the_page(
            (coverage, pixels) in pages(),
            part in 1_usize..4000,
            colour in prop_oneof![Just([0; 3]), any::<[u8; 3]>()],
        ) {
            for layout in [PixelLayout::Index, PixelLayout::InkAlpha(colour)] {
                let mut stream = Vec::new();
                append_in_parts(layout, &coverage, part, &|| true, &mut stream).unwrap();
                let rows = pixels.chunks(coverage.width() as usize).map(|row| {
                    let bytes = row.iter().flat_map(|&pixel| [layout.prefix(), &[pixel]].concat());
                    std::iter::once(0).chain(bytes).collect::<Vec<u8>>()
                });
                let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&stream).unwrap();
                prop_assert!(bytes == rows.collect::<Vec<_>>().concat(), "in {:?}", parts(&coverage, part));
            }
        }

        #[test]
        fn parts_follow_each_other_and_share_the_ink((coverage, _) in pages(), part in 1_usize..4000) {
            let parts = parts(&coverage, part);
            prop_assert_eq!((parts[0].start, parts[parts.len() - 1].end), (0, coverage.height()));
            prop_assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            let row = coverage.width().next_multiple_of(TILE) as usize * TILE as usize;
            for rows in parts {
                prop_assert!(!rows.is_empty());
                let pixels = coverage.tile_rows(rows).flatten().map(Strip::pixels).sum::<usize>();
                prop_assert!(pixels < 2 * part + row, "{} px in one part", pixels);
            }
        }
    }
}
