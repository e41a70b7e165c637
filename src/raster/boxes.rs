//! Draws boxes that are filled with solid ink.

use super::coverage::{Coverage, Strip, TILE};
use super::strip_union::drawn;
use crate::geometry::Rect;

/// Solid ink.
const SOLID: u8 = 255;

/// A page of `width` × `height` device px with these boxes on it, in whole device px. Parts outside the page are left
/// out.
#[must_use]
pub fn filled_boxes(width: u32, height: u32, boxes: &[Rect<u32>]) -> Coverage {
    let on_page =
        |filled: &Rect<u32>| filled.min.x < filled.max.x.min(width) && filled.min.y < filled.max.y.min(height);
    let boxes: Vec<&Rect<u32>> = boxes.iter().filter(|filled| on_page(filled)).collect();
    let strips = boxes.iter().flat_map(|filled| strips_of(filled, width, height)).collect();
    drawn(width, height, strips, |strip, y, row| {
        for filled in boxes.iter().filter(|filled| (filled.min.y..filled.max.y).contains(&y)) {
            let first = filled.min.x.max(strip.x);
            let end = filled.max.x.min(strip.x + strip.width);
            if first < end {
                row[(first - strip.x) as usize..(end - strip.x) as usize].fill(SOLID);
            }
        }
    })
}

/// The strips that contain the part of a box on the page.
fn strips_of(filled: &Rect<u32>, width: u32, height: u32) -> impl Iterator<Item = Strip> + use<> {
    let x = filled.min.x / TILE * TILE;
    let end = filled.max.x.min(width).next_multiple_of(TILE);
    let tile_rows = filled.min.y / TILE..filled.max.y.min(height).div_ceil(TILE);
    tile_rows.map(move |tile_row| Strip { tile_row, x, width: end - x, offset: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    #[test]
    fn boxes_are_solid_and_nothing_else_is() {
        let boxes = [(3, 5, 40, 7), (30, 14, 33, 35), (90, 0, 200, 2), (10, 60, 20, 90), (0, 300, 9, 400)]
            .map(|(x0, y0, x1, y1)| Rect { min: Point::new(x0, y0), max: Point::new(x1, y1) });
        let page = filled_boxes(100, 70, &boxes);
        for y in 0..70 {
            let row = |x: u32| page.row(y).find_map(|run| run.coverage.get(x.checked_sub(run.x)? as usize).copied());
            for x in 0..100 {
                let inside =
                    boxes.iter().any(|of| (of.min.x..of.max.x).contains(&x) && (of.min.y..of.max.y).contains(&y));
                assert_eq!(row(x).unwrap_or(0), if inside { 255 } else { 0 }, "at {x}, {y}");
            }
        }
    }
}
