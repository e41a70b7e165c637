//! The `region` of a preview: the part of the page that it shows.

use serde_json::{Map, Value};

use super::field::{ObjectDescription, ObjectFields};
use super::field_table::field_table;
use super::kinds::Integer;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use crate::geometry::{Point, Rect, Size};
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
    pub(super) fn rect(self) -> Rect<Px> {
        let point = |x: u16, y: u16| Point::new(Px::new(x.into()), Px::new(y.into()));
        let min = point(self.x, self.y);
        Rect { min, max: min + point(self.width, self.height) }
    }

    /// Reports each side that reaches beyond a page of this size.
    pub(super) fn check_inside(self, page: Size<Px>, collector: &mut ViolationCollector) {
        check_axis((X.name, self.x), (WIDTH.name, self.width), ("wide", page.width), collector);
        check_axis((Y.name, self.y), (HEIGHT.name, self.height), ("high", page.height), collector);
    }
}

/// Checks one axis. The violation names the start if no region that starts there is inside the page.
fn check_axis(
    (start_name, start): (&str, u16),
    (extent_name, extent): (&str, u16),
    (dimension, page): (&str, Px),
    collector: &mut ViolationCollector,
) {
    let (end, page) = (u32::from(start) + u32::from(extent), page.get());
    if f64::from(end) <= page {
        return;
    }
    let has_room = f64::from(start) + f64::from(SHORTEST_SIDE) <= page;
    let message = format!(
        "{start_name} + {extent_name} should be at most what the page is {dimension}: {start} + {extent} = {end} px on \
         {page} px"
    );
    let name = if has_room { extent_name } else { start_name };
    collector.report_at(name, ViolationKind::LessThanEqual, message);
}

impl ObjectFields for PreviewRegion {
    const OBJECT: ObjectDescription = ObjectDescription {
        schema: "PreviewRegion",
        meaning: "A part of the page, at least 200 px wide and high, inside the page.",
        members: Self::descriptions,
    };
    const EXPECTED: &'static str = "an object with x, y, width and height";

    fn of(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Option<Self> {
        Some(Self::read(members, collector))
    }
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
