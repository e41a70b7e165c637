//! Strips that contain other strips.

use super::coverage::Strip;

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
