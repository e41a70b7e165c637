//! The part of a mail piece that is left for text: inside the margins and the safe distance, and beside the reserved
//! zones.

use super::effects::NaturalVariation;
use super::mail_piece::MailPiece;
use super::render_spec::{Margins, RaisedMargin};
use crate::geometry::{Point, Rect};
use crate::units::{Mm, Px};

/// Ink at the edge of the text area may round into the next pixel, so half of one is left free.
const EDGE: Px = Px::new(0.5);
/// White between text and a reserved zone: zones are not printed to a hair.
const GAP: Mm = Mm::new(1.0);

/// Margins raised to the safe distance of the piece, and a list of what was raised. The distance leaves room for ink
/// that natural variation moves.
pub(super) fn raised(
    margins: Margins,
    piece: &MailPiece,
    variation: Option<NaturalVariation>,
) -> (Margins, Vec<RaisedMargin>) {
    let least = whole(piece.safe.to_px() + reach(variation) + EDGE);
    let (mut margins, mut found) = (margins, Vec::new());
    let sides = [
        ("margin_left", &mut margins.left),
        ("margin_right", &mut margins.right),
        ("margin_top", &mut margins.top),
        ("margin_bottom", &mut margins.bottom),
    ];
    for (field, margin) in sides {
        if *margin < least {
            found.push(RaisedMargin { field, asked: *margin, raised: least });
            *margin = least;
        }
    }
    (margins, found)
}

/// The margins around the largest rectangle between `margins` that keeps 1 mm from every reserved zone; `None` if
/// nothing is left. Of equally large ones it is the uppermost, and of those the leftmost. Its edges are on whole px.
pub(super) fn beside_zones(
    margins: Margins,
    piece: &MailPiece,
    variation: Option<NaturalVariation>,
) -> Option<Margins> {
    let (page, reach) = (piece.page.px(), reach(variation));
    let zones: Vec<Rect<Px>> = piece.zones.iter().map(|zone| grown(zone.px(), reach + GAP.to_px())).collect();
    largest_free(margins.area(page), &zones).map(|free| Margins::around(free, page))
}

/// How far natural variation moves ink.
fn reach(variation: Option<NaturalVariation>) -> Px {
    variation.map_or(Px::ZERO, NaturalVariation::reach)
}

/// The smallest box of whole px around a box that grew by `by`.
fn grown(Rect { min, max }: Rect<Px>, by: Px) -> Rect<Px> {
    let low = |edge: Px| -whole(by - edge);
    Rect { min: Point::new(low(min.x), low(min.y)), max: Point::new(whole(max.x + by), whole(max.y + by)) }
}

/// The length in whole px, rounded up.
fn whole(length: Px) -> Px {
    // Without the noise of conversions, so that 37.5 in of exact px stay what they are.
    Px::new((length.get() - 1e-6).ceil())
}

/// The largest rectangle inside `area` that overlaps none of the `zones`. Each of its edges is one of the area or of a
/// zone, so all of those are tried.
fn largest_free(area: Rect<Px>, zones: &[Rect<Px>]) -> Option<Rect<Px>> {
    let starts = |edge: Px, of: fn(&Rect<Px>) -> Px| {
        let mut starts: Vec<Px> =
            std::iter::once(edge).chain(zones.iter().map(of).filter(|start| *start > edge)).collect();
        starts.sort_by(|a, b| a.get().total_cmp(&b.get()));
        starts
    };
    let ends = |edge: Px, of: fn(&Rect<Px>) -> Px| -> Vec<Px> {
        std::iter::once(edge).chain(zones.iter().map(of).filter(|end| *end < edge)).collect()
    };
    let (lefts, tops) = (starts(area.min.x, |zone| zone.max.x), starts(area.min.y, |zone| zone.max.y));
    let (rights, bottoms) = (ends(area.max.x, |zone| zone.min.x), ends(area.max.y, |zone| zone.min.y));
    let corners = |xs: &[Px], ys: &[Px]| -> Vec<Point<Px>> {
        ys.iter().flat_map(|y| xs.iter().map(|x| Point::new(*x, *y))).collect()
    };
    let (mut best, mut most) = (None, 0.0);
    let ends = corners(&rights, &bottoms);
    for (min, max) in corners(&lefts, &tops).into_iter().flat_map(|min| ends.iter().map(move |max| (min, *max))) {
        let free = Rect { min, max };
        let size = free.width().get() * free.height().get();
        if min.x < max.x && min.y < max.y && size > most && !zones.iter().any(|zone| overlaps(free, *zone)) {
            (best, most) = (Some(free), size);
        }
    }
    best
}

