//! The report of preflight as JSON, for `POST /api/v1/preflight` and `longhand preflight --json`.

use schemars::JsonSchema;
use serde::Serialize;

use super::mail_piece_list::{AreaMm, thousandths, to_thousandths};
use crate::encode::PageBoxes;
use crate::geometry::Rect;
use crate::pipeline::{FileFacts, Preflight};
use crate::preflight::{Finding, PageFacts, Severity};
use crate::units::{MM_PER_INCH, Mm, PT_PER_INCH, Pt};

/// What a file will be, and what is wrong with it.
#[derive(Serialize, JsonSchema, Debug)]
pub struct PreflightReport<'a> {
    /// The worst `severity` of the findings, or `ok`: `ok`, `info`, `warning` or `error`.
    verdict: &'static str,
    /// The mail piece, preset or standard that the page was checked against; null for a page for nobody in particular.
    checked_against: Option<&'static str>,
    /// Everything that was found, the worst first.
    findings: Vec<FindingEntry<'a>>,
    /// The seed of the page. A request with this seed gives the page that was checked.
    seed: u32,
    /// What the file will be; null if it cannot be made.
    file: Option<FileEntry>,
}

/// Something that the client should know before printing.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "Finding")]
struct FindingEntry<'a> {
    /// `error`: cannot be made, will be refused or loses ink. `warning`: may not be as expected. `info`: a remark.
    severity: &'static str,
    /// What was checked, for programs, such as `safe_area` or `reserved_zone`; there may be new ones.
    check: &'static str,
    /// The field to change first.
    field: &'a str,
    /// What is wrong, for people.
    message: &'a str,
    /// What to change.
    remedy: &'a str,
    /// The page, from 1; null for the whole file.
    page: Option<usize>,
    /// The figure that was found; null if the check has none.
    actual: Option<f64>,
    /// What it should be, at least or at most; null if the check has none.
    required: Option<f64>,
    /// Of both figures: `mm`, `pt`, `bytes` or `pages`.
    unit: Option<&'static str>,
    /// Where it is, in mm from the upper left corner of the trim, y down; null for the whole page.
    box_mm: Option<AreaMm>,
}

/// What a file will be.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "PreflightFile")]
struct FileEntry {
    /// Its length.
    bytes: u64,
    /// Whether `bytes` is exact. Preflight makes no file, so it is an estimate: within a half for usual texts.
    bytes_are_exact: bool,
    /// `PDF/X-1a:2001`; null for other files.
    conformance: Option<&'static str>,
    /// The printing condition of a PDF/X-1a, as `pdf.icc_profile` names it.
    output_condition: Option<&'static str>,
    /// The colour space of the writing, such as `DeviceGray`.
    color_space: &'static str,
    /// `image` or `outlines`.
    writing: &'static str,
    /// Resolution of the image; null for outlines.
    effective_dpi: Option<u32>,
    /// The page boxes of a PDF; null for a PNG.
    boxes_mm: Option<BoxesEntry>,
    /// Font size that `auto` chose, pixels at 300 DPI; null for a manual size.
    calculated_font_size: Option<u32>,
    /// Figures of each page.
    pages: Vec<PageEntry>,
}

/// The boxes of every page, in mm from the upper left corner of the trim, y down.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "PageBoxes")]
struct BoxesEntry {
    /// The sheet.
    media: AreaMm,
    /// The product before it is cut.
    bleed: AreaMm,
    /// The product.
    trim: AreaMm,
    /// What viewers show.
    crop: AreaMm,
}

/// Figures of a page. Those of a blank page are null.
#[derive(Serialize, JsonSchema, Debug)]
#[schemars(rename = "PreflightPage")]
struct PageEntry {
    /// The page, from 1.
    number: usize,
    /// Width of the thinnest pen stroke.
    min_stroke_pt: Option<f64>,
    /// Smallest height of the letter x.
    min_x_height_mm: Option<f64>,
    /// A box around the ink, in mm from the upper left corner of the trim, y down.
    ink_box_mm: Option<AreaMm>,
}

impl<'a> PreflightReport<'a> {
    /// The report in the form of the API.
    #[must_use]
    pub fn of(preflight: &'a Preflight) -> Self {
        Self {
            verdict: preflight.verdict.map_or("ok", Severity::name),
            checked_against: preflight.checked_against,
            findings: preflight.findings.iter().map(FindingEntry::of).collect(),
            seed: preflight.seed,
            file: preflight.file.as_ref().map(FileEntry::of),
        }
    }
}

impl<'a> FindingEntry<'a> {
    fn of(finding: &'a Finding) -> Self {
        let measure = finding.measure;
        Self {
            severity: finding.severity.name(),
            check: finding.check,
            field: &finding.field,
            message: &finding.message,
            remedy: &finding.remedy,
            page: finding.page,
            actual: measure.map(|measure| thousandths(measure.actual)),
            required: measure.map(|measure| thousandths(measure.required)),
            unit: measure.map(|measure| measure.unit),
            box_mm: finding.area.map(AreaMm::from),
        }
    }
}

impl FileEntry {
    fn of(facts: &FileFacts) -> Self {
        let page = |(number, page): (usize, &PageFacts)| PageEntry {
            number,
            min_stroke_pt: page.thinnest_stroke_pt.map(thousandths),
            min_x_height_mm: page.x_height_mm.map(thousandths),
            ink_box_mm: page.ink.map(AreaMm::from),
        };
        Self {
            bytes: facts.bytes,
            bytes_are_exact: facts.bytes_are_exact,
            conformance: facts.condition.map(|_| "PDF/X-1a:2001"),
            output_condition: facts.condition.map(crate::spec::PrintingCondition::name),
            color_space: facts.color_space,
            writing: facts.representation.name(),
            effective_dpi: facts.dpi.map(crate::units::Dpi::get),
            boxes_mm: facts.boxes.as_ref().map(BoxesEntry::of),
            calculated_font_size: facts.calculated_font_size,
            pages: (1..).zip(&facts.pages).map(page).collect(),
        }
    }
}

impl BoxesEntry {
    fn of(boxes: &PageBoxes) -> Self {
        let (left, upper) = (boxes.trim.min.x, boxes.trim.max.y);
        let mm = |length: Pt| Mm::new(length.get() / PT_PER_INCH * MM_PER_INCH);
        // y of a PDF points up.
        let area = |of: Rect<Pt>| AreaMm {
            x: to_thousandths(mm(of.min.x - left)),
            y: to_thousandths(mm(upper - of.max.y)),
            width: to_thousandths(mm(of.width())),
            height: to_thousandths(mm(of.height())),
        };
        Self { media: area(boxes.media), bleed: area(boxes.bleed), trim: area(boxes.trim), crop: area(boxes.crop) }
    }
}
