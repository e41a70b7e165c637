//! Violations as JSON lists them: by field name, and by path.

use serde::Serialize;

use crate::spec::{PathSegment, Violation};

/// An entry of `details`: the field as one dotted name.
#[derive(Serialize)]
pub(super) struct Detail<'a> {
    field: String,
    message: &'a str,
    r#type: &'static str,
}

/// An entry of `detail`: the field as a path from `body`.
#[derive(Serialize)]
pub(super) struct LocatedDetail<'a> {
    loc: Vec<LocationPart<'a>>,
    msg: &'a str,
    r#type: &'static str,
}

#[derive(Serialize)]
#[serde(untagged)]
enum LocationPart<'a> {
    Name(&'a str),
    Index(usize),
}

impl<'a> Detail<'a> {
    pub(super) fn of(violation: &'a Violation) -> Self {
        Self { field: violation.field(), message: &violation.message, r#type: violation.kind.name() }
    }
}

impl<'a> LocatedDetail<'a> {
    pub(super) fn of(violation: &'a Violation) -> Self {
        let inside = violation.path.iter().map(|segment| match segment {
            PathSegment::Key(name) => LocationPart::Name(name),
            PathSegment::Index(index) => LocationPart::Index(*index),
        });
        let loc = std::iter::once(LocationPart::Name("body")).chain(inside).collect();
        Self { loc, msg: &violation.message, r#type: violation.kind.name() }
    }
}