/// Whether the boxes share more than an edge.
fn overlaps(a: Rect<Px>, b: Rect<Px>) -> bool {
    a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rect(left: u16, top: u16, right: u16, bottom: u16) -> Rect<Px> {
        let point = |x: u16, y: u16| Point::new(Px::new(x.into()), Px::new(y.into()));
        Rect { min: point(left, top), max: point(right, bottom) }
    }

    fn margins(all: f64) -> Margins {
        let all = Px::new(all);
        Margins { left: all, right: all, top: all, bottom: all }
    }

    #[test]
    fn the_largest_rectangle_lies_beside_the_zones() {
        let area = rect(10, 10, 110, 60);
        assert_eq!(largest_free(area, &[]), Some(area));
        assert_eq!(largest_free(area, &[rect(60, 30, 200, 200)]), Some(rect(10, 10, 60, 60)));
        assert_eq!(largest_free(area, &[rect(20, 40, 200, 200)]), Some(rect(10, 10, 110, 40)));
        assert_eq!(largest_free(area, &[rect(50, 0, 70, 20), rect(0, 50, 30, 60)]), Some(rect(30, 20, 110, 60)));
        assert_eq!(largest_free(area, &[rect(0, 0, 200, 200)]), None);
        // Of two halves the left one, of two storeys the upper one.
        assert_eq!(largest_free(area, &[rect(50, 0, 70, 100)]), Some(rect(10, 10, 50, 60)));
        assert_eq!(largest_free(area, &[rect(0, 30, 200, 40)]), Some(rect(10, 10, 110, 30)));
    }

    #[test]
    fn the_back_of_a_lob_postcard_leaves_its_left_column() {
        let piece = MailPiece::from_name("lob_postcard_4x6_back").unwrap();
        let (safe, found) = raised(margins(0.0), piece, None);
        assert_eq!((safe, found.len()), (margins(38.0), 4), "1/8 in is 37.5 px");
        let free = beside_zones(safe, piece, None).unwrap();
        // The zone begins 2.5665 in from the left edge, 769.95 px, less 1 mm.
        assert_eq!(free, Margins { right: Px::new(1800.0 - 758.0), ..margins(38.0) });
        let (kept, found) = raised(margins(60.0), piece, None);
        assert_eq!((kept, found), (margins(60.0), Vec::new()), "a margin is never lowered");
        let inside_the_zone = Margins { left: Px::new(800.0), ..margins(460.0) };
        assert_eq!(beside_zones(inside_the_zone, piece, None), None);
    }

    #[test]
    fn ink_that_moves_keeps_its_distance_too() {
        let piece = MailPiece::from_name("lob_postcard_4x6_back").unwrap();
        let variation = Some(NaturalVariation { alpha: 40, sigma: 3 });
        let (still, moved) = (raised(margins(0.0), piece, None).0, raised(margins(0.0), piece, variation).0);
        assert!(moved.left - still.left > Px::new(5.0), "{moved:?}");
        let [still, moved] = [(still, None), (moved, variation)]
            .map(|(margins, variation)| beside_zones(margins, piece, variation).unwrap().right);
        assert!(moved - still > Px::new(5.0), "{moved:?}");
    }

    fn any_rect(within: u16) -> impl Strategy<Value = Rect<Px>> {
        (0..within, 0..within, 1..within, 1..within).prop_map(|(x, y, w, h)| rect(x, y, x + w, y + h))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn no_free_rectangle_is_larger(zones in prop::collection::vec(any_rect(12), 0..4)) {
            let area = rect(1, 1, 13, 11);
            let found = largest_free(area, &zones);
            let size = |free: Rect<Px>| free.width().get() * free.height().get();
            let mut most = 0.0;
            for (left, top) in (1..13_u16).flat_map(|x| (1..11_u16).map(move |y| (x, y))) {
                for (right, bottom) in (left + 1..=13).flat_map(|x| (top + 1..=11).map(move |y| (x, y))) {
                    let free = rect(left, top, right, bottom);
                    if !zones.iter().any(|zone| overlaps(free, *zone)) {
                        most = size(free).max(most);
                    }
                }
            }
            prop_assert!((found.map_or(0.0, size) - most).abs() < 1e-9, "{:?} is not {}", found, most);
            prop_assert!(found.is_none_or(|free| !zones.iter().any(|zone| overlaps(free, *zone))));
        }
    }
}
