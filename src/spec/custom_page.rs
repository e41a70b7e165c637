//! The `custom_page` object: the sides of a page of any size, from 25 mm to those of A3.

use serde_json::Value;

use super::field::{Field, FieldKind, FieldType, ObjectFields};
use super::field_table::field_table;
use super::kinds::{Boolean, Number, OneOf};
use super::page::{PageMeasures, PageUnit};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;

/// The limits of the sides in a unit: the shortest side, which is 25 mm rounded up, and the sides of A3, which are 297 ×
/// 420 mm or 3508 × 4961 px.
const fn limits(unit: PageUnit) -> (f64, [f64; 2]) {
    match unit {
        PageUnit::Mm => (25.0, [297.0, 420.0]),
        PageUnit::In => (0.985, [11.693, 16.535]),
        PageUnit::Px => (296.0, [3508.0, 4961.0]),
    }
}

/// A side in whatever unit. Only with the unit its limits are known, so any number is read.
#[derive(Debug)]
pub(super) struct Side;

impl FieldType for Side {
    type Value = f64;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<f64> {
        Number { min: f64::MIN, max: f64::MAX }.check(input, collector)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Number { min: limits(PageUnit::In).0, max: limits(PageUnit::Px).1[1] }
    }
}

field_table! {
    /// The `custom_page` object, with its sides in `unit`.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(super) struct CustomPage {}

    /// Width in `unit`: at least 25 mm, 0.985 in or 296 px. Both sides together fit A3: at most 297 x 420 mm, 11.693 x
    /// 16.535 in or 3508 x 4961 px, either way round.
    WIDTH width: Side = Side, Required(100.0);
    /// Height in `unit`, within the same limits.
    HEIGHT height: Side = Side, Required(100.0);
    /// Unit of the sides; `px` are at 300 DPI. With `pdf.region` `auto`, `mm` is `eu`, and `in` and `px` are `us`.
    UNIT unit: OneOf<PageUnit> = OneOf(PageUnit::NAMES), Default(PageUnit::Mm);
    /// Whether the page is cut to size after printing, like a postcard: a press page of it then has bleed.
    TRIMMED trimmed: Boolean = Boolean, Default(false);
}

impl CustomPage {
    /// Its measures.
    pub(super) const fn measures(self) -> PageMeasures {
        PageMeasures::new(self.width, self.height, self.unit, self.trimmed)
    }
}

impl ObjectFields for CustomPage {
    const SCHEMA: &'static str = "CustomPage";
    const MEANING: &'static str = "The sides of a page of any size, from 25 mm to those of A3.";
    const EXPECTED: &'static str = "an object such as {\"width\": 6.5, \"height\": 4.5, \"unit\": \"in\"}";

    fn check_together(&self, collector: &mut ViolationCollector) {
        check_sides([(&WIDTH, self.width), (&HEIGHT, self.height)], self.unit, collector);
    }
}

/// Checks the sides against the limits of their unit: each alone, then the shorter one, which A3's shorter side limits.
fn check_sides(sides: [(&Field<Side>, f64); 2], unit: PageUnit, collector: &mut ViolationCollector) {
    let ((shortest, [a3_short, a3_long]), unit) = (limits(unit), unit.name());
    let mut fits = true;
    for (field, side) in sides {
        let (kind, limit) = if side < shortest {
            (ViolationKind::GreaterThanEqual, format!("greater than or equal to {shortest} {unit}"))
        } else if side > a3_long {
            (ViolationKind::LessThanEqual, format!("less than or equal to {a3_long} {unit}, the longer side of A3"))
        } else {
            continue;
        };
        fits = false;
        collector.report_at(field.name, kind, format!("Input should be {limit}, got {side}"));
    }
    let [(first, width), (second, height)] = sides;
    let (shorter, side) = if width <= height { (first, width) } else { (second, height) };
    if fits && side > a3_short {
        let message = format!(
            "The shorter side should be less than or equal to {a3_short} {unit}, as a page fits A3 ({a3_short} x {a3_long} \
             {unit}), got {side}"
        );
        collector.report_at(shorter.name, ViolationKind::LessThanEqual, message);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::field::Object;
    use crate::spec::page::{Orientation, PageFormat, PageSize};

    /// The page of an object, or the fields and kinds of what is wrong.
    fn read(object: &Value) -> Result<PageMeasures, Vec<(String, &'static str)>> {
        let mut collector = ViolationCollector::default();
        let page = Object::<CustomPage>::NEW.check(object, &mut collector);
        let found = collector.conclude(page);
        found
            .map(|page| page.unwrap().measures())
            .map_err(|found| found.iter().map(|violation| (violation.field(), violation.kind.name())).collect())
    }

    #[test]
    fn sides_reach_from_25_mm_to_those_of_a3_in_every_unit() {
        for (unit, least, short, long) in
            [("mm", 25.0, 297.0, 420.0), ("in", 0.985, 11.693, 16.535), ("px", 296.0, 3508.0, 4961.0)]
        {
            let page = |width: f64, height: f64| read(&json!({"width": width, "height": height, "unit": unit}));
            for (width, height) in [(least, least), (short, long), (long, short), (least, long)] {
                let mm = page(width, height).unwrap();
                let format = PageFormat { size: PageSize::Custom(mm), orientation: Orientation::Portrait };
                let px = format.px();
                assert!(px.width.get() >= 295.0 && px.width.get().max(px.height.get()) <= 4961.0, "{unit}: {px:?}");
            }
            let low = |name: &str| (name.to_owned(), "greater_than_equal");
            let high = |name: &str| (name.to_owned(), "less_than_equal");
            assert_eq!(page(least * 0.99, long * 1.01).unwrap_err(), [low("width"), high("height")], "{unit}");
            assert_eq!(page(long, short * 1.01).unwrap_err(), [high("height")], "{unit}");
            assert_eq!(page(short * 1.01, long).unwrap_err(), [high("width")], "{unit}");
        }
    }

    #[test]
    fn a_page_in_px_has_that_many() {
        for (width, height) in [(1275.0, 1801.0), (4961.0, 3508.0), (296.0, 333.0)] {
            let size = PageSize::Custom(read(&json!({"width": width, "height": height, "unit": "px"})).unwrap());
            let as_given = PageFormat { size, orientation: Orientation::Portrait }.px();
            assert_eq!((as_given.width.get(), as_given.height.get()), (width, height));
            let wide = PageFormat { size, orientation: Orientation::Landscape }.px();
            assert_eq!((wide.width.get(), wide.height.get()), (width.max(height), width.min(height)));
        }
    }

    #[test]
    fn every_member_is_checked_by_name() {
        let kinds = |object| read(&object).unwrap_err();
        let one = |name: &str, kind| vec![(name.to_owned(), kind)];
        assert_eq!(kinds(json!({"height": 100})), one("width", "missing"));
        assert_eq!(kinds(json!({"width": "100", "height": 100})), one("width", "float_type"));
        assert_eq!(kinds(json!({"width": 100, "height": 100, "unit": "cm"})), one("unit", "literal_error"));
        assert_eq!(kinds(json!({"width": 100, "height": 100, "trimmed": 1})), one("trimmed", "bool_type"));
        assert_eq!(kinds(json!({"width": 100, "height": 100, "depth": 1})), one("depth", "extra_forbidden"));
        assert_eq!(kinds(json!([100, 100])), one("body", "model_type"));
    }
}
