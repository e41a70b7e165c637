//! Makes the page of a row on this machine, or only lays it out.

use std::sync::Arc;

use serde_json::Value;

use super::rows::Row;
use crate::catalogue::FontCatalogue;
use crate::cli::Failure;
use crate::clock::Clock;
use crate::config::Config;
use crate::encode::{OutputProfiles, PdfPage};
use crate::mail_merge::RowWarning;
use crate::pipeline::{PoolOptions, RenderError, RenderPool, RenderedFile, Warning, dry_run};
use crate::spec::{Endpoint, FontSize, Known, OutputFormat, RenderSpec, Violations, parse_value_for};

/// Renders rows, on any thread.
pub(super) trait RowRenderer: Sync {
    /// Makes the page of a request. `seed` is for a request that names none.
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal>;
}

/// The result of a row.
#[derive(Debug)]
pub(super) struct RowResult {
    /// The file, or its pages.
    pub(super) content: Content,
    /// The seed that was used.
    pub(super) seed: u32,
    /// The size that `auto` chose.
    pub(super) calculated_font_size: Option<u32>,
    /// Warnings for the client.
    pub(super) warnings: Vec<RowWarning>,
}

impl RowResult {
    fn new(content: Content, spec: &RenderSpec, calculated_font_size: Option<u32>, warnings: Vec<Warning>) -> Self {
        let warnings = warnings.into_iter().map(RowWarning::from).collect();
        Self { content, seed: spec.seed, calculated_font_size, warnings }
    }
}

/// A finished file, pages of a file that is assembled at the end, or nothing.
#[derive(Debug)]
pub(super) enum Content {
    /// PNG, PDF or SVG.
    File(Vec<u8>),
    /// At least one.
    Pages(Vec<PdfPage>),
    /// The page was laid out only.
    Nothing,
}

/// Why a row is not made.
#[derive(Debug)]
pub(super) enum Refusal {
    /// This row cannot be made; others may.
    Row(String),
    /// No row can be made at present.
    All(Failure),
}

/// This machine's device.
pub(super) struct LocalRenderer<'a> {
    pool: RenderPool,
    known: Known,
    /// What the rows share, if they go into one PDF.
    common: Option<&'a RenderSpec>,
}

impl<'a> LocalRenderer<'a> {
    /// Opens the device, unless none of the rows needs it.
    pub(super) fn open(
        config: &Config,
        catalogue: &Arc<FontCatalogue>,
        known: &Known,
        rows: &[Row],
        common: Option<&'a RenderSpec>,
    ) -> Result<Self, Failure> {
        let profiles = OutputProfiles::load(config.icc_dir.as_deref())?;
        // A row that is refused is not drawn.
        let opens_device = rows.iter().filter_map(|row| valid_spec(row, known)).any(|spec| spec.needs_device());
        // Rows are laid out on threads of the batch.
        let options = PoolOptions { threads: 1, opens_device, ..PoolOptions::default() };
        let pool = RenderPool::start(options, Arc::clone(catalogue), profiles, Clock::system())?;
        Ok(Self { pool, known: known.clone(), common })
    }

    /// One PDF of these pages.
    pub(super) fn bind(&self, common: &RenderSpec, pages: &[PdfPage]) -> Result<Vec<u8>, Failure> {
        Ok(self.pool.bind_blocking(common, pages)?)
    }
}

impl RowRenderer for LocalRenderer<'_> {
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let spec = spec_of(request, seed, &self.known)?;
        let Some(common) = self.common else {
            let RenderedFile { bytes, calculated_font_size, warnings, .. } = self.pool.generate_blocking(&spec)?;
            return Ok(RowResult::new(Content::File(bytes), &spec, calculated_font_size, warnings));
        };
        refuse_difference(common, &spec)?;
        let drawn = self.pool.draw_pages_blocking(&spec)?;
        Ok(RowResult::new(Content::Pages(drawn.pages), &spec, drawn.calculated_font_size, drawn.warnings))
    }
}

/// Refuses a row that differs from the first valid row of one PDF in what all of its pages share: paper, resolution,
/// ink and press options.
fn refuse_difference(first: &RenderSpec, spec: &RenderSpec) -> Result<(), Refusal> {
    let differences = [
        (!matches!(spec.output, OutputFormat::Pdf(_)), "output_format"),
        (spec.page != first.page, "page_size or orientation"),
        (spec.dpi != first.dpi, "dpi"),
        (spec.ink != first.ink, "text_color"),
        (spec.output != first.output, "pdf"),
    ];
    match differences.into_iter().find(|(differs, _)| *differs) {
        Some((_, field)) => {
            Err(Refusal::Row(format!("{field}: differs from the first row's; one PDF has one kind of page")))
        }
        None => Ok(()),
    }
}

/// Lays rows out and draws nothing; needs no device.
pub(super) struct LayoutRenderer<'a> {
    /// The fonts.
    pub(super) catalogue: &'a FontCatalogue,
    /// What the rows may name.
    pub(super) known: &'a Known,
    /// What the rows must share, if they go into one PDF.
    pub(super) common: Option<&'a RenderSpec>,
    /// The largest size that `auto` may choose, beside that of the request.
    pub(super) largest: Option<u32>,
}

impl RowRenderer for LayoutRenderer<'_> {
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let mut spec = spec_of(request, seed, self.known)?;
        self.common.map_or(Ok(()), |common| refuse_difference(common, &spec))?;
        if let (FontSize::Auto { max }, Some(largest)) = (&mut spec.font_size, self.largest) {
            *max = (*max).min(largest);
        }
        let run = dry_run(&spec, self.catalogue)?;
        Ok(RowResult::new(Content::Nothing, &spec, run.calculated_font_size, run.warnings))
    }
}

/// Reads a row's request, which may name what is known.
pub(super) fn spec_of(request: &Value, seed: u32, known: &Known) -> Result<RenderSpec, Violations> {
    parse_value_for(known.clone(), request, Endpoint::Generate, || seed)
}

/// The specification of a row whose request is valid.
pub(super) fn valid_spec(row: &Row, known: &Known) -> Option<RenderSpec> {
    spec_of(row.request.as_ref().ok()?, 0, known).ok()
}

impl From<Violations> for Refusal {
    fn from(violations: Violations) -> Self {
        Self::Row(violations.to_string())
    }
}

impl From<RenderError> for Refusal {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::DeviceUnavailable(_)
            | RenderError::Overloaded { .. }
            | RenderError::WorkSpent { .. }
            | RenderError::Abandoned => Self::All(error.into()),
            _ => Self::Row(Failure::from(error).to_string()),
        }
    }
}
