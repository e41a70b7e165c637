//! Warnings about a PDF: ink that its white paper hides, and options that have no effect because of the preset or the
//! page.

use super::ink_contrast::invisible_ink;
use crate::layout::{Warning, WarningKind};
use crate::spec::{PressPlan, Rgb, Standard};

/// The warnings about a file with this plan, written in `ink`.
pub(super) fn press_warnings(plan: &PressPlan, ink: Rgb) -> Vec<Warning> {
    let ignored = plan.ignored;
    let standard = ignored.standard.map(|standard| match standard {
        Standard::Pdf => "pdf.standard: 'pdf' has no effect, the preset 'lob' is always PDF/X-1a".to_owned(),
        Standard::PdfX1a => "pdf.standard: 'pdfx1a' has no effect, the preset 'click2mail' is always RGB".to_owned(),
    });
    let bleed = ignored
        .bleed
        .map(|bleed| format!("pdf.bleed_mm: {} has no effect, this page is laid out without bleed", bleed.get()));
    let without_effect = [standard, bleed].into_iter().flatten();
    let without_effect = without_effect.map(|message| Warning { kind: WarningKind::NoEffect, message });
    without_effect.chain(invisible_ink(ink)).collect()
}
