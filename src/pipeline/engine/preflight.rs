//! The report about a file, without drawing it.

use super::production::Production;
use crate::encode::PageBoxes;
use crate::layout::PageLayout;
use crate::pipeline::cost::vector_estimate::VectorEstimate;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutFile, LaidOutText};
use crate::pipeline::prepare::preflight::{
    FileFacts, Preflight, all_findings, artwork_bytes, estimated_bytes, refused, too_large,
};
use crate::preflight::{Target, page_facts, verdict};
use crate::spec::{OutputFormat, PdfColors, RenderSpec, Representation};

impl Production<'_> {
    /// Lays the text out and reports what the file would be and what is wrong with it.
    pub(in crate::pipeline) fn preflight(&mut self, spec: &RenderSpec) -> Result<Preflight, RenderError> {
        let checked_against = Target::of(spec).map(|target| target.name);
        let laid_out = match self.prepare(spec, Aim::Report, spec.drawn_dpi().scale()) {
            Ok(laid_out) => laid_out,
            Err(error) => return refused(spec, error, checked_against),
        };
        let file = self.file_facts(spec, &laid_out)?;
        let mut findings = all_findings(spec, &laid_out, self.control.catalogue);
        findings.extend(too_large(spec, file.bytes));
        findings.sort_by_key(|finding| finding.severity);
        Ok(Preflight { verdict: verdict(&findings), checked_against, findings, seed: spec.seed, file: Some(file) })
    }

    fn file_facts(&self, spec: &RenderSpec, laid_out: &LaidOutFile) -> Result<FileFacts, RenderError> {
        let (engine, catalogue) = (self.engine, self.control.catalogue);
        let (representation, pages) = (spec.representation(), &laid_out.pages);
        let on_page = |texts: &Vec<LaidOutText>| {
            let layouts: Vec<&PageLayout> = texts.iter().map(|text| &text.layout).collect();
            page_facts(&layouts, spec.effects.pen, catalogue)
        };
        let mut facts = FileFacts {
            calculated_font_size: laid_out.file.calculated_font_size,
            bytes: match representation {
                Representation::Image => estimated_bytes(spec, pages),
                Representation::Outlines | Representation::Welded | Representation::Strokes => {
                    VectorEstimate::of(spec, pages, catalogue).bytes
                }
            },
            bytes_are_exact: false,
            representation,
            dpi: (representation == Representation::Image).then_some(spec.drawn_dpi()),
            color_space: "sRGB",
            condition: None,
            boxes: None,
            pages: pages.iter().map(on_page).collect(),
        };
        facts.bytes += artwork_bytes(spec, pages.len());
        let OutputFormat::Pdf(plan) = &spec.output else { return Ok(facts) };
        facts.color_space = engine.colors(spec, plan)?.space(representation);
        if spec.is_for_press() && !spec.artwork.is_empty() && representation == Representation::Image {
            // Its ink is mixed into the artwork.
            facts.color_space = "DeviceCMYK";
        }
        facts.boxes = Some(PageBoxes::of(plan));
        if let PdfColors::PdfX1a(condition) = plan.colors {
            facts.condition = Some(condition);
            facts.bytes += engine.profiles.of(condition).compressed().len() as u64;
        }
        Ok(facts)
    }
}
