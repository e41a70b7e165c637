//! Where a picture shows which page: from a picture to a map of the page, and to the page laid flat.
//!
//! Input: a picture. Output: a [`PageMap`], from places on the page in mm to places on the picture in pixels, and with it a
//! [`FlatPage`] of equal resolution everywhere. In order: `mark_finder` finds the corner marks; `dot_finder` the black
//! dots, one after the other from the corners, as paper is curled and lenses are not true; `page_map` fits the map to
//! them, with `homography` and `linear`; `flat` samples the picture. Letters do not matter here.

mod dot_finder;
mod flat;
mod homography;
mod linear;
mod mark_finder;
mod page_map;

pub(super) use flat::FlatPage;
pub(super) use linear::least_squares;
pub use page_map::MapFigures;
pub(super) use page_map::PageMap;

/// A place: x to the right, y downwards.
pub(super) type Place = [f64; 2];

pub(super) fn distance(one: Place, other: Place) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

/// The value below which this share of the values are; 0 of none.
pub(super) fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (share * sorted.len() as f64) as usize;
    sorted.get(at.min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}
