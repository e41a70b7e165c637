//! A field of the interface: the type that validation and every description of the interface share.

use serde_json::{Map, Value};

use super::suggestion::nearest;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::{counted, shortened};

/// Most unknown fields that are named one by one; the rest are counted.
const UNKNOWN_NAMED: usize = 32;

/// A row of a field table, for the API description and the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldDescription {
    /// The wire name.
    pub name: &'static str,
    /// Type and range.
    pub kind: FieldKind,
    /// Whether `null` is allowed; it always means the same as leaving the field out.
    pub nullable: bool,
    /// The value if the field is left out; `None` for a required field.
    pub default_json: Option<Value>,
    /// Its effect, in one or two sentences.
    pub meaning: &'static str,
}

/// Type and range of a field. Bounds are inclusive.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// A whole number.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// The number of a font: of one of the program, or of an operator's that is loaded.
    FontId,
    /// A number.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// `true` or `false`.
    Boolean,
    /// A string; lengths in Unicode scalar values.
    Text {
        /// Shortest.
        min_length: usize,
        /// Longest.
        max_length: usize,
    },
    /// One of these strings, exactly as spelled.
    OneOf(Vec<&'static str>),
    /// One of these whole numbers.
    OneOfIntegers(Vec<i64>),
    /// A whole number of pixels, or the string `auto`.
    FontSize {
        /// Smallest size.
        min: i64,
        /// Largest size.
        max: i64,
    },
    /// Three whole numbers from 0 to 255: red, green, blue.
    Color,
    /// PDF options: an object with these members.
    PdfObject(&'static [FieldDescription]),
    /// SVG options: an object with these members.
    SvgObject(&'static [FieldDescription]),
    /// A part of the page: an object with these members.
    RegionObject(&'static [FieldDescription]),
    /// Texts in boxes: an array of objects with these members.
    Blocks {
        /// Most objects.
        most: usize,
        /// The members of each.
        members: &'static [FieldDescription],
    },
    /// The sides of a page: an object with these members.
    CustomPageObject(&'static [FieldDescription]),
    /// Rules to write on: one of the names, or an object with these members.
    Ruling {
        /// The names.
        names: Vec<&'static str>,
        /// The members of the object.
        members: &'static [FieldDescription],
    },
}

impl FieldKind {
    /// The members of an object; nothing else has any.
    #[must_use]
    pub const fn members(&self) -> &'static [FieldDescription] {
        match self {
            Self::PdfObject(members)
            | Self::SvgObject(members)
            | Self::RegionObject(members)
            | Self::CustomPageObject(members)
            | Self::Ruling { members, .. }
            | Self::Blocks { members, .. } => members,
            Self::Integer { .. }
            | Self::FontId
            | Self::Number { .. }
            | Self::Boolean
            | Self::Text { .. }
            | Self::OneOf(_)
            | Self::OneOfIntegers(_)
            | Self::FontSize { .. }
            | Self::Color => &[],
        }
    }
}

/// A type of field: how its JSON is checked and turned into a value, and how it is described.
pub(super) trait FieldType {
    /// The value of a valid field.
    type Value: Clone;

    /// The value of `input`. Reports a violation and returns `None` if it is invalid.
    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<Self::Value>;

    /// Type and range.
    fn describe(&self) -> FieldKind;

    /// A value in the form of a request.
    fn to_json(&self, value: &Self::Value) -> Value;

    /// Whether `null` is allowed.
    fn nullable(&self) -> bool {
        false
    }
}

/// A row of a field table, typed by its value.
#[derive(Debug)]
pub(super) struct Field<K: FieldType> {
    /// The wire name.
    pub(super) name: &'static str,
    /// Type and range.
    pub(super) kind: K,
    /// The meaning of a missing field.
    pub(super) absent: Absent<K::Value>,
    /// Its effect.
    pub(super) meaning: &'static str,
}

/// Meaning of a missing field.
#[derive(Debug)]
pub(super) enum Absent<T> {
    /// This value.
    Default(T),
    /// A violation. The value stands in until the request is refused.
    Required(T),
}

impl<K: FieldType> Field<K> {
    /// The field's value among `members`. After a violation it is the value of an absent field: reading continues to
    /// find the other violations, and the result is discarded.
    pub(super) fn read(&self, members: &Map<String, Value>, collector: &mut ViolationCollector) -> K::Value {
        let given = members.get(self.name);
        let value = given.and_then(|input| collector.inside(self.name, |collector| self.kind.check(input, collector)));
        if given.is_none() && matches!(self.absent, Absent::Required(_)) {
            collector.report_at(self.name, ViolationKind::Missing, "Field required");
        }
        value.unwrap_or_else(|| self.when_absent().clone())
    }

    fn when_absent(&self) -> &K::Value {
        match &self.absent {
            Absent::Default(value) | Absent::Required(value) => value,
        }
    }

    /// The row as public description.
    pub(super) fn describe(&self) -> FieldDescription {
        FieldDescription {
            name: self.name,
            kind: self.kind.describe(),
            nullable: self.kind.nullable(),
            default_json: match &self.absent {
                Absent::Default(value) => Some(self.kind.to_json(value)),
                Absent::Required(_) => None,
            },
            meaning: self.meaning,
        }
    }
}

/// Reports every member that is none of the `known` fields, and suggests a name.
pub(super) fn refuse_unknown(
    members: &Map<String, Value>,
    known: &[FieldDescription],
    collector: &mut ViolationCollector,
) {
    let unknown: Vec<&str> =
        members.keys().map(String::as_str).filter(|name| !known.iter().any(|field| field.name == *name)).collect();
    for name in unknown.iter().take(UNKNOWN_NAMED) {
        let message = format!("Unknown field '{}'; {}", shortened(name), hint(name, known));
        collector.report_at(shortened(name).as_str(), ViolationKind::ExtraForbidden, message);
    }
    let unnamed = unknown.len().saturating_sub(UNKNOWN_NAMED);
    if unnamed > 0 {
        let message = format!("And {} more", counted(unnamed, "unknown field", "unknown fields"));
        collector.report(ViolationKind::ExtraForbidden, message);
    }
}

/// The object that has the name, the nearest name, or all known names.
fn hint(name: &str, known: &[FieldDescription]) -> String {
    let owner = known.iter().find(|field| field.kind.members().iter().any(|member| member.name == name));
    let names = known.iter().map(|field| field.name);
    if let Some(owner) = owner {
        format!("it is a member of '{0}': '{0}.{name}'", owner.name)
    } else if let Some(meant) = nearest(name, names.clone()) {
        format!("did you mean '{meant}'?")
    } else {
        format!("the known fields are {}", names.collect::<Vec<_>>().join(", "))
    }
}
