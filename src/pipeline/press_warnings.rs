//! Warnings about PDF options that have no effect because of the preset or the page.

use crate::layout::{Warning, WarningKind};
use crate::spec::{IgnoredOptions, Standard};

/// A warning for each option without effect.
pub(super) fn press_warnings(ignored: &IgnoredOptions) -> Vec<Warning> {
    let standard = ignored.standard.map(|standard| match standard {
        Standard::Pdf => "pdf.standard: 'pdf' has no effect, the preset 'lob' is always PDF/X-1a".to_owned(),
        Standard::PdfX1a => "pdf.standard: 'pdfx1a' has no effect, the preset 'click2mail' is always RGB".to_owned(),
    });
    let bleed = ignored
        .bleed
        .map(|bleed| format!("pdf.bleed_mm: {} has no effect, this page is laid out without bleed", bleed.get()));
    [standard, bleed].into_iter().flatten().map(|message| Warning { kind: WarningKind::NoEffect, message }).collect()
}
