//! Merges two pages of one ink.

use super::coverage::Coverage;
use super::mix::{mixed, rounded_255th};

/// The page with the ink of both, which have the same size. Coverages a and b become a + b − a·b, rounded half up.
#[must_use]
pub fn merge(one: &Coverage, other: &Coverage) -> Coverage {
    let uncovered = |one: u8, other: u8| rounded_255th(u16::from(255 - one) * u16::from(255 - other)) as u8;
    mixed(one, other, |one, other| 255 - uncovered(one, other), Vec::new())
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
