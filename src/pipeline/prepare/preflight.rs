//! Facts and defects of a file, found without drawing.

use super::laid_out::{LaidOutFile, LaidOutSheet, LaidOutText};
use crate::artwork::{ArtworkFacts, ArtworkKind};
use crate::catalogue::FontCatalogue;
use crate::encode::PageBoxes;
use crate::pipeline::error::RenderError;
use crate::preflight::{
    Finding, Measure, PageFacts, PlacedText, Severity, findings, no_strokes, of_refusal, too_costly, too_many_pages,
    verdict,
};
use crate::spec::{OnFinding, OutputFormat, Preset, PrintingCondition, RenderSpec, Representation, side_name};
use crate::units::Dpi;

/// Largest file that Lob takes, in bytes ("File sizes should be no larger than 5MB").
const LARGEST_FILE: u64 = 5_000_000;

/// The colour space of pages whose ink is mixed into artwork for a press.
pub(in crate::pipeline) const MIXED_SPACE: &str = "DeviceCMYK";

/// The report about a file that was laid out and not drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Preflight {
    /// The worst severity of the findings; `None` if there are none.
    pub verdict: Option<Severity>,
    /// The mail piece, preset or standard that it was checked against.
    pub checked_against: Option<&'static str>,
    /// Everything that was found, the worst first.
    pub findings: Vec<Finding>,
    /// The seed of the page.
    pub seed: u32,
    /// Facts of the file; `None` if it cannot be made.
    pub file: Option<FileFacts>,
}

/// Facts of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileFacts {
    /// The size that `auto` chose, in 300-DPI px.
    pub calculated_font_size: Option<u32>,
    /// Its length in bytes.
    pub bytes: u64,
    /// Whether that is exact. Nothing is made, so it is an estimate.
    pub bytes_are_exact: bool,
    /// How it carries the writing.
    pub representation: Representation,
    /// Resolution of the writing; `None` for outlines.
    pub dpi: Option<Dpi>,
    /// The colour space of the writing.
    pub color_space: &'static str,
    /// The printing condition of a PDF/X-1a; `None` for other files.
    pub condition: Option<PrintingCondition>,
    /// The boxes of every page of a PDF, in pt.
    pub boxes: Option<PageBoxes>,
    /// Figures of each page.
    pub pages: Vec<PageFacts>,
}

impl FileFacts {
    /// Those of the front, with those of the back. A file with pixels on one side has the resolution of that side, and
    /// one with mixed inks on one side their colour space.
    pub(in crate::pipeline) fn with_back(mut self, back: Self) -> Self {
        self.bytes += back.bytes;
        if self.dpi.is_none() {
            (self.dpi, self.representation) = (back.dpi, back.representation);
        }
        if back.color_space == MIXED_SPACE {
            self.color_space = back.color_space;
        }
        self.pages.extend(back.pages);
        self
    }
}

/// The report about a file that cannot be made.
///
/// # Errors
/// The same error, if the request is not to blame.
pub(in crate::pipeline) fn refused(
    spec: &RenderSpec,
    error: RenderError,
    checked_against: Option<&'static str>,
) -> Result<Preflight, RenderError> {
    let finding = match &error {
        RenderError::Layout(refusal) => of_refusal(refusal),
        RenderError::Block { field, error } => {
            of_refusal(error).map(|finding| Finding { field: field.clone(), ..finding })
        }
        RenderError::TooManyPages { needed, most } => Some(too_many_pages(*needed, *most)),
        RenderError::TooCostly { field, message } => Some(too_costly(field, message)),
        RenderError::NoStrokes { field, message } => Some(no_strokes(field, message)),
        _ => None,
    };
    let findings = vec![finding.ok_or(error)?];
    Ok(Preflight { verdict: verdict(&findings), checked_against, findings, seed: spec.seed, file: None })
}

/// Refuses pages with errors, if their request says so.
///
/// # Errors
/// [`RenderError::Findings`] with the errors.
pub(super) fn refuse_errors(
    spec: &RenderSpec,
    laid_out: &LaidOutFile,
    catalogue: &FontCatalogue,
) -> Result<(), RenderError> {
    if spec.on_finding == OnFinding::Report {
        return Ok(());
    }
    let is_error = |finding: &Finding| finding.severity == Severity::Error;
    let errors: Vec<Finding> = all_findings(spec, laid_out, catalogue).into_iter().filter(is_error).collect();
    if errors.is_empty() { Ok(()) } else { Err(RenderError::Findings(errors)) }
}

impl LaidOutSheet<'_> {
    /// Everything that is found in a sheet that is laid out. Its pages are counted through both sides, and fields of two
    /// sides are named as such.
    pub(in crate::pipeline) fn findings(&self, catalogue: &FontCatalogue) -> Vec<Finding> {
        let mut before = 0;
        let mut found = Vec::new();
        for (number, (spec, side)) in self.sides.iter().enumerate() {
            for finding in all_findings(spec, side, catalogue) {
                let finding = Finding { page: finding.page.map(|page| before + page), ..finding };
                found.push(if self.sides.len() > 1 { finding.inside(&side_name(number)) } else { finding });
            }
            before += side.pages.len();
        }
        found
    }
}

/// Everything that is found in a side that is laid out.
fn all_findings(spec: &RenderSpec, laid_out: &LaidOutFile, catalogue: &FontCatalogue) -> Vec<Finding> {
    let texts = (1..).zip(&laid_out.pages).flat_map(|(page, texts)| {
        texts.iter().map(move |text| PlacedText { page, block: text.block, layout: &text.layout })
    });
    let texts: Vec<PlacedText<'_>> = texts.collect();
    findings(spec, &texts, &laid_out.file.warnings, catalogue)
}

