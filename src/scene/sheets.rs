//! Sheets: the areas that scattered ink may reach.
//!
//! A sheet is a box around all places that the ink of neighbouring strips may reach. Its strips have one width and
//! consecutive addresses, so that each lane needs one address and one width.

use super::ink_tiles::TileBox;
use crate::geometry::Size;
use crate::raster::{Strip, TILE};

/// Boxes of tiles that do not overlap, the sheets, each of strips of one width, one below the other: its pixels follow one
/// another row by row, so that what is drawn in a strip finds every place that it may be sent to from one place and one width.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheets {
    /// Those of all sheets, ordered by tile row, then by x.
    pub(super) strips: Vec<Strip>,
    /// For each strip that is drawn the first of the sheet that its ink may be sent to.
    pub(super) first_strips: Vec<Strip>,
    /// Pixels of all sheets.
    pub(super) pixels: usize,
}

impl Sheets {
    /// The sheets of ink that is drawn in these strips and sent as far as `reach` along either axis (device px). What lies
    /// close together shares one.
    pub(super) fn around(drawn: &[Strip], reach: f64, page: Size<u32>) -> Self {
        let landing = |strip: &Strip| {
            let [left, top, right, bottom] = [strip.x, strip.tile_row, strip.x + strip.width, strip.tile_row + 1];
            let [left, right, top, bottom] = [left, right, top * TILE, bottom * TILE].map(f64::from);
            TileBox::touched([left - reach, top - reach, right + reach, bottom + reach], page)
        };
        let landings: Vec<TileBox> = drawn.iter().map(|strip| landing(strip).unwrap_or_default()).collect();
        let boxes = joined(&landings);
        let mut sheets = Self::default();
        let mut first_of = Vec::with_capacity(boxes.len());
        for sheet in &boxes {
            let (x, width) = (sheet.left * TILE, sheet.columns() as u32 * TILE);
            first_of.push(Strip { tile_row: sheet.top, x, width, offset: sheets.pixels });
            for tile_row in sheet.top..sheet.bottom {
                let strip = Strip { tile_row, x, width, offset: sheets.pixels };
                sheets.pixels += strip.pixels();
                sheets.strips.push(strip);
            }
        }
        sheets.strips.sort_unstable_by_key(|strip| (strip.tile_row, strip.x));
        let holding = |landing: &TileBox| boxes.iter().position(|sheet| sheet.overlaps(*landing));
        sheets.first_strips = landings.iter().filter_map(|landing| Some(first_of[holding(landing)?])).collect();
        sheets
    }
}

/// The boxes, joined until none overlaps another.
fn joined(boxes: &[TileBox]) -> Vec<TileBox> {
    let mut joined: Vec<TileBox> = Vec::new();
    for &one in boxes {
        let mut one = one;
        while let Some(other) = joined.iter().position(|other| other.overlaps(one)) {
            one = one.union(joined.swap_remove(other));
        }
        joined.push(one);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const PAGE: Size<u32> = Size { width: 1600, height: 800 };

    fn strip((tile_row, column, columns): (u32, u32, u32)) -> Strip {
        Strip { tile_row, x: column * TILE, width: columns * TILE, offset: 0 }
    }

    #[test]
    fn strips_far_from_one_another_have_sheets_of_their_own() {
        let drawn = [(2, 3, 2), (3, 3, 1), (2, 50, 1)].map(strip);
        let sheets = Sheets::around(&drawn, 16.0, PAGE);
        let of_first = |row: u32| Strip { tile_row: 1 + row, x: 32, width: 64, offset: row as usize * 1024 };
        let of_second = |row: u32| Strip { tile_row: 1 + row, x: 784, width: 48, offset: 4096 + row as usize * 768 };
        assert_eq!(sheets.first_strips, [of_first(0), of_first(0), of_second(0)]);
        let expected = [of_first(0), of_second(0), of_first(1), of_second(1), of_first(2), of_second(2), of_first(3)];
        assert_eq!((sheets.strips.as_slice(), sheets.pixels), (&expected[..], 4096 + 3 * 768));
    }

    #[test]
    fn sheets_that_come_to_overlap_as_they_are_joined_are_one() {
        let boxes = [[0, 0, 10, 20], [20, 0, 30, 8], [5, 10, 35, 25]];
        let boxes = boxes.map(|[left, top, right, bottom]| TileBox { left, top, right, bottom });
        assert_eq!(joined(&boxes), [TileBox { left: 0, top: 0, right: 35, bottom: 25 }]);
    }

    #[test]
    fn a_page_without_ink_has_none() {
        assert_eq!(Sheets::around(&[], 50.0, PAGE), Sheets::default());
    }

    proptest! {
        #[test]
        fn every_place_that_ink_may_be_sent_to_lies_in_its_sheet_and_in_no_other(
            drawn in prop::collection::vec((0..50_u32, 0..90_u32, 1..10_u32), 0..40), reach in 0.0..300.0,
        ) {
            let drawn: Vec<Strip> = drawn.into_iter().map(strip).collect();
            let sheets = Sheets::around(&drawn, reach, PAGE);
            prop_assert_eq!(sheets.first_strips.len(), drawn.len());
            let mut owners = vec![0; sheets.pixels];
            let mut tiles = std::collections::HashSet::new();
            for strip in &sheets.strips {
                owners[strip.offset..strip.offset + strip.pixels()].iter_mut().for_each(|owner| *owner += 1);
                for column in strip.x / TILE..(strip.x + strip.width) / TILE {
                    prop_assert!(tiles.insert((strip.tile_row, column)), "two sheets overlap");
                }
            }
            prop_assert!(owners.iter().all(|owner| *owner == 1));
            for (strip, first) in drawn.iter().zip(&sheets.first_strips) {
                let whole = |edge: f64, end: u32| edge.clamp(0.0, f64::from(end - 1)) as u32;
                let (top, left) = (f64::from(strip.tile_row * TILE), f64::from(strip.x));
                for y in [whole(top - reach, PAGE.height), whole(top + 15.0 + reach, PAGE.height)] {
                    for x in [whole(left - reach, PAGE.width), whole(left + f64::from(strip.width - 1) + reach, PAGE.width)] {
                        let place = first.offset + ((y - first.tile_row * TILE) * first.width + x - first.x) as usize;
                        let holds = |strip: &&Strip| {
                            strip.tile_row == y / TILE && (strip.x..strip.x + strip.width).contains(&x)
                        };
                        let strip = sheets.strips.iter().find(holds).unwrap();
                        let expected = strip.offset + (y % TILE * strip.width + x - strip.x) as usize;
                        prop_assert_eq!(place, expected);
                    }
                }
            }
        }
    }
}
