//! Parts of the contract that this version refuses, each with the field that asks for it.

use super::findings::Findings;
use super::render_request::{OutputName, RenderRequest};
use super::violation::ViolationKind;

/// One part: the field, what is refused, and whether a request asks for it.
type Part = (&'static str, &'static str, fn(&RenderRequest) -> bool);

/// What this version does not offer.
const PARTS: &[Part] = &[("output_format", "PDF output", |request| request.output_format == OutputName::Pdf)];

/// Reports the parts that `request` asks for, where nothing else is wrong with their field.
pub(super) fn check(request: &RenderRequest, findings: &mut Findings) {
    for (field, part, is_asked_for) in PARTS {
        if is_asked_for(request) && findings.none_of(&[field]) {
            let message = format!("{part} is not offered by this version");
            findings.report_at(*field, ViolationKind::NotAvailable, message);
        }
    }
}
