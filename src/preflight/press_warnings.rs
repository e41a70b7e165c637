//! Warnings about a PDF: ink that its white paper hides, a size that the printing service refuses, and options that
//! have no effect because of the preset or the page.

use super::ink_contrast::invisible_inks;
use crate::geometry::Size;
use crate::spec::{
    IgnoredOptions, PdfColors, Preset, PressPlan, ProviderRefusal, RenderSpec, Representation, TextLayer,
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
        let text = "the PDF/X file holds hidden text, which some print shops refuse; 'none' leaves it out";
        warnings.push(Warning::about(WarningKind::HiddenText, "pdf.text_layer", text));
    }
    warnings.extend(plan.refusal.as_ref().map(refusal));
    warnings.extend(invisible_inks(spec));
    warnings
}

/// A warning for each option without effect.
fn without_effect(ignored: &IgnoredOptions, preset: Preset) -> Vec<Warning> {
    let preset = preset.name();
    let standard = ignored.standard.map(|standard| {
        let why = format!("the preset '{preset}' is always RGB");
        Warning::no_effect("pdf.standard", format_args!("'{}'", standard.name()), &why)
    });
    let bleed = ignored
        .bleed
        .map(|bleed| Warning::no_effect("pdf.bleed_mm", bleed.get(), "this page is laid out without bleed"));
    let layout = ignored.layout.map(|layout| {
        let why = format!("the preset '{preset}' decides on bleed and has no crop marks");
        Warning::no_effect("pdf.profile", format_args!("'{}'", layout.name()), &why)
    });
    let crop_box = ignored.crop_box.map(|crop_box| {
        let why = format!("the preset '{preset}' is always PDF/X-1a");
        Warning::no_effect("pdf.crop_box", format_args!("'{}'", crop_box.name()), &why)
    });
    [standard, bleed, layout, crop_box].into_iter().flatten().collect()
}

/// Why outlines that were asked for became an image, or that they have no resolution.
fn outline_warning(spec: &RenderSpec) -> Option<Warning> {
    if let Some((field, reason)) = spec.effects.hides_outlines() {
        let text = format!("outlines cannot show this page, it is an image; {field}: {reason}");
        return Some(Warning::about(WarningKind::WritingAsImage, "pdf.writing", &text));
    }
    (spec.dpi != Dpi::default()).then(|| Warning::no_effect("dpi", spec.dpi.get(), "outlines have no resolution"))
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
                inches(Size { width: Mm::inches(4.25), height: Mm::inches(6.25) }),
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
