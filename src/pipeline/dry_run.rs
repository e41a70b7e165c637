//! What a request would become, found without drawing it: it needs no device.

use super::bounds::{check_cost, layout_budget};
use super::control::JobControl;
use super::error::RenderError;
use super::press_warnings::press_warnings;
use super::running_job::without_panic;
use crate::catalogue::FontCatalogue;
use crate::layout::{PageLayout, Warning, lay_out_pages_within};
use crate::spec::{OutputFormat, RenderSpec};
use crate::work::WorkMeter;

/// A file that was laid out and not drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DryRun {
    /// The size that `auto` chooses, in 300-DPI px.
    pub calculated_font_size: Option<u32>,
    /// What the client would be told.
    pub warnings: Vec<Warning>,
}

/// Lays out what [`RenderPool::generate_blocking`](super::RenderPool::generate_blocking) would draw.
///
/// # Errors
/// As there, save that no device fails.
pub fn dry_run(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<DryRun, RenderError> {
    without_panic(|| {
        let control = JobControl::default();
        let work = WorkMeter::new(layout_budget(spec), control.is_wanted);
        let layouts = lay_out_pages_within(spec, catalogue, &work);
        check_cost(spec, layouts.as_deref().unwrap_or_default(), spec.dpi.scale(), &work, &control)?;
        let PageLayout { calculated_font_size, mut warnings, .. } = layouts?.swap_remove(0);
        if let OutputFormat::Pdf(plan) = &spec.output {
            warnings.extend(press_warnings(plan, spec.ink));
        }
        Ok(DryRun { calculated_font_size, warnings })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::spec::{Endpoint, parse_value};

    #[test]
    fn a_dry_run_tells_size_warnings_and_why_a_page_cannot_be() {
        let catalogue = FontCatalogue::load().unwrap();
        let run = |text: &str, overflow: &str| {
            let pdf = json!({"preset": "lob", "standard": "pdf"});
            let request = json!({"text": text, "page_size": "a6", "output_format": "pdf", "pdf": pdf,
                                 "overflow": overflow});
            dry_run(&parse_value(&request, Endpoint::Generate, || 1).unwrap(), &catalogue)
        };
        let done = run("Hello Ж", "error").unwrap();
        assert!(done.calculated_font_size.is_some_and(|size| size > 12));
        assert!(done.warnings.iter().any(|warning| warning.message.contains("pdf.standard")), "{:?}", done.warnings);
        let refused = run(&"word ".repeat(1900), "error").unwrap_err();
        assert!(matches!(refused, RenderError::Layout(_)), "{refused}");
    }
}
