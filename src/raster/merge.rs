//! Merges two pages of one ink.

use super::coverage::{Coverage, TILE};
use super::strip_union::union_of;

/// The page with the ink of both, which have the same size. Coverages a and b become a + b − a·b, rounded half up.
#[must_use]
pub fn merge(one: &Coverage, other: &Coverage) -> Coverage {
    let strips = union_of(one.strips().iter().chain(other.strips()).copied().collect());
    let mut bytes = vec![0_u8; strips.last().map_or(0, |strip| strip.offset + strip.pixels())];
    for strip in &strips {
        for line in 0..TILE {
            let start = strip.offset + (line * strip.width) as usize;
            for run in [one, other].into_iter().flat_map(|page| page.row(strip.tile_row * TILE + line)) {
                if run.x < strip.x || run.x >= strip.x + strip.width {
                    continue;
                }
                let at = start + (run.x - strip.x) as usize;
                for (pixel, &ink) in bytes[at..].iter_mut().zip(run.coverage) {
                    let uncovered = u32::from(255 - *pixel) * u32::from(255 - ink);
                    *pixel = 255 - ((uncovered + 127) / 255) as u8;
                }
            }
        }
    }
    Coverage::new(one.width(), one.height(), strips, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Strip;

    fn page(x: u32, byte: u8) -> Coverage {
        Coverage::new(70, 20, vec![Strip { tile_row: 0, x, width: 32, offset: 0 }], vec![byte; 512])
    }

    fn row(page: &Coverage) -> Vec<u8> {
        let mut row = vec![0; 70];
        for run in page.row(3) {
            row[run.x as usize..run.x as usize + run.coverage.len()].copy_from_slice(run.coverage);
        }
        row
    }

    #[test]
    fn ink_of_both_pages_is_there_and_darker_where_both_have_some() {
        let merged = merge(&page(0, 51), &page(16, 102));
        let expected = [vec![51; 16], vec![133; 16], vec![102; 16], vec![0; 22]].concat();
        assert_eq!(row(&merged), expected);
        assert_eq!(merge(&page(16, 102), &page(0, 51)), merged);
        assert_eq!(row(&merge(&page(32, 255), &page(48, 7))), [vec![0; 32], vec![255; 32], vec![7; 6]].concat());
    }

    #[test]
    fn a_page_merged_with_a_blank_one_is_itself() {
        assert_eq!(merge(&page(16, 9), &Coverage::new(70, 20, vec![], vec![])), page(16, 9));
    }
}
