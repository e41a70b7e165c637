//! The scalar types of the field tables.
//!
//! JSON types are strict: `"60"` is not an integer and `true` is not a number. 60.0 is the integer 60.

use std::fmt::Display;
use std::ops::RangeInclusive;

use serde_json::{Number as JsonNumber, Value};

use super::field::{FieldKind, FieldType};
use super::meant;
use super::suggestion::nearest;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::{alternatives, counted};

/// A whole number in an inclusive range.
#[derive(Debug)]
pub(super) struct Integer<T> {
    /// Smallest value.
    pub(super) min: T,
    /// Largest value.
    pub(super) max: T,
}

impl<T: Copy + Into<i64> + TryFrom<i64>> FieldType for Integer<T> {
    type Value = T;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<T> {
        let (min, max) = (self.min.into(), self.max.into());
        let meant = input.as_str().and_then(|text| meant::number(text, min, max)).map(|meant| meant.to_string());
        let whole = whole_number(input, meant, collector)?;
        in_range(whole, min, max, input, collector)?;
        T::try_from(whole).ok()
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Integer { min: self.min.into(), max: self.max.into() }
    }

    fn to_json(&self, value: &T) -> Value {
        Value::from((*value).into())
    }
}

/// A number in an inclusive range.
#[derive(Debug)]
pub(super) struct Number {
    /// Smallest value.
    pub(super) min: f64,
    /// Largest value.
    pub(super) max: f64,
}

impl FieldType for Number {
    type Value = f64;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<f64> {
        let Some(number) = input.as_f64() else {
            let meant = input.as_str().and_then(|text| meant::number(text, self.min, self.max));
            let meant = meant.map(|meant| meant.to_string());
            return collector.unexpected(ViolationKind::FloatType, "a valid number", input, meant);
        };
        in_range(number, self.min, self.max, input, collector)?;
        // Adding zero turns -0 into 0.
        Some(number + 0.0)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Number { min: self.min, max: self.max }
    }

    fn to_json(&self, value: &f64) -> Value {
        Value::from(*value)
    }
}

/// `true` or `false`.
#[derive(Debug)]
pub(super) struct Boolean;

impl FieldType for Boolean {
    type Value = bool;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<bool> {
        input.as_bool().or_else(|| {
            let meant = input.as_str().and_then(meant::boolean).map(|meant| meant.to_string());
            collector.unexpected(ViolationKind::BoolType, "true or false", input, meant)
        })
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Boolean
    }

    fn to_json(&self, value: &bool) -> Value {
        Value::Bool(*value)
    }
}

/// Most characters of a text.
pub(super) const LONGEST_TEXT: usize = 10_000;

/// A string that is not empty and not too long, in Unicode scalar values.
#[derive(Debug)]
pub(super) struct Text;

impl FieldType for Text {
    type Value = String;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<String> {
        let Some(text) = input.as_str() else {
            return collector.unexpected(ViolationKind::StringType, "a valid string", input, None);
        };
        CHARACTERS.check(text.chars().count(), 1..=LONGEST_TEXT, collector)?;
        Some(text.to_owned())
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Text { min_length: 1, max_length: LONGEST_TEXT }
    }

    fn to_json(&self, value: &String) -> Value {
        Value::String(value.clone())
    }
}

