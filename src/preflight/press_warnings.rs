//! Warnings about a PDF: ink that its white paper hides, a size that the printing service refuses, and options that
//! have no effect because of the preset or the page.

use super::ink_contrast::invisible_inks;
use crate::geometry::Size;
use crate::spec::{
    IgnoredOptions, PdfColors, Preset, PressPlan, ProviderRefusal, RenderSpec, Representation, Standard, TextLayer,
};
use crate::units::{Dpi, MM_PER_INCH, Mm};
use crate::warning::{Warning, WarningKind};

/// The warnings about a PDF of this plan.
pub(super) fn press_warnings(spec: &RenderSpec, plan: &PressPlan) -> Vec<Warning> {
    let mut warnings: Vec<Warning> = without_effect(&plan.ignored, plan.preset);
    if plan.representation == Representation::Outlines {
        warnings.extend(outline_warning(spec));
    }
    if plan.text_layer == TextLayer::Invisible && plan.colors != PdfColors::Rgb {
        warnings.push(hidden_text());
    }
    warnings.extend(plan.refusal.as_ref().map(refusal));
    warnings.extend(invisible_inks(spec));
    warnings
}

/// A warning for each option without effect.
fn without_effect(ignored: &IgnoredOptions, preset: Preset) -> Vec<Warning> {
    let preset = preset.name();
    let standard = ignored.standard.map(|standard| {
        let text = match standard {
            Standard::Pdf => "'pdf' has no effect, the preset 'lob' is always PDF/X-1a",
            Standard::PdfX1a => "'pdfx1a' has no effect, the preset 'click2mail' is always RGB",
        };
        no_effect("pdf.standard", text)
    });
    let bleed = ignored.bleed.map(|bleed| {
        no_effect("pdf.bleed_mm", &format!("{} has no effect, this page is laid out without bleed", bleed.get()))
    });
    let layout = ignored.layout.map(|layout| {
        let layout = layout.name();
        let text = format!("'{layout}' has no effect, the preset '{preset}' decides on bleed and has no crop marks");
        no_effect("pdf.profile", &text)
    });
    let crop_box = ignored.crop_box.map(|crop_box| {
        let crop_box = crop_box.name();
        no_effect("pdf.crop_box", &format!("'{crop_box}' has no effect, the preset '{preset}' is always PDF/X-1a"))
    });
    [standard, bleed, layout, crop_box].into_iter().flatten().collect()
}

/// Why outlines that were asked for became an image, or that they have no resolution.
fn outline_warning(spec: &RenderSpec) -> Option<Warning> {
    if let Some((field, reason)) = spec.effects.hides_outlines() {
        let text = format!("outlines cannot show this page, it is an image; {field}: {reason}");
        return Some(Warning::about(WarningKind::WritingAsImage, "pdf.writing", &text));
    }
    (spec.dpi != Dpi::default())
        .then(|| no_effect("dpi", &format!("{} has no effect, outlines have no resolution", spec.dpi.get())))
}

fn hidden_text() -> Warning {
    let text = "the PDF/X file holds hidden text, which some print shops refuse; 'none' leaves it out";
    Warning::about(WarningKind::HiddenText, "pdf.text_layer", text)
}

/// A warning that a field has no effect.
pub(super) fn no_effect(field: &str, text: &str) -> Warning {
    Warning::about(WarningKind::NoEffect, field, text)
}

/// The warning that Lob will refuse a file. No other service is known so exactly.
fn refusal(ProviderRefusal { sheet, wanted }: &ProviderRefusal) -> Warning {
    let (field, text) = match wanted {
        Some(wanted) => (
            "pdf.bleed_mm",
            format!(
                "Lob wants this page as {}, bleed included, and refuses {}; leave out bleed_mm and region, or \
             set bleed_mm to 3.175",
                inches(*wanted),
                inches(*sheet),
            ),
        ),
        None => (
            "page_size",
            format!(
                "Lob takes no sheet of {} and refuses it; it takes postcard_us ({} with bleed), postcard_6x9, \
             postcard_6x11, letter (8.5 x 11 in) and legal (8.5 x 14 in)",
                inches(*sheet),
                inches(Size { width: Mm::new(4.25 * MM_PER_INCH), height: Mm::new(6.25 * MM_PER_INCH) }),
            ),
        ),
    };
    Warning::about(WarningKind::ProviderRefuses, field, &text)
}

/// A size in inches, to two decimals.
fn inches(size: Size<Mm>) -> String {
    let [width, height] = [size.width, size.height].map(|side| (side.get() / MM_PER_INCH * 100.0).round() / 100.0);
    format!("{width} x {height} in")
}
