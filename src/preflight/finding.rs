//! Findings of preflight, and their severity.

use crate::geometry::Rect;
use crate::named::named;
use crate::units::Mm;

named! {
    /// How bad a finding is, from the worst.
    #[derive(PartialOrd, Ord)]
    pub enum Severity {
        /// The page cannot be made, will be refused, or loses ink.
        Error = "error",
        /// The page may not be what a reader or a press expects.
        Warning = "warning",
        /// No problem; a remark.
        Info = "info",
    }
}

/// Something about a page that its client should know before it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was checked, for programs.
    pub check: &'static str,
    /// The field to change first, such as `pdf.bleed_mm`.
    pub field: String,
    /// What is wrong, for people.
    pub message: String,
    /// What to change.
    pub remedy: String,
    /// The page, from 1; `None` for the whole file.
    pub page: Option<usize>,
    /// The figures, if it has any.
    pub measure: Option<Measure>,
    /// Where it is, in mm from the upper left corner of the trim, y down.
    pub area: Option<Rect<Mm>>,
}

/// A figure, and what it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// As it is.
    pub actual: f64,
    /// As it should be, at least or at most.
    pub required: f64,
    /// Of both: `mm`, `pt`, `dpi`, `bytes` or `pages`.
    pub unit: &'static str,
}

impl Finding {
    /// The same about a field of this member, such as `sides[1]`.
    pub(crate) fn inside(&self, member: &str) -> Self {
        Self { field: format!("{member}.{}", self.field), ..self.clone() }
    }

    /// A finding about the whole file, without figures.
    pub(crate) fn new(
        severity: Severity,
        check: &'static str,
        field: impl Into<String>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (field, message, remedy) = (field.into(), message.into(), remedy.into());
        Self { severity, check, field, message, remedy, page: None, measure: None, area: None }
    }

    /// The finding with a figure, and what it should be.
    pub(super) fn measured(self, actual: f64, required: f64, unit: &'static str) -> Self {
        Self { measure: Some(Measure { actual, required, unit }), ..self }
    }

    /// What is wrong and what to change, in one message.
    #[must_use]
    pub fn refusal(&self) -> String {
        format!("{}; {}", self.message, self.remedy)
    }
}

/// The worst severity of the findings; `None` if there are none.
#[must_use]
pub fn verdict(findings: &[Finding]) -> Option<Severity> {
    findings.iter().map(|finding| finding.severity).min()
}
