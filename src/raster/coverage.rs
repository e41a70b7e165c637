//! Sparse 8-bit coverage: strips of inked tiles.

use std::ops::Range;

use bytes::Bytes;

/// Edge of a tile in device px. Strips are one tile high and whole tiles wide.
pub const TILE: u32 = 16;

/// A horizontal run of inked tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strip {
    /// Row of tiles, from the page's top.
    pub tile_row: u32,
    /// First column in device px, a multiple of [`TILE`].
    pub x: u32,
    /// Width in device px, a multiple of [`TILE`]; the last strip of a row may extend beyond the page's right edge.
    pub width: u32,
    /// Offset of its `TILE` rows of `width` bytes in the page's coverage bytes.
    pub offset: usize,
}

impl Strip {
    /// Number of its pixels.
    #[must_use]
    pub const fn pixels(&self) -> usize {
        self.width as usize * TILE as usize
    }
}

/// The coverage of a page by its ink, one byte per pixel: 0 is paper, 255 is solid ink. Pixels outside the strips are
/// paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    width: u32,
    height: u32,
    /// Ordered by tile row, then by x; disjoint.
    strips: Vec<Strip>,
    bytes: Bytes,
}

/// Consecutive pixels of one row in one strip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InkRun<'a> {
    /// First column in device px.
    pub x: u32,
    /// Coverage of each pixel, clipped to the page.
    pub coverage: &'a [u8],
}

impl Coverage {
    /// Coverage of a page of `width` × `height` device px. `strips` must be ordered by tile row and x, disjoint, and
    /// inside `bytes`; anything else is an error of the renderer.
    #[must_use]
    pub fn new(width: u32, height: u32, strips: Vec<Strip>, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        debug_assert!(strips.is_sorted_by_key(|strip| (strip.tile_row, strip.x)), "strips out of order");
        debug_assert!(
            strips.iter().all(|strip| strip.offset + strip.pixels() <= bytes.len()),
            "strip beyond its bytes"
        );
        Self { width, height, strips, bytes }
    }

    /// The memory of its pixels, to be written again: the same memory if this program allocated it and no other page has
    /// a part of it, else a copy.
    #[must_use]
    pub fn into_memory(self) -> Vec<u8> {
        self.bytes.into()
    }

    /// The page without the ink of the strips for which `is_kept` is false. Both have the same memory.
    #[must_use]
    pub fn with_strips(&self, is_kept: impl Fn(&Strip) -> bool) -> Self {
        let strips = self.strips.iter().copied().filter(is_kept).collect();
        Self { strips, bytes: self.bytes.clone(), ..*self }
    }

    /// The same page in memory of its own, as much as its strips need.
    #[must_use]
    pub fn copied(&self) -> Self {
        let end = self.strips.iter().map(|strip| strip.offset + strip.pixels()).max().unwrap_or(0);
        Self { strips: self.strips.clone(), bytes: Bytes::copy_from_slice(&self.bytes[..end]), ..*self }
    }

    /// Width in device px.
    #[must_use]
    pub const fn width(&self) -> u32 {
        self.width
    }

    /// Height in device px.
    #[must_use]
    pub const fn height(&self) -> u32 {
        self.height
    }

    /// The strips, ordered by tile row, then by x.
    #[must_use]
    pub fn strips(&self) -> &[Strip] {
        &self.strips
    }

    /// Number of pixels in all strips.
    #[must_use]
    pub fn strip_pixels(&self) -> usize {
        self.strips.iter().map(Strip::pixels).sum()
    }

    /// The strips of each tile row that has any and begins in `rows` (device px), from top to bottom.
    pub fn tile_rows(&self, rows: Range<u32>) -> impl Iterator<Item = &[Strip]> {
        let before = |y: u32| self.strips.partition_point(|strip| strip.tile_row * TILE < y);
        self.strips[before(rows.start)..before(rows.end)].chunk_by(|left, right| left.tile_row == right.tile_row)
    }

    /// The pixels of one of its strips, row by row, also those below the page's lower edge.
    pub(super) fn pixels_of(&self, strip: &Strip) -> &[u8] {
        self.bytes.get(strip.offset..strip.offset + strip.pixels()).unwrap_or_default()
    }

    /// The rows of [`pixels_of`](Self::pixels_of).
    pub(super) fn rows_of(&self, strip: &Strip) -> impl Iterator<Item = &[u8]> {
        self.pixels_of(strip).chunks_exact(strip.width.max(1) as usize)
    }

    /// The runs of row `y` (device px) that may have ink, from left to right.
    pub fn row(&self, y: u32) -> impl Iterator<Item = InkRun<'_>> {
        let tile_row = y / TILE;
        let first = self.strips.partition_point(|strip| strip.tile_row < tile_row);
        let strips = self.strips[first..].iter().take_while(move |strip| strip.tile_row == tile_row);
        strips.filter_map(move |strip| self.run(strip, y))
    }

    /// The part on the page of row `y` (device px) of `strip`, which must be one of its strips and have that row.
    #[must_use]
    pub fn run(&self, strip: &Strip, y: u32) -> Option<InkRun<'_>> {
        debug_assert_eq!(strip.tile_row, y / TILE, "a row of another strip");
        let start = strip.offset + (y % TILE * strip.width) as usize;
        let visible = strip.width.min(self.width.saturating_sub(strip.x)) as usize;
        let coverage = self.bytes.get(start..start + visible)?;
        (!coverage.is_empty()).then_some(InkRun { x: strip.x, coverage })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_strips() -> Coverage {
        let strips = vec![
            Strip { tile_row: 0, x: 16, width: 16, offset: 0 },
            Strip { tile_row: 1, x: 32, width: 16, offset: 256 },
        ];
        let bytes = (0..512).map(|i| (i % 251) as u8).collect::<Vec<_>>();
        Coverage::new(40, 30, strips, bytes)
    }

    #[test]
    fn a_row_yields_its_strips_and_no_others() {
        let coverage = two_strips();
        let runs: Vec<_> = coverage.row(1).collect();
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].x, 16);
        assert_eq!(runs[0].coverage, (16..32).collect::<Vec<u8>>());
    }

    #[test]
    fn a_strip_is_clipped_to_the_page() {
        let coverage = two_strips();
        let runs: Vec<_> = coverage.row(16).collect();
        assert_eq!((runs[0].x, runs[0].coverage.len()), (32, 8));
    }

    #[test]
    fn strips_can_be_left_out() {
        let page = two_strips();
        let lower = page.with_strips(|strip| strip.tile_row == 1);
        assert_eq!((lower.row(0).count(), lower.row(17).collect::<Vec<_>>()), (0, page.row(17).collect()));
        assert_eq!(page.copied(), page);
        let upper = page.with_strips(|strip| strip.tile_row == 0).copied();
        assert!(upper.row(1).eq(page.row(1)));
        assert_eq!(upper.into_memory().len(), 256);
    }

    #[test]
    fn rows_below_the_last_strip_are_paper() {
        let coverage = Coverage::new(40, 64, vec![], vec![]);
        assert_eq!(coverage.row(63).count(), 0);
    }
}
