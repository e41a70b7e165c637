//! The field `sides`: the front and the back of a sheet, each an object with members of a request.

use serde_json::{Map, Value};

use super::field::{Absent, Field, FieldKind, FieldType, ObjectDescription};
use super::kinds::{ITEMS, OrNull};
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;

/// Most sides of a sheet.
const MOST_SIDES: usize = 2;

/// The field.
pub(super) static SIDES: Field<OrNull<SideList>> = Field {
    name: "sides",
    kind: OrNull(SideList),
    absent: Absent::Default(None),
    unit: None,
    meaning: "The front and the back of a sheet, for a PDF. Each has members of a request of its own; what it leaves out it \
              takes from the members beside `sides`. Both have one paper and the same PDF options, and are drawn at the \
              finer of their resolutions. The back has another seed, unless it names one.",
};

/// Members of a request that no side has of its own.
static OF_THE_SHEET: [&str; 5] = ["sides", "output_format", "page", "places", "region"];

/// An array of one or two objects.
#[derive(Debug)]
pub(super) struct SideList;

impl FieldType for SideList {
    type Value = Vec<Map<String, Value>>;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Self::Value> {
        let Some(items) = input.as_array() else {
            return collector.unexpected(ViolationKind::ListType, "an array of the front and the back", input, None);
        };
        ITEMS.check(items.len(), 1..=MOST_SIDES, collector)?;
        let side = |(at, item): (usize, &Value)| collector.inside(at, |collector| checked_side(item, collector));
        let sides: Vec<Option<Map<String, Value>>> = items.iter().enumerate().map(side).collect();
        sides.into_iter().collect()
    }

    fn describe(&self) -> FieldKind {
        let meaning = "A side of a sheet: any members of a request, but those of the whole sheet: `sides`, `output_format`, and \
                       `page`, `places` and `region` of a preview.";
        let object = ObjectDescription { schema: "Side", meaning, members: || &[], has_any: true };
        FieldKind::List { most: MOST_SIDES, object }
    }
}

fn checked_side(item: &Value, collector: &mut ViolationCollector) -> Option<Map<String, Value>> {
    let Some(members) = item.as_object() else {
        return collector.unexpected(ViolationKind::ModelType, "an object with members of a request", item, None);
    };
    let before = collector.count();
    for name in OF_THE_SHEET.into_iter().filter(|name| members.contains_key(*name)) {
        let message = "It is of the whole sheet; give it beside 'sides'";
        collector.report_at(name, ViolationKind::ExtraForbidden, message);
    }
    (collector.count() == before).then(|| members.clone())
}
