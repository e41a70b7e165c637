//! Stamps a mark on a page: ink on paper, paper in ink.

use super::coverage::Coverage;
use super::merge::merge;
use super::mix::{mixed, rounded_255th};

/// Ink of the mark on paper, of 255.
const MARK_ON_PAPER: u16 = 92;
/// Ink that is left of the writing inside the mark, of 255. It is less than the mark's own: so no alpha threshold keeps
/// one and drops the other, and both have the same colour.
const WRITING_IN_MARK: u16 = 56;
/// The share of 255 by which the mark is less where it crosses writing of another ink.
const MARK_LESS: u16 = (MARK_ON_PAPER - WRITING_IN_MARK) * 255 / MARK_ON_PAPER;

/// One ink with the mark.
fn stamp(writing: &Coverage, mark: &Coverage, memory: Vec<u8>) -> Coverage {
    mixed(writing, mark, mix, memory)
}

/// The page with the mark added between the letters and cut out of them. `inks` has the writing of each ink, the lowest
/// first; all have the page size of the mark. The lowest result is written into `memory`, whatever that holds: memory
/// that the kernel has to clear takes longer than the stamp.
///
/// For coverages w of the writing and m of the mark, from 0 to 1, the result mixes the unmarked and the marked page:
/// `(1 − m) · w + m · ((1 − w) · MARK_ON_PAPER + w · WRITING_IN_MARK)`.
///
/// The mark has the lowest ink, as have all letters inside it, so colours do not part them either.
#[must_use]
pub fn stamp_inks(inks: impl IntoIterator<Item = Coverage>, mark: &Coverage, memory: Vec<u8>) -> Vec<Coverage> {
    let mut inks = inks.into_iter();
    let Some(lowest) = inks.next() else { return Vec::new() };
    let upper: Vec<Coverage> = inks.collect();
    let written_above = upper.iter().cloned().reduce(|one, other| merge(&one, &other));
    let mark_less = |above| mixed(mark, &above, |mark, ink| thinned(mark, ink, MARK_LESS), Vec::new());
    let lowest = stamp(&lowest, written_above.map(mark_less).as_ref().unwrap_or(mark), memory);
    let outside = |ink: &Coverage| mixed(ink, mark, |ink, mark| thinned(ink, mark, 255), Vec::new());
    std::iter::once(lowest).chain(upper.iter().map(outside)).collect()
}

/// One pixel of the result. No sum needs more than 16 bits, so a processor mixes many pixels at once.
const fn mix(written: u8, marked: u8) -> u8 {
    let (w, m) = (written as u16, marked as u16);
    let inside = rounded_255th((255 - w) * MARK_ON_PAPER + w * WRITING_IN_MARK);
    rounded_255th((255 - m) * w + m * inside) as u8
}

