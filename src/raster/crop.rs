//! Cuts a part out of a page.

use super::coverage::{Coverage, Strip, TILE};
use super::strip_union::drawn;
use crate::geometry::{Point, Rect};

/// The part of a page inside `window` (device px), as a page of its own; the page itself if it is all of it. Outside
/// the page there is paper.
#[must_use]
pub fn crop(page: Coverage, window: Rect<u32>) -> Coverage {
    if window == (Rect { min: Point::default(), max: Point::new(page.width(), page.height()) }) {
        return page;
    }
    let strips = page.strips().iter().flat_map(|strip| moved(strip, window)).collect();
    let (left, width) = (window.min.x, window.width());
    drawn(width, window.height(), strips, |strip, y, row| {
        for run in page.row(window.min.y + y).filter(|_| y < window.height()) {
            // Columns of the part that both the strip and the run have.
            let first = run.x.saturating_sub(left).max(strip.x);
            let end = (run.x + run.coverage.len() as u32).saturating_sub(left).min(strip.x + strip.width).min(width);
            if first < end {
                let source = &run.coverage[(left + first - run.x) as usize..(left + end - run.x) as usize];
                row[(first - strip.x) as usize..(end - strip.x) as usize].copy_from_slice(source);
            }
        }
    })
}

/// The strips of the part, at most two, that contain what it has of a strip of the page.
fn moved(strip: &Strip, window: Rect<u32>) -> impl Iterator<Item = Strip> {
    let (top, bottom) = (strip.tile_row * TILE, (strip.tile_row + 1) * TILE);
    let first_row = top.max(window.min.y).saturating_sub(window.min.y);
    let end_row = bottom.min(window.max.y).saturating_sub(window.min.y);
    let left = strip.x.max(window.min.x) - window.min.x;
    let right = (strip.x + strip.width).min(window.max.x).saturating_sub(window.min.x);
    let x = left / TILE * TILE;
    let tile_rows = if left < right { first_row / TILE..end_row.div_ceil(TILE) } else { 0..0 };
    tile_rows.map(move |tile_row| Strip { tile_row, x, width: right.next_multiple_of(TILE) - x, offset: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A page of 112 × 70 px on which every pixel of two strips differs from its neighbours.
    fn page() -> Coverage {
        let strips = vec![
            Strip { tile_row: 1, x: 16, width: 32, offset: 0 },
            Strip { tile_row: 2, x: 32, width: 80, offset: 512 },
        ];
        Coverage::new(112, 70, strips, (0..512 + 1280).map(|byte| (byte % 251) as u8).collect::<Vec<_>>())
    }

    fn pixel(page: &Coverage, x: u32, y: u32) -> u8 {
        page.row(y).find_map(|run| run.coverage.get(x.checked_sub(run.x)? as usize).copied()).unwrap_or(0)
    }

    proptest! {
        #[test]
        fn a_part_has_the_pixels_of_its_page(x in 0_u32..99, y in 0_u32..69, width in 1_u32..110, height in 1_u32..80) {
            let (page, min) = (page(), Point::new(x, y));
            let part = crop(page.clone(), Rect { min, max: min + Point::new(width, height) });
            prop_assert_eq!((part.width(), part.height()), (width, height));
            prop_assert!(part.strips().iter().all(|strip| strip.x % TILE == 0 && strip.width % TILE == 0));
            for (column, row) in (0..width).flat_map(|column| (0..height).map(move |row| (column, row))) {
                prop_assert_eq!(pixel(&part, column, row), pixel(&page, x + column, y + row), "at {}, {}", column, row);
            }
        }
    }

    #[test]
    fn the_whole_page_is_itself() {
        let whole = Rect { min: Point::new(0, 0), max: Point::new(112, 70) };
        assert_eq!(crop(page(), whole), page());
    }
}
