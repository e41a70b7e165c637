//! All warnings that need no layout.

use super::mail_warnings::mail_warnings;
use super::press_warnings::press_warnings;
use crate::layout::Warning;
use crate::spec::RenderSpec;

/// The warnings that follow from the specification alone.
pub(crate) fn spec_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let mut warnings = mail_warnings(spec);
    warnings.extend(press_warnings(spec));
    warnings
}
