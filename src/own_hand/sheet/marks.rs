//! The marks in the corners: squares of 6 × 6 cells with a black ring, whose 4 × 4 inner cells tell page, corner and turn.

use super::sheet_page::SheetPage;

/// Side of a mark.
pub(in crate::own_hand) const MARK_SIDE: f64 = 8.0;
/// Cells along a side.
pub(in crate::own_hand) const MARK_CELLS: usize = 6;
/// Upper left corners of the marks: left and right above, left and right below.
pub(in crate::own_hand) const CORNER_MARKS: [[f64; 2]; 4] =
    [[10.0, 16.0], [192.0, 16.0], [10.0, 273.0], [192.0, 273.0]];
/// The most cells of a mark that may be read wrongly.
const MOST_WRONG: u32 = 1;

/// The inner cells of the marks, row by row from the highest bit, 1 for white; four marks for each page. Any two differ
/// in at least four cells, however they are turned or mirrored, and so does each from itself.
const CODES: [u16; 24] = [
    0x1B1D, 0xEC79, 0x69A8, 0x9A61, 0x1E4F, 0xC323, 0x658D, 0xB3F5, 0x7F2E, 0xC6AA, 0x67B9, 0x139B, 0x42E3, 0x6BE2,
    0xAE1E, 0x19DF, 0x6302, 0x1E10, 0x2763, 0x52FF, 0x8D2C, 0xAA85, 0x9312, 0xE254,
];

/// Whether a cell of a mark is white. The cells of the ring are black.
pub(super) fn is_white(page: SheetPage, corner: usize, row: usize, column: usize) -> bool {
    let code = CODES.get(4 * page.index() + corner).copied().unwrap_or_default();
    match (row.checked_sub(1), column.checked_sub(1)) {
        (Some(row @ 0..=3), Some(column @ 0..=3)) => code >> (15 - (4 * row + column)) & 1 == 1,
        _ => false,
    }
}

/// The page and corner of a mark with these inner cells, and by how many quarter turns anticlockwise they have to be
/// turned; `None` for others.
pub(in crate::own_hand) fn corner_of_code(cells: u16) -> Option<(SheetPage, usize, usize)> {
    let mut turned = cells;
    for turns in 0..4 {
        let known = CODES.iter().position(|code| (code ^ turned).count_ones() <= MOST_WRONG);
        if let Some(index) = known {
            return Some((*SheetPage::ALL.get(index / 4)?, index % 4, turns));
        }
        turned = quarter_turn(turned);
    }
    None
}

/// The cells after a quarter turn anticlockwise.
fn quarter_turn(cells: u16) -> u16 {
    let mut turned = 0;
    for row in 0..4 {
        for column in 0..4 {
            // What stands there now was in the column of the mirrored row.
            let from = 4 * column + (3 - row);
            turned |= (cells >> (15 - from) & 1) << (15 - (4 * row + column));
        }
    }
    turned
}

/// The corners of a mark, clockwise from its upper left one.
pub(in crate::own_hand) fn mark_corners(corner: usize) -> [[f64; 2]; 4] {
    let [x, y] = CORNER_MARKS.get(corner).copied().unwrap_or_default();
    [[x, y], [x + MARK_SIDE, y], [x + MARK_SIDE, y + MARK_SIDE], [x, y + MARK_SIDE]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirrored(cells: u16) -> u16 {
        (0..4).fold(0, |result, row| result | ((cells >> (12 - 4 * row) & 15).reverse_bits() >> 12) << (12 - 4 * row))
    }

    fn turns(cells: u16) -> [u16; 4] {
        let mut turned = cells;
        std::array::from_fn(|_| {
            let own = turned;
            turned = quarter_turn(own);
            own
        })
    }

    #[test]
    fn any_two_marks_differ_in_four_cells_in_all_turns_and_mirror_images() {
        for (index, code) in CODES.iter().enumerate() {
            assert!(
                turns(*code)[1..].iter().chain(&turns(mirrored(*code))).all(|turn| (turn ^ code).count_ones() >= 4)
            );
            for other in &CODES[..index] {
                let least = turns(*other).into_iter().chain(turns(mirrored(*other)));
                assert!(least.map(|turn| (turn ^ code).count_ones()).min().unwrap() >= 4, "{code:x} {other:x}");
            }
        }
    }

    #[test]
    fn a_mark_is_known_in_each_turn_and_with_one_wrong_cell() {
        for (index, code) in CODES.iter().enumerate() {
            for (turn, cells) in turns(*code).into_iter().enumerate() {
                let found = Some((SheetPage::ALL[index / 4], index % 4, (4 - turn) % 4));
                assert_eq!(corner_of_code(cells), found);
                assert_eq!(corner_of_code(cells ^ 1 << (index % 16)), found);
            }
            assert_eq!(corner_of_code(mirrored(*code)), None);
        }
    }
}
