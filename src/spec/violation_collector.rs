//! Collects the violations of a request, each with its path.

use std::fmt::Display;

use serde_json::Value;

use super::known::Known;
use super::violation::{PathSegment, Violation, ViolationKind, Violations};
use super::wording::shown;
use crate::artwork::KnownArtwork;
use crate::catalogue::FontNames;

/// The violations so far, the path of the current value, and what is loaded that values may name.
#[derive(Debug, Default)]
pub(super) struct ViolationCollector {
    /// The fonts that a request may name.
    pub(super) fonts: FontNames,
    /// The artwork that it may name.
    pub(super) artwork: KnownArtwork,
    place: Vec<PathSegment>,
    found: Vec<Violation>,
}

impl ViolationCollector {
    /// A collector for a request that may name what is known. By default it may name the fonts of the program.
    pub(super) fn knowing(Known { fonts, artwork }: Known) -> Self {
        Self { fonts, artwork, ..Self::default() }
    }

    /// Reports the current value.
    pub(super) fn report(&mut self, kind: ViolationKind, message: impl Into<String>) {
        self.found.push(Violation::new(self.place.clone(), kind, message));
    }

    /// Reports a member or item of the current value.
    pub(super) fn report_at(
        &mut self,
        segment: impl Into<PathSegment>,
        kind: ViolationKind,
        message: impl Into<String>,
    ) {
        self.inside(segment, |collector| collector.report(kind, message));
    }

    /// Reports a field of the body by its dotted name.
    pub(super) fn report_field(&mut self, name: &str, kind: ViolationKind, message: impl Into<String>) {
        self.found.push(Violation::of_field(name, kind, message));
    }

    /// Reports that the current value `input` is not what is `expected`, and suggests what was probably `meant`.
    pub(super) fn unexpected<T>(
        &mut self,
        kind: ViolationKind,
        expected: impl Display,
        input: &Value,
        meant: Option<String>,
    ) -> Option<T> {
        let meant = meant.map_or_else(String::new, |meant| format!("; did you mean {meant}?"));
        self.report(kind, format!("Input should be {expected}, got {}{meant}", shown(input)));
        None
    }

    /// Runs `look` with `segment` appended to the path.
    pub(super) fn inside<T>(&mut self, segment: impl Into<PathSegment>, look: impl FnOnce(&mut Self) -> T) -> T {
        self.place.push(segment.into());
        let result = look(self);
        self.place.pop();
        result
    }

    /// Number of violations so far.
    pub(super) fn count(&self) -> usize {
        self.found.len()
    }

    /// Whether no violation is in these fields of the body.
    pub(super) fn none_of(&self, names: &[&str]) -> bool {
        !self.found.iter().any(|violation| match violation.path.first() {
            Some(PathSegment::Key(key)) => names.contains(&key.as_str()),
            _ => false,
        })
    }

    /// The value, or all violations, if there are any.
    pub(super) fn conclude<T>(self, value: T) -> Result<T, Violations> {
        Violations::from_list(self.found).map_or(Ok(value), Err)
    }
}