/// A warning about a file that Lob will refuse because of its length.
pub(in crate::pipeline) fn too_large(spec: &RenderSpec, bytes: u64) -> Option<Finding> {
    let OutputFormat::Pdf(plan) = &spec.output else { return None };
    if plan.preset != Preset::Lob || bytes <= LARGEST_FILE {
        return None;
    }
    let message = format!("the file will have about {} kB; Lob takes {} kB", bytes / 1000, LARGEST_FILE / 1000);
    let remedy = "use pdf.writing 'outlines', dpi 300 or fewer pages";
    let measure = Some(Measure { actual: bytes as f64, required: LARGEST_FILE as f64, unit: "bytes" });
    Some(Finding { measure, ..Finding::new(Severity::Warning, "file_size", "pdf.writing", message, remedy) })
}

/// Bytes of a page without writing: a PNG has all its rows.
const BLANK_PNG: f64 = 20_000.0;
const BLANK_PDF: f64 = 1_500.0;
/// Bytes per device px of half the circumference of a glyph's ink box, measured over fonts, sizes and resolutions.
const PNG_BYTES_PER_PX: f64 = 8.6;
const PDF_BYTES_PER_PX: f64 = 5.2;
/// Factors for the finer edges at 600 DPI, and for ink that is not flat.
const AT_600_DPI: f64 = 1.3;
const UNEVEN_INK: f64 = 1.6;

/// Most bytes of compressed artwork per pixel and channel: a photograph has two thirds.
const ARTWORK_BYTES_PER_CHANNEL: f64 = 0.66;
/// Bytes of compressed RGB for each byte of a JPEG or PNG with the same pixels: a photograph as JPEG has a seventh.
const PACKED_OF_JPEG: f64 = 8.0;
const PACKED_OF_PNG: f64 = 1.2;

/// The estimated bytes of a picture that is scaled to a number of pixels and compressed.
fn packed_bytes(facts: &ArtworkFacts, pixels: f64, channels: f64) -> f64 {
    let own_pixels = f64::from(facts.width) * f64::from(facts.height);
    let of_file = if facts.kind == ArtworkKind::Jpeg { PACKED_OF_JPEG } else { PACKED_OF_PNG };
    let by_file = facts.pixels_bytes() as f64 * of_file * channels / 3.0 * (pixels / own_pixels).max(1.0);
    by_file.min(pixels * channels * ARTWORK_BYTES_PER_CHANNEL)
}

/// The estimated length of the artwork in a file of `pages` pages.
pub(in crate::pipeline) fn artwork_bytes(spec: &RenderSpec, pages: usize) -> u64 {
    let page_pixels = || {
        let (page, scale) = (spec.page.px(), spec.drawn_dpi().scale().get());
        page.width.get() * page.height.get() * scale * scale
    };
    let of_each = || spec.artwork.iter().map(|placed| placed.artwork.facts());
    let (drawn, by_pixels): (Vec<_>, Vec<_>) = of_each().enumerate().partition(|(at, _)| spec.shows_drawing(*at));
    let drawings: u64 = drawn.iter().filter_map(|(_, facts)| facts.drawing).map(|drawing| drawing.page.bytes).sum();
    // All pictures in one that covers the page.
    let mixed = |channels: f64| {
        let of_each = by_pixels.iter().map(|(_, facts)| packed_bytes(facts, page_pixels(), channels));
        of_each.sum::<f64>().min(page_pixels() * channels * ARTWORK_BYTES_PER_CHANNEL)
    };
    match &spec.output {
        _ if spec.artwork.is_empty() => 0,
        OutputFormat::Png => mixed(3.0) as u64,
        OutputFormat::Pdf(_) if spec.is_for_press() => {
            // Outlines share it; inks are mixed into that of each page.
            let times = if spec.representation() == Representation::Image { pages as f64 } else { 1.0 };
            drawings + (mixed(4.0) * times) as u64
        }
        OutputFormat::Pdf(_) => {
            let of_file = |facts: &ArtworkFacts| match facts.plain_channels {
                0 => packed_bytes(facts, f64::from(facts.width) * f64::from(facts.height), 3.0) as u64,
                _ => facts.bytes,
            };
            drawings + by_pixels.iter().map(|(_, facts)| of_file(facts)).sum::<u64>()
        }
        OutputFormat::Svg(_) => of_each().map(|facts| facts.pixels_bytes() * 4 / 3).sum(),
    }
}

/// The estimated length of a file whose writing is drawn, without the profile that it embeds: within a third for usual
/// texts.
pub(in crate::pipeline) fn estimated_bytes(spec: &RenderSpec, pages: &[Vec<LaidOutText>]) -> u64 {
    let is_png = spec.output == OutputFormat::Png;
    let (blank, per_px) = if is_png { (BLANK_PNG, PNG_BYTES_PER_PX) } else { (BLANK_PDF, PDF_BYTES_PER_PX) };
    let glyphs = pages.iter().flatten().flat_map(|text| text.layout.glyphs());
    let half_rounds: f64 = glyphs.map(|glyph| (glyph.ink.width() + glyph.ink.height()).get()).sum();
    let is_uneven = spec.effects.facts().any(|facts| facts.is_uneven);
    let finer = if spec.drawn_dpi() == Dpi::Dpi600 { AT_600_DPI } else { 1.0 };
    let uneven = if is_uneven { UNEVEN_INK } else { 1.0 };
    let writing = half_rounds * spec.drawn_dpi().scale().get() * per_px * finer * uneven;
    (blank * pages.len() as f64 + writing) as u64
}
