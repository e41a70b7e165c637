//! Warnings about PDF options that have no effect because of other options or the page.

use crate::layout::{Warning, WarningKind};
use crate::spec::{IgnoredOptions, OutputFormat, RenderSpec, Standard, Writing};
use crate::units::Dpi;

/// A warning for each PDF option without effect; none for other files.
pub(super) fn press_warnings(spec: &RenderSpec) -> Vec<Warning> {
    let OutputFormat::Pdf(plan) = &spec.output else { return Vec::new() };
    let mut warnings = overruled(&plan.ignored);
    if plan.writing == Writing::Outlines {
        warnings.extend(outline_warning(spec));
    }
    warnings
}

fn overruled(ignored: &IgnoredOptions) -> Vec<Warning> {
    let standard = ignored.standard.map(|standard| match standard {
        Standard::Pdf => "pdf.standard: 'pdf' has no effect, the preset 'lob' is always PDF/X-1a".to_owned(),
        Standard::PdfX1a => "pdf.standard: 'pdfx1a' has no effect, the preset 'click2mail' is always RGB".to_owned(),
    });
    let bleed = ignored
        .bleed
        .map(|bleed| format!("pdf.bleed_mm: {} has no effect, this page is laid out without bleed", bleed.get()));
    [standard, bleed].into_iter().flatten().map(no_effect).collect()
}

/// Why outlines that were asked for became an image, or that they have no resolution.
fn outline_warning(spec: &RenderSpec) -> Option<Warning> {
    if let Some((field, reason)) = spec.effects.hides_outlines() {
        let message = format!("pdf.writing: outlines cannot show this page, it is an image; {field}: {reason}");
        return Some(Warning { kind: WarningKind::WritingAsImage, message });
    }
    (spec.dpi != Dpi::default())
        .then(|| no_effect(format!("dpi: {} has no effect, outlines have no resolution", spec.dpi.get())))
}

const fn no_effect(message: String) -> Warning {
    Warning { kind: WarningKind::NoEffect, message }
}
