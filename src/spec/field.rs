//! A field of the interface: the type that validation and every description of the interface share.

use serde_json::{Map, Value};

use super::findings::Findings;
use super::suggestion::nearest;
use super::violation::ViolationKind;
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
    /// What holds when the field is left out; `None` for a required field.
    pub default_json: Option<Value>,
    /// What it does, in one or two sentences.
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
    /// One of these strings, spelled exactly so.
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
    /// An object with these members.
    PdfObject(&'static [FieldDescription]),
}

/// A type of field: how its JSON is checked and turned into a value, and how it is described.
pub(super) trait Kind {
    /// The value of a valid field.
    type Value: Clone;

    /// The value of `input`, or `None` after reporting what is wrong with it.
    fn check(&self, input: &Value, findings: &mut Findings) -> Option<Self::Value>;

    /// Type and range.
    fn describe(&self) -> FieldKind;

    /// A value as a request would write it.
    fn to_json(&self, value: &Self::Value) -> Value;

    /// Whether `null` is allowed.
    fn nullable(&self) -> bool {
        false
    }
}

/// A row of a field table, typed by what it yields.
#[derive(Debug)]
pub(super) struct Field<K: Kind> {
    /// The wire name.
    pub(super) name: &'static str,
    /// Type and range.
    pub(super) kind: K,
    /// What holds without the field, or whether it must be there.
    pub(super) absent: Absent<K::Value>,
    /// What it does.
    pub(super) meaning: &'static str,
}

/// What it means that a field is left out.
#[derive(Debug)]
pub(super) enum Absent<T> {
    /// This value.
    Default(T),
    /// A violation; the value stands in until the request is refused.
    Refused(T),
}

impl<K: Kind> Field<K> {
    /// The field's value among `members`. After a violation it is the value of an absent field: the walk goes on to
    /// find the other violations, and the result is thrown away.
    pub(super) fn read(&self, members: &Map<String, Value>, findings: &mut Findings) -> K::Value {
        let given = members.get(self.name);
        let value = given.and_then(|input| findings.inside(self.name, |findings| self.kind.check(input, findings)));
        if given.is_none() && matches!(self.absent, Absent::Refused(_)) {
            findings.report_at(self.name, ViolationKind::Missing, "Field required");
        }
        value.unwrap_or_else(|| self.when_absent().clone())
    }

    fn when_absent(&self) -> &K::Value {
        match &self.absent {
            Absent::Default(value) | Absent::Refused(value) => value,
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
                Absent::Refused(_) => None,
            },
            meaning: self.meaning,
        }
    }
}

/// Reports every member that is none of the `known` fields, each with the name that was probably meant.
pub(super) fn refuse_unknown(members: &Map<String, Value>, known: &[FieldDescription], findings: &mut Findings) {
    let unknown: Vec<&str> =
        members.keys().map(String::as_str).filter(|name| !known.iter().any(|field| field.name == *name)).collect();
    for name in unknown.iter().take(UNKNOWN_NAMED) {
        let message = format!("Unknown field '{}'; {}", shortened(name), hint(name, known));
        findings.report_at(shortened(name).as_str(), ViolationKind::ExtraForbidden, message);
    }
    let unnamed = unknown.len().saturating_sub(UNKNOWN_NAMED);
    if unnamed > 0 {
        let message = format!("And {} more", counted(unnamed, "unknown field", "unknown fields"));
        findings.report(ViolationKind::ExtraForbidden, message);
    }
}

/// The nearest name, the place where the name is known, or all that could have been meant.
fn hint(name: &str, known: &[FieldDescription]) -> String {
    let owner = known.iter().find(
        |field| matches!(field.kind, FieldKind::PdfObject(members) if members.iter().any(|member| member.name == name)),
    );
    let names = known.iter().map(|field| field.name);
    if let Some(owner) = owner {
        format!("it is a member of '{0}': '{0}.{name}'", owner.name)
    } else if let Some(meant) = nearest(name, names.clone()) {
        format!("did you mean '{meant}'?")
    } else {
        format!("the known fields are {}", names.collect::<Vec<_>>().join(", "))
    }
}
