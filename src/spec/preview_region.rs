//! The `region` of a preview: the part of the page that it shows.

use super::field::ObjectFields;
use super::field_table::field_table;
use super::kinds::Integer;
use super::page_box::PageBox;
use super::violation_collector::ViolationCollector;
use crate::geometry::Size;
use crate::units::Px;

/// Shortest side of a region in px.
const SHORTEST_SIDE: u16 = 200;
/// Longest side of any page in px: that of ISO A3.
const LONGEST_SIDE: u16 = 4961;

field_table! {
    /// `region` as in the request, in 300-DPI px.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) struct PreviewRegion {}

    /// Distance of the left edge from the page's left edge, pixels at 300 DPI.
    X x: Integer<u16> = Integer { min: 0, max: LONGEST_SIDE - SHORTEST_SIDE }, Required(0) in "px";
    /// Distance of the upper edge from the page's upper edge, pixels at 300 DPI.
    Y y: Integer<u16> = Integer { min: 0, max: LONGEST_SIDE - SHORTEST_SIDE }, Required(0) in "px";
    /// Width, pixels at 300 DPI. The right edge must be on the page.
    WIDTH width: Integer<u16> = Integer { min: SHORTEST_SIDE, max: LONGEST_SIDE }, Required(SHORTEST_SIDE) in "px";
    /// Height, pixels at 300 DPI. The lower edge must be on the page.
    HEIGHT height: Integer<u16> = Integer { min: SHORTEST_SIDE, max: LONGEST_SIDE }, Required(SHORTEST_SIDE) in "px";
}

impl PreviewRegion {
    /// The box on the page.
    pub(super) const fn area(self) -> PageBox {
        PageBox { x: self.x, y: self.y, width: self.width, height: self.height }
    }

    /// Reports each side that reaches beyond a page of this size.
    pub(super) fn check_inside(self, page: Size<Px>, collector: &mut ViolationCollector) {
        self.area().check_inside(page, SHORTEST_SIDE, collector);
    }
}

impl ObjectFields for PreviewRegion {
    const SCHEMA: &'static str = "PreviewRegion";
    const MEANING: &'static str = "A part of the page, at least 200 px wide and high, inside the page.";
    const EXPECTED: &'static str = "an object with x, y, width and height";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::{Orientation, PageFormat, PageSize};

    #[test]
    fn no_page_has_a_side_that_a_region_cannot_have() {
        let sides: Vec<f64> = PageSize::names()
            .filter_map(PageSize::from_name)
            .flat_map(|size| {
                let Size { width, height } = PageFormat { size, orientation: Orientation::Portrait }.px();
                [width.get(), height.get()]
            })
            .collect();
        let longest = sides.iter().copied().fold(0.0, f64::max);
        assert!((longest - f64::from(LONGEST_SIDE)).abs() < 1e-9, "{longest}");
        assert!(sides.iter().copied().fold(f64::MAX, f64::min) > f64::from(SHORTEST_SIDE));
    }
}
