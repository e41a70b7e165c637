//! The report about a file, without drawing it.

use super::production::Production;
use crate::encode::PageBoxes;
use crate::layout::PageLayout;
use crate::pipeline::cost::vector_estimate::VectorEstimate;
use crate::pipeline::error::RenderError;
use crate::pipeline::prepare::Aim;
use crate::pipeline::prepare::laid_out::{LaidOutFile, LaidOutText};
use crate::pipeline::prepare::preflight::{
    FileFacts, MIXED_SPACE, Preflight, artwork_bytes, estimated_bytes, refused, too_large,
};
use crate::preflight::{Target, page_facts, verdict};
use crate::spec::{OutputFormat, PdfColors, RenderSpec, Representation};

impl Production<'_> {
    /// Lays the text out and reports what the file would be and what is wrong with it.
    pub(in crate::pipeline) fn preflight(&mut self, spec: &RenderSpec) -> Result<Preflight, RenderError> {
        let checked_against = spec.sides().find_map(Target::of).map(|target| target.name);
        let sheet = match self.prepare(spec, Aim::Report) {
            Ok(sheet) => sheet,
            Err(error) => return refused(spec, error, checked_against),
        };
        let facts = sheet.sides.iter().map(|(side, laid_out)| self.file_facts(side, laid_out));
        let facts: Vec<FileFacts> = facts.collect::<Result<_, _>>()?;
        let mut file = facts.into_iter().reduce(FileFacts::with_back).ok_or_else(RenderError::without_page)?;
        if let Some(condition) = file.condition {
            file.bytes += self.engine.profiles.of(condition).compressed().len() as u64;
        }
        let mut findings = sheet.findings(self.control.catalogue);
        findings.extend(too_large(spec, file.bytes));
        findings.sort_by_key(|finding| finding.severity);
        Ok(Preflight { verdict: verdict(&findings), checked_against, findings, seed: spec.seed, file: Some(file) })
    }

    /// Facts of one side of a file, without the profile in it.
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
            facts.color_space = MIXED_SPACE;
        }
        facts.boxes = Some(PageBoxes::of(plan));
        if let PdfColors::PdfX1a(condition) = plan.colors {
            facts.condition = Some(condition);
        }
        Ok(facts)
    }
}
