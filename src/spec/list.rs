//! A field that is an array of objects.

use serde_json::Value;

use super::field::{FieldKind, FieldType, Object, ObjectFields};
use super::kinds::ITEMS;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;

/// An array of objects that are read as `T`s.
#[derive(Debug)]
pub(super) struct List<T> {
    /// Most objects.
    pub(super) most: usize,
    /// What they are, in the plural.
    pub(super) of: &'static str,
    /// Each of them.
    pub(super) object: Object<T>,
}

impl<T: ObjectFields> FieldType for List<T> {
    type Value = Vec<T>;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Vec<T>> {
        let Some(items) = input.as_array() else {
            return collector.unexpected(ViolationKind::ListType, format_args!("an array of {}", self.of), input, None);
        };
        ITEMS.check(items.len(), 1..=self.most, collector)?;
        let checked = items.iter().enumerate();
        let items: Vec<Option<T>> =
            checked.map(|(at, item)| collector.inside(at, |inner| self.object.check(item, inner))).collect();
        items.into_iter().collect()
    }

    fn describe(&self) -> FieldKind {
        FieldKind::List { most: self.most, object: T::OBJECT }
    }
}
