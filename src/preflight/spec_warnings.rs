//! All warnings that need no layout.

use super::file_warnings::file_warnings;
use super::mail_warnings::mail_warnings;
use crate::spec::RenderSpec;
use crate::warning::Warning;

/// The warnings that follow from the specification alone.
pub(crate) fn spec_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let mut warnings = mail_warnings(spec);
    warnings.extend(file_warnings(spec));
    warnings
}
