//! Makes the page of a row on this machine, or only lays it out.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::rows::Row;
use crate::catalogue::{FontCatalogue, FontNames};
use crate::cli::Failure;
use crate::clock::Clock;
use crate::config::Config;
use crate::encode::{OutputProfiles, PdfPage};
use crate::pipeline::{PoolOptions, RenderError, RenderPool, Warning, dry_run};
use crate::spec::{Endpoint, FontSize, OutputFormat, RenderSpec, parse_value_for};

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

/// A warning, as the API writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RowWarning {
    /// What happened, for programs.
    pub(super) r#type: String,
    /// What happened, for people.
    pub(super) message: String,
    /// The field that it is about; none if the server is older and does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) field: String,
}

impl From<Warning> for RowWarning {
    fn from(warning: Warning) -> Self {
        Self { r#type: warning.kind.name().to_owned(), message: warning.message, field: warning.field }
    }
}

/// This machine's device.
pub(super) struct LocalRenderer {
    pool: RenderPool,
    fonts: FontNames,
}

impl LocalRenderer {
    /// Opens the device, unless none of the rows needs it.
    pub(super) fn open(config: &Config, catalogue: Arc<FontCatalogue>, rows: &[Row]) -> Result<Self, Failure> {
        let profiles = OutputProfiles::load(config.icc_dir.as_deref())?;
        // Rows are laid out on threads of the batch.
        let fonts = catalogue.names();
        let opens_device = rows.iter().any(|row| needs_device(row, &fonts));
        let options = PoolOptions { threads: 1, opens_device, ..PoolOptions::default() };
        Ok(Self { pool: RenderPool::start(options, catalogue, profiles, Clock::system())?, fonts })
    }
}

impl RowRenderer for LocalRenderer {
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let spec = spec_of(request, seed, &self.fonts)?;
        let rendered_file = self.pool.generate_blocking(&spec)?;
        Ok(RowResult {
            content: Content::File(rendered_file.bytes),
            seed: rendered_file.seed,
            calculated_font_size: rendered_file.calculated_font_size,
            warnings: rendered_file.warnings.into_iter().map(RowWarning::from).collect(),
        })
    }
}

/// Whether a row is drawn; one that is refused is not.
fn needs_device(row: &Row, fonts: &FontNames) -> bool {
    let request = row.request.as_ref().ok();
    request.and_then(|request| spec_of(request, 0, fonts).ok()).is_some_and(|spec| spec.needs_device())
}

/// What all rows of one PDF share: paper, resolution, ink and press options are those of the first valid row.
pub(super) struct CommonPage(RenderSpec);

impl CommonPage {
    /// That of these rows.
    pub(super) fn of(rows: &[Row], fonts: &FontNames) -> Result<Self, Failure> {
        let mut specs = rows.iter().filter_map(|row| spec_of(row.request.as_ref().ok()?, 0, fonts).ok());
        specs.next().map(Self).ok_or_else(|| Failure::BadData("no row is a valid request".to_owned()))
    }

    /// Refuses a row that differs and must not.
    fn check(&self, spec: &RenderSpec) -> Result<(), Refusal> {
        let Self(first) = self;
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
}

/// This machine's device, for one PDF of all rows.
pub(super) struct PdfAssembler<'a> {
    /// Draws the pages.
    pub(super) renderer: LocalRenderer,
    /// What all pages share.
    pub(super) common: &'a CommonPage,
}

impl PdfAssembler<'_> {
    /// The file of all pages.
    pub(super) fn assemble(&self, pages: &[PdfPage]) -> Result<Vec<u8>, Failure> {
        Ok(self.renderer.pool.bind_blocking(&self.common.0, pages)?)
    }
}

impl RowRenderer for PdfAssembler<'_> {
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let spec = spec_of(request, seed, &self.renderer.fonts)?;
        self.common.check(&spec)?;
        let drawn = self.renderer.pool.draw_pages_blocking(&spec)?;
        Ok(RowResult {
            content: Content::Pages(drawn.pages),
            seed: spec.seed,
            calculated_font_size: drawn.calculated_font_size,
            warnings: drawn.warnings.into_iter().map(RowWarning::from).collect(),
        })
    }
}

/// Lays rows out and draws nothing; needs no device.
pub(super) struct LayoutRenderer<'a> {
    /// The fonts.
    pub(super) catalogue: &'a FontCatalogue,
    /// What the rows must share, if they go into one PDF.
    pub(super) common: Option<&'a CommonPage>,
    /// The largest size that `auto` may choose, beside that of the request.
    pub(super) largest: Option<u32>,
}

impl RowRenderer for LayoutRenderer<'_> {
    fn make(&self, request: &Value, seed: u32) -> Result<RowResult, Refusal> {
        let mut spec = spec_of(request, seed, &self.catalogue.names())?;
        self.common.map_or(Ok(()), |common| common.check(&spec))?;
        if let (FontSize::Auto(auto), Some(largest)) = (&mut spec.font_size, self.largest) {
            auto.max = auto.max.min(largest);
        }
        let run = dry_run(&spec, self.catalogue)?;
        Ok(RowResult {
            content: Content::Nothing,
            seed: spec.seed,
            calculated_font_size: run.calculated_font_size,
            warnings: run.warnings.into_iter().map(RowWarning::from).collect(),
        })
    }
}

/// Reads a row's request, which may name these fonts.
pub(super) fn spec_of(request: &Value, seed: u32, fonts: &FontNames) -> Result<RenderSpec, Refusal> {
    parse_value_for(fonts, request, Endpoint::Generate, || seed)
        .map_err(|violations| Refusal::Row(violations.to_string()))
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