/// A pixel less a share of 255 of it where there is ink.
const fn thinned(pixel: u8, ink: u8, share: u16) -> u8 {
    let left = 255 - rounded_255th(ink as u16 * share);
    rounded_255th(pixel as u16 * left) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::raster::strip_union::union_of;
    use crate::raster::{Strip, TILE};

    fn page(x: u32, byte: u8) -> Coverage {
        let strips = vec![Strip { tile_row: 1, x, width: 32, offset: 0 }];
        Coverage::new(100, 40, strips, vec![byte; 512])
    }

    fn pixel(coverage: &Coverage, x: u32) -> u8 {
        let mut runs = coverage.row(20);
        runs.find_map(|run| run.coverage.get((x.checked_sub(run.x)?) as usize).copied()).unwrap_or(0)
    }

    #[test]
    fn the_mark_is_ink_on_paper_and_paper_in_ink() {
        let stamped = stamp(&page(0, 255), &page(16, 255), vec![7; 3000]);
        assert_eq!(pixel(&stamped, 3), 255);
        assert_eq!(pixel(&stamped, 20), WRITING_IN_MARK as u8);
        assert_eq!(pixel(&stamped, 40), MARK_ON_PAPER as u8);
        assert_eq!(pixel(&stamped, 60), 0);
        assert_eq!(stamped.strips().len(), 1);
    }

    #[test]
    fn inside_the_mark_all_inks_are_as_one() {
        let mark = page(16, 255);
        let [lowest, upper] = stamp_inks([page(0, 0), page(16, 255)], &mark, Vec::new()).try_into().unwrap();
        let [one] = stamp_inks([page(16, 255)], &mark, Vec::new()).try_into().unwrap();
        assert_eq!(pixel(&one, 20), WRITING_IN_MARK as u8);
        assert!(pixel(&lowest, 20).abs_diff(WRITING_IN_MARK as u8) <= 1, "{}", pixel(&lowest, 20));
        assert_eq!(pixel(&upper, 20), 0);
        let [lowest, upper] = stamp_inks([page(0, 200), page(64, 77)], &mark, Vec::new()).try_into().unwrap();
        assert_eq!([3, 40].map(|x| pixel(&lowest, x)), [200, MARK_ON_PAPER as u8]);
        assert_eq!([3, 40, 70].map(|x| pixel(&upper, x)), [0, 0, 77]);
    }

    #[test]
    fn no_threshold_parts_the_writing_from_the_mark() {
        for threshold in 1..=255_u8 {
            let keeps_writing = mix(255, 255) >= threshold;
            let keeps_mark = mix(0, 255) >= threshold;
            assert!(!keeps_writing || keeps_mark, "threshold {threshold}");
        }
    }

    #[test]
    fn without_a_mark_the_page_is_as_it_was() {
        let plain = page(16, 77);
        assert_eq!(stamp(&plain, &Coverage::new(100, 40, vec![], vec![]), Vec::new()), plain);
        assert!((0..=255).all(|written| mix(written, 0) == written));
    }

    #[test]
    fn a_255th_is_rounded() {
        for product in 0..=255_u16 * 255 {
            assert_eq!(u32::from(rounded_255th(product)), (u32::from(product) + 127) / 255, "{product}");
        }
    }

    #[test]
    fn strips_apart_stay_apart() {
        assert_eq!(stamp(&page(0, 9), &page(64, 9), Vec::new()).strips().len(), 2);
    }

    #[test]
    fn a_stamped_page_has_each_pixel_mixed_whatever_the_memory_held() {
        let (writing, mark) = (grey(&[(0, 48), (64, 16)], 7), grey(&[(32, 48)], 5));
        let stamped = stamp(&writing, &mark, vec![255; 10_000]);
        let at = |page: &Coverage, x: u32, y: u32| {
            page.row(y).find_map(|run| run.coverage.get(x.checked_sub(run.x)? as usize).copied()).unwrap_or(0)
        };
        for (x, y) in (0..100).flat_map(|x| (0..40).map(move |y| (x, y))) {
            assert_eq!(at(&stamped, x, y), mix(at(&writing, x, y), at(&mark, x, y)), "({x}, {y})");
        }
    }

    /// A page of 200 × 60 px with ink in some runs of tiles.
    fn some_page() -> impl Strategy<Value = Coverage> {
        let runs = prop::collection::vec((0_u32..4, 0_u32..13, 1_u32..5), 0..12);
        (runs, prop::collection::vec(any::<u8>(), 4 * 13 * 256)).prop_map(|(runs, shades)| {
            let strips = runs.into_iter().map(|(tile_row, column, columns)| {
                let width = columns.min(13 - column) * TILE;
                Strip { tile_row, x: column * TILE, width, offset: 0 }
            });
            let strips = union_of(strips.collect());
            Coverage::new(200, 60, strips, shades)
        })
    }

    proptest! {
        #[test]
        fn each_pixel_is_mixed_of_two(page in some_page(), other in some_page(), held in 0_usize..9000) {
            let mixed = mixed(&page, &other, |one, other| thinned(one, other, 200), vec![9; held]);
            let at = |page: &Coverage, x: u32, y: u32| {
                page.row(y).find_map(|run| run.coverage.get(x.checked_sub(run.x)? as usize).copied()).unwrap_or(0)
            };
            for (x, y) in (0..200).flat_map(|x| (0..60).map(move |y| (x, y))) {
                prop_assert_eq!(at(&mixed, x, y), thinned(at(&page, x, y), at(&other, x, y), 200), "({}, {})", x, y);
            }
        }
    }

    /// Strips with these first columns and widths in the second row of tiles, in shades that repeat after `step` steps.
    fn grey(places: &[(u32, u32)], step: usize) -> Coverage {
        let mut offset = 0;
        let strips = places.iter().map(|&(x, width)| {
            let strip = Strip { tile_row: 1, x, width, offset };
            offset += strip.pixels();
            strip
        });
        let strips: Vec<Strip> = strips.collect();
        let shades = (0..offset).map(|place| if place / 40 % 2 == 0 { 0 } else { (place * step % 256) as u8 });
        Coverage::new(100, 40, strips, shades.collect::<Vec<u8>>())
    }

    #[test]
    fn the_memory_of_a_stamped_page_is_used_again() {
        let memory = Vec::with_capacity(4096);
        let address = memory.as_ptr();
        let stamped = stamp(&page(0, 9), &page(64, 9), memory);
        let memory = stamped.into_memory();
        assert_eq!((memory.as_ptr(), memory.capacity()), (address, 4096));
    }
}
