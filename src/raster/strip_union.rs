//! Strips that contain other strips.

use super::coverage::{Coverage, Strip, TILE};

/// The fewest strips that contain all of these; adjacent ones are merged. Offsets are those of contiguous bytes.
pub(super) fn union_of(mut all: Vec<Strip>) -> Vec<Strip> {
    all.sort_unstable_by_key(|strip| (strip.tile_row, strip.x));
    let mut union: Vec<Strip> = Vec::new();
    for strip in all {
        match union.last_mut() {
            Some(last) if last.tile_row == strip.tile_row && strip.x <= last.x + last.width => {
                last.width = last.width.max(strip.x + strip.width - last.x);
            }
            _ => union.push(strip),
        }
    }
    let mut offset = 0;
    for strip in &mut union {
        strip.offset = offset;
        offset += strip.pixels();
    }
    union
}

/// A page with the fewest strips that contain these. `draw` draws a row of a strip: it gets the strip, the row of the
/// page, and pixels without ink.
pub(super) fn drawn(width: u32, height: u32, strips: Vec<Strip>, draw: impl Fn(&Strip, u32, &mut [u8])) -> Coverage {
    let strips = union_of(strips);
    let mut bytes = vec![0; strips.iter().map(Strip::pixels).sum()];
    for strip in &strips {
        let rows = bytes[strip.offset..][..strip.pixels()].chunks_exact_mut(strip.width as usize);
        for (y, row) in (strip.tile_row * TILE..).zip(rows) {
            draw(strip, y, row);
        }
    }
    Coverage::new(width, height, strips, bytes)
}
