//! The `region` of a preview: the part of the page that it shows.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::field::{Absent, Field, FieldDescription, FieldKind, FieldType, refuse_unknown};
use super::kinds::Integer;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::shown;
use crate::geometry::{Point, Rect, Size};
use crate::units::Px;

/// Shortest side of a region in px.
const SHORTEST_SIDE: u16 = 200;
/// Longest side of any page in px: that of ISO A3.
const LONGEST_SIDE: u16 = 4961;

/// `region` as in the request, in 300-DPI px.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PreviewRegion {
    /// Left edge.
    pub(super) x: u16,
    /// Upper edge.
    pub(super) y: u16,
    /// Extent to the right.
    pub(super) width: u16,
    /// Extent downwards.
    pub(super) height: u16,
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

static X: Field<Integer<u16>> = Field {
    name: "x",
    kind: Integer { min: 0, max: LONGEST_SIDE - SHORTEST_SIDE },
    absent: Absent::Required(0),
    meaning: "Distance of the left edge from the page's left edge, pixels at 300 DPI.",
};

static Y: Field<Integer<u16>> = Field {
    name: "y",
    kind: Integer { min: 0, max: LONGEST_SIDE - SHORTEST_SIDE },
    absent: Absent::Required(0),
    meaning: "Distance of the upper edge from the page's upper edge, pixels at 300 DPI.",
};

static WIDTH: Field<Integer<u16>> = Field {
    name: "width",
    kind: Integer { min: SHORTEST_SIDE, max: LONGEST_SIDE },
    absent: Absent::Required(SHORTEST_SIDE),
    meaning: "Width, pixels at 300 DPI. The right edge must be on the page.",
};

static HEIGHT: Field<Integer<u16>> = Field {
    name: "height",
    kind: Integer { min: SHORTEST_SIDE, max: LONGEST_SIDE },
    absent: Absent::Required(SHORTEST_SIDE),
    meaning: "Height, pixels at 300 DPI. The lower edge must be on the page.",
};

static DESCRIPTIONS: LazyLock<Vec<FieldDescription>> =
    LazyLock::new(|| vec![X.describe(), Y.describe(), WIDTH.describe(), HEIGHT.describe()]);

/// The `region` object.
#[derive(Debug)]
pub(super) struct RegionObject;

impl FieldType for RegionObject {
    type Value = PreviewRegion;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<PreviewRegion> {
        let Some(members) = input.as_object() else {
            let message = format!("Input should be an object with x, y, width and height, got {}", shown(input));
            collector.report(ViolationKind::ModelType, message);
            return None;
        };
        let region = read(members, collector);
        refuse_unknown(members, &DESCRIPTIONS, collector);
        Some(region)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::RegionObject(&DESCRIPTIONS)
    }

    fn to_json(&self, value: &PreviewRegion) -> Value {
        json!({X.name: value.x, Y.name: value.y, WIDTH.name: value.width, HEIGHT.name: value.height})
    }
}

fn read(members: &Map<String, Value>, collector: &mut ViolationCollector) -> PreviewRegion {
    PreviewRegion {
        x: X.read(members, collector),
        y: Y.read(members, collector),
        width: WIDTH.read(members, collector),
        height: HEIGHT.read(members, collector),
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