/// One of some strings, each with a value. Output uses the first name of a value.
#[derive(Debug)]
pub(super) struct OneOf<T: 'static>(pub(super) &'static [(&'static str, T)]);

impl<T: Copy + PartialEq> FieldType for OneOf<T> {
    type Value = T;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<T> {
        let given = input.as_str();
        let known = || self.0.iter().map(|(name, _)| *name);
        let found = self.0.iter().find(|(name, _)| Some(*name) == given).map(|(_, value)| *value);
        found.or_else(|| {
            // Most likely a page by its sides, if pages are among the names.
            let page = given.and_then(meant::page_size).filter(|page| known().any(|name| name == *page));
            let meant = page.or_else(|| nearest(given?, known())).map(|name| format!("'{name}'"));
            let names: Vec<String> = known().map(|name| format!("'{name}'")).collect();
            collector.unexpected(ViolationKind::LiteralError, alternatives(&names), input, meant)
        })
    }

    fn describe(&self) -> FieldKind {
        FieldKind::OneOf(self.0.iter().map(|(name, _)| *name).collect())
    }

    fn to_json(&self, value: &T) -> Value {
        self.0.iter().find(|(_, known)| known == value).map_or(Value::Null, |(name, _)| Value::from(*name))
    }
}

/// One of some whole numbers, each with a value.
#[derive(Debug)]
pub(super) struct OneOfIntegers<T: 'static>(pub(super) &'static [(i64, T)]);

impl<T: Copy + PartialEq> FieldType for OneOfIntegers<T> {
    type Value = T;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<T> {
        let given = input.as_number().and_then(whole);
        let found = self.0.iter().find(|(number, _)| Some(*number) == given).map(|(_, value)| *value);
        found.or_else(|| {
            let numbers: Vec<String> = self.0.iter().map(|(number, _)| number.to_string()).collect();
            let meant = input.as_str().and_then(|text| meant::number(text, i64::MIN, i64::MAX));
            let meant = meant.map(|meant| meant.to_string()).filter(|meant| numbers.contains(meant));
            collector.unexpected(ViolationKind::LiteralError, alternatives(&numbers), input, meant)
        })
    }

    fn describe(&self) -> FieldKind {
        FieldKind::OneOfIntegers(self.0.iter().map(|(number, _)| *number).collect())
    }

    fn to_json(&self, value: &T) -> Value {
        self.0.iter().find(|(_, known)| known == value).map_or(Value::Null, |(number, _)| Value::from(*number))
    }
}

/// A type that also accepts `null`, with the same meaning as a missing field.
#[derive(Debug)]
pub(super) struct OrNull<K>(pub(super) K);

impl<K: FieldType> FieldType for OrNull<K> {
    type Value = Option<K::Value>;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Self::Value> {
        if input.is_null() { Some(None) } else { self.0.check(input, collector).map(Some) }
    }

    fn describe(&self) -> FieldKind {
        self.0.describe()
    }

    fn to_json(&self, value: &Self::Value) -> Value {
        value.as_ref().map_or(Value::Null, |value| self.0.to_json(value))
    }

    fn nullable(&self) -> bool {
        true
    }
}

/// The parts of a value that has a range of lengths.
pub(super) struct Parts {
    pub(super) whole: &'static str,
    /// One and several, in words.
    pub(super) part: [&'static str; 2],
    /// For too few of them, and for too many.
    pub(super) kinds: [ViolationKind; 2],
}

const CHARACTERS: Parts = Parts {
    whole: "String",
    part: ["character", "characters"],
    kinds: [ViolationKind::StringTooShort, ViolationKind::StringTooLong],
};
/// Those of an array.
pub(super) const ITEMS: Parts =
    Parts { whole: "Array", part: ["item", "items"], kinds: [ViolationKind::TooShort, ViolationKind::TooLong] };

impl Parts {
    /// Reports a number of parts outside the range.
    pub(super) fn check(
        &self,
        count: usize,
        range: RangeInclusive<usize>,
        collector: &mut ViolationCollector,
    ) -> Option<()> {
        let (Self { whole, part: [one, many], kinds: [few, more] }, (min, max)) = (self, range.into_inner());
        let (kind, bound, limit) = match count {
            _ if count < min => (few, "at least", min),
            _ if count > max => (more, "at most", max),
            _ => return Some(()),
        };
        collector.report(*kind, format!("{whole} should have {bound} {}, got {count}", counted(limit, one, many)));
        None
    }
}

/// The whole number that `input` is; reports anything else, with what was `meant`.
pub(super) fn whole_number(input: &Value, meant: Option<String>, collector: &mut ViolationCollector) -> Option<i64> {
    let Value::Number(number) = input else {
        return collector.unexpected(ViolationKind::IntType, "a valid integer", input, meant);
    };
    if whole(number).is_none() {
        let message = format!("Input should be a valid integer, got a number with a fractional part: {number}");
        collector.report(ViolationKind::IntFromFloat, message);
    }
    whole(number)
}

/// Reports `value`, received as `input`, if it is outside the range.
pub(super) fn in_range<N: Copy + PartialOrd + Display>(
    value: N,
    min: N,
    max: N,
    input: &Value,
    collector: &mut ViolationCollector,
) -> Option<()> {
    let (kind, bound, limit) = match value {
        _ if value < min => (ViolationKind::GreaterThanEqual, "greater", min),
        _ if value > max => (ViolationKind::LessThanEqual, "less", max),
        _ => return Some(()),
    };
    collector.unexpected(kind, format_args!("{bound} than or equal to {limit}"), input, None)
}

/// The number, if it has no fraction. Beyond 64 bits it becomes the nearest 64-bit number.
fn whole(number: &JsonNumber) -> Option<i64> {
    if let Some(exact) = number.as_i64() {
        return Some(exact);
    }
    let float = number.as_f64()?;
    // A cast from f64 saturates, and turns -0 into 0.
    (float.trunc().to_bits() == float.to_bits()).then_some(float as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_fraction_is_whole_however_it_is_written() {
        for (written, expected) in [
            ("60", Some(60)),
            ("60.0", Some(60)),
            ("6e1", Some(60)),
            ("6000E-2", Some(60)),
            ("-0.0", Some(0)),
            ("60.5", None),
            ("1e-320", None),
            ("1e30", Some(i64::MAX)),
            ("-1e30", Some(i64::MIN)),
            ("9223372036854775807", Some(i64::MAX)),
            ("9223372036854775808", Some(i64::MAX)),
            ("18446744073709551616", Some(i64::MAX)),
        ] {
            let number: JsonNumber = serde_json::from_str(written).unwrap();
            assert_eq!(whole(&number), expected, "{written}");
        }
    }
}
