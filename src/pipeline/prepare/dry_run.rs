//! The outcome of a request, found without drawing it: it needs no device.

use super::{Aim, prepare};
use crate::catalogue::FontCatalogue;
use crate::pipeline::control::JobControl;
use crate::pipeline::error::RenderError;
use crate::pipeline::queue::running_job::without_panic;
use crate::pipeline::rendered_file::RenderedFile;
use crate::spec::RenderSpec;

/// Lays out what [`RenderPool::generate_blocking`](crate::pipeline::RenderPool::generate_blocking) would draw. The file
/// has no bytes.
///
/// # Errors
/// As there, save that no device fails.
pub fn dry_run(spec: &RenderSpec, catalogue: &FontCatalogue) -> Result<RenderedFile, RenderError> {
    without_panic(|| {
        let file = prepare(spec, Aim::File, &JobControl::new(catalogue))?.file();
        file.ok_or_else(RenderError::without_page)
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
            let pdf = json!({"preset": "click2mail", "standard": "pdfx1a"});
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

    #[test]
    fn a_file_that_lob_refuses_is_told_the_size_that_it_wants() {
        let catalogue = FontCatalogue::load().unwrap();
        let warnings = |page_size: &str, pdf: serde_json::Value| {
            let request = json!({"text": "Hi", "font_size": 60, "margin_left": 60, "page_size": page_size,
                                 "output_format": "pdf", "pdf": pdf});
            let run = dry_run(&parse_value(&request, Endpoint::Generate, || 1).unwrap(), &catalogue).unwrap();
            run.warnings
                .iter()
                .map(|warning| format!("{}: {}", warning.kind.name(), warning.message))
                .collect::<Vec<_>>()
        };
        assert_eq!(warnings("postcard_us", json!({"preset": "lob"})), Vec::<String>::new());
        for pdf in [json!({"preset": "lob", "bleed_mm": 5}), json!({"preset": "lob", "region": "eu"})] {
            let found = warnings("postcard_us", pdf.clone());
            assert!(found.len() == 1 && found[0].starts_with("provider_refuses"), "{pdf}: {found:?}");
            assert!(found[0].contains("Lob wants this page as 4.25 x 6.25 in"), "{found:?}");
        }
        let found = warnings("card_5x7", json!({"preset": "lob", "profile": "press", "crop_box": "trim"}));
        let kinds: Vec<&str> = found.iter().filter_map(|warning| warning.split(':').next()).collect();
        assert_eq!(kinds, ["no_effect", "no_effect", "provider_refuses"], "{found:?}");
        assert!(
            found[2].contains("refuses it; it takes postcard_us (4.25 x 6.25 in with bleed), postcard_6x9"),
            "{found:?}"
        );
    }
}
