//! A field of the interface: the type that validation and every description of the interface share.

use std::marker::PhantomData;

use serde_json::{Map, Value};

use super::suggestion::nearest;
use super::violation::ViolationKind;
use super::violation_collector::ViolationCollector;
use super::wording::{counted, shortened};

/// Most unknown fields that are named one by one; the rest are counted.
const UNKNOWN_NAMED: usize = 32;
/// Most known fields that a message names.
const KNOWN_NAMED: usize = 32;

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
    /// The unit of a length or an angle: `px` (at 300 DPI), `mm` or `degrees`.
    pub unit: Option<&'static str>,
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
    /// An object.
    Object(ObjectDescription),
    /// An array of objects.
    List {
        /// Most objects.
        most: usize,
        /// Each of them.
        object: ObjectDescription,
    },
    /// Rules to write on: one of the names, or an object.
    Ruling {
        /// The names.
        names: Vec<&'static str>,
        /// The object.
        object: ObjectDescription,
    },
}

/// What an object is, for the API description and the command line.
#[derive(Clone, Copy, Debug)]
pub struct ObjectDescription {
    /// The name of its schema.
    pub schema: &'static str,
    /// What it is, in one or two sentences.
    pub meaning: &'static str,
    /// Its members.
    pub members: fn() -> &'static [FieldDescription],
    /// Whether it may have other members.
    pub has_any: bool,
}

impl PartialEq for ObjectDescription {
    /// Schemas have distinct names.
    fn eq(&self, other: &Self) -> bool {
        self.schema == other.schema
    }
}

impl FieldKind {
    /// The object that it is, or that it holds.
    #[must_use]
    pub const fn object(&self) -> Option<ObjectDescription> {
        match self {
            Self::Object(object) | Self::Ruling { object, .. } | Self::List { object, .. } => Some(*object),
            _ => None,
        }
    }

    /// The members of an object; nothing else has any.
    #[must_use]
    pub fn members(&self) -> &'static [FieldDescription] {
        self.object().map_or(&[], |object| (object.members)())
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

    /// A default in the form of a request. A kind whose defaults are all null has none other.
    fn to_json(&self, _: &Self::Value) -> Value {
        Value::Null
    }

    /// Whether `null` is allowed.
    fn nullable(&self) -> bool {
        false
    }
}

/// The values of the fields of a table. `field_table!` implements it.
pub(super) trait FieldTable: Sized {
    /// The value of every field among `members`. Reports their violations.
    fn read(members: &Map<String, Value>, collector: &mut ViolationCollector) -> Self;

    /// The rows of the table, in the order of the contract.
    fn descriptions() -> &'static [FieldDescription];
}

/// An object with a table of members.
pub(super) trait ObjectFields: FieldTable + Clone {
    /// The name of its schema.
    const SCHEMA: &'static str;
    /// What it is, in one or two sentences.
    const MEANING: &'static str;
    /// The expected input, for the error message: `an object with x, y, width and height`.
    const EXPECTED: &'static str;

    /// What the object is.
    const OBJECT: ObjectDescription =
        ObjectDescription { schema: Self::SCHEMA, meaning: Self::MEANING, members: Self::descriptions, has_any: false };

    /// Reports violations by several members together. Each of them is valid.
    fn check_together(&self, _: &mut ViolationCollector) {}
}

/// An object that is read as a `T`.
#[derive(Debug)]
pub(super) struct Object<T>(PhantomData<T>);

impl<T> Object<T> {
    /// The kind.
    pub(super) const NEW: Self = Self(PhantomData);
}

impl<T: ObjectFields> FieldType for Object<T> {
    type Value = T;

    fn check(&self, input: &Value, collector: &mut ViolationCollector) -> Option<T> {
        let Some(members) = input.as_object() else {
            return collector.unexpected(ViolationKind::ModelType, T::EXPECTED, input, None);
        };
        let before = collector.count();
        let value = T::read(members, collector);
        if collector.count() == before {
            value.check_together(collector);
        }
        refuse_unknown(members, T::descriptions(), collector);
        Some(value)
    }

    fn describe(&self) -> FieldKind {
        FieldKind::Object(T::OBJECT)
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
    /// The unit of a length or an angle.
    pub(super) unit: Option<&'static str>,
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
    /// This value if there is one of these fields; else a violation.
    RequiredUnless(&'static [&'static str], T),
}

impl<K: FieldType> Field<K> {
    /// The field's value among `members`. After a violation it is the value of an absent field: reading continues to
    /// find the other violations, and the result is discarded.
    pub(super) fn read(&self, members: &Map<String, Value>, collector: &mut ViolationCollector) -> K::Value {
        let given = members.get(self.name);
        let value = given.and_then(|input| collector.inside(self.name, |collector| self.kind.check(input, collector)));
        let is_required = match self.absent {
            Absent::Default(_) => false,
            Absent::Required(_) => true,
            Absent::RequiredUnless(others, _) => {
                others.iter().all(|other| members.get(*other).is_none_or(Value::is_null))
            }
        };
        if given.is_none() && is_required {
            collector.report_at(self.name, ViolationKind::Missing, "Field required");
        }
        value.unwrap_or_else(|| self.when_absent().clone())
    }

    /// Whether a value is that of an absent field.
    pub(super) fn is_default(&self, value: &K::Value) -> bool
    where
        K::Value: PartialEq,
    {
        value == self.when_absent()
    }

    fn when_absent(&self) -> &K::Value {
        match &self.absent {
            Absent::Default(value) | Absent::Required(value) | Absent::RequiredUnless(_, value) => value,
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
                Absent::Required(_) | Absent::RequiredUnless(..) => None,
            },
            unit: self.unit,
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
        let listed: Vec<&str> = names.clone().take(KNOWN_NAMED).collect();
        let more = names.count() - listed.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("the known fields are {}{more}", listed.join(", "))
    }
}
