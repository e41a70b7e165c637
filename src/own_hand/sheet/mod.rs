//! The sheet that a writer fills: one layout, from which it is printed and by which pictures of it are read.
//!
//! Input: a [`SheetForm`]. Output: a PDF (`draw`), a description of the places for tools (`description`), and for the
//! reader each printed mark, dot and label with its place. In order: `form` says which pages (`sheet_page`) there are; `texts` has what
//! is written; `marks` the corner marks and their codes; `places` the boxes, lines and dots; `labels` the words in blue
//! and their extent. Nothing here knows pictures.
//!
//! Lengths are in mm from the upper left corner of an A4 page, x to the right and y downwards. The content is 10 to 200
//! by 16 to 281, so that it also fits a Letter page, on which it is centred.

mod description;
mod draw;
mod form;
mod labels;
mod marks;
mod places;
mod sheet_page;
mod texts;

pub use description::SheetDescription;
#[cfg(test)]
pub(super) use draw::draw_for_tests;
pub use draw::draw_sheet;
pub use form::SheetForm;
pub(super) use labels::LabelFont;
pub(super) use marks::{CORNER_MARKS, MARK_CELLS, MARK_SIDE, corner_of_code, mark_corners};
pub(super) use places::{
    BASELINE, BOX_HEIGHT, BOX_WIDTH, COLUMNS, GuideDots, LATTICE_RADIUS, ORIGIN, ROWS, SheetBox, SheetLine,
    VOID_CIRCLE, X_HEIGHT, box_origin, lattice,
};
pub use sheet_page::SheetPage;
pub(super) use texts::BASIC_LETTERS;

/// Width and height of an A4 page.
pub(super) const PAPER: [f64; 2] = [210.0, 297.0];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_printed_fits_a4_and_letter() {
        // Between 10 and 200 mm, and 16 and 281 mm: Letter is 279.4 mm high, so 265 mm leave 7.2 mm on either side.
        for page in SheetPage::ALL {
            let dots = page.guide_dots();
            let places = dots.iter().flat_map(GuideDots::places).chain(lattice());
            let marks = CORNER_MARKS.iter().flat_map(|mark| [*mark, [mark[0] + MARK_SIDE, mark[1] + MARK_SIDE]]);
            for [x, y] in places.chain(marks) {
                assert!((10.0..=200.0).contains(&x) && (16.0..=281.0).contains(&y), "{page:?}: {x}, {y}");
            }
        }
    }

    #[test]
    fn guide_dots_are_apart_from_the_lattice() {
        for page in SheetPage::ALL {
            for [x, y] in page.guide_dots().iter().flat_map(GuideDots::places) {
                let nearest = lattice().map(|at| (at[0] - x).hypot(at[1] - y)).fold(f64::MAX, f64::min);
                assert!(nearest > 0.9, "{page:?}: {x}, {y} is {nearest} mm from a dot");
            }
        }
    }

    #[test]
    fn each_character_of_ascii_has_boxes_and_common_letters_have_six() {
        let boxes: Vec<SheetBox> = SheetPage::ALL.iter().take(3).flat_map(SheetPage::boxes).collect();
        assert_eq!(boxes.len(), 312);
        for character in '!'..='~' {
            let count = boxes.iter().filter(|each| each.character == character).count();
            let least = if character.is_ascii_alphanumeric() { 3 } else { 1 };
            assert!(count >= least, "{character}: {count}");
        }
        for letter in "etaoinsrhldum".chars() {
            let copies: Vec<usize> =
                boxes.iter().filter(|each| each.character == letter).map(|each| each.copy).collect();
            assert_eq!(copies, [1, 2, 3, 4, 5, 6], "{letter}");
        }
    }

    #[test]
    fn copies_of_a_letter_do_not_stand_side_by_side() {
        let boxes: Vec<SheetBox> = SheetPage::ALL.iter().flat_map(SheetPage::boxes).collect();
        for (one, other) in boxes.iter().zip(boxes.iter().skip(1)) {
            assert!(one.character != other.character, "{one:?} {other:?}");
        }
    }
}
